//! `SIGXFSZ`, the signal for a write beyond the file-size limit.

/// Makes a write beyond the process's file-size limit (`ulimit -f`) fail like a write on a full disk. Otherwise the
/// system ends the process with `SIGXFSZ`.
///
/// Call this function once, at the start of a program. It does nothing on a system without the signal.
pub fn report_file_size_limit() {
    #[cfg(unix)]
    {
        use std::sync::Arc;
        use std::sync::atomic::AtomicBool;
        // With any handler, the write fails with an error. The flag is not used.
        // Registering can only fail for signals that the system does not have.
        let _ = signal_hook::flag::register(
            signal_hook::consts::SIGXFSZ,
            Arc::new(AtomicBool::new(false)),
        );
    }
}
