//! Which evaluation a program uses: chosen by a word or a file, loaded once, shared by threads.
//! The front-end, the match runner and the analysis all choose here, so they mean the same by
//! the same word.

use core::convert::Infallible;
use core::fmt;
use core::str::FromStr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use skewer_movegen::{Board, Move};
use skewer_types::Score;

use crate::network::{NetworkError, Parameters};
use crate::{Evaluator, HandCrafted, Network};

/// The network that this build carries, if it carries one, and its name.
#[cfg(embedded_network)]
static EMBEDDED: Option<(&str, &[u8])> = Some((
    env!("SKEWER_NETWORK_NAME"),
    include_bytes!(env!("SKEWER_NETWORK")),
));
#[cfg(not(embedded_network))]
static EMBEDDED: Option<(&str, &[u8])> = None;

/// The network that is built in, read once.
static BUILT_IN: OnceLock<Option<Arc<Parameters>>> = OnceLock::new();

/// Which evaluation, as a person says it.
///
/// ```
/// use skewer_eval::EvaluationChoice;
///
/// let choice: EvaluationChoice = "hce".parse()?;
/// assert_eq!(choice, EvaluationChoice::HandCrafted);
/// assert_eq!(choice.load()?.name(), "hand-written");
/// assert_eq!("my.nnue".parse(), Ok(EvaluationChoice::File("my.nnue".into())));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum EvaluationChoice {
    /// The network that is built in, and the hand-written evaluation in a build without one.
    #[default]
    BuiltIn,
    /// The terms that a person wrote.
    HandCrafted,
    /// The network that is built in.
    Network,
    /// The network in this file.
    File(PathBuf),
}

impl FromStr for EvaluationChoice {
    type Err = Infallible;

    /// `hce`, `net`, nothing or `default` for what is built in; anything else is a file.
    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match text {
            "" | "default" => Self::BuiltIn,
            "hce" => Self::HandCrafted,
            "net" => Self::Network,
            file => Self::File(PathBuf::from(file)),
        })
    }
}

impl fmt::Display for EvaluationChoice {
    /// The text that [`FromStr`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BuiltIn => f.write_str("default"),
            Self::HandCrafted => f.write_str("hce"),
            Self::Network => f.write_str("net"),
            Self::File(path) => path.display().fmt(f),
        }
    }
}

impl EvaluationChoice {
    /// Reads what the choice needs.
    ///
    /// # Errors
    ///
    /// [`EvaluationError`] if the file cannot be used, or if the built-in network is asked for
    /// in a build without one.
    pub fn load(&self) -> Result<Evaluation, EvaluationError> {
        match self {
            Self::BuiltIn => Ok(Evaluation::default()),
            Self::HandCrafted => Ok(Evaluation::hand_crafted()),
            Self::Network => Evaluation::built_in_network().ok_or(EvaluationError::NoneBuiltIn),
            Self::File(path) => Evaluation::from_file(path),
        }
    }
}

/// Why an evaluation cannot be had.
#[derive(Debug)]
#[non_exhaustive]
pub enum EvaluationError {
    /// The file is no network that this build can run.
    File(PathBuf, NetworkError),
    /// This build carries no network.
    NoneBuiltIn,
}

impl fmt::Display for EvaluationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path, error) => write!(f, "{}: {error}", path.display()),
            Self::NoneBuiltIn => f.write_str("this build carries no network; give the file of one"),
        }
    }
}

impl core::error::Error for EvaluationError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::File(_, error) => Some(error),
            Self::NoneBuiltIn => None,
        }
    }
}

/// An evaluation that evaluators are made of, cheap to clone: a network's weights, or the
/// hand-written terms, which need nothing.
///
/// ```
/// use skewer_eval::{Evaluation, Evaluator};
/// use skewer_movegen::Board;
///
/// let mut evaluator = Evaluation::default().evaluator(); // one for each thread
/// evaluator.reset(&Board::STARTPOS);
/// assert!(evaluator.evaluate(&Board::STARTPOS).raw().abs() < 200);
/// ```
#[derive(Debug, Clone)]
pub struct Evaluation {
    network: Option<Arc<Parameters>>,
    name: Arc<str>,
}

impl Default for Evaluation {
    /// The one that is built in.
    fn default() -> Self {
        Self::built_in_network().unwrap_or_else(Self::hand_crafted)
    }
}

impl fmt::Display for Evaluation {
    /// The name, and for a network the number that tells it from others.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        match &self.network {
            Some(network) => write!(f, " {:016x}", network.fingerprint()),
            None => Ok(()),
        }
    }
}

impl Evaluation {
    /// The terms that a person wrote.
    pub fn hand_crafted() -> Self {
        Self {
            network: None,
            name: "hand-written".into(),
        }
    }

    /// The network that this build carries, if it carries one.
    pub fn built_in_network() -> Option<Self> {
        let (name, bytes) = EMBEDDED?;
        let read = || Parameters::from_bytes(bytes).ok().map(Arc::new);
        let parameters = BUILT_IN.get_or_init(read).as_ref()?;
        Some(Self::of_network(Arc::clone(parameters), name))
    }

    /// The network in a file.
    ///
    /// # Errors
    ///
    /// [`EvaluationError::File`] if it cannot be read or is no network that this build can run.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, EvaluationError> {
        let path = path.as_ref();
        let parameters = Parameters::load(path)
            .map_err(|error| EvaluationError::File(path.to_owned(), error))?;
        Ok(Self::of_network(
            Arc::new(parameters),
            &path.display().to_string(),
        ))
    }

    /// A network that is in memory already; `name` is what records call it.
    pub fn of_network(parameters: Arc<Parameters>, name: &str) -> Self {
        Self {
            network: Some(parameters),
            name: name.into(),
        }
    }

    /// What records call it: `hand-written`, the name of the built-in network, or a path.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The network's numbers; `None` for the hand-written evaluation.
    pub fn network(&self) -> Option<&Arc<Parameters>> {
        self.network.as_ref()
    }

    /// An evaluator for one thread.
    pub fn evaluator(&self) -> AnyEvaluator {
        match &self.network {
            None => AnyEvaluator::HandCrafted(HandCrafted::default()),
            Some(parameters) => {
                AnyEvaluator::Network(Box::new(Network::new(Arc::clone(parameters))))
            }
        }
    }
}

/// An evaluator chosen when the program runs. The choice costs a well-predicted branch a call;
/// where that matters, be generic over [`Evaluator`] instead.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum AnyEvaluator {
    /// The terms that a person wrote.
    HandCrafted(HandCrafted),
    /// A network.
    Network(Box<Network>),
}

impl Evaluator for AnyEvaluator {
    fn reset(&mut self, board: &Board) {
        match self {
            Self::HandCrafted(eval) => eval.reset(board),
            Self::Network(eval) => eval.reset(board),
        }
    }

    #[inline]
    fn push(&mut self, before: &Board, mv: Move, after: &Board) {
        match self {
            Self::HandCrafted(eval) => eval.push(before, mv, after),
            Self::Network(eval) => eval.push(before, mv, after),
        }
    }

    #[inline]
    fn pop(&mut self) {
        match self {
            Self::HandCrafted(eval) => eval.pop(),
            Self::Network(eval) => eval.pop(),
        }
    }

    #[inline]
    fn evaluate(&mut self, board: &Board) -> Score {
        match self {
            Self::HandCrafted(eval) => eval.evaluate(board),
            Self::Network(eval) => eval.evaluate(board),
        }
    }

    #[inline]
    fn quiet_delta(&self, board: &Board, mv: Move) -> i16 {
        match self {
            Self::HandCrafted(eval) => eval.quiet_delta(board, mv),
            Self::Network(eval) => eval.quiet_delta(board, mv),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_read_as_they_are_written() {
        for text in ["default", "hce", "net", "some/file.nnue"] {
            let choice: EvaluationChoice = text.parse().unwrap();
            assert_eq!(choice.to_string(), text);
        }
        assert_eq!("".parse(), Ok(EvaluationChoice::BuiltIn));
    }

    #[test]
    fn a_built_in_network_can_be_run() {
        // Whatever this build carries, it must not fall back in silence.
        assert_eq!(EMBEDDED.is_some(), Evaluation::built_in_network().is_some());
        let net = EvaluationChoice::Network.load();
        assert_eq!(EMBEDDED.is_some(), net.is_ok());
    }

    #[test]
    fn a_missing_file_is_named() {
        let missing = EvaluationChoice::File("no/such.nnue".into());
        let error = missing.load().unwrap_err();
        assert!(error.to_string().contains("no/such.nnue"), "{error}");
    }
}
