//! `noughts serve`: hosts online games.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use anyhow::{Context, anyhow};
use clap::builder::FalseyValueParser;
use noughts_server::{Config, MetricsAddress};
use noughts_store::Store;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

use crate::data::DataArguments;
use crate::failure::Failure;
#[cfg(not(feature = "postgres"))]
use crate::unavailable;

/// How far the port of the metrics is from the server's, by default.
const METRICS_PORT_OFFSET: u16 = 1_000;

/// Host games for browsers, terminals and programs
///
/// Games are stored in the same file as those of the terminal, or in PostgreSQL, which several
/// servers can share. Most flags can be set in a file (--config), with underscores: `think_ms =
/// 500`. Flags and environment variables override the file.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    noughts serve\n  \
    noughts serve --listen 0.0.0.0:8000 --data games.db\n  \
    noughts serve --database postgres://noughts:secret@localhost/noughts\n  \
    noughts serve --config noughts.toml")]
pub(crate) struct Arguments {
    #[command(flatten)]
    data: DataArguments,
    #[command(flatten)]
    config: Config,
    /// TOML file with settings
    #[arg(long = "config", value_name = "FILE", env = "NOUGHTS_CONFIG")]
    file: Option<PathBuf>,
    /// Write logs as JSON, one object per line
    #[arg(long, env = "NOUGHTS_LOG_JSON", value_parser = FalseyValueParser::new())]
    log_json: bool,
    /// Log level: error, warn, info, debug or trace, or a filter such as noughts_server=debug
    #[arg(long, value_name = "LEVEL", default_value = "info", env = "NOUGHTS_LOG")]
    log: String,
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let mut config = match &arguments.file {
        Some(path) => {
            let text = std::fs::read_to_string(path)
                .with_context(|| format!("can't read {}", path.display()))?;
            let file: Config = toml::from_str(&text)
                .with_context(|| format!("{} is not a configuration", path.display()))
                .map_err(Failure::Malformed)?;
            arguments.config.or(file)
        }
        None => arguments.config,
    };
    config.check().map_err(|sentence| Failure::malformed(anyhow!(sentence)))?;
    start_log(&arguments.log, arguments.log_json)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let served = runtime.block_on(async {
        let store = match &config.database {
            #[cfg(feature = "postgres")]
            Some(url) => Store::connect(url).await?,
            #[cfg(not(feature = "postgres"))]
            Some(_) => return unavailable::refuse("--database", "postgres"),
            None => Store::open(&arguments.data.path()?).await?,
        };
        store.lock_for_server()?;
        let listen = config.listen();
        let listener = TcpListener::bind(listen).await;
        let listener = listener.with_context(|| format!("can't listen on {listen}"))?;
        if config.metrics.is_none() {
            config.metrics = Some(default_metrics(listen.port()).await);
        }
        println!("Noughts is at http://{}", listener.local_addr()?);
        noughts_server::serve(listener, store, config, shutdown()?).await?;
        Ok(())
    });
    // A search or a connection may be left; nothing waits for it.
    runtime.shutdown_background();
    served
}

/// The default address of the metrics, which only this machine can reach. A server goes without
/// metrics if it is taken.
async fn default_metrics(port: u16) -> MetricsAddress {
    let port = match port {
        // A free one, like the server's own.
        0 => 0,
        _ => port.checked_add(METRICS_PORT_OFFSET).unwrap_or(port - METRICS_PORT_OFFSET),
    };
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    match TcpListener::bind(address).await {
        Ok(_) => MetricsAddress::At(address),
        Err(error) => {
            tracing::warn!(%address, %error, "no metrics: set --metrics to another address, or `off`");
            MetricsAddress::Off
        }
    }
}

/// Logs to standard error. The formatter escapes control characters.
fn start_log(filter: &str, json: bool) -> Result<(), Failure> {
    let level = filter.parse::<LevelFilter>().is_ok();
    if !level && !filter.contains('=') {
        let expected = "expected error, warn, info, debug, trace, off or a filter with `=`";
        return Err(Failure::malformed(anyhow!("--log {filter}: {expected}")));
    }
    let filter = EnvFilter::try_new(filter).context("--log").map_err(Failure::Malformed)?;
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    if json {
        log.json().init();
    } else {
        log.with_ansi(false).init();
    }
    Ok(())
}

/// Cancelled on Ctrl-C or SIGTERM.
fn shutdown() -> std::io::Result<CancellationToken> {
    let token = CancellationToken::new();
    let stop = token.clone();
    #[cfg(unix)]
    let mut terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?;
    tokio::spawn(async move {
        #[cfg(unix)]
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = terminate.recv() => {}
        }
        #[cfg(not(unix))]
        let _ = tokio::signal::ctrl_c().await;
        stop.cancel();
    });
    Ok(token)
}
