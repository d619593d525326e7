//! An evaluation chosen when a program runs: by name or by file, loaded once, shared by threads.

use core::fmt;
use core::str::FromStr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use skewer_movegen::Board;
use skewer_types::{WinCurve, WinModel};

use crate::network::{NetworkError, Parameters};
use crate::{Evaluator, HandWritten, Network};

/// The name and the file of the built-in network, if this build has one.
#[cfg(embedded_network)]
static EMBEDDED: Option<(&str, &[u8])> = Some((
    env!("SKEWER_NETWORK_NAME"),
    include_bytes!(env!("SKEWER_NETWORK")),
));
#[cfg(not(embedded_network))]
static EMBEDDED: Option<(&str, &[u8])> = None;

/// The built-in network, parsed once.
static BUILT_IN: OnceLock<Option<Arc<Parameters>>> = OnceLock::new();

/// Why an evaluation could not be loaded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EvaluationError {
    /// The file cannot be read, or is not a network that this build can run.
    #[error("{}: {}", .0.display(), .1)]
    File(PathBuf, #[source] NetworkError),
    /// This build has no built-in network.
    #[error("this build has no built-in network; give a network file")]
    NoneBuiltIn,
    /// The text is empty.
    #[error("the name of the evaluation is empty; give default, hce, net or the name of a file")]
    Empty,
}

/// An evaluation to make evaluators of: the weights of a network, or the hand-written terms.
/// Clones share the weights.
///
/// Programs let their users choose one by its text form:
///
/// | text | evaluation |
/// |---|---|
/// | `default` | the built-in network; the hand-written terms in a build without one |
/// | `hce` | the hand-written terms |
/// | `net` | the built-in network |
/// | anything else | the network in this file |
///
/// ```
/// use skewer_eval::Evaluation;
/// use skewer_movegen::Board;
///
/// let evaluation: Evaluation = "hce".parse()?;
/// assert_eq!(evaluation.name(), "hand-written");
/// assert!("no/such.nnue".parse::<Evaluation>().is_err());
///
/// let start = Board::STARTPOS;
/// let mut evaluator = Evaluation::default().evaluator(); // one for each thread
/// evaluator.reset(&start);
/// assert!(evaluator.evaluate(&start).raw().abs() < 200);
/// # Ok::<(), skewer_eval::EvaluationError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Evaluation {
    network: Option<Arc<Parameters>>,
    name: Arc<str>,
    path: Option<Arc<Path>>,
}

impl PartialEq for Evaluation {
    /// Whether both give the same scores: both are hand-written, or have the same network.
    fn eq(&self, other: &Self) -> bool {
        match (&self.network, &other.network) {
            (None, None) => true,
            (Some(a), Some(b)) => Arc::ptr_eq(a, b) || a.fingerprint() == b.fingerprint(),
            _ => false,
        }
    }
}

impl Eq for Evaluation {}

impl Default for Evaluation {
    /// The built-in network; the hand-written terms in a build without one.
    fn default() -> Self {
        Self::built_in_network().unwrap_or_else(Self::hand_written)
    }
}

impl FromStr for Evaluation {
    type Err = EvaluationError;

    fn from_str(text: &str) -> Result<Self, EvaluationError> {
        match text {
            // An empty text is a mistake, such as a variable that a script has not set, and chooses no evaluation.
            "" => Err(EvaluationError::Empty),
            "default" => Ok(Self::default()),
            "hce" => Ok(Self::hand_written()),
            "net" => Self::built_in_network().ok_or(EvaluationError::NoneBuiltIn),
            file => Self::from_file(file),
        }
    }
}

impl fmt::Display for Evaluation {
    /// The name, followed by the fingerprint of a network.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        match &self.network {
            Some(network) => write!(f, " {:016x}", network.fingerprint()),
            None => Ok(()),
        }
    }
}

impl Evaluation {
    /// The hand-written terms.
    pub fn hand_written() -> Self {
        Self {
            network: None,
            name: "hand-written".into(),
            path: None,
        }
    }

    /// The built-in network, if this build has one.
    pub fn built_in_network() -> Option<Self> {
        let (name, bytes) = EMBEDDED?;
        let read = || Parameters::from_bytes(bytes).ok().map(Arc::new);
        let parameters = BUILT_IN.get_or_init(read).as_ref()?;
        Some(Self::from_parameters(Arc::clone(parameters), name))
    }

    /// Reads a network from a file.
    ///
    /// # Errors
    ///
    /// [`EvaluationError::File`] if the file cannot be read or is not a network that this build
    /// can run.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, EvaluationError> {
        let path = path.as_ref();
        let parameters = Parameters::load(path)
            .map_err(|error| EvaluationError::File(path.to_owned(), error))?;
        Ok(Self {
            network: Some(Arc::new(parameters)),
            name: path.display().to_string().into(),
            path: Some(path.into()),
        })
    }

    /// A network that is in memory. `name` is what [`name`](Self::name) returns.
    pub fn from_parameters(parameters: Arc<Parameters>, name: &str) -> Self {
        Self {
            network: Some(parameters),
            name: name.into(),
            path: None,
        }
    }

    /// The name in records: `hand-written`, the name of the built-in network, or a path.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The file that the network was read from, if any.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The parameters of the network; `None` for the hand-written evaluation.
    pub fn network(&self) -> Option<&Arc<Parameters>> {
        self.network.as_ref()
    }

    /// The curve that converts scores of `board` by this evaluation to chances and centipawns. It is the win model's
    /// curve for the material on `board`.
    pub fn win_curve(&self, board: &Board) -> WinCurve {
        self.win_model().at(board.material())
    }

    /// The win model, with a curve for each material.
    pub fn win_model(&self) -> WinModel {
        self.network
            .as_ref()
            .map_or_else(WinModel::default, |network| network.win_model())
    }

    /// Creates an evaluator for one thread, to evaluate single positions with. A search creates its
    /// own evaluator, whose calls are direct.
    pub fn evaluator(&self) -> Box<dyn Evaluator + Send> {
        match &self.network {
            None => Box::new(HandWritten::default()),
            Some(parameters) => Box::new(Network::new(Arc::clone(parameters))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_understood() {
        let name = |text: &str| text.parse::<Evaluation>().unwrap().name().to_owned();
        assert_eq!(name("hce"), "hand-written");
        assert_eq!(name("default"), Evaluation::default().name());
    }

    #[test]
    fn an_empty_name_is_refused() {
        let error = "".parse::<Evaluation>().unwrap_err();
        assert!(error.to_string().contains("is empty"), "{error}");
    }

    #[test]
    fn a_built_in_network_can_be_run() {
        // A damaged built-in network must not silently become the hand-written evaluation.
        assert_eq!(EMBEDDED.is_some(), Evaluation::built_in_network().is_some());
        assert_eq!(EMBEDDED.is_some(), "net".parse::<Evaluation>().is_ok());
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = "no/such.nnue".parse::<Evaluation>().unwrap_err();
        assert!(error.to_string().contains("no/such.nnue"), "{error}");
    }
}
