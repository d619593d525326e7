//! Output files. Their errors contain the name of the file.

use std::io::{self, Write};
use std::path::Path;

use anyhow::Result;
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use skewer_store::OutputFile;

/// An output file, or the standard output, that appears when it is complete.
#[derive(Debug)]
pub struct Output(Target, Sha256);

/// Where the bytes go.
#[derive(Debug)]
enum Target {
    File(OutputFile),
    /// The standard output on a system where `OutputFile` cannot duplicate its descriptor.
    #[cfg(target_family = "wasm")]
    Standard(io::BufWriter<io::Stdout>),
}

impl Target {
    #[cfg(not(target_family = "wasm"))]
    fn create(path: &Path) -> Result<Self> {
        Ok(Self::File(OutputFile::create_or_stdout(path)?))
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
            #[cfg(target_family = "wasm")]
            Self::Standard(_) => Path::new("standard output"),
        }
    }

    fn commit(self) -> Result<()> {
        match self {
            Self::File(file) => Ok(file.commit()?),
            #[cfg(target_family = "wasm")]
            Self::Standard(mut out) => Ok(out.flush()?),
        }
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.write(bytes),
            #[cfg(target_family = "wasm")]
            Self::Standard(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::File(file) => file.flush(),
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
        Ok(Self(Target::create(path)?, Sha256::new()))
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
        serde_json::to_writer(&mut *self, value).map_err(io::Error::from)?;
        self.text("\n")
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
        self.0.commit()?;
        Ok(format!("{:x}", self.1.finalize()))
    }

    fn named(&self, error: &io::Error) -> io::Error {
        let text = format!("cannot write {}: {error}", self.0.path().display());
        io::Error::new(error.kind(), text)
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.0.write(bytes).map_err(|error| self.named(&error))?;
        self.1.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(|error| self.named(&error))
    }
}
