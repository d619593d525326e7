//! Whether the standard output could be written to when the program began.
//!
//! The standard library opens `/dev/null` in place of a closed standard stream before `main`, and takes the error of a
//! standard stream that is open for reading alone for a success, so that what is written is lost without an error. Hence
//! the check runs before `main`, in a function that the system calls when it has loaded the program.

#![cfg_attr(
    unix,
    allow(unsafe_code, reason = "a section of the program names the function")
)]

use std::io;
use std::path::Path;

use crate::StoreError;

/// Refuses a standard output that was closed when the program began, as by `>&-` in a shell, or open for reading
/// alone, as by `1<FILE`.
///
/// # Errors
///
/// [`StoreError`] if it was. Systems other than Linux and macOS cannot tell.
pub fn check_standard_output() -> Result<(), StoreError> {
    let Some(reason) = why_lost() else {
        return Ok(());
    };
    let error = io::Error::other(reason);
    Err(StoreError::writing(Path::new("standard output"), error))
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
mod start {
    use std::sync::atomic::{AtomicBool, Ordering};

    use rustix::fs::OFlags;

    static WAS_CLOSED: AtomicBool = AtomicBool::new(false);
    static IS_FOR_READING: AtomicBool = AtomicBool::new(false);

    extern "C" fn note() {
        let flags = rustix::fs::fcntl_getfl(rustix::stdio::stdout());
        WAS_CLOSED.store(flags.is_err(), Ordering::Relaxed);
        let is_for_reading = flags.is_ok_and(|flags| flags & OFlags::ACCMODE == OFlags::RDONLY);
        IS_FOR_READING.store(is_for_reading, Ordering::Relaxed);
    }

    // SAFETY: The section holds addresses of functions without a result, which the system calls in order. `note`
    // makes one system call and writes two atomics, neither of which needs anything that is initialised before `main`.
    #[used]
    #[cfg_attr(target_os = "linux", unsafe(link_section = ".init_array"))]
    #[cfg_attr(target_os = "macos", unsafe(link_section = "__DATA,__mod_init_func"))]
    static NOTE: extern "C" fn() = note;

    /// Why what is written is lost; `None` if it is not.
    pub(super) fn why_lost() -> Option<&'static str> {
        if WAS_CLOSED.load(Ordering::Relaxed) {
            return Some("it is closed");
        }
        (IS_FOR_READING.load(Ordering::Relaxed)).then_some("it is open for reading alone")
    }
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
use start::why_lost;

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn why_lost() -> Option<&'static str> {
    None
}
