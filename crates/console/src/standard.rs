//! The standard output, and what clap prints.

use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, Write as _};
use std::process;

use clap::Parser;
use clap::error::ErrorKind;
use skewer_types::{not_utf8, printable_lines};

use crate::progress::note;

/// A writer to the standard output, whose errors name the standard output.
pub fn output() -> impl io::Write {
    Named(io::stdout())
}

/// A writer to the standard output, whose errors name it. The errors of the system say only, for example, that a device
/// is full.
struct Named<W>(W);

impl<W: io::Write> io::Write for Named<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(named)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(named)
    }
}

/// The same kind of error, because a closed pipe is no failure of some commands. An interrupted call stays as it is: it
/// is made again.
fn named(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::Interrupted => error,
        kind => io::Error::new(kind, unwritten(&error)),
    }
}

/// Prints lines on the standard output, without characters that a terminal would obey.
///
/// # Errors
///
/// If they cannot be written.
pub fn say(lines: impl Display) -> io::Result<()> {
    let lines = lines.to_string();
    writeln!(output(), "{}", printable_lines(&lines))
}

/// A sentence about the standard output that cannot be written.
fn unwritten(error: &io::Error) -> String {
    format!("standard output: cannot write: {error}")
}

/// Reads the command line. Prints help or an error instead, and ends the program, where the command line asks for help
/// or is wrong.
pub fn parse<Cli: Parser>() -> Cli {
    read(std::env::args_os()).unwrap_or_else(|error| exit(&error))
}

/// Reads the words of a command line, of which the first is the name of the program.
///
/// # Errors
///
/// If a word or the value of an option is empty: probably a variable of a script was not set, and an empty name would
/// mean a default, the present folder or nothing. If a word that must be text is not UTF-8: this error names the word,
/// which the error of clap does not. Otherwise, if clap refuses the command line, or it asks for help.
pub fn read<Cli: Parser>(words: impl IntoIterator<Item = OsString>) -> Result<Cli, clap::Error> {
    let words: Vec<OsString> = words.into_iter().collect();
    if let Some(reason) = empty_value(&words) {
        return Err(clap::Error::raw(ErrorKind::InvalidValue, reason));
    }
    Cli::try_parse_from(&words).map_err(|error| match error.kind() {
        ErrorKind::InvalidUtf8 => {
            let reason = foreign_word::<Cli>(&words);
            reason.map_or(error, |reason| {
                clap::Error::raw(ErrorKind::InvalidUtf8, reason)
            })
        }
        _ => error,
    })
}

/// A sentence about the first word that is not UTF-8 and must be. Names of files that are only opened may be any bytes,
/// so each word is tried with the other ones replaced.
fn foreign_word<Cli: Parser>(words: &[OsString]) -> Option<String> {
    let replaced = |word: &OsString| OsString::from(word.to_string_lossy().into_owned());
    let is_refused = |at: usize| {
        let mut others: Vec<OsString> = words.iter().map(replaced).collect();
        others[at].clone_from(&words[at]);
        let read = Cli::try_parse_from(others);
        read.is_err_and(|error| error.kind() == ErrorKind::InvalidUtf8)
    };
    let foreign = |&at: &usize| words[at].to_str().is_none() && is_refused(at);
    (0..words.len())
        .find(foreign)
        .map(|at| not_utf8(&words[at]))
}

/// A sentence about the first empty word or value, if there is one.
fn empty_value(words: &[OsString]) -> Option<String> {
    let only_files = words.iter().position(|word| word == "--");
    for (at, word) in words.iter().enumerate().skip(1) {
        let text = word.to_string_lossy();
        if text.is_empty() {
            let before = words[at - 1].to_string_lossy();
            return Some(if at > 1 {
                format!("the word after `{before}` is empty")
            } else {
                "the first word is empty".to_owned()
            });
        }
        let is_option = text.starts_with('-') && only_files.is_none_or(|files| at < files);
        if is_option
            && text
                .split_once('=')
                .is_some_and(|(_, value)| value.is_empty())
        {
            return Some(format!("`{text}` has no value"));
        }
    }
    None
}

/// Prints what clap has to say, and ends the program. An error quotes the command line, which may have the names of
/// files, so it is printed without characters that a terminal would obey.
pub fn exit(error: &clap::Error) -> ! {
    if error.use_stderr() {
        note(error.render().to_string().trim_end());
        process::exit(error.exit_code());
    }
    // Help and versions quote nothing. A reader that goes away, such as `head`, has read enough.
    let printed = skewer_store::check_standard_output().map_err(|closed| closed.to_string());
    let printed = printed.and_then(|()| match error.print() {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(unwritten(&error)),
        _ => Ok(()),
    });
    if let Err(reason) = &printed {
        note(format_args!("error: {reason}"));
    }
    process::exit(i32::from(printed.is_err()));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An error says where something could not be written, and keeps its kind.
    #[test]
    fn errors_name_the_standard_output() {
        struct Full;

        impl io::Write for Full {
            fn write(&mut self, _bytes: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::StorageFull.into())
            }

            fn flush(&mut self) -> io::Result<()> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
        }

        let mut full = Named(Full);
        let (written, flushed) = (write!(full, "x").unwrap_err(), full.flush().unwrap_err());
        for (error, kind) in [
            (written, io::ErrorKind::StorageFull),
            (flushed, io::ErrorKind::BrokenPipe),
        ] {
            assert_eq!(error.kind(), kind);
            assert!(
                error
                    .to_string()
                    .starts_with("standard output: cannot write: "),
                "{error}"
            );
        }
    }

    /// A word that is not UTF-8 is named where text is needed, and is taken where it is the name of a file.
    #[cfg(unix)]
    #[test]
    fn words_that_are_not_text_are_named() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt as _;
        use std::path::PathBuf;

        #[derive(Parser, Debug)]
        struct Words {
            #[arg(long)]
            out: Option<PathBuf>,
            #[arg(long)]
            name: Option<String>,
            #[arg(long)]
            count: Option<u32>,
            files: Vec<PathBuf>,
        }
        let said = |line: &[&[u8]]| {
            let words = line.iter().map(|word| OsStr::from_bytes(word).to_owned());
            read::<Words>(words).map_err(|error| error.render().to_string().trim_end().to_owned())
        };
        let read = said(&[b"p", b"--out", b"o\xff", b"f\xfe", b"g"]).unwrap();
        assert_eq!(read.out.unwrap().as_os_str().as_bytes(), b"o\xff");
        assert_eq!(read.files.len(), 2);
        let cases: [(&[&[u8]], &str); 4] = [
            (
                &[b"p", b"--out", b"o\xff", b"--name", b"a\xffb", b"f\xfe"],
                r#""a\xFFb""#,
            ),
            (
                &[b"p", b"--out", b"o\xff", b"--count=\xff"],
                r#""--count=\xFF""#,
            ),
            (
                &[b"p", b"--name=\xc3", b"--count", b"\xa9"],
                r#""--name=\xC3""#,
            ),
            // Characters that a terminal would obey are shown as numbers, too.
            (&[b"p", b"--name", b"\x1b[31m\xff"], r#""\u{1b}[31m\xFF""#),
        ];
        for (line, named) in cases {
            let reason = said(line).unwrap_err();
            let expected = format!("error: {named} is not UTF-8, and must be text");
            assert_eq!(reason, expected, "{line:?}");
        }
    }

    #[test]
    fn empty_words_and_values_are_named() {
        let said = |line: &[&str]| {
            let words: Vec<OsString> = line.iter().map(OsString::from).collect();
            empty_value(&words)
        };
        let none: &[&[&str]] = &[
            &["p"],
            &["p", "a", "--eval", "net", "-t", "1"],
            &["p", "--engine=x,arg=", "--eval=="],
            &["p", "a=", "--", "--eval=", "-x="],
        ];
        for line in none {
            assert_eq!(said(line), None, "{line:?}");
        }
        for (line, reason) in [
            (&["p", ""][..], "the first word is empty"),
            (
                &["p", "games", "--eval", "", "x"],
                "the word after `--eval` is empty",
            ),
            (&["p", "games", "x", ""], "the word after `x` is empty"),
            (&["p", "--", ""], "the word after `--` is empty"),
            (&["p", "--eval="], "`--eval=` has no value"),
            (&["p", "-t="], "`-t=` has no value"),
        ] {
            assert_eq!(said(line).as_deref(), Some(reason), "{line:?}");
        }
    }
}
