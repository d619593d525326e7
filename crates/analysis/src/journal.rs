//! The journal. Findings are stored as soon as they are made, so that an interrupted run can resume
//! and the shards of several machines can be merged.

use std::collections::HashMap;
use std::hash::Hasher;
use std::path::{Path, PathBuf};

use fnv::FnvHasher;
use serde::{Deserialize, Serialize};
use skewer_store::{Identity, Journal, StoreErrorKind, Tail, inspect};

use crate::analyst::Finding;
use crate::error::AnalysisError;
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

/// What to do about a damaged journal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Damage {
    /// Fail, and leave the file as it is.
    Report,
    /// Keep the good records.
    Repair,
}

/// Findings of earlier runs by game and segment, and the journal to which new ones are added, if
/// there is one.
#[derive(Debug, Default)]
pub struct Log {
    known: HashMap<(u64, u32), (u64, Vec<Finding>)>,
    journal: Option<Journal>,
}

impl Log {
    /// Opens or creates the journal at `path`, for runs with these settings.
    ///
    /// # Errors
    ///
    /// When the file is of another kind or for other settings, or cannot be used.
    pub fn open(path: &Path, settings: &str, damage: Damage) -> Result<Self, AnalysisError> {
        let identity = Identity::new(KIND, VERSION, settings);
        let mut opened = Journal::open_or_create(path, &identity);
        if damage == Damage::Repair
            && let Err(error) = &opened
            && let StoreErrorKind::DamagedRecord { .. } = error.kind()
        {
            opened = Journal::repair(path, &identity).map(|(journal, _)| (journal, Tail::Whole));
        }
        let (mut journal, _) = opened.map_err(|error| match error.kind() {
            StoreErrorKind::DamagedRecord { .. } => AnalysisError::Damaged(error),
            StoreErrorKind::WrongSignature { found, .. } => AnalysisError::OtherSettings {
                path: path.to_owned(),
                found: found.clone(),
                settings: settings.to_owned(),
            },
            _ => AnalysisError::Unusable(error),
        })?;
        let mut log = Self::default();
        log.replay(&mut journal)?;
        log.journal = Some(journal);
        Ok(log)
    }

    /// Reads the journals of several runs with the same settings. Also returns these settings.
    ///
    /// # Errors
    ///
    /// When one of them cannot be read, or their settings differ.
    pub fn read_all(paths: &[PathBuf]) -> Result<(Self, String), AnalysisError> {
        let mut log = Self::default();
        let mut settings: Option<String> = None;
        for path in paths {
            let found = inspect(path)?.signature().to_owned();
            if let Some(settings) = settings.filter(|settings| *settings != found) {
                let path = path.clone();
                return Err(AnalysisError::MixedSettings {
                    path,
                    found,
                    settings,
                });
            }
            let (mut journal, _) = Journal::open(path, &Identity::new(KIND, VERSION, &found))?;
            log.replay(&mut journal)?;
            settings = Some(found);
        }
        Ok((log, settings.unwrap_or_default()))
    }

    fn replay(&mut self, journal: &mut Journal) -> Result<(), AnalysisError> {
        for record in journal.replay::<Record>()? {
            let record = record?;
            let findings = (record.key, record.findings);
            self.known.insert((record.game, record.segment), findings);
        }
        Ok(())
    }

    /// Removes and returns the findings of a segment, if they are known. `key` is that of the game.
    ///
    /// # Errors
    ///
    /// When they are of another game.
    pub fn take(
        &mut self,
        game: u64,
        key: u64,
        segment: u32,
    ) -> Result<Option<Vec<Finding>>, AnalysisError> {
        match self.known.remove(&(game, segment)) {
            Some((found, _)) if found != key => Err(AnalysisError::OtherGame(game)),
            known => Ok(known.map(|(_, findings)| findings)),
        }
    }

    /// How many segments are known.
    pub(crate) fn len(&self) -> usize {
        self.known.len()
    }

    /// Adds the findings of a segment to the journal.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn add(
        &mut self,
        game: u64,
        key: u64,
        segment: u32,
        findings: &[Finding],
    ) -> Result<(), AnalysisError> {
        if let Some(journal) = &mut self.journal {
            journal.append(&Record {
                game,
                key,
                segment,
                findings: findings.to_vec(),
            })?;
        }
        Ok(())
    }
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
