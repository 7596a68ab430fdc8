//! Whom players follow and block, and who is connected, on both databases.

use noughts_store::{
    GameId, Identity, IdentityKind, MAX_RELATIONS, Relation, ServerPresence, Store, StoreError,
    UniqueName,
};
use noughts_testing::Postgres;

async fn guest(store: &Store, name: &str) -> Identity {
    let skeleton = name.to_lowercase();
    let name = UniqueName {
        name: name.into(),
        case_skeleton: skeleton.clone(),
        written_skeleton: skeleton,
    };
    store.create_identity(IdentityKind::Guest, &name, None, 1).await.unwrap()
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
async fn following_and_blocking_exclude_each_other() {
    on_both(async |store| {
        let ann = guest(&store, "Ann").await.id;
        let (zoe, bob) = (guest(&store, "Zoe").await, guest(&store, "Bob").await);
        for other in [&zoe, &bob] {
            store.set_relation(ann, other.id, Relation::Follow, 5).await.unwrap();
        }
        let followed = store.related(ann, Relation::Follow).await.unwrap();
        assert_eq!(followed.iter().map(|other| &*other.name).collect::<Vec<_>>(), ["Bob", "Zoe"]);
        store.set_relation(ann, zoe.id, Relation::Block, 6).await.unwrap();
        assert_eq!(store.related(ann, Relation::Follow).await.unwrap(), [bob]);
        assert_eq!(store.relation(ann, zoe.id).await.unwrap(), Some(Relation::Block));
        assert_eq!(store.relation(zoe.id, ann).await.unwrap(), None);
        assert_eq!(store.blocked_either_way(ann).await.unwrap(), [zoe.id]);
        assert_eq!(store.blocked_either_way(zoe.id).await.unwrap(), [ann]);
        // It was not that.
        store.remove_relation(ann, zoe.id, Relation::Follow).await.unwrap();
        assert_eq!(store.relation(ann, zoe.id).await.unwrap(), Some(Relation::Block));
        store.remove_relation(ann, zoe.id, Relation::Block).await.unwrap();
        assert_eq!(store.blocked_either_way(ann).await.unwrap(), []);
    })
    .await;
}

#[tokio::test]
async fn relations_are_limited_and_go_with_their_identities() {
    on_both(async |store| {
        let ann = guest(&store, "Ann").await;
        let mut others = Vec::new();
        for number in 0..=MAX_RELATIONS {
            others.push(guest(&store, &format!("Guest {number}")).await.id);
        }
        let last = others.pop().unwrap();
        for other in &others {
            store.set_relation(ann.id, *other, Relation::Follow, 5).await.unwrap();
        }
        let refused = store.set_relation(ann.id, last, Relation::Follow, 5).await;
        assert!(matches!(refused, Err(StoreError::TooManyRelations)), "{refused:?}");
        // The same ones are not counted twice.
        store.set_relation(ann.id, others[0], Relation::Block, 5).await.unwrap();
        assert_eq!(store.identities(&[ann.id, last]).await.unwrap().len(), 2);

        let gone = UniqueName {
            name: "Deleted".into(),
            case_skeleton: "deleted".into(),
            written_skeleton: "deleted".into(),
        };
        assert!(store.delete_identity(others[0], &gone, 6, 7).await.unwrap());
        assert_eq!(store.blocked_either_way(ann.id).await.unwrap(), []);
    })
    .await;
}

#[tokio::test]
async fn servers_learn_who_is_connected_elsewhere() {
    let Some(postgres) = Postgres::shared() else { return };
    let url = postgres.database().await;
    let (here, there) = (Store::connect(&url).await.unwrap(), Store::connect(&url).await.unwrap());
    let (ann, bot) = (guest(&here, "Ann").await.id, guest(&here, "Bot").await.id);
    let mut presence = ServerPresence { people: vec![ann], ..ServerPresence::default() };
    here.set_presence(&presence, 10).await.unwrap();
    presence.bots.push(bot);
    presence.spectators.push((GameId::from_bytes([1; 16]), 3));
    here.set_presence(&presence, 20).await.unwrap();
    assert_eq!(there.presence_elsewhere(20).await.unwrap(), [presence]);
    assert_eq!(there.presence_elsewhere(21).await.unwrap(), []);
    assert_eq!(here.presence_elsewhere(0).await.unwrap(), []);
    here.remove_presence(0).await.unwrap();
    assert_eq!(there.presence_elsewhere(0).await.unwrap(), []);
}
