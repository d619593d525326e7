//! Whether the standard output was closed when the program began.
//!
//! The standard library opens `/dev/null` in place of a closed standard stream before `main`, so that what is written
//! to it is lost without an error. Hence the check runs before `main`, in a function that the system calls when it
//! has loaded the program.

#![cfg_attr(
    unix,
    allow(unsafe_code, reason = "a section of the program names the function")
)]

use std::io;
use std::path::Path;

use crate::StoreError;

/// Refuses a standard output that was closed when the program began, as by `>&-` in a shell.
///
/// # Errors
///
/// [`StoreError`] if it was closed. Systems other than Linux and macOS cannot tell.
pub fn check_standard_output() -> Result<(), StoreError> {
    if was_closed() {
        let error = io::Error::other("it is closed");
        return Err(StoreError::writing(Path::new("standard output"), error));
    }
    Ok(())
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
mod start {
    use std::sync::atomic::{AtomicBool, Ordering};

    static WAS_CLOSED: AtomicBool = AtomicBool::new(false);

    extern "C" fn note() {
        let flags = rustix::io::fcntl_getfd(rustix::stdio::stdout());
        WAS_CLOSED.store(flags.is_err(), Ordering::Relaxed);
    }

    // SAFETY: The section holds addresses of functions without a result, which the system calls in order. `note`
    // makes one system call and writes one atomic, neither of which needs anything that is initialised before `main`.
    #[used]
    #[cfg_attr(target_os = "linux", unsafe(link_section = ".init_array"))]
    #[cfg_attr(target_os = "macos", unsafe(link_section = "__DATA,__mod_init_func"))]
    static NOTE: extern "C" fn() = note;

    pub(super) fn was_closed() -> bool {
        WAS_CLOSED.load(Ordering::Relaxed)
    }
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
use start::was_closed;

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn was_closed() -> bool {
    false
}
