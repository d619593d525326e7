//! The standard output, and errors of its reader.

use std::io;

use anyhow::Result;
use skewer_console::standard;
use skewer_types::printable;

/// Prints a line on the standard output, without characters that a terminal would obey.
///
/// # Errors
///
/// When it cannot be written.
pub(crate) fn say(line: &str) -> Result<()> {
    skewer_store::check_standard_output()?;
    Ok(standard::say(printable(line))?)
}

/// Whether an error means that the reader of the standard output has gone, as `| head` does.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let pipe = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| {
        cause.downcast_ref().is_some_and(pipe)
            || matches!(
                cause.downcast_ref().map(skewer_store::StoreError::kind),
                Some(skewer_store::StoreErrorKind::Io { error, .. }) if pipe(error)
            )
    })
}
