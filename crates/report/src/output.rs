//! Output files. Their errors contain the name of the file.

#[cfg(not(target_family = "wasm"))]
use std::io::IsTerminal as _;
use std::io::{self, Write};
use std::path::Path;

use anyhow::Result;
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use skewer_store::OutputFile;
use skewer_types::printable_json;
#[cfg(not(target_family = "wasm"))]
use skewer_types::printable_lines;

/// An output: a file, which appears when it is complete, or the standard output.
#[derive(Debug)]
pub struct Output(Hashed<Target>);

/// A destination of bytes with the fingerprint of the bytes that it has taken.
#[derive(Debug)]
struct Hashed<W> {
    out: W,
    hasher: Sha256,
}

impl<W: Write> Write for Hashed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// What errors call the standard output.
#[cfg(target_family = "wasm")]
const STANDARD_OUTPUT: &str = "standard output";

/// Where the bytes go.
#[derive(Debug)]
enum Target {
    File(OutputFile),
    /// The standard output, if it is a terminal.
    #[cfg(not(target_family = "wasm"))]
    Terminal(Shown<OutputFile>),
    /// The standard output on a system where `OutputFile` cannot duplicate its descriptor.
    #[cfg(target_family = "wasm")]
    Standard(io::BufWriter<io::Stdout>),
}

/// A terminal, which gets text without the characters that it would obey. In a file they are data.
#[cfg(not(target_family = "wasm"))]
#[derive(Debug)]
struct Shown<W> {
    out: W,
    /// The beginning of a character whose other bytes have not come yet.
    rest: Vec<u8>,
}

#[cfg(not(target_family = "wasm"))]
impl<W: Write> Shown<W> {
    /// Shows the beginning of a character that has not been completed, and returns the terminal.
    fn finish(mut self) -> io::Result<W> {
        let text = String::from_utf8_lossy(&self.rest);
        write!(self.out, "{}", printable_lines(&text))?;
        Ok(self.out)
    }
}

#[cfg(not(target_family = "wasm"))]
impl<W: Write> Write for Shown<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.rest.extend(bytes);
        let whole = match str::from_utf8(&self.rest) {
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            _ => self.rest.len(),
        };
        let text = String::from_utf8_lossy(&self.rest[..whole]);
        write!(self.out, "{}", printable_lines(&text))?;
        self.rest.drain(..whole);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Target {
    #[cfg(not(target_family = "wasm"))]
    fn create(path: &Path) -> Result<Self> {
        let out = OutputFile::create_or_stdout(path)?;
        let is_terminal = path == Path::new("-") && io::stdout().is_terminal();
        let shown = |out| Shown {
            out,
            rest: Vec::new(),
        };
        Ok(if is_terminal {
            Self::Terminal(shown(out))
        } else {
            Self::File(out)
        })
    }

    #[cfg(target_family = "wasm")]
    fn create(path: &Path) -> Result<Self> {
        if path == Path::new("-") {
            return Ok(Self::Standard(io::BufWriter::new(io::stdout())));
        }
        Ok(Self::File(OutputFile::create(path)?))
    }

    fn path(&self) -> &Path {
        match self {
            Self::File(file) => file.path(),
            #[cfg(not(target_family = "wasm"))]
            Self::Terminal(shown) => shown.out.path(),
            #[cfg(target_family = "wasm")]
            Self::Standard(_) => Path::new(STANDARD_OUTPUT),
        }
    }

    fn commit(self) -> Result<()> {
        match self {
            Self::File(file) => Ok(file.commit()?),
            #[cfg(not(target_family = "wasm"))]
            Self::Terminal(shown) => {
                let path = shown.out.path().to_owned();
                let out = shown.finish().map_err(|error| named(&path, &error))?;
                Ok(out.commit()?)
            }
            #[cfg(target_family = "wasm")]
            Self::Standard(mut out) => Ok(out
                .flush()
                .map_err(|error| named(Path::new(STANDARD_OUTPUT), &error))?),
        }
    }
}

/// The error of writing to a file, with the name of the file.
fn named(path: &Path, error: &io::Error) -> io::Error {
    let text = format!("cannot write {}: {error}", path.display());
    io::Error::new(error.kind(), text)
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.write(bytes),
            #[cfg(not(target_family = "wasm"))]
            Self::Terminal(shown) => shown.write(bytes),
            #[cfg(target_family = "wasm")]
            Self::Standard(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::File(file) => file.flush(),
            #[cfg(not(target_family = "wasm"))]
            Self::Terminal(shown) => shown.flush(),
            #[cfg(target_family = "wasm")]
            Self::Standard(out) => out.flush(),
        }
    }
}

impl Output {
    /// Creates a file; `-` is the standard output.
    ///
    /// # Errors
    ///
    /// When it cannot be created.
    pub fn create(path: &Path) -> Result<Self> {
        Ok(Self(Hashed {
            out: Target::create(path)?,
            hasher: Sha256::new(),
        }))
    }

    /// Adds text.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn text(&mut self, text: &str) -> Result<()> {
        Ok(self.write_all(text.as_bytes())?)
    }

    /// Adds a value as a line of JSON.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn json_line(&mut self, value: &impl Serialize) -> Result<()> {
        let line = serde_json::to_string(value).map_err(io::Error::from)?;
        Ok(writeln!(self, "{}", printable_json(&line))?)
    }

    /// Completes the file.
    ///
    /// # Errors
    ///
    /// When that cannot be done.
    pub fn finish(self) -> Result<()> {
        self.finish_with_fingerprint().map(drop)
    }

    /// Completes the file. Returns the SHA-256 of what was written.
    ///
    /// # Errors
    ///
    /// When that cannot be done.
    pub fn finish_with_fingerprint(self) -> Result<String> {
        let Hashed { out, hasher } = self.0;
        out.commit()?;
        Ok(format!("{:x}", hasher.finalize()))
    }

    fn named(&self, error: &io::Error) -> io::Error {
        named(self.0.out.path(), error)
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(|error| self.named(&error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(|error| self.named(&error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes a few bytes at a time, as a pipe does whose writer is interrupted by a signal.
    struct Sparing(Vec<u8>);

    impl Write for Sparing {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let taken = bytes.len().min(3);
            self.0.extend(&bytes[..taken]);
            Ok(taken)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn the_fingerprint_is_of_the_bytes_that_were_taken() {
        let (out, hasher) = (Sparing(Vec::new()), Sha256::new());
        let mut hashed = Hashed { out, hasher };
        hashed.write_all(b"1. e4 e5 2. Nf3").unwrap();
        assert_eq!(hashed.out.0, b"1. e4 e5 2. Nf3");
        assert_eq!(hashed.hasher.finalize(), Sha256::digest(hashed.out.0));
    }

    /// A terminal gets characters whole, however their bytes come, and none that it would obey.
    #[test]
    fn a_terminal_gets_printable_text() {
        let text = "König\u{1b}[31m,\u{9b}♔\u{202e}\n\t1. e4\r\n";
        for most in 1..5 {
            let (out, rest) = (Vec::new(), Vec::new());
            let mut shown = Shown { out, rest };
            for part in text.as_bytes().chunks(most) {
                shown.write_all(part).unwrap();
            }
            shown.write_all(b"\xff.").unwrap();
            // The output ends within a character.
            shown.write_all(&"♔".as_bytes()[..2]).unwrap();
            let found = String::from_utf8(shown.finish().unwrap()).unwrap();
            assert_eq!(found, "König?[31m,?♔?\n\t1. e4?\n\u{fffd}.\u{fffd}");
        }
    }
}
