//! A PostgreSQL server that speaks TLS, with certificates of its own.

use std::fs;
use std::net::TcpListener;
use std::path::Path;

use super::{Installation, Postgres, SUPERUSER, command};

/// A server on a TCP port that refuses connections without TLS. Its certificate is for `localhost`
/// and signed by an authority of its own.
#[derive(Debug)]
pub struct TlsPostgres {
    postgres: Postgres,
    port: u16,
}

impl TlsPostgres {
    /// `None` and a message on standard error if PostgreSQL is not installed.
    ///
    /// # Panics
    ///
    /// Panics if `openssl` is missing, on which PostgreSQL's package depends.
    #[must_use]
    pub fn start() -> Option<TlsPostgres> {
        let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
        let port = free.expect("a free port").port();
        let postgres = Postgres::start_with(|installation| {
            create_certificates(installation);
            let hba = installation.directory.join("data/pg_hba.conf");
            let rules = "local all all trust\nhostssl all all 127.0.0.1/32 trust\n";
            fs::write(hba, rules).expect("the server's rules are written");
            let file = |name| installation.directory.join(name).display().to_string();
            vec![
                "fsync=off".into(),
                "listen_addresses=127.0.0.1".into(),
                format!("port={port}"),
                "ssl=on".into(),
                format!("ssl_cert_file={}", file("server.pem")),
                format!("ssl_key_file={}", file("server.key")),
            ]
        })?;
        Some(TlsPostgres { postgres, port })
    }

    /// The URL of the database `postgres` at a host that means this machine, with parameters such as
    /// `sslmode=require`.
    #[must_use]
    pub fn url(&self, host: &str, parameters: &str) -> String {
        format!("postgres://{SUPERUSER}@{host}:{}/postgres?{parameters}", self.port)
    }

    /// The certificate of the authority that signed the server's.
    #[must_use]
    pub fn authority(&self) -> String {
        self.postgres.directory.join("authority.pem").display().to_string()
    }

    /// The certificate of an authority that did not.
    #[must_use]
    pub fn other_authority(&self) -> String {
        self.postgres.directory.join("other.pem").display().to_string()
    }
}

fn create_certificates(installation: &Installation) {
    for authority in ["authority", "other"] {
        openssl(installation, authority, &["-subj", "/CN=Authority of a test"]);
    }
    let names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
    let signed = ["-CA", "authority.pem", "-CAkey", "authority.key"];
    let kind = ["-addext", "basicConstraints=critical,CA:FALSE"];
    openssl(installation, "server", &[&names[..], &signed, &kind].concat());
}

/// Creates a key and a certificate.
fn openssl(installation: &Installation, name: &str, options: &[&str]) {
    let Installation { directory, user } = installation;
    let output = command(Path::new("openssl"), *user)
        .current_dir(directory)
        .args(["req", "-x509", "-nodes", "-days", "2", "-newkey", "ec"])
        .args(["-pkeyopt", "ec_paramgen_curve:prime256v1"])
        .args(["-keyout", &format!("{name}.key"), "-out", &format!("{name}.pem")])
        .args(options)
        .output()
        .expect("openssl runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
