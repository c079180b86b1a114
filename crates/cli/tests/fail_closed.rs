//! INVARIANT 1: whatever comes in and whatever is broken around it, the answer is a reason and never an allow; no file of the
//! user's is changed. Each row runs the real program.

mod common;

use std::{
    fs::{self, File},
    io::Write,
    process::Stdio,
    thread,
    time::{Duration, Instant, SystemTime},
};

use common::Room;
use serde_json::{Value, json};

/// What must come out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expect {
    /// Exit status 2, a reason on stderr, nothing on stdout.
    Block,
    /// A well-formed answer that is no allow.
    NotAllow,
    /// The answer that the same call gets in an unbroken world.
    Allow,
}

fn check(room: &Room, name: &str, args: &[&str], input: &[u8], expect: Expect) {
    let before = room.files();
    let run = room.feed(args, input);
    let at = || format!("{name}: {run:?}");
    if run.status != Some(0) {
        assert_eq!(run.status, Some(2), "{}", at());
        assert!(!run.stderr.trim().is_empty(), "a block says why; {}", at());
    }
    match expect {
        Expect::Block => {
            assert_eq!(run.status, Some(2), "{}", at());
            assert_eq!(run.stdout, "", "{}", at());
        }
        Expect::NotAllow => assert!(matches!(run.claude_verdict(), "deny" | "ask"), "{}", at()),
        Expect::Allow => assert_eq!(run.claude_verdict(), "allow", "{}", at()),
    }
    assert!(!run.stderr.contains("panicked"), "{}", at());
    assert!(room.files() == before, "a file changed; {}", at());
}

fn call(room: &Room, command: &str) -> Vec<u8> {
    room.claude_event("Bash", &json!({"command": command})).to_string().into_bytes()
}

#[test]
fn input_that_is_no_event_blocks() {
    let room = Room::new();
    let event = |change: fn(&mut Value)| {
        let mut event = room.claude_event("Bash", &json!({"command": "ls"}));
        change(&mut event);
        event.to_string().into_bytes()
    };
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000)).into_bytes();
    let deep_member = format!(
        "{{\"hook_event_name\":\"PreToolUse\",\"cwd\":\"/\",\"tool_name\":\"Bash\",\"tool_input\":{}1{}}}",
        "{\"a\":".repeat(10_000),
        "}".repeat(10_000)
    );
    let rows: Vec<(&str, Vec<u8>)> = vec![
        ("empty", Vec::new()),
        ("blank", b" \n\t\n".to_vec()),
        ("garbage", b"hello".to_vec()),
        ("truncated", br#"{"hook_event_name":"PreToolUse","tool_n"#.to_vec()),
        ("two documents", b"{} {}".to_vec()),
        ("invalid UTF-8", b"{\"hook_event_name\":\"PreToolUse\xff\"}".to_vec()),
        ("UTF-16", "\u{feff}{}".encode_utf16().flat_map(u16::to_le_bytes).collect()),
        ("a NUL byte outside strings", b"{}\0".to_vec()),
        ("an array", b"[]".to_vec()),
        ("a string", b"\"PreToolUse\"".to_vec()),
        ("null", b"null".to_vec()),
        ("nested 10,000 deep", deep),
        ("tool input nested 10,000 deep", deep_member.into_bytes()),
        ("64 MiB of blanks", vec![b' '; 64 * 1024 * 1024]),
        ("64 MiB of text", vec![b'x'; 64 * 1024 * 1024]),
        ("unknown event", event(|event| event["hook_event_name"] = json!("PreEverything"))),
        ("event of another type", event(|event| event["hook_event_name"] = json!(7))),
        ("no event", event(|event| drop(event.as_object_mut().unwrap().remove("hook_event_name")))),
        ("no tool", event(|event| drop(event.as_object_mut().unwrap().remove("tool_name")))),
        ("tool of another type", event(|event| event["tool_name"] = json!(["Bash"]))),
        ("blank tool", event(|event| event["tool_name"] = json!(" "))),
        ("no directory", event(|event| drop(event.as_object_mut().unwrap().remove("cwd")))),
        ("directory of another type", event(|event| event["cwd"] = json!({}))),
    ];
    for (name, input) in rows {
        check(&room, name, &["hook", "claude-code"], &input, Expect::Block);
    }
}

#[test]
fn a_call_that_can_not_be_judged_is_denied() {
    let room = Room::new();
    let rows = [
        ("no command", json!({"description": "x"})),
        ("command null", json!({"command": null})),
        ("command a number", json!({"command": 7})),
        ("command an object", json!({"command": {"cmd": "ls"}})),
        ("command a list with a number", json!({"command": ["ls", 1]})),
        ("no input", Value::Null),
        ("input a string", json!("ls")),
        ("a NUL character in the command", json!({"command": "ls\u{0}; rm -rf ~"})),
        ("a megabyte and more", json!({"command": format!("ls {}", "x".repeat(1_100_000))})),
    ];
    for (name, input) in rows {
        let event = room.claude_event("Bash", &input).to_string();
        check(&room, name, &["hook", "claude-code"], event.as_bytes(), Expect::NotAllow);
    }
    for cwd in ["proj", "", "../..", "~", "/proc/nowhere/at/all", "\u{0}"] {
        let mut event = room.claude_event("Bash", &json!({"command": "git status"}));
        event["cwd"] = json!(cwd);
        check(&room, cwd, &["hook", "claude-code"], event.to_string().as_bytes(), Expect::NotAllow);
    }
}

#[test]
fn arguments_that_make_no_sense_block() {
    let room = Room::new();
    let input = call(&room, "ls");
    for args in [
        &["hook"][..],
        &["hook", ""],
        &["hook", "nobody"],
        &["hook", "Claude-Code"],
        &["hook", "claude-code", "more"],
        &["hook", "--deadline-ms", "x", "claude-code"],
        &["hook", "claude-code", "--unknown"],
    ] {
        check(&room, &format!("{args:?}"), args, &input, Expect::Block);
    }
}

#[test]
fn events_without_a_waiting_tool_get_no_answer() {
    let room = Room::new();
    for event in ["PostToolUse", "SessionStart", "UserPromptSubmit", "Stop"] {
        let run = room.hook(&json!({"hook_event_name": event, "cwd": room.project()}));
        assert_eq!((run.status, run.stdout.as_str(), run.stderr.as_str()), (Some(0), "", ""), "{event}");
    }
}

/// How one layer of settings is broken.
const BROKEN: &[(&str, &[u8])] = &[
    ("not JSON", b"{ not json"),
    ("empty", b""),
    ("a list", b"[]"),
    ("invalid UTF-8", b"{\"permissions\": {\"deny\": [\"bash(\xff)\"]}}"),
    ("deny rules of another type", b"{\"permissions\": {\"deny\": \"bash\"}}"),
    ("a deny rule that does not compile", b"{\"permissions\": {\"deny\": [\"bash(\"]}}"),
    ("permissions of another type", b"{\"permissions\": []}"),
    ("cut off", b"{\"permissions\": {\"deny\": [\"bash(git st"),
];

#[test]
fn broken_settings_in_any_layer_never_allow() {
    let files = [
        ".config/portcullis/config.json",
        ".claude/settings.json",
        "proj/.portcullis/config.json",
        "proj/.portcullis/config.local.json",
        "proj/.claude/settings.json",
        "proj/.claude/settings.local.json",
    ];
    for file in files {
        for (how, bytes) in BROKEN {
            let room = Room::new();
            assert_eq!(room.run(&["trust", "."]).status, Some(0));
            check(&room, "unbroken", &["hook", "claude-code"], &call(&room, "git status"), Expect::Allow);
            room.write_bytes(file, bytes);
            let name = format!("{file}, {how}");
            check(&room, &name, &["hook", "claude-code"], &call(&room, "git status"), Expect::NotAllow);
        }
    }
}

#[test]
fn broken_inline_settings_never_allow() {
    for text in ["{", "[]", "{\"permissions\": {\"deny\": 1}}", "true"] {
        let mut room = Room::new();
        room.set("PORTCULLIS_SETTINGS_JSON", text);
        check(&room, text, &["hook", "claude-code"], &call(&room, "git status"), Expect::NotAllow);
    }
}

#[cfg(unix)]
#[test]
fn settings_that_are_no_file_never_allow() {
    use std::os::unix::fs::symlink;
    let place = ".config/portcullis/config.json";
    let rows: [(&str, Break); 4] = [
        ("a directory instead of the file", |room| fs::create_dir_all(room.path(place_of())).unwrap()),
        ("a file instead of the directory", |room| room.write(".config/portcullis", "x")),
        ("a link to nothing", |room| {
            fs::create_dir_all(room.path(".config/portcullis")).unwrap();
            symlink("/nowhere", room.path(place_of())).unwrap();
        }),
        ("a link to itself", |room| {
            fs::create_dir_all(room.path(".config/portcullis")).unwrap();
            symlink("config.json", room.path(place_of())).unwrap();
        }),
    ];
    for (name, make) in rows {
        let room = Room::new();
        make(&room);
        // A file where the directory should be holds no settings of ours: nothing was lost.
        let expect = if name.starts_with("a file") { Expect::Allow } else { Expect::NotAllow };
        check(&room, name, &["hook", "claude-code"], &call(&room, "git status"), expect);
    }
    let room = Room::new();
    fs::create_dir_all(room.path(".config/portcullis")).unwrap();
    let pipe = room.path(place);
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let started = Instant::now();
    check(&room, "a pipe that nobody writes", &["hook", "claude-code"], &call(&room, "git status"), Expect::NotAllow);
    assert!(started.elapsed() < Duration::from_secs(30), "it was waited for");
}

#[cfg(unix)]
type Break = fn(&Room);

#[cfg(unix)]
const fn place_of() -> &'static str {
    ".config/portcullis/config.json"
}

#[test]
fn state_that_can_not_be_kept_changes_no_verdict() {
    for place in ["/proc/nowhere", "/dev/null"] {
        let mut room = Room::new();
        room.set("XDG_STATE_HOME", place);
        check(&room, place, &["hook", "claude-code"], &call(&room, "git status"), Expect::Allow);
        check(&room, place, &["hook", "claude-code"], &call(&room, "rm -rf ~"), Expect::NotAllow);
    }
    // Corrupt state is set aside and allows nothing.
    let room = Room::new();
    let session = ".local/state/portcullis/sessions/0b1f8c0e-6b1f-4a55-9d3b-2f6a3d6c9a10.json";
    for text in ["", "{", "{\"sessionAllows\": true}", "\u{0}\u{0}", "[]"] {
        room.write(session, text);
        check(&room, text, &["hook", "claude-code"], &call(&room, "make deploy"), Expect::NotAllow);
        check(&room, text, &["hook", "claude-code"], &call(&room, "git status"), Expect::Allow);
    }
}

#[cfg(unix)]
#[test]
fn a_home_that_can_not_be_written_changes_no_verdict() {
    use std::os::unix::fs::PermissionsExt;
    let room = Room::new();
    let mode = |bits| fs::set_permissions(room.path(""), fs::Permissions::from_mode(bits)).unwrap();
    mode(0o555);
    check(&room, "read-only home", &["hook", "claude-code"], &call(&room, "git status"), Expect::Allow);
    check(&room, "read-only home", &["hook", "claude-code"], &call(&room, "git push"), Expect::NotAllow);
    mode(0o755);
}

#[test]
fn a_home_that_is_not_known_never_allows_by_default() {
    for home in [None, Some(""), Some("relative"), Some("/proc/nowhere/home")] {
        let mut room = Room::new();
        match home {
            None => room.unset("HOME"),
            Some(home) => room.set("HOME", home),
        }
        let run = room.claude("Bash", &json!({"command": "rm -rf ~"}));
        assert!(matches!(run.claude_verdict(), "deny" | "ask"), "{home:?}: {run:?}");
        let run = room.claude("Bash", &json!({"command": "git push"}));
        assert!(matches!(run.claude_verdict(), "deny" | "ask"), "{home:?}: {run:?}");
    }
}

#[test]
fn a_clock_that_went_backwards_changes_no_verdict() {
    let room = Room::new();
    let session = ".local/state/portcullis/sessions/0b1f8c0e-6b1f-4a55-9d3b-2f6a3d6c9a10.json";
    room.write(
        session,
        r#"{"checkedActions": 5, "recentDenials": [{"timestamp": "2999-01-01T00:00:00Z", "toolName": "bash", "reason": "r", "action": "a", "kind": "floor"}]}"#,
    );
    let future = SystemTime::now() + Duration::from_secs(400 * 24 * 3600);
    File::options().write(true).open(room.path(session)).unwrap().set_modified(future).unwrap();
    check(&room, "future state", &["hook", "claude-code"], &call(&room, "git status"), Expect::Allow);
    check(&room, "future state", &["hook", "claude-code"], &call(&room, "rm -rf ~"), Expect::NotAllow);
    let status = room.run(&["status", "--json"]).json();
    assert_eq!(status.pointer("/state/checkedActions"), Some(&json!(7)));
}

#[test]
fn a_host_that_does_not_finish_its_input_gets_an_answer_in_time() {
    let room = Room::new();
    let mut child = room
        .command(&["hook", "claude-code", "--deadline-ms", "300"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = child.stdin.take().unwrap();
    pipe.write_all(b"{\"hook_event_name\":").unwrap();
    let output = child.wait_with_output().unwrap();
    drop(pipe);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    assert!(String::from_utf8_lossy(&output.stderr).contains("no decision within 300 ms"));
}

#[test]
fn an_answer_that_can_not_be_delivered_blocks() {
    let room = Room::new();
    for command in ["git status", "rm -rf ~"] {
        // The reader is gone before the answer comes.
        let mut child = room
            .command(&["hook", "claude-code"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        child.stdin.take().unwrap().write_all(&call(&room, command)).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{command}");
        assert!(!output.stderr.is_empty(), "{command}");
        // A full disk behind it.
        let full = File::options().write(true).open("/dev/full");
        let Ok(full) = full else { continue };
        let mut child = room
            .command(&["hook", "claude-code"])
            .stdin(Stdio::piped())
            .stdout(full)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(&call(&room, command)).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{command}");
        assert!(!output.stderr.is_empty(), "{command}");
    }
}

#[test]
fn parallel_hooks_of_one_session_lose_no_count() {
    let room = Room::new();
    thread::scope(|scope| {
        for number in 0..64 {
            let room = &room;
            scope.spawn(move || {
                let command = if number % 4 == 0 { "rm -rf ~" } else { "git status" };
                let run = room.claude("Bash", &json!({"command": command}));
                assert!(matches!(run.status, Some(0 | 2)), "{run:?}");
            });
        }
    });
    let status = room.run(&["status", "--json"]).json();
    assert_eq!(status.pointer("/state/checkedActions"), Some(&json!(64)));
    assert_eq!(status.pointer("/state/blockedActions"), Some(&json!(16)));
}
