//! The journal. Findings are stored as soon as they are made, so that an interrupted run can resume
//! and the shards of several machines can be merged.

use std::collections::HashMap;
use std::hash::Hasher;
use std::path::{Path, PathBuf};

use fnv::FnvHasher;
use serde::{Deserialize, Serialize};
pub use skewer_store::Damage;
use skewer_store::{Journal, StoreErrorKind};

use crate::analyst::{Finding, SettingsRecord};
use crate::error::AnalysisError;
use crate::line::MainLine;

/// The version of the records. Version 3 had evaluations of games in other units, version 4 its settings as a line of
/// text.
const VERSION: u32 = 5;

/// The first line of a journal.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Heading {
    /// The version of the records.
    analysis: u32,
    /// The settings of the run.
    pub settings: SettingsRecord,
    /// The words of a command line that gives these settings.
    pub words: Vec<String>,
}

/// The first line of a journal of any version.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum AnyHeading {
    Known(Box<Heading>),
    /// A heading with other fields.
    Other {
        #[serde(rename = "analysis")]
        _analysis: u32,
    },
}

impl AnyHeading {
    /// The heading, if the journal has this version.
    fn known(&self) -> Result<&Heading, AnalysisError> {
        match self {
            Self::Known(heading) if heading.analysis == VERSION => Ok(heading),
            Self::Known(_) | Self::Other { .. } => Err(AnalysisError::OtherVersion),
        }
    }
}

/// The findings of a segment of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Record {
    game: u64,
    /// A hash of the game, to detect that a journal is of other games.
    key: u64,
    segment: u32,
    findings: Vec<Finding>,
}

/// Findings of earlier runs by game and segment, and the journal to which new ones are added, if
/// there is one.
#[derive(Debug, Default)]
pub struct Log {
    known: HashMap<(u64, u32), (u64, Vec<Finding>)>,
    journal: Option<Journal>,
}

impl Log {
    /// Opens or creates the journal at `path`, for runs with these settings. A new journal keeps `words`.
    ///
    /// # Errors
    ///
    /// When the file is of another kind or for other settings, or cannot be used.
    pub fn open(
        path: &Path,
        settings: &SettingsRecord,
        words: Vec<String>,
        damage: Damage,
    ) -> Result<Self, AnalysisError> {
        let expect = |found: &AnyHeading| {
            let found = &found.known()?.settings;
            if found == settings {
                return Ok(());
            }
            Err(AnalysisError::OtherSettings {
                path: path.to_owned(),
                found: found.to_string(),
                settings: settings.to_string(),
            })
        };
        let heading = AnyHeading::Known(Box::new(Heading {
            analysis: VERSION,
            settings: settings.clone(),
            words,
        }));
        let opened = Journal::open(path, &heading, damage, expect);
        let (journal, records) = opened.map_err(|error| match error {
            AnalysisError::Store(error) => match error.kind() {
                StoreErrorKind::DamagedLine { .. } => AnalysisError::Damaged(error),
                _ => AnalysisError::Unusable(error),
            },
            error => error,
        })?;
        let mut log = Self::default();
        log.add_known(records);
        log.journal = Some(journal);
        Ok(log)
    }

    /// Reads the journals of several runs with the same settings. Also returns the heading of the first.
    ///
    /// # Errors
    ///
    /// When there is none, one of them cannot be read, or their settings differ.
    pub fn read_all(paths: &[PathBuf]) -> Result<(Self, Heading), AnalysisError> {
        let mut log = Self::default();
        let mut first: Option<Heading> = None;
        for path in paths {
            let (heading, records): (AnyHeading, _) = Journal::read(path)?;
            let heading = heading.known()?;
            log.add_known(records);
            match &first {
                None => first = Some(heading.clone()),
                Some(first) if first.settings != heading.settings => {
                    return Err(AnalysisError::MixedSettings {
                        path: path.clone(),
                        found: heading.settings.to_string(),
                        settings: first.settings.to_string(),
                    });
                }
                Some(_) => {}
            }
        }
        Ok((log, first.ok_or(AnalysisError::NoJournal)?))
    }

    fn add_known(&mut self, records: Vec<Record>) {
        let known = |record: Record| {
            let place = (record.game, record.segment);
            (place, (record.key, record.findings))
        };
        self.known.extend(records.into_iter().map(known));
    }

    /// Removes and returns the findings of a segment, if they are known. `key` is the hash of the game.
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

    /// The games of which segments are known.
    pub(crate) fn games(&self) -> impl Iterator<Item = u64> + '_ {
        self.known.keys().map(|&(game, _)| game)
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

/// A hash of everything in a game that its findings depend on: the start of the game, the moves of its main line, and
/// what is known about its positions without a search (FNV-1a, 64 bits).
pub fn key(line: &MainLine, given: &[Option<Finding>]) -> u64 {
    let mut hasher = FnvHasher::default();
    hasher.write(line.boards[0].to_string().as_bytes());
    for mv in &line.moves {
        hasher.write(&mv.map_or(0, skewer_movegen::Move::bits).to_le_bytes());
    }
    for (ply, found) in (0_u32..).zip(given) {
        let Some(found) = found else { continue };
        hasher.write(&ply.to_le_bytes());
        hasher.write(&found.depth.to_le_bytes());
        for line in &found.lines {
            hasher.write(&line.score.to_le_bytes());
        }
    }
    hasher.finish()
}
