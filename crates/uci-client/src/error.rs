//! Why an engine gave no answer.

/// Why an engine gave no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// Its process could not be started, or it lacks an option that is needed.
    #[error("could not be started: {0}")]
    NotStarted(String),
    /// Its process ended, or its pipes closed.
    #[error("ended unexpectedly")]
    Died,
    /// It did not answer this command in time.
    #[error("did not answer `{0}`")]
    Hung(&'static str),
    /// It wrote more than an engine may: a line that is too long, or too much in too little time.
    #[error("flooded its output")]
    Flooded,
    /// It does not read its input.
    #[error("does not read its input")]
    NotReading,
    /// It chose this move, which is not legal.
    #[error("chose the move `{0}`, which is not legal")]
    Illegal(String),
    /// It wrote this text, in which a number is missing or is not possible in a search.
    #[error("wrote `{0}`, which is no possible number")]
    Impossible(String),
    /// It gave several answers with a score to one question, and which of them belongs to the question is unknown.
    #[error("answered one question several times")]
    AnsweredTwice,
    /// It chose a move without saying what the position is worth.
    #[error("gave no score")]
    NoScore,
    /// The caller gave up.
    #[error("was stopped")]
    Stopped,
}
