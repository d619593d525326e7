//! How to start an engine.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// A UCI engine's program, its arguments and its options. As text:
/// `/usr/games/stockfish,option.Hash=16,arg=--quiet,dir=/tmp`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// The program.
    pub command: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Its working directory; `None` for the current one.
    pub folder: Option<PathBuf>,
    /// Names and values of UCI options.
    pub options: Vec<(String, String)>,
}

/// The error for an invalid description of a program.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProgramError {
    /// There is no program.
    #[error("the engine is missing: give the path of a program")]
    Missing,
    /// A part of the text is not `KEY=VALUE`.
    #[error("`{0}` is not KEY=VALUE")]
    NoValue(String),
    /// A key is unknown.
    #[error("`{0}` is not a setting of a program; use arg, dir or option.NAME")]
    UnknownKey(String),
}

impl Program {
    /// A program without arguments and options.
    pub fn new(command: impl Into<String>) -> Self {
        Self {
            command: command.into(),
            args: Vec::new(),
            folder: None,
            options: Vec::new(),
        }
    }

    /// Sets `arg` (one more argument), `dir` or `option.NAME`. False if the key is none of these.
    pub fn set(&mut self, key: &str, value: &str) -> bool {
        match (key, key.strip_prefix("option.")) {
            ("arg", _) => self.args.push(value.to_owned()),
            ("dir", _) => self.folder = Some(value.into()),
            (_, Some(name)) => self.options.push((name.to_owned(), value.to_owned())),
            _ => return false,
        }
        true
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.command)?;
        self.args
            .iter()
            .try_for_each(|arg| write!(f, ",arg={arg}"))?;
        if let Some(folder) = &self.folder {
            write!(f, ",dir={}", folder.display())?;
        }
        let mut options = self.options.iter();
        options.try_for_each(|(name, value)| write!(f, ",option.{name}={value}"))
    }
}

impl FromStr for Program {
    type Err = ProgramError;

    fn from_str(text: &str) -> Result<Self, ProgramError> {
        let mut parts = text.split(',').map(str::trim);
        let command = parts.next().filter(|command| !command.is_empty());
        let mut program = Self::new(command.ok_or(ProgramError::Missing)?);
        for part in parts {
            let (key, value) = part
                .split_once('=')
                .ok_or_else(|| ProgramError::NoValue(part.to_owned()))?;
            if key.trim() == "dir" && value.trim().is_empty() {
                return Err(ProgramError::NoValue(part.to_owned()));
            }
            if !program.set(key.trim(), value.trim()) {
                return Err(ProgramError::UnknownKey(key.trim().to_owned()));
            }
        }
        Ok(program)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_read() {
        let program: Program = "x, arg=-u,dir=/tmp, option.Move Overhead = 5"
            .parse()
            .unwrap();
        assert_eq!(program.command, "x");
        assert_eq!(program.args, ["-u"]);
        assert_eq!(program.folder, Some("/tmp".into()));
        let option = ("Move Overhead".to_owned(), "5".to_owned());
        assert_eq!(program.options, [option]);
        assert_eq!(
            program.to_string(),
            "x,arg=-u,dir=/tmp,option.Move Overhead=5"
        );
        for (wrong, reason) in [
            ("", "the engine is missing"),
            ("x,hash", "not KEY=VALUE"),
            ("x,dir=", "not KEY=VALUE"),
            ("x,hash=1", "not a setting of a program"),
        ] {
            let error = wrong.parse::<Program>().unwrap_err().to_string();
            assert!(error.contains(reason), "{wrong}: {error}");
        }
    }
}
