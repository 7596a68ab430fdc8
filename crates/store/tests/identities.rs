//! Identities and tokens on both databases.

use noughts_store::{
    IdentityId, IdentityKind, Store, StoreError, TokenHash, TokenKind, UniqueName,
};
use noughts_testing::Postgres;

fn name(name: &str) -> UniqueName {
    UniqueName {
        name: name.into(),
        case_skeleton: name.to_lowercase().replace('1', "l"),
        written_skeleton: name.replace('В', "B").to_lowercase(),
    }
}

/// Runs a test on SQLite and, if installed, on PostgreSQL.
async fn on_both(test: impl AsyncFn(Store)) {
    let folder = tempfile::tempdir().unwrap();
    test(Store::open(&folder.path().join("noughts.db")).await.unwrap()).await;
    if let Some(postgres) = Postgres::shared() {
        test(Store::connect(&postgres.database().await).await.unwrap()).await;
    }
}

#[tokio::test]
async fn lookalike_names_are_taken() {
    on_both(async |store| {
        let ann = store.create_identity(IdentityKind::Account, &name("Al"), Some("h"), 5).await;
        let ann = ann.unwrap();
        assert_eq!((ann.kind, &*ann.name, ann.created_at), (IdentityKind::Account, "Al", 5));
        store.create_identity(IdentityKind::Guest, &name("вal"), None, 5).await.unwrap();
        store.create_identity(IdentityKind::Guest, &name("Bal"), None, 5).await.unwrap();
        for taken in ["Al", "AL", "A1", "Вal"] {
            let refused = store.create_identity(IdentityKind::Guest, &name(taken), None, 6).await;
            assert_eq!(
                refused.unwrap_err().to_string(),
                format!("the name {taken} is taken, or looks like one that is")
            );
        }
        let (found, password) = store.identity_named("al").await.unwrap().unwrap();
        assert_eq!((&found, password.as_deref()), (&ann, Some("h")));
        assert_eq!(store.identity(ann.id).await.unwrap(), Some(ann));
        assert_eq!(store.identity_named("bob").await.unwrap(), None);
        assert_eq!(store.identity(IdentityId(99)).await.unwrap(), None);
    })
    .await;
}

#[tokio::test]
async fn guests_upgrade_to_accounts_once() {
    on_both(async |store| {
        let guest = store.create_identity(IdentityKind::Guest, &name("Guest 7"), None, 1).await;
        let guest = guest.unwrap().id;
        store.create_identity(IdentityKind::Guest, &name("Bob"), None, 1).await.unwrap();
        for taken in ["BOB", "Вob"] {
            let taken = store.upgrade_guest(guest, &name(taken), "hash").await;
            assert!(matches!(taken, Err(StoreError::NameTaken { .. })), "{taken:?}");
        }
        assert!(matches!(store.set_password(guest, "x", 1).await, Err(StoreError::NotAnAccount)));

        let account = store.upgrade_guest(guest, &name("Zoë"), "hash").await.unwrap();
        assert_eq!((account.id, account.kind), (guest, IdentityKind::Account));
        let again = store.upgrade_guest(guest, &name("Zoe"), "hash").await;
        assert!(matches!(again, Err(StoreError::NotAGuest)), "{again:?}");
        let [session, bot] = [7, 8].map(|byte| TokenHash([byte; 32]));
        store.create_token(session, guest, TokenKind::Session, "", 2).await.unwrap();
        store.create_token(bot, guest, TokenKind::Bot, "bot", 2).await.unwrap();
        store.set_password(guest, "other", 3).await.unwrap();
        assert_eq!(store.authenticate(session).await.unwrap(), None, "a password ends sessions");
        assert!(store.authenticate(bot).await.unwrap().is_some());
        let (_, password) = store.identity_named("zoë").await.unwrap().unwrap();
        assert_eq!(password.as_deref(), Some("other"));
        // Its former name is free.
        store.create_identity(IdentityKind::Guest, &name("Guest 7"), None, 2).await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn tokens_work_until_revoked() {
    on_both(async |store| {
        let ann = store.create_identity(IdentityKind::Guest, &name("Ann"), None, 1).await.unwrap();
        let bob = store.create_identity(IdentityKind::Guest, &name("Bob"), None, 1).await.unwrap();
        let [first, second, bot] = [1, 2, 3].map(|byte| TokenHash([byte; 32]));
        store.create_token(first, ann.id, TokenKind::Session, "Firefox", 10).await.unwrap();
        store.create_token(second, ann.id, TokenKind::Session, "phone", 11).await.unwrap();
        store.create_token(bot, ann.id, TokenKind::Bot, "my bot", 12).await.unwrap();
        assert!(store.create_token(bot, bob.id, TokenKind::Bot, "", 12).await.is_err());

        let (whose, token) = store.authenticate(first).await.unwrap().unwrap();
        assert_eq!((&whose, token.kind, &*token.label), (&ann, TokenKind::Session, "Firefox"));
        assert_eq!(store.authenticate(TokenHash([9; 32])).await.unwrap(), None);
        let tokens = store.tokens(ann.id).await.unwrap();
        let made: Vec<_> = tokens.iter().map(|token| (token.hash, token.created_at)).collect();
        assert_eq!(made, [(first, 10), (second, 11), (bot, 12)]);

        assert!(!store.revoke_token(bob.id, first, 60).await.unwrap(), "not Bob's");
        assert!(store.revoke_token(ann.id, first, 60).await.unwrap());
        assert!(!store.revoke_token(ann.id, first, 61).await.unwrap());
        assert_eq!(store.authenticate(first).await.unwrap(), None);
        let unknown = TokenHash([9; 32]);
        let asked = [second, first, unknown, bot];
        assert_eq!(store.inactive_tokens(&asked).await.unwrap(), [first, unknown]);
        assert_eq!(store.inactive_tokens(&[]).await.unwrap(), []);
        assert_eq!(store.revoke_tokens(ann.id, TokenKind::Session, 62).await.unwrap(), 1);
        let left = store.tokens(ann.id).await.unwrap();
        assert_eq!(left.iter().map(|token| token.hash).collect::<Vec<_>>(), [bot]);
        assert!(store.authenticate(bot).await.unwrap().is_some());
    })
    .await;
}

/// One of many concurrent upgrades gets the name.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_race_for_a_name_has_one_winner() {
    on_both(async |store| {
        let mut wanting = tokio::task::JoinSet::new();
        for number in 0..8 {
            let store = store.clone();
            wanting.spawn(async move {
                let guest = format!("guest {number}");
                let guest =
                    store.create_identity(IdentityKind::Guest, &name(&guest), None, 0).await;
                store.upgrade_guest(guest.unwrap().id, &name("Zoe"), "hash").await
            });
        }
        let upgraded = wanting.join_all().await;
        assert_eq!(upgraded.iter().filter(|upgraded| upgraded.is_ok()).count(), 1);
        for refused in upgraded.into_iter().filter_map(Result::err) {
            assert!(matches!(refused, StoreError::NameTaken { .. }), "{refused}");
        }
    })
    .await;
}
