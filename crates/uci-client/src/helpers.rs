//! Processes that an engine has started and that have left its process group. On Linux they are found in two ways:
//! by their parents, and by a mark in the environment, which also finds a process whose parents have ended.

pub(crate) use system::Helpers;
#[cfg(unix)]
pub(crate) use system::adopt;

/// The environment variable with the marks. It has more than one mark if a program that starts engines is an
/// engine itself.
pub(crate) const VARIABLE: &str = "SKEWER_ENGINE";

/// A text in the environment of an engine and of everything that it starts.
#[derive(Debug, Clone)]
pub(crate) struct Mark(String);

impl Mark {
    /// The mark of all engines of this process. No other process has this mark, even if a later process gets
    /// the same process number.
    pub(crate) fn of_this_process() -> &'static Self {
        use std::sync::OnceLock;
        use std::time::SystemTime;

        static MARK: OnceLock<Mark> = OnceLock::new();
        MARK.get_or_init(|| {
            let started = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
            let nanoseconds = started.map_or(0, |since| since.as_nanos());
            Self(format!("{}-{nanoseconds:x}-", std::process::id()))
        })
    }

    /// A mark of one engine, which contains the mark of this process.
    pub(crate) fn of_engine() -> Self {
        use std::sync::atomic::{AtomicU64, Ordering};

        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        Self(format!("{}{number};", Self::of_this_process().0))
    }

    /// The text.
    pub(crate) fn text(&self) -> &str {
        &self.0
    }

    /// The value of [`VARIABLE`] for an engine with this mark.
    pub(crate) fn value(&self) -> std::ffi::OsString {
        let mut value = std::env::var_os(VARIABLE).unwrap_or_default();
        value.push(self.text());
        value
    }
}

#[cfg(target_os = "linux")]
mod system {
    use std::fs;
    use std::os::fd::OwnedFd;
    use std::process;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;
    use std::time::Duration;

    use rustix::process::{
        Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, kill_process, pidfd_open,
        pidfd_send_signal, set_child_subreaper, waitid,
    };

    use super::Mark;

    /// Processes, each by a descriptor, which names its process even after another process got the same number.
    #[derive(Debug, Default)]
    pub(crate) struct Helpers(Vec<OwnedFd>);

    /// How many processes are followed at once: each takes a descriptor.
    const MOST: usize = 100;

    /// How often processes are looked for, since they may start others meanwhile.
    const LOOKS: usize = 20;

    /// How many looks in a row must find no process before the looking ends. One is not enough: a process that is just
    /// being replaced by another program has no environment for a moment, and a list of children may lack some children
    /// while others end.
    const EMPTY_LOOKS: usize = 3;

    /// The time between two looks.
    const BETWEEN_LOOKS: Duration = Duration::from_millis(5);

    impl Helpers {
        /// The descendants that a process has now.
        pub(crate) fn of(leader: u32) -> Self {
            let (mut found, mut parents) = (Vec::new(), vec![leader]);
            while let Some(parent) = parents.pop() {
                for child in children(parent) {
                    if let Some(descriptor) = open(child) {
                        found.push(descriptor);
                        parents.push(child);
                    }
                    if found.len() == MOST {
                        return Self(found);
                    }
                }
            }
            Self(found)
        }

        /// Processes whose environment contains a mark.
        fn marked(mark: &Mark) -> Self {
            let is_marked = |process: u32| {
                let environment = fs::read(format!("/proc/{process}/environ"));
                let mark = mark.text().as_bytes();
                environment.is_ok_and(|bytes| bytes.windows(mark.len()).any(|part| part == mark))
            };
            let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
            let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
            let found = numbers.filter_map(|process| {
                // Open the descriptor before reading the environment. The process of the descriptor is then
                // the process of the environment, even if its number is used again.
                let descriptor = open(process)?;
                is_marked(process).then_some(descriptor)
            });
            Self(found.take(MOST).collect())
        }

        /// Kills these processes.
        pub(crate) fn kill(&self) {
            for helper in &self.0 {
                // An error means that the process has ended.
                let _ = pidfd_send_signal(helper, Signal::KILL);
            }
        }

        /// Kills every process with a mark.
        pub(crate) fn kill_marked(mark: &Mark) {
            look(|| {
                let found = Self::marked(mark);
                found.kill();
                !found.0.is_empty()
            });
        }

        /// Kills every child that was adopted, which are all children except the `known` ones.
        pub(crate) fn kill_adopted(known: impl Fn(u32) -> bool) {
            if !ADOPTS.load(Ordering::Relaxed) {
                return;
            }
            look(|| {
                let adopted = children(process::id()).filter(|&child| !known(child));
                let adopted = adopted.filter_map(|child| Pid::from_raw(child as i32));
                // The children of a killed process are adopted, too, and found by the next look. Nobody else waits for
                // these children, so their numbers stay theirs until `waitid`.
                let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG;
                let killed = adopted.map(|child| {
                    let _ = kill_process(child, Signal::KILL);
                    let _ = waitid(WaitId::Pid(child), options);
                });
                killed.count() > 0
            });
        }
    }

    /// Whether this process adopts the helpers of its engines.
    static ADOPTS: AtomicBool = AtomicBool::new(false);

    /// Makes this process the parent of each later descendant whose parents have ended, unless it has children that it
    /// cannot tell from those.
    pub(crate) fn adopt() {
        let this = process::id();
        // The first process of a container adopts the helpers of all other programs.
        let has_others = this == 1 || children(this).next().is_some();
        if !has_others && set_child_subreaper(Pid::from_raw(this as i32)).is_ok() {
            ADOPTS.store(true, Ordering::Relaxed);
        }
    }

    /// Calls `found`, which ends processes and says whether there were any, until there are none.
    fn look(mut found: impl FnMut() -> bool) {
        let mut empty = 0;
        for _ in 0..LOOKS {
            empty = if found() { 0 } else { empty + 1 };
            if empty == EMPTY_LOOKS {
                return;
            }
            thread::sleep(BETWEEN_LOOKS);
        }
    }

    /// The children of a process.
    fn children(parent: u32) -> impl Iterator<Item = u32> {
        // A process is the child of the thread that started it.
        let threads = fs::read_dir(format!("/proc/{parent}/task"));
        let threads = threads.into_iter().flatten().flatten();
        threads.flat_map(|thread| {
            let children = fs::read_to_string(thread.path().join("children"));
            let children = children.unwrap_or_default();
            let numbers = children.split_whitespace().map(str::parse);
            numbers.filter_map(Result::ok).collect::<Vec<u32>>()
        })
    }

    fn open(process: u32) -> Option<OwnedFd> {
        pidfd_open(Pid::from_raw(process as i32)?, PidfdFlags::empty()).ok()
    }
}

/// Other systems tell neither the children of a process nor its environment.
#[cfg(not(target_os = "linux"))]
mod system {
    #[cfg(unix)]
    use super::Mark;

    #[derive(Debug, Default)]
    pub(crate) struct Helpers;

    impl Helpers {
        pub(crate) fn of(_leader: u32) -> Self {
            Self
        }

        #[cfg(unix)]
        pub(crate) fn kill(&self) {}

        #[cfg(unix)]
        pub(crate) fn kill_marked(_mark: &Mark) {}

        #[cfg(unix)]
        pub(crate) fn kill_adopted(_known: impl Fn(u32) -> bool) {}
    }

    #[cfg(unix)]
    pub(crate) fn adopt() {}
}
