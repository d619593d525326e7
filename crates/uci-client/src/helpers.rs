//! Processes that an engine has started and that have left its process group. On Linux they are found in two ways:
//! by their parents, and by a mark in the environment, which also finds a process whose parents have ended.

pub(crate) use system::Helpers;

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
    use std::thread;
    use std::time::Duration;

    use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

    use super::Mark;

    /// Processes, each by a descriptor, which names its process even after another process got the same number.
    #[derive(Debug, Default)]
    pub(crate) struct Helpers(Vec<OwnedFd>);

    /// How many processes are followed at once: each takes a descriptor.
    const MOST: usize = 100;

    /// How often marked processes are looked for, since they may start others meanwhile.
    const LOOKS: usize = 20;

    /// How many looks in a row find no marked process when there is none: a process that is just being replaced by another
    /// program has no environment for a moment.
    const EMPTY_LOOKS: usize = 3;

    /// The time between two looks.
    const BETWEEN_LOOKS: Duration = Duration::from_millis(5);

    impl Helpers {
        /// The descendants that a process has now.
        pub(crate) fn of(leader: u32) -> Self {
            let (mut found, mut parents) = (Vec::new(), vec![leader]);
            while let Some(parent) = parents.pop() {
                // A process is the child of the thread that started it.
                let threads = fs::read_dir(format!("/proc/{parent}/task"));
                for thread in threads.into_iter().flatten().flatten() {
                    let children = fs::read_to_string(thread.path().join("children"));
                    for child in children.unwrap_or_default().split_whitespace() {
                        let child = child.parse().unwrap_or_default();
                        if let Some(descriptor) = open(child) {
                            found.push(descriptor);
                            parents.push(child);
                        }
                        if found.len() == MOST {
                            return Self(found);
                        }
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
            let mut empty = 0;
            for _ in 0..LOOKS {
                let found = Self::marked(mark);
                empty = if found.0.is_empty() { empty + 1 } else { 0 };
                if empty == EMPTY_LOOKS {
                    return;
                }
                found.kill();
                thread::sleep(BETWEEN_LOOKS);
            }
        }
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
    }
}
