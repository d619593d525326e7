//! Which evaluation the engine uses: the one that is built in, or a network from a file.

use std::sync::Arc;

use skewer_smp::{Engine, HandCrafted, Network, NetworkError, Parameters};

/// The network that was compiled in (`make EVALFILE=path`), if one was.
#[cfg(embedded_network)]
static EMBEDDED: Option<&[u8]> = Some(include_bytes!(env!("SKEWER_EVALFILE")));
#[cfg(not(embedded_network))]
static EMBEDDED: Option<&[u8]> = None;

/// An evaluation, cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Evaluation {
    /// `None` for the hand-written one.
    network: Option<Arc<Parameters>>,
    /// Says what scores in a saved hash table come from.
    signature: String,
}

impl Default for Evaluation {
    /// The one that is built in.
    fn default() -> Self {
        EMBEDDED
            .and_then(|bytes| Self::of_bytes(bytes).ok())
            .unwrap_or_else(|| Self {
                network: None,
                signature: signature("hand-written"),
            })
    }
}

impl PartialEq for Evaluation {
    fn eq(&self, other: &Self) -> bool {
        self.signature == other.signature
    }
}

fn signature(evaluation: &str) -> String {
    format!("Skewer {} {evaluation}", env!("CARGO_PKG_VERSION"))
}

impl Evaluation {
    /// The evaluation of an `EvalFile`: the built-in one if the path is empty.
    pub(crate) fn named(path: &str) -> Result<Self, String> {
        if path.is_empty() {
            return Ok(Self::default());
        }
        let bytes = std::fs::read(path)
            .map_err(|error| format!("{} cannot be read: {error}", crate::command::quote(path)))?;
        Self::of_bytes(&bytes).map_err(|error| error.to_string())
    }

    fn of_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        let network = Parameters::from_bytes(bytes)?;
        Ok(Self {
            network: Some(Arc::new(network)),
            signature: signature(&format!("network {:016x}", fingerprint(bytes))),
        })
    }

    /// Lets an engine evaluate with this.
    pub(crate) fn give_to(&self, engine: &mut Engine) {
        match &self.network {
            Some(parameters) => {
                let parameters = Arc::clone(parameters);
                engine.set_evaluator(move || Network::new(Arc::clone(&parameters)));
            }
            None => engine.set_evaluator(HandCrafted::default),
        }
    }

    /// What scores in a saved hash table come from.
    pub(crate) fn signature(&self) -> &str {
        &self.signature
    }
}

/// FNV-1a: enough to tell one network from another.
fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
