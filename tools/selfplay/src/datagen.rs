//! Training games: our engine against itself, one game a thread, from random openings.
//!
//! Every game has a number, and its random numbers depend only on the file's name, the seed and this
//! number, so a game can be played again. Each run takes a new block of numbers, so that no game is played
//! twice.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use skewer_console::options::unix_seconds;
use skewer_console::progress::Progress;
use skewer_console::stop::Stop;
use skewer_console::workers::{self, Tasks, break_if};
use skewer_eval::Evaluation;
use skewer_gamedata::{
    EndRules, Filter, Game, Provenance, Run, RunPart, ScoreScale, ScoredMove, Writer,
};
use skewer_games::rules::{Adjudicator, ScoreRule};
use skewer_movegen::DrawRules;
use skewer_openings::{Opening, RandomOpening, Rng, Variant};
use skewer_search::{Limits, Position, Solo};
use skewer_tt::TableSize;
use skewer_types::Techniques;

use crate::identity::{COMMIT, Fingerprint};
use crate::params::datagen as params;

/// The bits of a game number within its run: each run has a block of 2^32 numbers.
const RUN_BLOCK: u32 = 32;

/// After this many games, and at the end of the run, the checksum of the file is recorded.
const CHECKSUM_EVERY: u64 = 1000;

/// What to generate.
#[derive(Debug)]
pub(crate) struct DatagenSettings {
    /// The folder of the data file.
    pub out: PathBuf,
    /// The name of the data file; each name has its own openings.
    pub name: String,
    /// The seed of the openings.
    pub seed: u64,
    /// Games at a time, a thread each.
    pub threads: usize,
    /// Stop when the file holds this many games.
    pub games: Option<u64>,
    /// Stop when the file holds this many usable positions.
    pub positions: Option<u64>,
    /// Discard an opening whose first score is further from zero than this.
    pub opening_limit: u32,
    /// When a game is adjudicated as won.
    pub resign: ScoreRule,
    /// When a game is adjudicated as drawn.
    pub draw: ScoreRule,
    /// The kind of all games that are not in `parts`.
    pub main: GameKind,
    /// Other kinds of games, each with its share in percent. Together at most 100.
    pub parts: Vec<(u32, GameKind)>,
    /// The least and the greatest number of random moves.
    pub random_plies: (u32, u32),
    /// The evaluation.
    pub evaluation: Evaluation,
    /// What the scores mean.
    pub scores: ScoreScale,
}

/// How a game is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct GameKind {
    /// Nodes of a move after which no iteration starts.
    pub soft_nodes: u64,
    /// Nodes of a move at which the search is stopped.
    pub hard_nodes: u64,
    /// The variant.
    pub variant: Variant,
}

/// The content of a data file at the end of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Tally {
    /// Games.
    pub games: u64,
    /// Their moves, without the random moves.
    pub plies: u64,
    /// Their positions that the usual [`Filter`] accepts.
    pub usable: u64,
    /// Games that White won, that were drawn, that Black won.
    pub results: [u64; 3],
}

impl DatagenSettings {
    /// The file of the games: `<folder>/<name>-<seed>.vf`.
    pub(crate) fn path(&self) -> PathBuf {
        self.out.join(format!("{}-{}.vf", self.name, self.seed))
    }

    /// The random numbers of a game. They depend on the name, too, so that data sets with the same seed, for
    /// example of a later evaluation, have other openings.
    fn rng(&self, game: u64) -> Rng {
        let name = Fingerprint::of(self.name.as_bytes());
        Rng::stream(self.seed ^ name.number(), game)
    }

    /// Draws the kind of a game by the shares of the parts. Without `--part` no random number is used, so that
    /// the games are the same as in versions without this option.
    fn kind(&self, rng: &mut Rng) -> GameKind {
        if self.parts.is_empty() {
            return self.main;
        }
        let mut drawn = rng.below(100) as u32;
        for (percent, kind) in &self.parts {
            if drawn < *percent {
                return *kind;
            }
            drawn -= percent;
        }
        self.main
    }

    /// What the players search with. A network that learnt from scores that the search had scaled by the material would
    /// be scaled twice in play.
    fn techniques(&self) -> Techniques {
        match self.scores {
            ScoreScale::Unscaled => Techniques::DEFAULT - Techniques::MATERIAL_SCALE,
            ScoreScale::Scaled => Techniques::DEFAULT,
        }
    }

    /// Whether the run ends only when it is stopped.
    pub(crate) fn is_endless(&self) -> bool {
        self.games.is_none() && self.positions.is_none()
    }

    /// Whether the file has as much as was asked for.
    pub(crate) fn is_done(&self, tally: &Tally) -> bool {
        (self.games).is_some_and(|games| tally.games >= games)
            || (self.positions).is_some_and(|usable| tally.usable >= usable)
    }
}

/// Plays and writes games until there are as many as requested or `stop` is set.
///
/// # Errors
///
/// If the file cannot be written or is damaged, or there is no memory for the hash tables.
pub(crate) fn run(settings: &DatagenSettings, stop: &Stop) -> Result<Tally> {
    fs::create_dir_all(&settings.out)
        .with_context(|| format!("cannot make the folder {}", settings.out.display()))?;
    let path = settings.path();
    let filter = Filter::default();
    let (writer, held) = Writer::append(&path, &filter)?;
    let tally = Tally {
        games: held.games,
        plies: held.plies,
        usable: held.usable,
        results: held.results,
    };
    let mut progress = Progress::new(settings.games.or(settings.positions));
    if held.games > 0 || held.cut > 0 {
        let cut = match held.cut {
            0 => String::new(),
            bytes => format!(" ({bytes} bytes of an incomplete game removed)"),
        };
        progress.print(&format!(
            "{}: resuming after {} games, {} usable positions{cut}",
            path.display(),
            held.games,
            held.usable,
        ));
    }
    if settings.is_done(&tally) {
        return Ok(tally);
    }
    let provenance = record_run(settings, &path, held.games)?;
    let first_game = provenance.runs.last().map_or(0, |run| run.first_game);
    let mut collector = Collector {
        settings,
        checksums_before: provenance.checksums.len(),
        provenance,
        path,
        writer,
        filter,
        usable_before: tally.usable,
        tally,
        begun: Instant::now(),
    };

    // After an interrupt, games that wait are complete and are written too.
    workers::run_tasks(
        settings.threads,
        &Tasks::new(first_game, u64::MAX, HashSet::new()),
        stop,
        |_| {
            let size = TableSize::from_megabytes(params::HASH_MB);
            let player = Solo::new(&settings.evaluation, size)?;
            Ok(player.with_techniques(settings.techniques()))
        },
        |player, number, end| Ok(play(settings, player, &mut settings.rng(number), end)),
        |game| {
            if let Some(game) = game {
                collector.take(&game)?;
            }
            progress.update(collector.done(), || collector.description());
            Ok(break_if(settings.is_done(&collector.tally)))
        },
    )?;
    progress.finish();
    collector.record_checksum()?;
    Ok(collector.tally)
}

/// Writes and counts the games of a run.
struct Collector<'a> {
    settings: &'a DatagenSettings,
    /// The record beside the file.
    provenance: Provenance,
    /// The number of checksums in the record when the run began.
    checksums_before: usize,
    path: PathBuf,
    writer: Writer,
    filter: Filter,
    tally: Tally,
    /// Usable positions that the file held when the run began.
    usable_before: u64,
    begun: Instant,
}

impl Collector<'_> {
    /// Writes a game, and counts it.
    fn take(&mut self, game: &Game) -> Result<()> {
        self.writer.write(game)?;
        self.tally.add(game, &self.filter);
        if self.tally.games.is_multiple_of(CHECKSUM_EVERY) {
            self.record_checksum()?;
        }
        Ok(())
    }

    /// Records the checksum of the file so far, in place of this run's last checksum.
    fn record_checksum(&mut self) -> Result<()> {
        self.provenance.checksums.truncate(self.checksums_before);
        self.provenance.checksums.push(self.writer.sync()?);
        self.provenance.store(&self.path)?;
        Ok(())
    }

    /// The progress, in the unit of the limit: games or positions.
    fn done(&self) -> u64 {
        if self.settings.games.is_some() || self.settings.positions.is_none() {
            self.tally.games
        } else {
            self.tally.usable
        }
    }

    /// The state in a line.
    fn description(&self) -> String {
        let tally = &self.tally;
        let speed = (tally.usable - self.usable_before) as f64 / self.begun.elapsed().as_secs_f64();
        let [white, draws, black] = tally.results;
        format!(
            "{} games (+{white} ={draws} -{black}), {} plies, {} usable positions, \
             {speed:.0} positions/s",
            tally.games, tally.plies, tally.usable
        )
    }
}

/// Writes the record of this run beside the data, and returns it.
fn record_run(settings: &DatagenSettings, path: &Path, games_before: u64) -> Result<Provenance> {
    let mut provenance = Provenance::load(path)?;
    // Without the record, the numbers of the games in the file are unknown, and a game could be
    // played twice.
    ensure!(
        games_before == 0 || !provenance.runs.is_empty(),
        "{} has games but no record beside it ({}); restore the record, or give another --name or --seed",
        path.display(),
        Provenance::path(path).display()
    );
    // Neither a training nor a win model could use a file with both.
    ensure!(
        provenance
            .runs
            .iter()
            .all(|run| run.scores == Some(settings.scores)),
        "{} has games with scores on another scale, or of a version that did not record their scale; give another \
         --name or --seed",
        path.display()
    );
    let first_game = (provenance.runs.len() as u64) << RUN_BLOCK;
    provenance.runs.push(Run {
        started: unix_seconds(),
        program: concat!("skewer-selfplay ", env!("CARGO_PKG_VERSION")).to_owned(),
        commit: COMMIT.to_owned(),
        evaluation: settings.evaluation.to_string(),
        soft_nodes: settings.main.soft_nodes,
        hard_nodes: settings.main.hard_nodes,
        random_plies: settings.random_plies,
        variant: settings.main.variant.to_string(),
        parts: settings.parts.iter().map(part_record).collect(),
        rules: Some(EndRules {
            opening_limit: settings.opening_limit,
            win_score: settings.resign.score,
            win_plies: settings.resign.plies,
            draw_score: settings.draw.score,
            draw_plies: settings.draw.plies,
            draw_from: settings.draw.from,
        }),
        scores: Some(settings.scores),
        name: settings.name.clone(),
        seed: settings.seed,
        first_game,
        games_before,
    });
    provenance.store(path)?;
    Ok(provenance)
}

fn part_record((percent, kind): &(u32, GameKind)) -> RunPart {
    RunPart {
        percent: *percent,
        soft_nodes: kind.soft_nodes,
        hard_nodes: kind.hard_nodes,
        variant: kind.variant.to_string(),
    }
}

impl Tally {
    fn add(&mut self, game: &Game, filter: &Filter) {
        self.games += 1;
        self.plies += game.moves.len() as u64;
        self.usable += game.positions().filter(|p| filter.accepts(p)).count() as u64;
        self.results[2 - usize::from(game.result.to_byte())] += 1;
    }
}

/// Plays one game; `None` if `end` was set, or the opening was beyond the limit.
fn play(settings: &DatagenSettings, player: &mut Solo, rng: &mut Rng, end: &Stop) -> Option<Game> {
    let kind = settings.kind(rng);
    let recipe = RandomOpening {
        variant: kind.variant,
        min_plies: settings.random_plies.0,
        max_plies: settings.random_plies.1,
    };
    let limits = |divisor: u64| Limits {
        soft_nodes: Some(kind.soft_nodes / divisor),
        nodes: Some((kind.hard_nodes / divisor).max(1)),
        ..Limits::default()
    };
    let (usual, in_check) = (limits(1), limits(params::CHECK_DIVISOR));
    let opening = Opening::random(&recipe, rng);
    let first_ply = opening.moves.len() as u32;
    let mut position = Position::from_moves(opening.start, opening.moves);
    let mut game = Game::new(opening.board);
    let mut adjudicator = Adjudicator::new(Some(settings.resign), Some(settings.draw));
    player.clear();
    for ply in 0..params::MAX_PLIES {
        if end.is_set() {
            return None;
        }
        let to_move = position.board().turn();
        if let Some(ending) = position.ending(DrawRules::Claimed) {
            game.result = ending.outcome();
            break;
        }
        let limits = if position.board().in_check() {
            &in_check
        } else {
            &usual
        };
        let outcome = player.search(&position, limits);
        let (best, score) = (outcome.best?, outcome.score.raw());
        if ply == 0 && score.unsigned_abs() > settings.opening_limit {
            return None;
        }
        let scored = ScoredMove::new(best, to_move.fold(score, -score));
        game.moves.push(scored);
        position.play(best);
        if let Some(result) = adjudicator.note(first_ply + ply, Some(scored.score.into())) {
            game.result = result;
            break;
        }
    }
    // A game that is over at once has no positions.
    (!game.moves.is_empty()).then_some(game)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use skewer_movegen::{Board, Color, Outcome};

    use super::*;

    /// Short games of Chess960.
    fn settings(folder: &Path) -> DatagenSettings {
        DatagenSettings {
            out: folder.to_owned(),
            name: "test".to_owned(),
            seed: 5,
            threads: 2,
            games: Some(6),
            positions: None,
            opening_limit: params::OPENING_LIMIT,
            resign: ScoreRule {
                from: 0,
                plies: 4,
                score: 1000,
            },
            draw: ScoreRule {
                from: 80,
                plies: 12,
                score: 8,
            },
            main: GameKind {
                soft_nodes: 60,
                hard_nodes: 480,
                variant: Variant::Chess960,
            },
            parts: Vec::new(),
            random_plies: params::RANDOM_PLIES,
            evaluation: Evaluation::default(),
            scores: ScoreScale::Unscaled,
        }
    }

    #[test]
    fn no_more_games_are_written_than_requested() {
        for seed in 0..20 {
            let folder = tempfile::tempdir().unwrap();
            let mut settings = settings(folder.path());
            settings.seed = seed;
            // Games so short that several wait to be written.
            settings.main.soft_nodes = 1;
            let tally = run(&settings, &Stop::new()).unwrap();
            assert_eq!(tally.games, 6, "seed {seed}");
        }
    }

    #[test]
    fn a_game_can_be_played_again_from_its_number() {
        let folder = tempfile::tempdir().unwrap();
        let settings = settings(folder.path());
        let play_once = || {
            let size = TableSize::from_megabytes(1);
            let mut player = Solo::new(&settings.evaluation, size).unwrap();
            // Games must not depend on earlier games.
            let mut before = Rng::stream(1, 1);
            let _ = play(&settings, &mut player, &mut before, &Stop::new());
            let mut rng = settings.rng(3);
            play(&settings, &mut player, &mut rng, &Stop::new())
        };
        let first = play_once();
        assert!(first.is_some());
        assert_eq!(first, play_once());
    }

    #[test]
    fn each_part_has_its_share_of_the_games() {
        let deep = GameKind {
            soft_nodes: 900,
            hard_nodes: 7200,
            variant: Variant::Standard,
        };
        let settings = DatagenSettings {
            parts: vec![
                (10, deep),
                (
                    30,
                    GameKind {
                        soft_nodes: 70,
                        ..deep
                    },
                ),
            ],
            ..settings(Path::new("unused"))
        };
        let of = |nodes: u64| {
            (0..2000)
                .filter(|game| settings.kind(&mut settings.rng(*game)).soft_nodes == nodes)
                .count()
        };
        let (deep, shallow, main) = (of(900), of(70), of(60));
        assert_eq!(deep + shallow + main, 2000);
        assert!((160..=240).contains(&deep), "{deep} of 2000");
        assert!((530..=670).contains(&shallow), "{shallow} of 2000");
    }

    /// The first score of a game is the score of a search that scales evaluations, or does not, as the settings say.
    #[test]
    fn scores_are_scaled_by_the_material_only_if_asked() {
        let first_score = |scores: ScoreScale| {
            let folder = tempfile::tempdir().unwrap();
            let settings = DatagenSettings {
                scores,
                threads: 1,
                games: Some(1),
                ..settings(folder.path())
            };
            run(&settings, &Stop::new()).unwrap();
            let recorded = Provenance::load(settings.path()).unwrap().runs[0].scores;
            assert_eq!(recorded, Some(scores));
            let mut games =
                skewer_gamedata::Reader::open(settings.path(), skewer_gamedata::Tail::Refuse)
                    .unwrap();
            let game = games.next().unwrap().unwrap();
            let limits = Limits {
                soft_nodes: Some(60),
                nodes: Some(480),
                ..Limits::default()
            };
            let of = |techniques: Techniques| {
                let size = TableSize::from_megabytes(1);
                let mut player = Solo::new(&settings.evaluation, size)
                    .unwrap()
                    .with_techniques(techniques);
                let score = player.search(&Position::new(game.start), &limits).score;
                game.start.turn().fold(score, -score).raw()
            };
            let scaled = of(Techniques::DEFAULT);
            let unscaled = of(Techniques::DEFAULT - Techniques::MATERIAL_SCALE);
            assert_ne!(scaled, unscaled);
            (i32::from(game.moves[0].score), scaled, unscaled)
        };
        let folder = tempfile::tempdir().unwrap();
        let mut settings = settings(folder.path());
        settings.games = Some(1);
        run(&settings, &Stop::new()).unwrap();
        settings.games = Some(2);
        settings.scores = ScoreScale::Scaled;
        let error = run(&settings, &Stop::new()).unwrap_err().to_string();
        assert!(error.contains("another scale"), "{error}");
        let (recorded, scaled, _) = first_score(ScoreScale::Scaled);
        assert_eq!(recorded, scaled);
        let (recorded, _, unscaled) = first_score(ScoreScale::Unscaled);
        assert_eq!(recorded, unscaled);
    }

    /// `--draw FROM` is a move of the game, as in a match, and not of the moves after the opening.
    #[test]
    fn draws_are_adjudicated_from_a_move_of_the_game_on() {
        let folder = tempfile::tempdir().unwrap();
        let mut settings = settings(folder.path());
        settings.opening_limit = 9000;
        settings.resign.score = 30_000;
        settings.draw = ScoreRule {
            from: 20,
            plies: 2,
            score: 30_000,
        };
        run(&settings, &Stop::new()).unwrap();
        let games = skewer_gamedata::Reader::open(settings.path(), skewer_gamedata::Tail::Refuse);
        let mut adjudicated = 0;
        for game in games.unwrap() {
            let game = game.unwrap();
            let before = 2 * (u32::from(game.start.fullmove_number()) - 1)
                + u32::from(game.start.turn() == Color::Black);
            let plies = before + game.moves.len() as u32;
            // Two plies from the 21st on; fewer if the rules ended the game.
            assert!(plies <= 22, "{plies}");
            adjudicated += u32::from(plies == 22);
        }
        assert!(adjudicated > 0);
    }

    #[test]
    fn openings_beyond_the_limit_are_discarded() {
        let folder = tempfile::tempdir().unwrap();
        let mut settings = settings(folder.path());
        settings.opening_limit = 100;
        run(&settings, &Stop::new()).unwrap();
        let games = skewer_gamedata::Reader::open(settings.path(), skewer_gamedata::Tail::Refuse);
        for game in games.unwrap() {
            assert!(game.unwrap().moves[0].score.abs() <= 100);
        }
        let run = Provenance::load(settings.path()).unwrap().runs.remove(0);
        assert_eq!(run.rules.unwrap().opening_limit, 100);
    }

    #[test]
    fn other_names_have_other_openings() {
        let openings = |name: &str| -> HashSet<Board> {
            let mut settings = settings(Path::new("unused"));
            name.clone_into(&mut settings.name);
            (0..50)
                .map(|game| {
                    Opening::random(&RandomOpening::default(), &mut settings.rng(game)).board
                })
                .collect()
        };
        let first = openings("first");
        assert_eq!(first, openings("first"));
        assert!(first.is_disjoint(&openings("second")));
    }

    #[test]
    fn scores_are_whites_and_within_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        let settings = settings(folder.path());
        let tally = run(&settings, &Stop::new()).unwrap();
        assert!(tally.games >= 6 && tally.plies > tally.games);
        assert_eq!(tally.results.iter().sum::<u64>(), tally.games);
        let mut agree = 0;
        let mut decided = 0;
        for game in
            skewer_gamedata::Reader::open(settings.path(), skewer_gamedata::Tail::Refuse).unwrap()
        {
            let game = game.unwrap();
            assert!(
                game.moves
                    .iter()
                    .all(|m| m.score.abs() <= ScoredMove::SCORE_LIMIT)
            );
            let last = game.moves.last().unwrap().score;
            if game.result != Outcome::Draw {
                decided += 1;
                agree += i32::from((last > 0) == (game.result.points_for(Color::White) > 0.5));
            }
        }
        assert!(decided > 0);
        assert_eq!(agree, decided);
    }

    #[test]
    fn a_resumed_run_plays_new_games() {
        let folder = tempfile::tempdir().unwrap();
        let mut settings = settings(folder.path());
        let first = run(&settings, &Stop::new()).unwrap();
        // An incomplete game at the end, as a killed run leaves it.
        let mut bytes = fs::read(settings.path()).unwrap();
        bytes.extend_from_slice(&[0; 17]);
        fs::write(settings.path(), bytes).unwrap();
        settings.games = Some(first.games + 5);
        let second = run(&settings, &Stop::new()).unwrap();
        assert!(second.games >= first.games + 5);
        // All figures are of the whole file.
        assert_eq!(second.results.iter().sum::<u64>(), second.games);
        let games: Vec<Game> =
            skewer_gamedata::Reader::open(settings.path(), skewer_gamedata::Tail::Refuse)
                .unwrap()
                .collect::<Result<_, _>>()
                .unwrap();
        assert_eq!(games.len() as u64, second.games);
        let starts: HashSet<String> = games.iter().map(|game| game.start.to_string()).collect();
        assert_eq!(starts.len(), games.len(), "a game was played twice");
        let runs = Provenance::load(settings.path()).unwrap().runs;
        assert_eq!(runs.len(), 2);
        assert_eq!(runs[1].games_before, first.games);
        assert!(runs[1].first_game > runs[0].first_game);
    }
}
