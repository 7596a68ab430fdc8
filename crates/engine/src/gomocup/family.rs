//! A child process with all its descendants, none of which outlives this program.

use std::io;
use std::process::{Child, ChildStdin, ChildStdout, Command};

/// A process that is killed with everything it has started when this is dropped.
///
/// Where there are process groups the child leads one of its own, and a second child, the warden,
/// waits for the end of its input to kill that group. The input ends when this is dropped, and also
/// when this program ends by a signal, a panic or an interrupt of the terminal.
#[derive(Debug)]
pub(super) struct Family {
    child: Child,
    warden: Option<Child>,
}

impl Family {
    pub(super) fn start(mut command: Command) -> io::Result<Family> {
        lead_a_group(&mut command);
        let child = command.spawn()?;
        let mut family = Family { child, warden: None };
        family.warden = warden(family.child.id())?;
        Ok(family)
    }

    /// Where the child reads from, if it is a pipe that was not taken before.
    pub(super) fn input(&mut self) -> Option<ChildStdin> {
        self.child.stdin.take()
    }

    /// Where the child writes to, if it is a pipe that was not taken before.
    pub(super) fn output(&mut self) -> Option<ChildStdout> {
        self.child.stdout.take()
    }
}

impl Drop for Family {
    fn drop(&mut self) {
        // The child is not waited for until the group is killed, so the group's number is still its
        // own.
        if let Some(warden) = &mut self.warden {
            drop(warden.stdin.take());
            let _ = warden.wait();
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(unix)]
fn lead_a_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(not(unix))]
fn lead_a_group(_: &mut Command) {}

/// Whoever kills the group with this number when nobody can write to it any more.
#[cfg(unix)]
fn warden(group: u32) -> io::Result<Option<Child>> {
    use std::process::Stdio;
    const SCRIPT: &str = "trap '' HUP INT QUIT TERM; read -r _; kill -s KILL -- \"-$1\"";
    let mut command = Command::new("/bin/sh");
    command.args(["-c", SCRIPT, "sh", &group.to_string()]);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    // What interrupts this program must not reach it.
    lead_a_group(&mut command);
    command.spawn().map(Some)
}

#[cfg(not(unix))]
fn warden(_: u32) -> io::Result<Option<Child>> {
    Ok(None)
}
