//! The file from which a run continues.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Error, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;
use skewer_store::{Damage, Journal, StoreError, StoreErrorKind};

/// Opens the file of a run, or creates it and its folder, and returns its steps. `expect` refuses the
/// heading of another run.
///
/// # Errors
///
/// As for [`Journal::open`], with advice to the user.
pub(crate) fn open<H: Serialize + DeserializeOwned, L: DeserializeOwned>(
    path: &Path,
    heading: &H,
    expect: impl FnOnce(&H) -> Result<()>,
) -> Result<(Journal, Vec<L>)> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(|| path.display().to_string())?;
    }
    Journal::open(path, heading, Damage::Report, expect).map_err(with_advice)
}

fn with_advice(error: Error) -> Error {
    let advice = match error.downcast_ref::<StoreError>().map(StoreError::kind) {
        Some(StoreErrorKind::Foreign) => "give another --out",
        Some(StoreErrorKind::DamagedLine { .. }) => {
            "restore the file from a copy, or delete everything from this line on and run the same \
             command to play those games again"
        }
        _ => return error,
    };
    anyhow::anyhow!("{error}; {advice}")
}
