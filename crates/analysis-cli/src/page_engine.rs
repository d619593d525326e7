//! The engine that runs in the pages of the report: WebAssembly, made by `make wasm` from
//! `crates/wasm`.

use std::convert::Infallible;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow};
use clap::builder::TypedValueParser;
use skewer_console::options::word_or_file;
use skewer_console::progress::note;
use skewer_report::PageEngine;
use skewer_store::read_regular;

/// The largest program that is read, in bytes.
const MOST_PROGRAM: u64 = 1 << 28;

/// The name of the file that is looked for beside this program.
const FILE_NAME: &str = "skewer.wasm";

/// The engine that was built into this program; empty if there is none.
const BUILT_IN: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/engine.wasm"));

/// Where the engine for the pages comes from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) enum PageEngineFile {
    /// `skewer.wasm` beside this program, or the engine that was built into it; none if there is neither.
    #[default]
    OfProgram,
    /// This file.
    File(PathBuf),
    /// The pages have no engine.
    None,
}

impl PageEngineFile {
    /// Reads the value of the option.
    pub(crate) fn parser() -> impl TypedValueParser<Value = Self> {
        let file = |path: &Path| Ok::<_, Infallible>(Self::File(path.to_owned()));
        let word = |word: &str| match word {
            "none" => Ok(Self::None),
            path => Ok(Self::File(path.into())),
        };
        word_or_file(word, file)
    }

    /// Reads the engine.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or is not WebAssembly.
    pub(crate) fn read(&self) -> Result<Option<PageEngine>> {
        match self {
            Self::None => Ok(None),
            Self::File(path) => read(path).map(Some),
            Self::OfProgram => {
                let path = std::env::current_exe().map(|program| program.with_file_name(FILE_NAME));
                match path {
                    Ok(path) if path.exists() => read(&path).map(Some),
                    _ if !BUILT_IN.is_empty() => PageEngine::new(BUILT_IN).map(Some),
                    _ => {
                        note(format_args!(
                            "warning: the report has no engine to analyse further positions and moves: this program \
                             was built without one, and there is no {FILE_NAME} beside it; `make wasm` in a clone \
                             of the repository makes it, --page-engine FILE takes it"
                        ));
                        Ok(None)
                    }
                }
            }
        }
    }
}

fn read(path: &Path) -> Result<PageEngine> {
    let name = path.display();
    let program = read_regular(path, MOST_PROGRAM)
        .with_context(|| format!("cannot read --page-engine {name}"))?;
    PageEngine::new(&program)
        .map_err(|error| anyhow!("--page-engine {name} is {error}; `make wasm` makes one"))
}
