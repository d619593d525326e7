//! A file that a run is gone on with from: a heading that says which run it is, then a line of JSON for
//! each step done. A run that is killed loses the steps under way, and the same command goes on after
//! the last whole line.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use serde::Serialize;
use serde::de::DeserializeOwned;
use skewer_gamedata::open_alone;

/// Such a file, while it is written to: by one run at a time.
#[derive(Debug)]
pub(crate) struct Lines {
    path: PathBuf,
    /// Locked for as long as it is open.
    file: File,
}

impl Lines {
    /// Opens the file of a run, making it if there is none; also the steps that it holds. Half a line at
    /// its end is cut off. `expect` refuses the heading of another run.
    ///
    /// # Errors
    ///
    /// When the file is damaged, refused, being written to by another program, or cannot be written.
    pub(crate) fn open<H: Serialize + DeserializeOwned, L: DeserializeOwned>(
        path: &Path,
        heading: &H,
        expect: impl FnOnce(&H) -> Result<()>,
    ) -> Result<(Self, Vec<L>)> {
        let said = || path.display().to_string();
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).with_context(said)?;
        }
        let Some(mut file) = open_alone(path).with_context(said)? else {
            bail!(
                "{}: another run is writing to it; wait until that ends, or give another --out",
                path.display()
            );
        };
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).with_context(said)?;
        // What follows the last whole line may end within a letter.
        let end = bytes.iter().rposition(|byte| *byte == b'\n');
        let whole = end.map_or(0, |end| end + 1);
        let text = str::from_utf8(&bytes[..whole]).with_context(said)?;
        let place = |number: usize| format!("{}, line {number}: damaged", path.display());
        let mut lines = text.lines();
        if let Some(first) = lines.next() {
            expect(&serde_json::from_str(first).with_context(|| place(1))?)?;
        }
        let steps = lines
            .enumerate()
            .map(|(index, line)| serde_json::from_str(line).with_context(|| place(index + 2)))
            .collect::<Result<Vec<L>>>()?;
        file.set_len(whole as u64)
            .and_then(|()| file.seek(SeekFrom::End(0)))
            .with_context(said)?;
        let mut opened = Self {
            path: path.to_owned(),
            file,
        };
        if whole == 0 {
            opened.note(heading)?;
        }
        Ok((opened, steps))
    }

    /// Adds a line.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub(crate) fn note(&mut self, step: &impl Serialize) -> Result<()> {
        let line = serde_json::to_string(step)? + "\n";
        self.file
            .write_all(line.as_bytes())
            .with_context(|| self.cannot_write())
    }

    /// What is said when it, or what goes with it, cannot be written.
    pub(crate) fn cannot_write(&self) -> String {
        format!("cannot write {}", self.path.display())
    }
}
