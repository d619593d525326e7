//! Processes of engines end, however the program that started them ends.
#![cfg(unix)]

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Read as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use skewer_uci_client::{
    Bounds, Program, UciEngine, Variant, adopt_helpers, end_engines_on_signals,
};

/// A FIFO that processes hold open. It reads as ended when the last of them has ended.
struct Held {
    path: PathBuf,
    events: mpsc::Receiver<()>,
}

impl Held {
    fn new(name: &str) -> Self {
        let name = format!("held-{name}-{}", std::process::id());
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_file(&path);
        let made = Command::new("mkfifo").arg(&path).status().unwrap();
        assert!(made.success());
        let (sender, events) = mpsc::channel();
        let at = path.clone();
        thread::spawn(move || {
            let mut reader = File::open(at).unwrap();
            let _ = sender.send(());
            let _ = reader.read_to_end(&mut Vec::new());
            let _ = sender.send(());
        });
        Self { path, events }
    }

    /// Waits until a process holds the FIFO. A second call waits until no process holds it.
    fn wait(&self, what: &str) {
        let event = self.events.recv_timeout(Duration::from_mins(2));
        assert!(event.is_ok(), "{what}");
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// An engine that holds `held` open, with helpers that ignore the signals that ask for an end: one in its group, and on
/// Linux two in sessions of their own. Each helper can be found in one way only: by the group, as a descendant of the
/// engine, or by the mark in its environment. (The helper that is found as a descendant is left out if the program is
/// to be killed, because the watchdog does not look for descendants.) `on_quit` is what the engine does on `quit`,
/// `after` what it does at the end of its input. Helpers end at the latest when the FIFO is removed.
fn engine(held: &Held, on_quit: &str, after: &str) -> Program {
    let path = held.path.display();
    let is_to_be_killed = held
        .path
        .to_str()
        .is_some_and(|path| path.contains("-KILL-"));
    let helper = format!("trap \"\" TERM INT HUP; while [ -p \"{path}\" ]; do sleep 1; done");
    let unmarked = "env -i PATH=\"$PATH\"";
    let in_group = format!("({unmarked} sh -c '{helper}' &)");
    let descendant = format!("{unmarked} setsid sh -c '{helper}' &");
    let marked = format!("(setsid sh -c '({helper}) &' &)");
    let helpers = match (cfg!(target_os = "linux"), is_to_be_killed) {
        (false, _) => in_group,
        (true, false) => format!("{in_group}; {marked}; {descendant}"),
        (true, true) => format!("{in_group}; {marked};"),
    };
    let script = format!(
        "exec 3>'{path}'\n{helpers}\n\
         while read -r line; do case $line in \
         uci) echo uciok;; isready) echo readyok;; quit) {on_quit};; esac; done; {after}",
    );
    let mut program = Program::new("sh");
    program.args = vec!["-c".to_owned(), script];
    program
}

fn start(program: &Program) -> UciEngine {
    UciEngine::start(program, Variant::Standard, Bounds::default(), &|| false).unwrap()
}

#[test]
fn what_an_engine_started_ends_with_it() {
    for (name, on_quit, after) in [
        ("clean", "exit 0", ""),
        ("closed", "continue", ""),
        ("deaf", "continue", "while :; do sleep 1; done"),
    ] {
        let held = Held::new(name);
        let engine = start(&engine(&held, on_quit, after));
        held.wait("the engine does not run");
        drop(engine);
        held.wait("a process is left");
    }
}

/// An engine may save something when it is asked to quit.
#[test]
fn an_engine_has_time_to_quit() {
    let saved =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("saved-{}", std::process::id()));
    let script = format!(
        "while read -r line; do case $line in uci) echo uciok;; isready) echo readyok;; \
         quit) sleep 0.2; echo saved >'{}'; exit;; esac; done",
        saved.display()
    );
    let mut program = Program::new("sh");
    program.args = vec!["-c".to_owned(), script];
    drop(start(&program));
    assert_eq!(fs::read_to_string(&saved).unwrap(), "saved\n");
    fs::remove_file(saved).unwrap();
}

/// Only the processes of the engine that ends are killed; processes of another engine go on.
#[test]
fn a_helper_of_another_engine_does_not_end() {
    let (ended, kept) = (Held::new("ended"), Held::new("kept"));
    let [first, second] = [&ended, &kept].map(|held| start(&engine(held, "exit 0", "")));
    ended.wait("the first engine does not run");
    kept.wait("the second engine does not run");
    drop(first);
    ended.wait("a process is left");
    let event = kept.events.recv_timeout(Duration::from_millis(300));
    assert!(event.is_err(), "the second engine has ended");
    drop(second);
    kept.wait("a process is left");
}

/// A program that starts engines may be an engine itself. What its engines start also carries the mark of the outer
/// engine.
#[cfg(target_os = "linux")]
#[test]
fn the_mark_of_an_outer_engine_is_kept() {
    const OUTER: &str = "OUTER-MARK;";
    if std::env::var("SKEWER_ENGINE").is_ok_and(|marks| marks.starts_with(OUTER)) {
        let mut program = Program::new("sh");
        let script = "while read -r line; do case $line in \
                      uci) echo id name $SKEWER_ENGINE; echo uciok;; isready) echo readyok;; quit) exit;; esac; done";
        program.args = vec!["-c".to_owned(), script.to_owned()];
        assert!(start(&program).name().starts_with(OUTER));
        return;
    }
    let mut inner = Command::new(std::env::current_exe().unwrap());
    inner.args(["--exact", "the_mark_of_an_outer_engine_is_kept"]);
    assert!(
        inner
            .env("SKEWER_ENGINE", OUTER)
            .status()
            .unwrap()
            .success()
    );
}

/// The variable with the path of the FIFO, by which the test below knows that it is the program to be ended.
const OWNER: &str = "SKEWER_TEST_OWNER";

/// Starts this test program again, as a program with an engine, and waits until the engine is
/// ready. `signals` is an option of `env` (on Linux), which decides whether the program starts with SIGHUP ignored.
fn owner(held: &Held, signals: &str) -> Child {
    owner_by_test("an_engine_ends_with_its_program", held, signals)
}

fn owner_by_test(test: &str, held: &Held, signals: &str) -> Child {
    let program = std::env::current_exe().unwrap();
    // Tests that a script runs in the background ignore signals, and their child processes would ignore them too.
    let mut owner = if cfg!(target_os = "linux") {
        let mut env = Command::new("env");
        env.arg("--default-signal=INT,TERM,HUP,QUIT")
            .arg(signals)
            .arg(program);
        env
    } else {
        Command::new(program)
    };
    let mut owner = owner
        .args(["--exact", test, "--nocapture"])
        .env(OWNER, &held.path)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(owner.stdout.take().unwrap()).lines();
    assert!(lines.map_while(Result::ok).any(|line| line.contains(READY)));
    owner
}

/// No signal is ignored.
const DEFAULT: &str = "--default-signal=HUP";

/// What the program with an engine prints.
const READY: &str = "the engine is ready";

/// What it prints when a signal has ended its engine.
const SAID: &str = "a signal has ended the engine";

#[test]
fn an_engine_ends_with_its_program() {
    if let Some(path) = std::env::var_os(OWNER) {
        end_engines_on_signals(|| eprintln!("{SAID}")).unwrap();
        let held = Held {
            path: path.into(),
            events: mpsc::channel().1,
        };
        let engine = start(&engine(&held, "continue", "while :; do sleep 1; done"));
        std::mem::forget((held, engine));
        println!("{READY}");
        thread::sleep(Duration::from_mins(10));
        return;
    }
    for signal in ["INT", "TERM", "HUP", "QUIT"] {
        let held = Held::new(signal);
        let owner = owner(&held, DEFAULT);
        held.wait("the engine does not run");
        let (number, sent) = (owner.id().to_string(), format!("-{signal}"));
        let killed = Command::new("kill").args([sent, number]).status().unwrap();
        assert!(killed.success());
        held.wait(&format!("a process is left after {signal}"));
        // The program says why it ends, and ends as it would without an engine.
        let output = owner.wait_with_output().unwrap();
        assert!(output.status.signal().is_some(), "{signal}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(said.matches(SAID).count(), 1, "{signal}: {said}");
    }
}

/// An engine with a helper that has left the group, lost its parent and cleared its environment. The helper holds
/// `held` open, and the engine does not.
#[cfg(target_os = "linux")]
fn hiding(held: &Held) -> Program {
    let path = held.path.display();
    let helper = format!(
        "exec 3>\"{path}\"; trap \"\" TERM INT HUP; while [ -p \"{path}\" ]; do sleep 1; done"
    );
    let script = format!(
        "(env -i PATH=\"$PATH\" setsid sh -c '{helper}' &)\n\
         while read -r line; do case $line in uci) echo uciok;; isready) echo readyok;; quit) exit;; esac; done",
    );
    let mut program = Program::new("sh");
    program.args = vec!["-c".to_owned(), script];
    program
}

/// A program that adopts helpers also ends helpers that hide: with the last engine, and on a signal.
#[cfg(target_os = "linux")]
#[test]
fn helpers_that_hide_end_with_a_program_that_adopts_them() {
    if let Some(path) = std::env::var_os(OWNER) {
        adopt_helpers();
        end_engines_on_signals(|| {}).unwrap();
        let path = PathBuf::from(path);
        let is_dropped = path.to_string_lossy().contains("-dropped-");
        let held = Held {
            path,
            events: mpsc::channel().1,
        };
        let engine = start(&hiding(&held));
        // The helper has lost its parent.
        thread::sleep(Duration::from_millis(300));
        if is_dropped {
            drop(engine);
        } else {
            std::mem::forget(engine);
        }
        std::mem::forget(held);
        println!("{READY}");
        thread::sleep(Duration::from_mins(10));
        return;
    }
    for how in ["dropped", "signal"] {
        let held = Held::new(how);
        let test = "helpers_that_hide_end_with_a_program_that_adopts_them";
        let mut owner = owner_by_test(test, &held, DEFAULT);
        held.wait("the helper does not run");
        let number = owner.id().to_string();
        if how == "signal" {
            let killed = Command::new("kill").args(["-TERM", &number]).status();
            assert!(killed.unwrap().success());
        }
        held.wait(&format!("a helper is left: {how}"));
        let _ = owner.kill();
        owner.wait().unwrap();
    }
}

/// A program that a shell becomes has the children of the shell, such as the other end of a pipe. They are not taken
/// for helpers, nor is what they have started.
#[cfg(target_os = "linux")]
#[test]
fn children_from_before_are_not_adopted() {
    if std::env::var_os(OWNER).is_some() {
        adopt_helpers();
        let mut program = Program::new("sh");
        let script = "while read -r line; do case $line in uci) echo uciok;; isready) echo readyok;; quit) exit;; esac; done";
        program.args = vec!["-c".to_owned(), script.to_owned()];
        drop(start(&program));
        return;
    }
    let held = Held::new("before");
    let path = held.path.display();
    let child = format!("exec 3>'{path}'; while [ -p '{path}' ]; do sleep 0.1; done");
    let script = format!("({child}) & exec \"$0\" --exact children_from_before_are_not_adopted");
    let mut shell = Command::new("sh");
    shell
        .args(["-c", &script])
        .arg(std::env::current_exe().unwrap());
    shell.stdout(Stdio::null()).env(OWNER, "");
    let mut shell = shell.spawn().unwrap();
    held.wait("the child does not run");
    assert!(shell.wait().unwrap().success());
    let event = held.events.recv_timeout(Duration::from_millis(300));
    assert!(event.is_err(), "the child has ended");
    fs::remove_file(&held.path).unwrap();
    held.wait("the child is left");
}

/// `nohup` starts a program that ignores the signal of a terminal that is closed.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_that_is_ignored_ends_nothing() {
    let held = Held::new("ignored");
    let mut owner = owner(&held, "--ignore-signal=HUP");
    held.wait("the engine does not run");
    let kill = |signal: &str| {
        let number = owner.id().to_string();
        let killed = Command::new("kill").args([signal, &number]).status();
        assert!(killed.unwrap().success());
    };
    kill("-HUP");
    let event = held.events.recv_timeout(Duration::from_millis(300));
    assert!(event.is_err(), "the engine has ended");
    kill("-TERM");
    held.wait("a process is left");
    assert_eq!(owner.wait().unwrap().signal(), Some(15));
}

/// A program that is killed cannot end anything. The watchdog then ends the group of the engine and the helpers
/// outside the group.
#[test]
fn an_engine_and_its_helpers_end_when_their_program_is_killed() {
    let held = Held::new("KILL");
    let mut owner = owner(&held, DEFAULT);
    held.wait("the engine does not run");
    owner.kill().unwrap();
    assert_eq!(owner.wait().unwrap().signal(), Some(9));
    held.wait("a process is left after KILL");
}
