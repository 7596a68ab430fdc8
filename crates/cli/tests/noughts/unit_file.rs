//! The system calls that the systemd unit allows.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::thread;

use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, TargetArch, apply_filter};
use serde_json::json;

use crate::online::{Server, await_view};

/// The groups that the unit denies, for the calls that programs such as this one could make; the
/// groups are those of systemd 252.
const GROUPS: [(&str, &[(&str, i64)]); 2] = [
    (
        "@resources",
        &[
            ("ioprio_set", libc::SYS_ioprio_set),
            ("mbind", libc::SYS_mbind),
            ("migrate_pages", libc::SYS_migrate_pages),
            ("move_pages", libc::SYS_move_pages),
            ("sched_setaffinity", libc::SYS_sched_setaffinity),
            ("sched_setattr", libc::SYS_sched_setattr),
            ("sched_setparam", libc::SYS_sched_setparam),
            ("sched_setscheduler", libc::SYS_sched_setscheduler),
            ("set_mempolicy", libc::SYS_set_mempolicy),
            ("setpriority", libc::SYS_setpriority),
            ("setrlimit", libc::SYS_setrlimit),
        ],
    ),
    (
        "@privileged",
        &[
            ("acct", libc::SYS_acct),
            ("capset", libc::SYS_capset),
            ("chroot", libc::SYS_chroot),
            ("clock_settime", libc::SYS_clock_settime),
            ("fchown", libc::SYS_fchown),
            ("fchownat", libc::SYS_fchownat),
            ("pivot_root", libc::SYS_pivot_root),
            ("quotactl", libc::SYS_quotactl),
            ("reboot", libc::SYS_reboot),
            ("setgroups", libc::SYS_setgroups),
            ("sethostname", libc::SYS_sethostname),
            ("setuid", libc::SYS_setuid),
            ("settimeofday", libc::SYS_settimeofday),
            ("vhangup", libc::SYS_vhangup),
        ],
    ),
];

/// The system calls that a unit's `SystemCallFilter` lines deny, line by line as systemd reads them.
fn denied(unit: &str) -> BTreeMap<&'static str, i64> {
    let mut denied = BTreeMap::new();
    for filter in unit.lines().filter_map(|line| line.strip_prefix("SystemCallFilter=")) {
        let (words, deny) = match filter.strip_prefix('~') {
            Some(words) => (words, true),
            None => (filter, false),
        };
        for word in words.split_whitespace().filter(|word| *word != "@system-service") {
            let group = GROUPS.iter().find(|(name, _)| *name == word).map(|(_, calls)| *calls);
            let all = || GROUPS.iter().flat_map(|(_, calls)| *calls);
            let single = || all().filter(|(name, _)| *name == word).copied().collect();
            let calls: Vec<_> = group.map_or_else(single, <[_]>::to_vec);
            assert!(!calls.is_empty(), "{word} is a known system call or group");
            for (name, number) in calls {
                if deny {
                    denied.insert(name, number);
                } else {
                    denied.remove(name);
                }
            }
        }
    }
    denied
}

/// Starts a server under the unit's filter, plays against a computer, and returns the log.
fn serve_filtered(unit: &str) -> String {
    let rules = denied(unit).into_values().map(|number| (number, Vec::new())).collect();
    let architecture = TargetArch::try_from(std::env::consts::ARCH).unwrap();
    let denial = SeccompAction::Errno(libc::EPERM as u32);
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, denial, architecture);
    let program: BpfProgram = filter.unwrap().try_into().unwrap();
    // Processes inherit the filter of the thread that starts them.
    let server = thread::spawn(move || {
        apply_filter(&program).unwrap();
        Server::start_with(|command, folder| {
            command.stderr(File::create(folder.join("log")).unwrap());
        })
    });
    let server = server.join().unwrap();
    let guest = server.post("/guests", None, json!({}));
    let token = guest["token"].as_str().unwrap();
    let seats = json!([{"for": "me"}, {"for": "computer", "level": "perfect"}]);
    let game = server.post("/games", Some(token), json!({"seats": seats}));
    let path = format!("/games/{}", game["id"].as_str().unwrap());
    server.command(&path, token, json!({"type": "move", "move": "B2"}));
    await_view(&server, &path, |view| view["moves"].as_array().unwrap().len() == 2);
    fs::read_to_string(server.folder.path().join("log")).unwrap()
}

#[test]
fn unit_allows_what_servers_do() {
    let unit = include_str!("../../../../deploy/noughts.service");
    assert_eq!(serve_filtered(unit), "");
    let strict = unit.replace("SystemCallFilter=setpriority", "");
    let log = serve_filtered(&strict);
    assert!(log.contains("could not lower the priority of a compute thread"), "{log}");
}
