//! Why an engine gave no answer.

/// Why an engine gave no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The engine's process could not be started, or the engine lacks an option that is needed.
    #[error("could not be started: {0}")]
    NotStarted(String),
    /// The engine's process ended, or its pipes closed.
    #[error("ended unexpectedly")]
    Died,
    /// The engine did not answer this command in time.
    #[error("did not answer `{0}`")]
    Hung(&'static str),
    /// The engine wrote more than an engine may: a line that is too long, or too much in too little time.
    #[error("flooded its output")]
    Flooded,
    /// The engine does not read its input.
    #[error("does not read its input")]
    NotReading,
    /// The engine chose this move, which is not legal.
    #[error("chose the move `{0}`, which is not legal")]
    Illegal(String),
    /// The engine wrote this text, in which a number is missing or is not possible in a search.
    #[error("wrote `{0}`, which is no possible number")]
    Impossible(String),
    /// The engine gave several answers with a score to one question, and which of them belongs to the question is unknown.
    #[error("answered one question several times")]
    AnsweredTwice,
    /// The engine gave this move in two of its best lines, which are lines of different moves.
    #[error("gave the move `{0}` in two lines")]
    Repeated(String),
    /// The engine chose a move without saying what the position is worth.
    #[error("gave no score")]
    NoScore,
    /// A command, such as the value of an option, has a line break, so that it would be two commands.
    #[error("was not sent a command that has a line break")]
    LineBreak,
    /// The caller gave up.
    #[error("was stopped")]
    Stopped,
}
