//! The journal. Findings are stored as soon as they are made, so that an interrupted run can resume
//! and the shards of several machines can be merged.

use std::collections::HashMap;
use std::hash::Hasher;
use std::path::Path;

use anyhow::{Result, anyhow, bail};
use fnv::FnvHasher;
use serde::{Deserialize, Serialize};
use skewer_store::{Identity, Journal, StoreErrorKind, Tail, inspect};

use crate::analyst::Finding;
use crate::job::MainLine;

/// The kind of file, as stored in its header.
const KIND: &str = "skewer-analyse journal";

/// The version of its records.
const VERSION: u32 = 1;

/// The findings of a segment of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Record {
    game: u64,
    /// A hash of the game, to detect that a journal is of other games.
    key: u64,
    segment: u32,
    findings: Vec<Finding>,
}

/// Findings by game and segment.
#[derive(Debug, Default)]
pub struct Known {
    found: HashMap<(u64, u32), (u64, Vec<Finding>)>,
}

impl Known {
    /// Removes and returns the findings of a segment, if there are any.
    ///
    /// # Errors
    ///
    /// When they are of another game.
    pub fn take(&mut self, game: u64, key: u64, segment: u32) -> Result<Option<Vec<Finding>>> {
        match self.found.remove(&(game, segment)) {
            None => Ok(None),
            Some((found, findings)) if found == key => Ok(Some(findings)),
            Some(_) => {
                bail!(
                    "the journal is of other games: its game {game} is not that of the input; \
                     give the same files in the same order, or another journal"
                )
            }
        }
    }

    /// How many segments are known.
    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// Whether no segment is known.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    fn add(&mut self, journal: &mut Journal) -> Result<()> {
        for record in journal.replay::<Record>()? {
            let Record {
                game,
                key,
                segment,
                findings,
            } = record?;
            self.found.insert((game, segment), (key, findings));
        }
        Ok(())
    }
}

/// What to do about a damaged journal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Damage {
    /// Fail, and leave the file as it is.
    Report,
    /// Keep the good records.
    Repair,
}

/// A journal that records are added to.
#[derive(Debug)]
pub struct Log(Journal);

impl Log {
    /// Opens or creates the journal at `path`, for runs with these settings. Returns the findings in
    /// it.
    ///
    /// # Errors
    ///
    /// When the file is of another kind or for other settings, or cannot be used.
    pub fn open(path: &Path, settings: &str, damage: Damage) -> Result<(Self, Known)> {
        let identity = Identity::new(KIND, VERSION, settings);
        let mut opened = Journal::open_or_create(path, &identity);
        if damage == Damage::Repair
            && let Err(error) = &opened
            && let StoreErrorKind::DamagedRecord { .. } = error.kind()
        {
            opened = Journal::repair(path, &identity).map(|(journal, _)| (journal, Tail::Whole));
        }
        let (mut journal, _) = opened.map_err(|error| match error.kind() {
            StoreErrorKind::DamagedRecord { .. } => anyhow!(
                "{error}; add --repair-journal to keep all good records and resume, or delete the file to start over"
            ),
            StoreErrorKind::WrongSignature { found, .. } => anyhow!(
                "cannot use the journal {}: it was made with other settings ({found}, not {settings}); \
                 use the same settings or another journal",
                path.display()
            ),
            _ => anyhow!(error).context("cannot use the journal"),
        })?;
        let mut known = Known::default();
        known.add(&mut journal)?;
        Ok((Self(journal), known))
    }

    /// Adds the findings of a segment.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn add(&mut self, game: u64, key: u64, segment: u32, findings: &[Finding]) -> Result<()> {
        let findings = findings.to_vec();
        self.0.append(&Record {
            game,
            key,
            segment,
            findings,
        })?;
        Ok(())
    }
}

/// Reads the journals of several runs with the same settings. Returns their findings and settings.
///
/// # Errors
///
/// When one of them cannot be read, or their settings differ.
pub fn read_all(paths: &[impl AsRef<Path>]) -> Result<(Known, String)> {
    let mut known = Known::default();
    let mut settings: Option<String> = None;
    for path in paths {
        let path = path.as_ref();
        let header = inspect(path)?;
        let signature = header.signature().to_owned();
        if let Some(first) = &settings
            && *first != signature
        {
            bail!(
                "{} was made with other settings: {signature}, not {first}; \
                 give only journals of one run",
                path.display()
            );
        }
        let identity = Identity::new(KIND, VERSION, &signature);
        let (mut journal, _) = Journal::open(path, &identity)?;
        known.add(&mut journal)?;
        settings = Some(signature);
    }
    Ok((known, settings.unwrap_or_default()))
}

/// A hash of all that findings depend on: the start of the game and the moves of its main line
/// (FNV-1a, 64 bits).
pub fn key(line: &MainLine) -> u64 {
    let mut hasher = FnvHasher::default();
    hasher.write(line.boards[0].to_string().as_bytes());
    for mv in &line.moves {
        hasher.write(&mv.map_or(0, skewer_movegen::Move::bits).to_le_bytes());
    }
    hasher.finish()
}
