//! Where servers note that they run.

use std::fmt;
use std::future::Future;
use std::pin::Pin;

use noughts_api::Millis;
use noughts_store::{Outage, Store, StoreError};

/// The future of a [`ServerTable`]'s method.
pub(crate) type TableFuture<'a, T> =
    Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// The servers of a database with their heartbeats, and the database's clock: that of the [`Store`], or
/// of a simulation.
pub(crate) trait ServerTable: fmt::Debug + Send + Sync {
    /// See [`Store::clock`].
    fn clock(&self) -> TableFuture<'_, Option<Millis>>;

    /// See [`Store::ping`].
    fn ping(&self) -> TableFuture<'_, ()>;

    /// See [`Store::register_server`].
    fn register_server(&self, at: Millis, tolerance: Millis) -> TableFuture<'_, ()>;

    /// See [`Store::heartbeat`].
    fn heartbeat(&self, at: Millis, tolerance: Millis) -> TableFuture<'_, ()>;

    /// See [`Store::stop_server`].
    fn stop_server(&self, at: Millis) -> TableFuture<'_, ()>;

    /// See [`Store::outages`].
    fn outages(&self, since: Millis) -> TableFuture<'_, Vec<Outage>>;
}

impl ServerTable for Store {
    fn clock(&self) -> TableFuture<'_, Option<Millis>> {
        Box::pin(Store::clock(self))
    }

    fn ping(&self) -> TableFuture<'_, ()> {
        Box::pin(Store::ping(self))
    }

    fn register_server(&self, at: Millis, tolerance: Millis) -> TableFuture<'_, ()> {
        Box::pin(Store::register_server(self, at, tolerance))
    }

    fn heartbeat(&self, at: Millis, tolerance: Millis) -> TableFuture<'_, ()> {
        Box::pin(Store::heartbeat(self, at, tolerance))
    }

    fn stop_server(&self, at: Millis) -> TableFuture<'_, ()> {
        Box::pin(Store::stop_server(self, at))
    }

    fn outages(&self, since: Millis) -> TableFuture<'_, Vec<Outage>> {
        Box::pin(Store::outages(self, since))
    }
}
