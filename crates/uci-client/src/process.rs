//! Processes of engines. Each process leads a process group, and the whole group is ended with its leader: a script may
//! have started the real engine, and an engine may start helpers. On Linux helpers outside the group are found, too, as
//! long as their parents live or their environment has the mark of the engine.
//!
//! The group ends when its [`Group`] is dropped, and when this process ends on a signal that [`end_engines_on_signals`]
//! handles. When this process is killed, it cannot end anything itself. A watchdog, which is a shell that reads the
//! numbers of the groups from a pipe, then ends the groups and the processes with their mark. On Linux the system also
//! ends the leader.

use std::io;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::helpers::{Helpers, Mark, VARIABLE};

/// How often a wait checks whether a process has ended.
const LOOK: Duration = Duration::from_millis(5);

/// A process and the process group that it leads.
#[derive(Debug)]
pub(crate) struct Group {
    leader: Child,
    /// The mark in the environment of the leader and of all processes that it starts.
    mark: Mark,
    /// The helpers of the leader at the last call of [`note_helpers`](Self::note_helpers).
    helpers: Helpers,
}

impl Group {
    /// Starts a process with pipes to its standard input and output.
    ///
    /// # Errors
    ///
    /// If the process cannot be started, or this program is ending.
    pub(crate) fn start(mut command: Command) -> io::Result<(Self, ChildStdin, ChildStdout)> {
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mark = Mark::of_engine();
        command.env(VARIABLE, mark.value());
        let mut group = Self {
            leader: system::spawn(command)?,
            mark,
            helpers: Helpers::default(),
        };
        match (group.leader.stdin.take(), group.leader.stdout.take()) {
            (Some(input), Some(output)) => Ok((group, input, output)),
            _ => Err(io::Error::other("its pipes are missing")),
        }
    }

    /// Notes the helpers that the leader has started, because they cannot be found after the leader
    /// has ended.
    pub(crate) fn note_helpers(&mut self) {
        self.helpers = Helpers::of(self.leader.id());
    }

    /// Waits until the leader has ended, at most this long, and then ends what is left of the group.
    pub(crate) fn end_within(&mut self, time: Duration) {
        let deadline = Instant::now() + time;
        while !system::has_ended(&mut self.leader) && Instant::now() < deadline {
            thread::sleep(LOOK);
        }
        system::end(&mut self.leader, &self.mark, &self.helpers);
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        system::end(&mut self.leader, &self.mark, &self.helpers);
    }
}

pub use system::{adopt_helpers, end_engines, end_engines_on_signals};

#[cfg(unix)]
mod system {
    use std::collections::BTreeSet;
    use std::io;
    use std::io::Write as _;
    use std::os::unix::process::CommandExt as _;
    use std::process::{Child, ChildStdin, Command, Stdio};
    use std::sync::mpsc::{self, Sender};
    use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
    use std::thread;

    use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    use crate::helpers::{self, Helpers, Mark};

    /// The groups that have not been ended.
    struct Running {
        leaders: BTreeSet<u32>,
        /// Whether all are to be ended, and none may start.
        is_over: bool,
        watchdog: Watchdog,
    }

    /// A process outside the groups that ends them when this process is gone.
    enum Watchdog {
        /// No engine has been started yet.
        Asleep,
        /// The watchdog reads groups from this pipe, which closes when this process ends.
        Awake { pipe: ChildStdin, process: u32 },
        /// The watchdog could not be started.
        Missing,
    }

    /// The program of the watchdog: remembers a group at a line `+ GROUP`, forgets it at a line `- GROUP`. At the end
    /// of its input it kills the groups that are left, and on Linux the processes with the mark in its argument. It
    /// kills those processes twice, because they may start others meanwhile. A line that is cut has no end, and is not
    /// read.
    const WATCH: &str = "set -f; left=' '; while read -r sign group; do case $sign in \
        +) left=\"$left$group \";; *) left=\"${left%% $group *} ${left#* $group }\";; esac; done; \
        for group in $left; do kill -s KILL -- \"-$group\"; done; \
        set +f; for again in 1 2; do for file in $(grep -lsF -- \"$1\" /proc/[0-9]*/environ); do \
        file=${file#/proc/}; kill -s KILL \"${file%/environ}\"; done; done";

    impl Watchdog {
        /// Starts the watchdog, in a group of its own, where no signal of a terminal reaches it.
        fn start() -> Self {
            let mut shell = Command::new("/bin/sh");
            let mark = Mark::of_this_process().text();
            shell.args(["-c", WATCH, "skewer-watchdog", mark]);
            shell.process_group(0);
            shell.stdin(Stdio::piped());
            shell.stdout(Stdio::null()).stderr(Stdio::null());
            let started = shell.spawn().ok().and_then(|mut shell| {
                let (pipe, process) = (shell.stdin.take()?, shell.id());
                Some(Self::Awake { pipe, process })
            });
            started.unwrap_or(Self::Missing)
        }

        /// Tells the watchdog to remember a group (`+`) or to forget it (`-`).
        fn tell(&mut self, sign: char, group: u32) {
            if let Self::Asleep = self {
                *self = Self::start();
            }
            if let Self::Awake { pipe, .. } = self {
                // An error means that the watchdog has been killed. One call writes the whole line,
                // so that no line is cut.
                let _ = pipe.write_all(format!("{sign} {group}\n").as_bytes());
            }
        }
    }

    impl Running {
        /// Whether this process has started a child itself.
        fn knows(&self, child: u32) -> bool {
            let is_watchdog =
                matches!(self.watchdog, Watchdog::Awake { process, .. } if process == child);
            is_watchdog || self.leaders.contains(&child)
        }
    }

    static RUNNING: Mutex<Running> = Mutex::new(Running {
        leaders: BTreeSet::new(),
        is_over: false,
        watchdog: Watchdog::Asleep,
    });

    fn running() -> MutexGuard<'static, Running> {
        RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A process to start, and the channel for the result.
    type Request = (Command, Sender<io::Result<Child>>);

    /// Starts a process as the leader of a group of its own, which also keeps Ctrl-C of the terminal from it.
    pub(super) fn spawn(mut command: Command) -> io::Result<Child> {
        static SPAWNER: OnceLock<Option<Sender<Request>>> = OnceLock::new();
        command.process_group(0);
        end_with_this_process(&mut command);
        // Linux takes the end of the thread that started a process for the end of the parent. So one thread,
        // which lives as long as this process, starts all engines.
        let spawner = SPAWNER.get_or_init(|| {
            let (sender, requests) = mpsc::channel::<Request>();
            let serve = move || {
                for (mut command, answer) in requests {
                    let _ = answer.send(spawn_listed(&mut command));
                }
            };
            let thread = thread::Builder::new().name("skewer-spawner".to_owned());
            thread.spawn(serve).ok().map(|_| sender)
        });
        let cannot = || io::Error::other("cannot start a thread");
        let (answer, started) = mpsc::channel();
        let spawner = spawner.as_ref().ok_or_else(cannot)?;
        spawner.send((command, answer)).map_err(|_| cannot())?;
        started.recv().map_err(|_| cannot())?
    }

    /// Starts a process, and lists it before any signal can end the groups.
    fn spawn_listed(command: &mut Command) -> io::Result<Child> {
        let mut running = running();
        if running.is_over {
            return Err(io::Error::other("this program is ending"));
        }
        let child = command.spawn()?;
        running.leaders.insert(child.id());
        running.watchdog.tell('+', child.id());
        Ok(child)
    }

    /// Tells the system to kill the started process when this process ends, even if this process is
    /// killed.
    #[cfg(target_os = "linux")]
    #[allow(unsafe_code, reason = "a call between fork and exec")]
    fn end_with_this_process(command: &mut Command) {
        let parent = Pid::from_raw(std::process::id() as i32);
        let arrange = move || {
            rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
            // The parent may have ended before.
            if rustix::process::getppid() == parent {
                Ok(())
            } else {
                Err(io::ErrorKind::BrokenPipe.into())
            }
        };
        // SAFETY: Between fork and exec only functions that are safe in a signal handler may be called. Both
        // functions are one system call each, and nothing allocates.
        unsafe { command.pre_exec(arrange) };
    }

    #[cfg(not(target_os = "linux"))]
    fn end_with_this_process(_command: &mut Command) {}

    /// Whether the leader has ended. Does not wait for it, so that the leader keeps its process number, by which its
    /// group is named.
    pub(super) fn has_ended(child: &mut Child) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let Some(pid) = Pid::from_raw(child.id() as i32) else {
            return true;
        };
        !matches!(waitid(WaitId::Pid(pid), options), Ok(None))
    }

    /// Ends a group at once, if that has not been done.
    pub(super) fn end(child: &mut Child, mark: &Mark, helpers: &Helpers) {
        // As soon as the leader has been waited for, its number is free for other processes. Holding the lock
        // keeps other threads from ending a group by that number.
        let mut running = running();
        if running.leaders.remove(&child.id()) {
            let later = Helpers::of(child.id());
            kill_group(child.id());
            helpers.kill();
            later.kill();
            running.watchdog.tell('-', child.id());
            let _ = child.kill();
            let _ = child.wait();
            Helpers::kill_marked(mark);
            // Nothing says which engine has started an adopted helper.
            if running.leaders.is_empty() {
                Helpers::kill_adopted(|child| running.knows(child));
            }
        }
    }

    fn kill_group(leader: u32) {
        if let Some(pid) = Pid::from_raw(leader as i32) {
            // An error means that no process of the group is left.
            let _ = kill_process_group(pid, Signal::KILL);
        }
    }

    /// Ends all engines that this process has started, with their process groups, and starts no more. For programs
    /// that are about to end without dropping their engines.
    pub fn end_engines() {
        end_all(&mut running());
    }

    fn end_all(running: &mut Running) {
        let Running {
            leaders,
            is_over,
            watchdog,
        } = &mut *running;
        *is_over = true;
        for &leader in leaders.iter() {
            let helpers = Helpers::of(leader);
            kill_group(leader);
            helpers.kill();
            watchdog.tell('-', leader);
        }
        if !leaders.is_empty() {
            Helpers::kill_marked(Mark::of_this_process());
            Helpers::kill_adopted(|child| running.knows(child));
        }
    }

    /// From now on, helpers of engines are also found if they have left their group, lost their parents and cleared
    /// their environment, and end with the last engine. On Linux this process then becomes the parent of each descendant
    /// that has lost its own. Does nothing on other systems.
    ///
    /// For programs that start no processes except engines, to be called once, at the start: other children are taken
    /// for helpers, and killed. Does nothing in a process that already has children, or that is the first process of a
    /// container. A program has children at its start if a shell has started the other parts of a pipe and then
    /// replaced itself by the program (`exec`).
    pub fn adopt_helpers() {
        helpers::adopt();
    }

    /// From now on, `SIGINT`, `SIGTERM`, `SIGHUP` and `SIGQUIT` end all engines before they end this process. Calls
    /// `tell` in between, so that the program can say why it ends. For programs that have no handler of their own, to
    /// be called once, at the start. A signal that is ignored, as `nohup` does with `SIGHUP`, stays ignored.
    ///
    /// # Errors
    ///
    /// When the system has no room for a thread.
    pub fn end_engines_on_signals(tell: impl Fn() + Send + 'static) -> io::Result<()> {
        let all = [SIGINT, SIGTERM, SIGHUP, SIGQUIT];
        let mut signals = Signals::new(all.into_iter().filter(|&signal| !is_ignored(signal)))?;
        let end = move || {
            for signal in signals.forever() {
                // A thread that has lost its engine waits for this lock when it drops the engine. So it does not
                // report an engine that failed, nor go on to complete the outputs.
                let mut running = running();
                end_all(&mut running);
                tell();
                let _ = emulate_default_handler(signal);
            }
        };
        let thread = thread::Builder::new().name("skewer-signals".to_owned());
        thread.spawn(end).map(drop)
    }

    #[allow(unsafe_code, reason = "no crate asks the system for a handler")]
    fn is_ignored(signal: i32) -> bool {
        // SAFETY: The struct consists of numbers and the address of a function, for which zero bytes are a valid value.
        let mut found: libc::sigaction = unsafe { std::mem::zeroed() };
        // SAFETY: Without a new handler the call only writes the present one to `found`, which lives on.
        let asked = unsafe { libc::sigaction(signal, std::ptr::null(), &raw mut found) };
        asked == 0 && found.sa_sigaction == libc::SIG_IGN
    }
}

#[cfg(not(unix))]
mod system {
    use std::io;
    use std::process::{Child, Command};

    use crate::helpers::{Helpers, Mark};

    pub(super) fn spawn(mut command: Command) -> io::Result<Child> {
        command.spawn()
    }

    pub(super) fn has_ended(child: &mut Child) -> bool {
        !matches!(child.try_wait(), Ok(None))
    }

    pub(super) fn end(child: &mut Child, _mark: &Mark, _helpers: &Helpers) {
        let _ = child.kill();
        let _ = child.wait();
    }

    /// Finds helpers that hide. Does nothing on this system.
    pub fn adopt_helpers() {}

    /// Ends all engines before a program ends without dropping them. Does nothing on this system.
    pub fn end_engines() {}

    /// Ends all engines when a signal ends this process. Does nothing on this system.
    ///
    /// # Errors
    ///
    /// None on this system.
    pub fn end_engines_on_signals(_tell: impl Fn() + Send + 'static) -> io::Result<()> {
        Ok(())
    }
}
