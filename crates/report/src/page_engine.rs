//! The engine that runs in the pages of the report: WebAssembly.

use std::io::Write as _;

use anyhow::{Result, bail};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;

/// The bytes that every WebAssembly file begins with.
const MAGIC: &[u8] = b"\0asm";

/// An engine in the form in which pages contain it: compressed by gzip, in base64.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PageEngine(String);

impl PageEngine {
    /// Compresses a program.
    ///
    /// # Errors
    ///
    /// When it is not WebAssembly.
    pub fn new(program: &[u8]) -> Result<Self> {
        if !program.starts_with(MAGIC) {
            bail!("not a WebAssembly file");
        }
        let mut packed = GzEncoder::new(Vec::new(), Compression::best());
        packed.write_all(program)?;
        Ok(Self(BASE64_STANDARD.encode(packed.finish()?)))
    }

    /// An engine that a page carries already; `None` if the text is not base64.
    pub fn from_base64(text: String) -> Option<Self> {
        let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte);
        text.bytes().all(is_base64).then_some(Self(text))
    }

    /// The compressed program in base64.
    pub fn as_base64(&self) -> &str {
        &self.0
    }
}
