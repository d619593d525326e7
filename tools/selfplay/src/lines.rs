//! A file from which a run continues: a heading that identifies the run, then a line of JSON for
//! each finished step. A run that is killed loses its unfinished steps, and the same command continues
//! after the last complete line.
//!
//! The first field of each line is the CRC-32 of the rest of the line: `{"crc32":"1c291ca3",` and then the
//! covered bytes. Older files without checksums are still read, but after a line with a checksum every line
//! needs one.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};
use serde::Serialize;
use serde::de::DeserializeOwned;
use skewer_gamedata::open_alone;

/// The file of a run, open for writing. Only one run can open it at a time.
#[derive(Debug)]
pub(crate) struct Lines {
    path: PathBuf,
    /// Locked for as long as it is open.
    file: File,
}

impl Lines {
    /// Opens the file of a run, or creates it, and returns its steps. An incomplete last line is removed.
    /// `expect` refuses the heading of another run.
    ///
    /// # Errors
    ///
    /// If the file is damaged, of another kind, refused, in use by another program, or cannot be written.
    /// It is then unchanged.
    pub(crate) fn open<H: Serialize + DeserializeOwned, L: DeserializeOwned>(
        path: &Path,
        heading: &H,
        expect: impl FnOnce(&H) -> Result<()>,
    ) -> Result<(Self, Vec<L>)> {
        let name = || path.display().to_string();
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).with_context(name)?;
        }
        let Some(mut file) = open_alone(path).with_context(name)? else {
            bail!(
                "{}: another run is writing to it; wait until that ends, or give another --out",
                path.display()
            );
        };
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).with_context(name)?;
        // The incomplete last line may end within a UTF-8 character.
        let end = bytes.iter().rposition(|byte| *byte == b'\n');
        let whole = end.map_or(0, |end| end + 1);
        let first = with_checksum(&serde_json::to_string(heading)?)?;
        ensure!(
            whole > 0 || first.as_bytes().starts_with(&bytes),
            "{} is not a file of this program; give another --out",
            path.display()
        );
        let text = str::from_utf8(&bytes[..whole]).with_context(name)?;
        check_lines(text).with_context(name)?;
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
            .with_context(name)?;
        let mut opened = Self {
            path: path.to_owned(),
            file,
        };
        if whole == 0 {
            opened.append(heading)?;
        }
        Ok((opened, steps))
    }

    /// Appends a line.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub(crate) fn append(&mut self, step: &impl Serialize) -> Result<()> {
        let line = with_checksum(&serde_json::to_string(step)?)?;
        self.file
            .write_all(line.as_bytes())
            .with_context(|| self.cannot_write())
    }

    /// The message if the file, or one that belongs to it, cannot be written.
    pub(crate) fn cannot_write(&self) -> String {
        format!("cannot write {}", self.path.display())
    }
}

/// How a line with a checksum begins, up to its eight digits.
const PREFIX: &str = "{\"crc32\":\"";

/// The bytes between the digits and the covered bytes.
const AFTER_DIGITS: &str = "\",";

/// A JSON object as a line with a checksum.
fn with_checksum(object: &str) -> Result<String> {
    let Some(fields) = object.strip_prefix('{').filter(|rest| *rest != "}") else {
        bail!("only JSON objects with fields have lines");
    };
    let checksum = crc32fast::hash(fields.as_bytes());
    Ok(format!("{PREFIX}{checksum:08x}{AFTER_DIGITS}{fields}\n"))
}

/// Whether the checksum of a line is right; `None` if it has none.
fn checksum_is_right(line: &str) -> Option<bool> {
    let rest = line.strip_prefix(PREFIX)?;
    let (digits, fields) = rest.split_once(AFTER_DIGITS)?;
    Some(format!("{:08x}", crc32fast::hash(fields.as_bytes())) == digits)
}

/// Checks the checksums of complete lines.
fn check_lines(text: &str) -> Result<()> {
    let mut must_have = false;
    for (index, line) in text.lines().enumerate() {
        let checked = checksum_is_right(line);
        ensure!(
            checked.unwrap_or(!must_have),
            "line {} is damaged: its checksum does not match; restore the file from a copy, or \
             delete everything from this line on and run the same command to play those games again",
            index + 1
        );
        must_have |= checked.is_some();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every flipped bit is noticed, and so is a missing checksum.
    #[test]
    fn a_flipped_bit_is_detected() {
        let heading = with_checksum(r#"{"version":2,"name":"a"}"#).unwrap();
        let line = with_checksum(r#"{"pair":0,"score":28}"#).unwrap();
        let text = heading.clone() + &line;
        check_lines(&text).unwrap();
        for at in heading.len()..text.len() - 1 {
            for bit in 0..8 {
                let mut bytes = text.clone().into_bytes();
                bytes[at] ^= 1 << bit;
                let Ok(bad) = str::from_utf8(&bytes) else {
                    continue;
                };
                let error = check_lines(bad).unwrap_err().to_string();
                assert!(error.contains("is damaged"), "{bad}");
            }
        }
    }

    #[test]
    fn lines_without_checksums_are_read_before_lines_with_them() {
        let old = "{\"version\":2}\n{\"pair\":0}\n";
        check_lines(old).unwrap();
        let new = with_checksum("{\"pair\":1}").unwrap();
        check_lines(&format!("{old}{new}")).unwrap();
        let error = check_lines(&format!("{old}{new}{old}")).unwrap_err();
        assert!(error.to_string().contains("line 4 is damaged"), "{error}");
        let value: serde_json::Value = serde_json::from_str(&new).unwrap();
        assert_eq!(value["pair"], 1);
    }
}
