//! The journal of a match: a heading, then a line of JSON for each finished pair of games. PGN and result
//! are made from it. A run that is killed loses its unfinished pairs, and the same command resumes after the
//! last line.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use anyhow::{Context as _, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use skewer_store::is_file_of_its_own;

use crate::lines;

/// Identifies a match: a journal is only resumed by the same match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Heading {
    /// The version of this layout.
    pub version: u32,
    /// The engines as given on the command line.
    pub engines: [String; 2],
    /// Their builds and networks.
    #[serde(default)]
    pub builds: [String; 2],
    /// Everything else that affects the games, as text.
    pub conditions: String,
}

/// How an engine lost a game other than by its moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Forfeit {
    /// On time.
    Time,
    /// By an illegal move.
    IllegalMove,
    /// By a crash or a hang.
    Failure,
}

/// One game of a pair.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct GameLine {
    /// Half points of the first engine: 0, 1 or 2.
    pub half_points: u8,
    /// Why the game ended.
    pub cause: String,
    /// How the loser lost, other than by its moves.
    pub forfeit: Option<Forfeit>,
    /// The game.
    pub pgn: String,
}

/// A finished pair: the first engine has White in the first game, Black in the second.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PairLine {
    /// The number of the pair, from 0, and so of its opening.
    pub pair: u64,
    /// The key of the position after the opening. Journals of versions before 0.3.0 lack it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<u64>,
    /// Its games.
    pub games: [GameLine; 2],
}

impl PairLine {
    /// Half points of the first engine, 0 to 4.
    pub(crate) fn half_points(&self) -> usize {
        self.games
            .iter()
            .map(|game| usize::from(game.half_points))
            .sum()
    }
}

impl Heading {
    /// Refuses the journal of another match.
    fn expect(&self, found: &Self, path: &Path) -> Result<()> {
        if found == self {
            return Ok(());
        }
        let same = found.engines == self.engines && found.conditions == self.conditions;
        bail!(
            "{} {}:\n  there: {}\n  now:   {}\n\
             give another --out, or delete the file",
            path.display(),
            if same {
                "was begun with other builds or networks"
            } else {
                "belongs to another match"
            },
            found.description(),
            self.description()
        )
    }

    fn description(&self) -> String {
        let [first, second] = &self.engines;
        let [one, two] = &self.builds;
        format!(
            "{first} [{one}] against {second} [{two}], {}",
            self.conditions
        )
    }
}

/// A journal that is being written, and the PGN file beside it. One match writes to it at a time.
#[derive(Debug)]
pub(crate) struct Journal {
    pairs: skewer_store::Journal,
    pgn: File,
}

impl Journal {
    /// Opens the journal of a match, or creates it, and returns its pairs. An incomplete last line is removed,
    /// and the PGN file is written again from the journal.
    ///
    /// # Errors
    ///
    /// If the journal is damaged, belongs to another match or is in use by another program, a file cannot be
    /// written, or a new match would replace a file.
    pub(crate) fn open(path: &Path, heading: &Heading) -> Result<(Self, Vec<PairLine>)> {
        let expect = |found: &Heading| heading.expect(found, path);
        let pgn_path = path.with_extension("pgn");
        let has_bytes = |path: &Path| fs::metadata(path).is_ok_and(|data| data.len() > 0);
        let must_be_new = |other: &Path| {
            ensure!(
                !has_bytes(other),
                "{} exists, but {} has no games to resume; choose another --out",
                other.display(),
                path.display()
            );
            Ok(())
        };
        for other in [&pgn_path, &path.with_extension("json")] {
            // Opening a FIFO would wait for a reader.
            ensure!(
                !other.exists() || is_file_of_its_own(other),
                "{}: this is not a regular file; choose another --out",
                other.display()
            );
        }
        // If there is no journal, files with its name belong to another match.
        if !has_bytes(path) {
            must_be_new(&pgn_path)?;
            must_be_new(&path.with_extension("json"))?;
        }
        let (lines, pairs): (_, Vec<PairLine>) = lines::open(path, heading, expect)?;
        let mut numbers = HashSet::new();
        for line in &pairs {
            ensure!(
                numbers.insert(line.pair),
                "{}: pair {} is recorded twice; restore the file from a copy",
                path.display(),
                line.pair + 1
            );
        }
        if pairs.is_empty() {
            must_be_new(&pgn_path)?;
        }
        let mut pgn = File::create(&pgn_path)
            .with_context(|| format!("cannot write {}", pgn_path.display()))?;
        for game in pairs.iter().flat_map(|pair| &pair.games) {
            pgn.write_all(game.pgn.as_bytes())?;
        }
        Ok((Self { pairs: lines, pgn }, pairs))
    }

    /// Appends a finished pair.
    ///
    /// # Errors
    ///
    /// If a file cannot be written.
    pub(crate) fn append(&mut self, pair: &PairLine) -> Result<()> {
        self.pairs.append(pair)?;
        for game in &pair.games {
            self.pgn
                .write_all(game.pgn.as_bytes())
                .context("cannot write the games beside the journal")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heading(conditions: &str) -> Heading {
        Heading {
            version: 2,
            engines: ["a".to_owned(), "b".to_owned()],
            builds: ["1".to_owned(), "2".to_owned()],
            conditions: conditions.to_owned(),
        }
    }

    fn pair(number: u64) -> PairLine {
        let game = |half_points| GameLine {
            half_points,
            cause: "checkmate".to_owned(),
            forfeit: None,
            pgn: format!("game {number} {half_points}\n"),
        };
        PairLine {
            pair: number,
            opening: Some(number),
            games: [game(2), game(1)],
        }
    }

    #[test]
    fn a_killed_match_is_resumed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results/a.journal");
        let (mut journal, held) = Journal::open(&path, &heading("x")).unwrap();
        assert!(held.is_empty());
        journal.append(&pair(0)).unwrap();
        journal.append(&pair(2)).unwrap();
        drop(journal);
        // Killed in the middle of a line, and after more PGN than journal.
        let mut text = fs::read_to_string(&path).unwrap();
        text.push_str("{\"pair\":5,\"ga");
        fs::write(&path, [text.as_bytes(), &[0xc3]].concat()).unwrap();
        fs::write(path.with_extension("pgn"), "game 0 2\ngame 0 1\ngame 2").unwrap();

        let (mut journal, held) = Journal::open(&path, &heading("x")).unwrap();
        assert_eq!(held, [pair(0), pair(2)]);
        assert_eq!(held[0].half_points(), 3);
        journal.append(&pair(1)).unwrap();
        drop(journal);
        let (_, held) = Journal::open(&path, &heading("x")).unwrap();
        assert_eq!(held, [pair(0), pair(2), pair(1)]);
        let pgn = fs::read_to_string(path.with_extension("pgn")).unwrap();
        assert_eq!(pgn.lines().count(), 6);
    }

    #[test]
    fn a_pair_recorded_twice_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.journal");
        let (mut journal, _) = Journal::open(&path, &heading("x")).unwrap();
        journal.append(&pair(4)).unwrap();
        journal.append(&pair(4)).unwrap();
        drop(journal);
        let error = Journal::open(&path, &heading("x")).unwrap_err().to_string();
        assert!(error.contains("pair 5 is recorded twice"), "{error}");
    }

    #[test]
    fn one_match_writes_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.journal");
        let (mut first, _) = Journal::open(&path, &heading("x")).unwrap();
        first.append(&pair(0)).unwrap();
        let error = Journal::open(&path, &heading("x")).unwrap_err().to_string();
        assert!(error.contains("another program is using"), "{error}");
        let pgn = fs::read_to_string(path.with_extension("pgn")).unwrap();
        assert_eq!(pgn.lines().count(), 2);
        drop(first);
        assert_eq!(Journal::open(&path, &heading("x")).unwrap().1, [pair(0)]);
    }

    #[test]
    fn another_match_and_damage_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.journal");
        drop(Journal::open(&path, &heading("x")).unwrap());
        let error = Journal::open(&path, &heading("y")).unwrap_err();
        assert!(
            error.to_string().contains("belongs to another match"),
            "{error}"
        );
        let mut rebuilt = heading("x");
        rebuilt.builds[1] = "3".to_owned();
        let error = Journal::open(&path, &rebuilt).unwrap_err();
        assert!(
            error.to_string().contains("other builds or networks"),
            "{error}"
        );
        // A heading of version 1, which has no builds.
        let old = r#"{"version":1,"engines":["a","b"],"conditions":"x"}"#;
        let other = folder.path().join("old.journal");
        fs::write(&other, format!("{old}\n")).unwrap();
        let error = Journal::open(&other, &heading("x")).unwrap_err();
        assert!(error.to_string().contains("other builds"), "{error}");
        let mut text = fs::read_to_string(&path).unwrap();
        text.push_str("nonsense\n");
        fs::write(&path, text).unwrap();
        let error = format!("{:#}", Journal::open(&path, &heading("x")).unwrap_err());
        assert!(error.contains("line 2"), "{error}");
    }
}
