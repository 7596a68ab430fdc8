//! A child process with all its descendants, none of which outlives this program.

use std::io;
use std::process::{Child, ChildStdin, ChildStdout, Command};

/// A process that is killed with everything it has started when this is dropped.
///
/// Where there are process groups a first child, the warden, leads one of its own and waits for the
/// end of its input to kill it; the process itself is started in that group, so that at no time
/// it is without the warden. The input ends when this is dropped, and also when this program ends by
/// a signal, a panic or an interrupt of the terminal.
#[derive(Debug)]
pub(super) struct Family {
    child: Child,
    warden: Option<Child>,
}

impl Family {
    pub(super) fn start(mut command: Command) -> io::Result<Family> {
        let mut warden = warden()?;
        if let Some(warden) = &warden {
            join_the_group(&mut command, warden);
        }
        match command.spawn() {
            Ok(child) => Ok(Family { child, warden }),
            Err(error) => {
                warden.iter_mut().for_each(dismiss);
                Err(error)
            }
        }
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
        self.warden.iter_mut().for_each(dismiss);
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Lets the warden kill its group.
fn dismiss(warden: &mut Child) {
    drop(warden.stdin.take());
    let _ = warden.wait();
}

#[cfg(unix)]
fn join_the_group(command: &mut Command, leader: &Child) {
    use std::os::unix::process::CommandExt;
    if let Ok(group) = i32::try_from(leader.id()) {
        command.process_group(group);
    }
}

#[cfg(not(unix))]
fn join_the_group(_: &mut Command, _: &Child) {}

/// Whoever kills the group that it leads when nobody can write to it any more.
#[cfg(unix)]
fn warden() -> io::Result<Option<Child>> {
    use std::os::unix::process::CommandExt;
    use std::process::Stdio;
    // What interrupts this program or the group must not end it before its time.
    const SCRIPT: &str = "trap '' HUP INT QUIT TERM; read -r _; kill -s KILL 0";
    let mut command = Command::new("/bin/sh");
    command.args(["-c", SCRIPT]).process_group(0);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().map(Some)
}

#[cfg(not(unix))]
fn warden() -> io::Result<Option<Child>> {
    Ok(None)
}
