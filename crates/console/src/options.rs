//! Options that several command lines have, and their values.

use std::error::Error;
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Result;
use clap::builder::{OsStringValueParser, PathBufValueParser, TypedValueParser};
use skewer_eval::Evaluation;
use skewer_types::{Techniques, printable};

use crate::progress::note;

/// The evaluation, as options of a command line.
#[derive(Debug, clap::Args)]
pub struct EvaluationArgs {
    /// Evaluate with the hand-written terms (hce), the built-in network (net), or the network in
    /// a file [default: net, in a build that has one]
    #[arg(long, visible_alias = "evalfile", value_name = "hce|net|FILE", value_parser = evaluation())]
    eval: Option<Evaluation>,
}

impl EvaluationArgs {
    /// The chosen evaluation.
    pub fn chosen(&self) -> Evaluation {
        self.eval.clone().unwrap_or_default()
    }

    /// The network file, if one was given.
    pub fn file(&self) -> Option<&Path> {
        self.eval.as_ref().and_then(Evaluation::path)
    }
}

/// The technique with this name on the command line.
///
/// # Errors
///
/// If there is no such technique; the text is a message for the user.
pub fn technique(name: &str) -> Result<Techniques, String> {
    Techniques::from_name_kebab(name)
        .map_err(|_| format!("there is no technique `{name}`; `skewer help techniques` lists them"))
}

/// The techniques with these names, joined by `+`.
///
/// # Errors
///
/// If a name is not the name of a technique.
pub fn techniques(names: &str) -> Result<Techniques, String> {
    let empty = Techniques::empty();
    names
        .split('+')
        .try_fold(empty, |set, name| Ok(set | technique(name)?))
}

/// The most threads that a command line may ask for. Each thread has a stack and tables of its own; far more threads
/// would fill the memory of any machine before the first result.
pub const MOST_THREADS: usize = 1024;

/// The value of `--threads`: a number from 1 to [`MOST_THREADS`].
///
/// # Errors
///
/// If the text is not such a number; the error is a message for the user.
pub fn thread_count(text: &str) -> Result<NonZeroUsize, String> {
    let count = text.parse::<NonZeroUsize>().ok();
    let count = count.filter(|count| count.get() <= MOST_THREADS);
    count.ok_or_else(|| format!("give a number from 1 to {MOST_THREADS}"))
}

/// Reads the name of a file or folder that cannot be a standard stream. `-`, which is a standard stream elsewhere, is
/// refused: a file of this name is `./-`.
pub fn own_file() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| {
        if path == Path::new("-") {
            return Err("a standard stream cannot be used here; a file of this name is ./-");
        }
        Ok(path)
    })
}

/// Reads a word, or the name of a file. The name may be any bytes: a word that is not UTF-8 can only be such a name.
pub fn word_or_file<T, E>(
    word: fn(&str) -> Result<T, E>,
    file: fn(&Path) -> Result<T, E>,
) -> impl TypedValueParser<Value = T>
where
    T: Clone + Send + Sync + 'static,
    E: Into<Box<dyn Error + Send + Sync>> + 'static,
{
    OsStringValueParser::new().try_map(move |given| match given.to_str() {
        Some(text) => word(text),
        None => file(given.as_ref()),
    })
}

/// Reads the evaluation that an option names.
pub fn evaluation() -> impl TypedValueParser<Value = Evaluation> {
    word_or_file(str::parse, |path| Evaluation::from_file(path))
}

/// The number of threads: the given one, or the number of cores.
pub fn threads(given: Option<NonZeroUsize>) -> usize {
    given
        .or_else(|| thread::available_parallelism().ok())
        .map_or(1, NonZeroUsize::get)
}

/// Seconds since 1 January 1970, for records; 0 if the clock is set to an earlier time.
pub fn unix_seconds() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs())
}

/// The exit code of a program that ends with this result; prints an error with the program's name. A closed
/// pipe is no error: its reader, such as `head`, has read enough.
pub fn exit_code(program: &str, result: Result<()>) -> ExitCode {
    let is_closed_pipe = |cause: &io::Error| cause.kind() == io::ErrorKind::BrokenPipe;
    match result {
        Err(error) if !error.downcast_ref().is_some_and(is_closed_pipe) => {
            // One line: the name of a file may have the end of a line, and must not add a line of its own.
            let reason = format!("{error:#}");
            note(format_args!("{program}: {}", printable(&reason)));
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A closed pipe alone is no error: not another error of the system, and not a pipe that another error quotes.
    #[test]
    fn errors_are_failures() {
        let system = |kind: io::ErrorKind| Err(io::Error::from(kind).into());
        let quoted = anyhow::anyhow!("{}", io::Error::from(io::ErrorKind::BrokenPipe));
        for (result, expected) in [
            (Ok(()), ExitCode::SUCCESS),
            (system(io::ErrorKind::BrokenPipe), ExitCode::SUCCESS),
            (system(io::ErrorKind::StorageFull), ExitCode::FAILURE),
            (system(io::ErrorKind::NotFound), ExitCode::FAILURE),
            (Err(quoted), ExitCode::FAILURE),
            (Err(anyhow::anyhow!("no such game")), ExitCode::FAILURE),
        ] {
            let text = format!("{result:?}");
            assert_eq!(exit_code("test", result), expected, "{text}");
        }
    }

    /// A file is opened under its own name, whatever bytes that has, and the words of the option keep their meanings.
    #[cfg(unix)]
    #[test]
    fn names_of_networks_are_any_bytes() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt as _;

        #[derive(clap::Parser, Debug)]
        struct Options {
            #[command(flatten)]
            evaluation: EvaluationArgs,
        }
        let read = |name: &OsStr| {
            let words = ["p".as_ref(), "--eval".as_ref(), name];
            <Options as clap::Parser>::try_parse_from(words)
        };
        let chosen = read("hce".as_ref()).unwrap().evaluation.chosen();
        assert_eq!(chosen, Evaluation::hand_written());
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(OsStr::from_bytes(b"\xff.nnue"));
        let error = read(path.as_os_str()).unwrap_err().to_string();
        assert!(error.contains("No such file"), "{error}");
        let Some(network) = Evaluation::built_in_network() else {
            return;
        };
        std::fs::write(&path, network.network().unwrap().to_bytes()).unwrap();
        let read = read(path.as_os_str()).unwrap().evaluation;
        assert_eq!(
            (read.file(), read.chosen()),
            (Some(path.as_path()), network)
        );
    }

    #[test]
    fn threads_have_a_limit() {
        for right in ["1", "64", "1024"] {
            assert!(thread_count(right).is_ok(), "{right}");
        }
        for wrong in [
            "0",
            "1025",
            "100000",
            "99999999999999999999",
            "-1",
            "2.5",
            "",
        ] {
            assert!(thread_count(wrong).is_err(), "{wrong}");
        }
    }
}
