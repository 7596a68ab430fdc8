//! Identities and tokens on both databases.

use noughts_store::{
    IdentityId, IdentityKind, Origin, Store, StoreError, Token, TokenHash, TokenKind, UniqueName,
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
            let taken = store.upgrade_guest(guest, &name(taken), "hash", 2).await;
            assert!(matches!(taken, Err(StoreError::NameTaken { .. })), "{taken:?}");
        }
        assert!(matches!(store.set_password(guest, "x", 1).await, Err(StoreError::NotAnAccount)));

        let old = TokenHash([6; 32]);
        store.create_token(old, guest, TokenKind::Session, "", 2).await.unwrap();
        let account = store.upgrade_guest(guest, &name("Zoë"), "hash", 2).await.unwrap();
        assert_eq!(store.authenticate(old).await.unwrap(), None, "the guest's token ends");
        assert_eq!((account.id, account.kind), (guest, IdentityKind::Account));
        let again = store.upgrade_guest(guest, &name("Zoe"), "hash", 2).await;
        assert!(matches!(again, Err(StoreError::NotAGuest)), "{again:?}");
        let [session, bot] = [7, 8].map(|byte| TokenHash([byte; 32]));
        store.create_token(session, guest, TokenKind::Session, "", 2).await.unwrap();
        store.create_token(bot, guest, TokenKind::Bot, "bot", 2).await.unwrap();
        store.set_password(guest, "other", 3).await.unwrap();
        assert_eq!(store.tokens(guest).await.unwrap(), [], "a password ends sessions and bots");
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
                store.upgrade_guest(guest.unwrap().id, &name("Zoe"), "hash", 0).await
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

async fn account(store: &Store, text: &str) -> IdentityId {
    let made = store.create_identity(IdentityKind::Account, &name(text), Some("hash"), 0).await;
    made.unwrap().id
}

#[tokio::test]
async fn former_names_stay_reserved() {
    on_both(async |store| {
        let ann = account(&store, "Ann").await;
        account(&store, "Bob").await;
        let rename = async |text: &str, at| store.rename(ann, &name(text), at, 100).await;
        let refused = rename("BOB", 1).await;
        assert!(matches!(refused, Err(StoreError::NameTaken { .. })), "{refused:?}");
        assert_eq!(rename("Anna", 1).await.unwrap().name, "Anna");
        assert_eq!(store.identity_named("ann").await.unwrap(), None);
        let take = async |at| {
            store.create_identity(IdentityKind::Guest, &name("ANN"), None, at).await.map(drop)
        };
        assert!(matches!(take(99).await, Err(StoreError::NameTaken { .. })));
        let guest = store.create_identity(IdentityKind::Guest, &name("Guest 1"), None, 0).await;
        let guest = guest.unwrap().id;
        let refused = store.upgrade_guest(guest, &name("Ann"), "hash", 99).await;
        assert!(matches!(refused, Err(StoreError::NameTaken { .. })), "{refused:?}");
        // Its owner gets it back; then the other one is reserved, until it is not.
        rename("Ann", 2).await.unwrap();
        rename("ANN", 2).await.unwrap();
        rename("Anne", 2).await.unwrap();
        take(100).await.unwrap();
        let computer = store.create_identity(IdentityKind::Computer, &name("Deep"), None, 0).await;
        let refused = store.rename(computer.unwrap().id, &name("Zoe"), 3, 100).await;
        assert!(matches!(refused, Err(StoreError::NotAnAccount)), "{refused:?}");
    })
    .await;
}

#[tokio::test]
async fn accounts_reserve_few_names() {
    on_both(async |store| {
        let ann = account(&store, "Ann").await;
        for (number, at) in [(1, 1), (2, 1), (3, 1)] {
            let next = name(&format!("Ann{number}x"));
            store.rename(ann, &next, at, 100).await.unwrap();
        }
        let refused = store.rename(ann, &name("Zoe"), 99, 200).await;
        assert!(matches!(refused, Err(StoreError::RenamedTooOften)), "{refused:?}");
        store.rename(ann, &name("Zoe"), 100, 200).await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn guests_reserve_no_names() {
    on_both(async |store| {
        let guest = store.create_identity(IdentityKind::Guest, &name("Amber Fox"), None, 0).await;
        let guest = guest.unwrap().id;
        for number in 1..=9 {
            let next = name(&format!("Gus{number}x"));
            assert_eq!(store.rename(guest, &next, 1, 100).await.unwrap().kind, IdentityKind::Guest);
        }
        account(&store, "Amber Fox").await;
        let refused = store.rename(guest, &name("amber fox"), 2, 100).await;
        assert!(matches!(refused, Err(StoreError::NameTaken { .. })), "{refused:?}");
        // Signing up keeps the name.
        store.upgrade_guest(guest, &name("Gus9x"), "hash", 3).await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn recovery_codes_work_once() {
    on_both(async |store| {
        let ann = account(&store, "Ann").await;
        let [first, second, session] = [1, 2, 3].map(|byte| TokenHash([byte; 32]));
        store.set_recovery_code(ann, first).await.unwrap();
        store.create_token(session, ann, TokenKind::Session, "", 2).await.unwrap();
        let wrong = store.recover(ann, second, "new", second, 3).await;
        assert!(matches!(wrong, Err(StoreError::WrongCode)), "{wrong:?}");
        assert!(store.authenticate(session).await.unwrap().is_some());
        assert!(store.has_recovery_code(ann, first).await.unwrap());
        store.recover(ann, first, "new", second, 3).await.unwrap();
        assert_eq!(store.tokens(ann).await.unwrap(), []);
        let again = store.recover(ann, first, "newer", first, 4).await;
        assert!(matches!(again, Err(StoreError::WrongCode)), "{again:?}");
        let (_, password) = store.identity_named("ann").await.unwrap().unwrap();
        assert_eq!(password.as_deref(), Some("new"));
        let guest = store.create_identity(IdentityKind::Guest, &name("Guest 1"), None, 0).await;
        let refused = store.set_recovery_code(guest.unwrap().id, first).await;
        assert!(matches!(refused, Err(StoreError::NotAnAccount)), "{refused:?}");
    })
    .await;
}

#[tokio::test]
async fn use_of_tokens_is_recorded() {
    on_both(async |store| {
        let ann = account(&store, "Ann").await;
        let [first, second] = [1, 2].map(|byte| TokenHash([byte; 32]));
        let origin =
            Origin { device: Some("Firefox on Linux".into()), address: Some("192.0.2.7".into()) };
        let token = Token {
            hash: first,
            identity: ann,
            kind: TokenKind::Session,
            label: "session".into(),
            created_at: 10,
            last_used_at: 10,
            origin,
        };
        store.insert_token(token.clone()).await.unwrap();
        store.create_token(second, ann, TokenKind::Bot, "bot", 10).await.unwrap();
        store.record_token_use(&[first, TokenHash([9; 32])], 50).await.unwrap();
        let (_, found) = store.authenticate(first).await.unwrap().unwrap();
        assert_eq!(found, Token { last_used_at: 50, ..token });
        let used: Vec<_> = store.tokens(ann).await.unwrap();
        assert_eq!(used.iter().map(|token| token.last_used_at).collect::<Vec<_>>(), [50, 10]);

        let knows = async |id, address, since| store.knows_address(id, address, since).await;
        assert!(knows(ann, "192.0.2.7", 50).await.unwrap());
        assert!(!knows(ann, "192.0.2.7", 51).await.unwrap());
        assert!(!knows(ann, "192.0.2.8", 0).await.unwrap());
        assert!(!knows(IdentityId(0), "192.0.2.7", 0).await.unwrap());
        store.revoke_token(ann, first, 60).await.unwrap();
        assert!(knows(ann, "192.0.2.7", 50).await.unwrap(), "signed out there, but known");
    })
    .await;
}

#[tokio::test]
async fn deleted_identities_lose_their_name() {
    on_both(async |store| {
        let ann = account(&store, "Ann").await;
        let token = TokenHash([1; 32]);
        store.create_token(token, ann, TokenKind::Bot, "bot", 2).await.unwrap();
        store.set_recovery_code(ann, token).await.unwrap();
        let deleted = name("Deleted player 1");
        assert!(store.delete_identity(ann, &deleted, 5, 100).await.unwrap());
        assert!(!store.delete_identity(ann, &deleted, 6, 100).await.unwrap());
        assert_eq!(store.identity_named("ann").await.unwrap(), None);
        let left = store.identity(ann).await.unwrap().unwrap();
        assert_eq!((left.kind, &*left.name), (IdentityKind::Guest, "Deleted player 1"));
        assert_eq!(store.authenticate(token).await.unwrap(), None);
        assert!(!store.has_recovery_code(ann, token).await.unwrap());
        let take = async |at| {
            store.create_identity(IdentityKind::Guest, &name("Ann"), None, at).await.map(drop)
        };
        assert!(matches!(take(99).await, Err(StoreError::NameTaken { .. })));
        take(100).await.unwrap();
        assert_eq!(store.identities_to_erase().await.unwrap(), [left]);
        store.mark_erased(ann, 7).await.unwrap();
        assert_eq!(store.identities_to_erase().await.unwrap(), []);
        let computer = name("Computer");
        let computer = store.create_identity(IdentityKind::Computer, &computer, None, 0).await;
        let computer = computer.unwrap().id;
        assert!(!store.delete_identity(computer, &name("x"), 5, 100).await.unwrap());
    })
    .await;
}
