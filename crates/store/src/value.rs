//! Files of a single value: one call writes it, one reads it.

use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::header::{Identity, check_size, config};
use crate::params::VALUE_LIMIT;
use crate::{Reader, StoreError, StoreErrorKind as Kind, Writer};

/// Writes a value to a file. An older file is replaced only when the new one is complete.
///
/// # Errors
///
/// [`StoreError`] if the value cannot be written, or is larger than [`VALUE_LIMIT`](crate::params::VALUE_LIMIT); an
/// older file is then unchanged.
pub fn save<T: Serialize + ?Sized>(
    path: impl AsRef<Path>,
    identity: &Identity<'_>,
    value: &T,
) -> Result<(), StoreError> {
    let mut writer = Writer::create(path, identity)?;
    writer.put_value(value)?;
    writer.finish()
}

/// Reads a value from a file that [`save`] wrote with the same identity.
///
/// # Errors
///
/// [`StoreError`] if the file cannot be read, has another identity, or is damaged or truncated.
pub fn load<T: DeserializeOwned>(
    path: impl AsRef<Path>,
    identity: &Identity<'_>,
) -> Result<T, StoreError> {
    let path = path.as_ref();
    let mut reader = Reader::open(path, identity)?;
    // First, so that damage is reported as such and not as an invalid value.
    reader.verify()?;
    let value = reader.take_value()?;
    if reader.remaining() > 0 {
        let reason = "something follows the value".into();
        return Err(StoreError::new(path, Kind::Malformed { reason }));
    }
    reader.finish()?;
    Ok(value)
}

pub(crate) fn encode<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, Kind> {
    let unwritable = |error: bincode::error::EncodeError| Kind::Unwritable {
        reason: error.to_string(),
    };
    let bytes =
        bincode::serde::encode_to_vec(value, config::<VALUE_LIMIT>()).map_err(unwritable)?;
    check_size("a value", bytes.len(), VALUE_LIMIT)?;
    Ok(bytes)
}

pub(crate) fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Kind> {
    let malformed = |reason| Kind::Malformed { reason };
    let (value, used) = bincode::serde::decode_from_slice(bytes, config::<VALUE_LIMIT>())
        .map_err(|error| malformed(error.to_string()))?;
    if used != bytes.len() {
        return Err(malformed(format!(
            "{} bytes too many in a value",
            bytes.len() - used
        )));
    }
    Ok(value)
}
