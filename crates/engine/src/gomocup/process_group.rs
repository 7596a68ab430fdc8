//! A child process whose descendants are killed with it.

use std::io;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};

/// A child process that is killed with all its descendants on drop and when this program ends.
///
/// On Unix, a watchdog process leads a process group of its own and kills that group when its
/// standard input reaches the end. The child is spawned into the group, so the watchdog covers it
/// from the start. The input ends on drop, and also when this program ends by a signal or a panic.
#[derive(Debug)]
pub(super) struct ProcessGroup {
    child: Child,
    watchdog: Option<Child>,
}

impl ProcessGroup {
    pub(super) fn spawn(mut command: Command) -> io::Result<ProcessGroup> {
        let mut watchdog = spawn_watchdog()?;
        if let Some(watchdog) = &watchdog {
            join_group(&mut command, watchdog);
        }
        match command.spawn() {
            Ok(child) => Ok(ProcessGroup { child, watchdog }),
            Err(error) => {
                watchdog.iter_mut().for_each(kill_group);
                Err(error)
            }
        }
    }

    /// Takes the pipe to the child's standard input.
    pub(super) fn take_stdin(&mut self) -> Option<ChildStdin> {
        self.child.stdin.take()
    }

    /// Takes the pipe from the child's standard output.
    pub(super) fn take_stdout(&mut self) -> Option<ChildStdout> {
        self.child.stdout.take()
    }

    /// Takes the pipe from the child's standard error.
    pub(super) fn take_stderr(&mut self) -> Option<ChildStderr> {
        self.child.stderr.take()
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        self.watchdog.iter_mut().for_each(kill_group);
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Makes the watchdog kill its group.
fn kill_group(watchdog: &mut Child) {
    drop(watchdog.stdin.take());
    let _ = watchdog.wait();
}

#[cfg(unix)]
fn join_group(command: &mut Command, leader: &Child) {
    use std::os::unix::process::CommandExt;
    if let Ok(group) = i32::try_from(leader.id()) {
        command.process_group(group);
    }
}

#[cfg(not(unix))]
fn join_group(_: &mut Command, _: &Child) {}

#[cfg(unix)]
fn spawn_watchdog() -> io::Result<Option<Child>> {
    use std::os::unix::process::CommandExt;
    use std::process::Stdio;
    // Signals to this program or to the group must not end the watchdog early.
    const SCRIPT: &str = "trap '' HUP INT QUIT TERM; read -r _; kill -s KILL 0";
    let mut command = Command::new("/bin/sh");
    command.args(["-c", SCRIPT]).process_group(0);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().map(Some)
}

#[cfg(not(unix))]
fn spawn_watchdog() -> io::Result<Option<Child>> {
    Ok(None)
}
