//! The manifest of labels: what was labelled, how, and with which result.

use serde::de::Error as _;
use serde::{Deserialize, Serialize};
use skewer_types::printable_json;

/// The version of a manifest.
pub(crate) const SCHEMA: &str = "skewer-manifest/2";

/// What was labelled, how, and with which result. Other fields are refused, because nothing would compare them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Manifest {
    /// The version of its fields.
    pub(crate) schema: String,
    /// Program, network and settings.
    pub(crate) settings: String,
    /// The words of the command line that the results depend on.
    pub(crate) limits: Vec<String>,
    /// Which of the inputs' positions were chosen: `I/N`, every N-th from number I on.
    pub(crate) shard: String,
    /// The items of the inputs, in and outside the shard: positions, unreadable lines and unreadable games.
    pub(crate) read: u64,
    /// Positions with labels.
    pub(crate) positions: u64,
    /// Chosen lines and games that could not be read.
    pub(crate) unread: u64,
    /// Chosen positions at which the engine failed.
    pub(crate) failed: u64,
    /// The files with the positions.
    pub(crate) inputs: Vec<FileMark>,
    /// The files with the labels.
    pub(crate) outputs: Vec<FileMark>,
}

/// A file with its fingerprint.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FileMark {
    /// The file as it was given.
    pub(crate) path: String,
    /// The SHA-256 of its bytes. Older manifests have none for the standard input and output.
    pub(crate) sha256: Option<String>,
}

impl Manifest {
    /// Reads a manifest.
    ///
    /// # Errors
    ///
    /// When it is not JSON, has another version, lacks a field, or has a field twice or a field that is not known.
    pub(crate) fn parse(bytes: &[u8]) -> serde_json::Result<Self> {
        #[derive(Deserialize)]
        struct Version {
            schema: String,
        }
        // Another version may have other fields.
        let Version { schema } = serde_json::from_slice(bytes)?;
        if schema != SCHEMA {
            let text = format!("it is {schema}, not {SCHEMA}");
            return Err(serde_json::Error::custom(text));
        }
        serde_json::from_slice(bytes)
    }

    /// The text of the file.
    ///
    /// # Errors
    ///
    /// None in practice, because JSON can hold all of the data.
    pub(crate) fn to_text(&self) -> serde_json::Result<String> {
        let text = serde_json::to_string_pretty(self)?;
        Ok(format!("{}\n", printable_json(&text)))
    }
}
