//! Where the games of a file come from: a small JSON file beside it, an entry for each run that
//! played, and for each step that made the file out of others.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use skewer_store::read_regular;

use crate::{DataError, DataErrorKind};

/// The longest record that is read, in bytes.
const MOST_BYTES: u64 = 1 << 26;

/// How the searches of a run scaled their evaluations, and so what its scores mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ScoreScale {
    /// Evaluations were not scaled by the material. A network learns from these scores, because the search scales what
    /// the network says.
    Unscaled,
    /// Evaluations were scaled by the material, as in play. These scores show what a score of the engine is worth.
    Scaled,
}

/// What was run to make some of the games of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// When the run began, in seconds since 1970.
    pub started: u64,
    /// The program and its version.
    pub program: String,
    /// The commit that the program was built from, or "unknown".
    pub commit: String,
    /// The evaluation: "hand-written", or the name of a network.
    pub evaluation: String,
    /// Nodes a move after which the search goes no deeper.
    pub soft_nodes: u64,
    /// Nodes a move at which the search is cut off.
    pub hard_nodes: u64,
    /// Random moves at the start of each game, from the least to the most.
    pub random_plies: (u32, u32),
    /// "standard" or "chess960".
    pub variant: String,
    /// Shares of the games to which other values apply than the fields above.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<RunPart>,
    /// Which openings were discarded and when games ended early; not recorded by earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<EndRules>,
    /// What the scores mean. Earlier versions did not record it: their scores are scaled from version 0.2.0 on, and
    /// unscaled before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scores: Option<ScoreScale>,
    /// The name of the command. The name and `seed` together seed the random numbers. The name is empty in older
    /// records, whose random numbers depend on `seed` alone.
    #[serde(default)]
    pub name: String,
    /// The seed of the command.
    pub seed: u64,
    /// The number of the run's first game. Runs with the same name and seed number their games
    /// together, so that no game is played twice.
    pub first_game: u64,
    /// Whole games in the file when the run began.
    pub games_before: u64,
}

impl Run {
    /// What the scores mean, as recorded or by the version of the program; `None` if that is not known. Before version
    /// 0.2 the search scaled nothing, so that its games serve networks and win models alike.
    pub fn score_scale(&self) -> Option<ScoreScale> {
        let is_of_0_2 = self.program.starts_with("skewer-selfplay 0.2.");
        self.scores.or(is_of_0_2.then_some(ScoreScale::Scaled))
    }
}

/// A share of a run's games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunPart {
    /// Its share of the games in percent.
    pub percent: u32,
    /// Nodes a move after which the search goes no deeper.
    pub soft_nodes: u64,
    /// Nodes a move at which the search is cut off.
    pub hard_nodes: u64,
    /// "standard" or "chess960".
    pub variant: String,
}

/// Which openings of a run were discarded, and when its games ended early. Scores are in units of
/// [`Score`](skewer_types::Score).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndRules {
    /// Openings whose first score is further from zero than this are discarded.
    pub opening_limit: u32,
    /// A game ends as won when the score is at least this far from zero for `win_plies` plies.
    pub win_score: i32,
    /// The number of plies for `win_score`.
    pub win_plies: u32,
    /// A game ends as drawn when the score is within this distance of zero for `draw_plies` plies.
    pub draw_score: i32,
    /// The number of plies for `draw_score`.
    pub draw_plies: u32,
    /// The first ply of the game that counts for `draw_plies`. Versions before 0.3.0 counted from the end of the
    /// opening.
    pub draw_from: u32,
}

/// What was done to games after they were played, to make a file out of others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// When the step began, in seconds since 1970.
    pub started: u64,
    /// The program and its version.
    pub program: String,
    /// The commit that the program was built from, or "unknown".
    pub commit: String,
    /// The command of the step, such as "dedup".
    pub command: String,
    /// The files that the step read.
    pub sources: Vec<PathBuf>,
}

/// The beginning of a data file, and its checksum. The file may have grown since.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prefix {
    /// The length of the beginning in bytes. All games in it are complete.
    pub bytes: u64,
    /// The CRC-32 of these bytes.
    pub crc32: u32,
}

/// Where the games of a data file come from.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Provenance {
    /// All runs that played the games, oldest first.
    pub runs: Vec<Run>,
    /// All steps that were applied to the games since, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<Step>,
    /// Checksums of beginnings of the file, shortest first. [`Reader::open`](crate::Reader::open)
    /// compares them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checksums: Vec<Prefix>,
}

impl Provenance {
    /// Where the record of a data file lies: its name with `.json` after it. A file that was compressed has the record
    /// of the file that it was made of.
    ///
    /// ```
    /// use skewer_gamedata::Provenance;
    /// assert_eq!(Provenance::path("data/a.vf").to_str(), Some("data/a.vf.json"));
    /// assert_eq!(Provenance::path("data/a.vf.zst").to_str(), Some("data/a.vf.json"));
    /// ```
    pub fn path(data: impl AsRef<Path>) -> PathBuf {
        let data = data.as_ref();
        let is_packed = data.extension().is_some_and(|ending| ending == "zst");
        let plain = if is_packed {
            data.with_extension("")
        } else {
            data.to_owned()
        };
        plain.with_added_extension("json")
    }

    /// Reads the record of a data file; an empty one if there is none.
    ///
    /// # Errors
    ///
    /// When the record cannot be read or is not a valid record.
    pub fn load(data: impl AsRef<Path>) -> Result<Self, DataError> {
        let path = Self::path(data);
        match read_regular(&path, MOST_BYTES) {
            Ok(bytes) => serde_json::from_slice(&bytes)
                .map_err(|error| DataError::new(&path, DataErrorKind::BadProvenance(error))),
            Err(error) => match io::Error::from(error.into_kind()) {
                error if error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
                error => Err(DataError::new(&path, error)),
            },
        }
    }

    /// The record of a file that is made out of other files: the records of these files, and then this step.
    ///
    /// # Errors
    ///
    /// When the record of one of these files cannot be read.
    pub fn of_step(step: Step) -> Result<Self, DataError> {
        let mut all = Self::default();
        for source in &step.sources {
            let mut one = Self::load(source)?;
            all.runs.append(&mut one.runs);
            all.steps.append(&mut one.steps);
        }
        all.steps.push(step);
        Ok(all)
    }

    /// Writes the record beside a data file, whole or not at all.
    ///
    /// # Errors
    ///
    /// When the record cannot be written, or a file that is no record has its name.
    pub fn store(&self, data: impl AsRef<Path>) -> Result<(), DataError> {
        Self::load(&data)?;
        let path = Self::path(data);
        let text = serde_json::to_string_pretty(self)
            .map_err(|error| DataError::new(&path, DataErrorKind::BadProvenance(error)))?;
        skewer_store::write(&path, text + "\n")
            .map_err(|error| DataError::new(&path, DataErrorKind::Store(error.into_kind())))
    }
}
