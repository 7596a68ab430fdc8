//! The programs of the API's documentation run as printed.

use std::io::ErrorKind;
use std::process::Command;

use super::server::Server;

/// Runs a program of the page against a server. Returns its output; None if the language is not
/// installed.
fn run(id: &str, command: &[&str]) -> Option<String> {
    let server = Server::start();
    let page = server.nobody().get("/docs").text;
    let (_, rest) = page.split_once(&format!("<pre id=\"quick-start-{id}\">")).unwrap();
    let (program, _) = rest.split_once("</pre>").unwrap();
    let program = program.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    let program = program.replace("&amp;", "&");
    assert!(program.contains("http://localhost:8000"), "{program}");
    let program = program.replace("localhost:8000", &server.address.to_string());
    let output = Command::new(command[0]).args(&command[1..]).arg(program).output();
    match output {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            eprintln!("{} is not installed", command[0]);
            None
        }
        output => {
            let output = output.unwrap();
            let errors = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.success(), "{errors}");
            Some(String::from_utf8(output.stdout).unwrap())
        }
    }
}

#[test]
fn curl_program_plays_a_move() {
    if Command::new("curl").arg("--version").output().is_err() {
        eprintln!("curl is not installed");
        return;
    }
    let output = run("curl", &["sh", "-euc"]).unwrap();
    assert!(output.contains(r#""moves":["B2""#), "{output}");
    assert!(output.contains(r#"{"type":"state","#), "{output}");
}

#[test]
fn python_program_plays_a_game() {
    if let Some(output) = run("python", &["python3", "-c"]) {
        assert!(output.contains("'reason': '"), "{output}");
    }
}

#[test]
fn javascript_program_plays_a_game() {
    if let Some(output) = run("javascript", &["node", "--input-type=module", "-e"]) {
        assert!(output.contains("reason: '"), "{output}");
    }
}
