//! A match between two engines: pairs of games with the same opening and colours changed, in parallel,
//! until there are enough or the sequential test decides.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use crate::game::{Cause, MatchRules, Played, Player, half_points, play_pair};
use crate::limit::Limit;
use anyhow::{Context as _, Result};
use skewer_console::progress::Progress;
use skewer_console::stop::Stop;
use skewer_console::workers::{self, Tasks, break_if};
use skewer_games::sprt::{Decision, Sprt};
use skewer_games::stats::Precision;
use skewer_movegen::CastlingMode;
use skewer_uci_client::Variant;

use crate::identity;
use crate::journal::{Forfeit, GameLine, Heading, Journal, PairLine};
use crate::openings::Openings;
use crate::record::{self, to_pgn};
use crate::result::{MatchResult, SprtResult};
use crate::spec::{EngineKind, EngineSpec};
use crate::uci::UciPlayer;

/// The settings of a match.
pub(crate) struct MatchSettings {
    /// The engines. Results are from the first engine's side.
    pub engines: [EngineSpec; 2],
    /// The engines as given on the command line.
    pub texts: [String; 2],
    /// The limit of engines without a limit of their own.
    pub limit: Limit,
    /// The openings.
    pub openings: Openings,
    /// The rules of adjudication and time.
    pub rules: MatchRules,
    /// The most pairs to play.
    pub pairs: u64,
    /// The test that may end the match sooner.
    pub sprt: Option<Sprt>,
    /// The error of the result that ends the match sooner.
    pub precision: Option<Precision>,
    /// Games at a time.
    pub threads: usize,
    /// The files of the match, without their extensions; `None` to save nothing.
    pub out: Option<PathBuf>,
    /// Everything that affects the games, as text: a journal is resumed only under the same conditions.
    pub conditions: String,
}

/// Plays a match until it is decided or `stop` is set, and returns its state.
///
/// # Errors
///
/// If an engine cannot be started, or files cannot be read or written.
pub(crate) fn run(settings: &MatchSettings, stop: &Stop) -> Result<MatchResult> {
    let mut score = Score::new(settings, stop)?;
    let (mut done, mut openings) = (HashSet::new(), HashSet::new());
    let mut journal = None;
    if let Some(out) = &settings.out {
        let path = out.with_added_extension("journal");
        let (opened, held) = Journal::open(&path, &settings.heading())?;
        done = held.iter().map(|pair| pair.pair).collect();
        openings = held.iter().filter_map(|pair| pair.opening).collect();
        for pair in &held {
            score.add(pair);
        }
        score.result.left_out = settings.left_out(&mut done, &openings)?;
        journal = Some(opened);
    }
    let mut progress = Progress::new(Some(settings.pairs_to_play()));
    if let Some(line) = settings.openings_run_out() {
        progress.print(&line);
    }
    if !done.is_empty() {
        progress.print(&format!("resuming after {} pairs", done.len()));
    }
    if !score.is_decided() {
        let pairs = PairPlayer {
            settings,
            names: score.result.names.clone(),
            date: record::today(),
            openings: Mutex::new(openings),
        };
        workers::run_tasks(
            settings.threads,
            &Tasks::new(0, settings.pairs_to_play(), done),
            stop,
            |end| settings.players(end),
            |players, pair, end| pairs.play(pair, players, end),
            |pair| {
                match pair {
                    Some(Pair::Played(pair)) => {
                        if let Some(journal) = &mut journal {
                            journal.append(&pair)?;
                        }
                        for line in score.add(&pair) {
                            progress.print(&line);
                        }
                    }
                    Some(Pair::Repeats) => score.result.left_out += 1,
                    None => {}
                }
                progress.update(score.settled(), || score.result.description());
                Ok(break_if(score.is_decided()))
            },
        )?;
    }
    progress.finish();
    score.result.finished = score.is_decided();
    if let Some(out) = &settings.out {
        let path = out.with_added_extension("json");
        let text = serde_json::to_string_pretty(&score.result)? + "\n";
        skewer_store::write(&path, text)?;
    }
    Ok(score.result)
}

impl MatchSettings {
    fn heading(&self) -> Heading {
        let engines = self.engines.each_ref();
        Heading {
            version: 2,
            engines: self.texts.clone(),
            builds: engines.map(|engine| identity::build_of(&engine.kind)),
            conditions: self.conditions.clone(),
        }
    }

    /// Whether an opening that is played again gives the same games.
    fn is_repeatable(&self) -> bool {
        self.engines
            .iter()
            .all(|engine| engine.is_repeatable(self.limit))
    }

    /// The pairs to play: as many as requested, but none that repeats the games of another.
    fn pairs_to_play(&self) -> u64 {
        match self.openings.count() {
            Some(count) if self.is_repeatable() => self.pairs.min(count),
            _ => self.pairs,
        }
    }

    /// The number of pairs that a match left out before it was interrupted: numbers below the greatest of `done`, with
    /// one of these openings. Adds them to `done`.
    fn left_out(&self, done: &mut HashSet<u64>, openings: &HashSet<u64>) -> Result<u64> {
        let end = done.iter().max().copied().unwrap_or(0);
        let mut left_out = 0;
        for number in 0..end {
            if self.is_repeatable()
                && !done.contains(&number)
                && openings.contains(&self.openings.get(number)?.board.key())
            {
                done.insert(number);
                left_out += 1;
            }
        }
        Ok(left_out)
    }

    /// A remark if there are fewer openings than pairs.
    fn openings_run_out(&self) -> Option<String> {
        let count = self.openings.count().filter(|count| *count < self.pairs)?;
        let plural = if count == 1 { "" } else { "s" };
        Some(if self.is_repeatable() {
            format!(
                "at most {count} pair{plural} for {count} opening{plural}: without a wall clock, the same \
                 opening gives the same games"
            )
        } else {
            format!(
                "{count} opening{plural} for {} pairs: each is played more than once",
                self.pairs
            )
        })
    }

    fn variant(&self) -> Variant {
        match self.rules.mode {
            CastlingMode::Standard => Variant::Standard,
            CastlingMode::Chess960 => Variant::Chess960,
        }
    }

    /// Starts both engines.
    fn players(&self, stop: &Stop) -> Result<[Player; 2]> {
        let mut players = [self.player(0, stop)?, self.player(1, stop)?];
        if players[0].name == players[1].name {
            for (player, letter) in players.iter_mut().zip(["A", "B"]) {
                player.name = format!("{} ({letter})", player.name);
            }
        }
        Ok(players)
    }

    /// Starts an engine. An engine without any name is called by its text on the command line.
    fn player(&self, index: usize, stop: &Stop) -> Result<Player> {
        let (spec, text) = (&self.engines[index], &self.texts[index]);
        let limit = spec.limit.unwrap_or(self.limit);
        let mut player = match &spec.kind {
            EngineKind::Ours(ours) => ours.player(limit),
            EngineKind::External(external) => {
                UciPlayer::start(external, limit, self.variant(), stop)
                    .with_context(|| external.command.clone())
            }
        }
        .with_context(|| format!("cannot start the engine {text}"))?;
        let unnamed = player.name.is_empty();
        if let Some(name) = spec.name.as_ref().or(unnamed.then_some(text)) {
            player.name.clone_from(name);
        }
        Ok(player)
    }
}

/// Adds up the games played.
struct Score<'a> {
    settings: &'a MatchSettings,
    result: MatchResult,
}

impl<'a> Score<'a> {
    /// Starts the engines once, to get their names and to fail early.
    fn new(settings: &'a MatchSettings, stop: &Stop) -> Result<Self> {
        let names = settings.players(stop)?.map(|player| player.name);
        let mut score = Self {
            settings,
            result: MatchResult {
                names,
                conditions: settings.conditions.clone(),
                commit: identity::COMMIT.to_owned(),
                ..MatchResult::default()
            },
        };
        score.refresh();
        Ok(score)
    }

    /// The pairs that were played or left out.
    fn settled(&self) -> u64 {
        self.result.pairs.pairs() + self.result.left_out
    }

    fn is_decided(&self) -> bool {
        let tested = self
            .result
            .sprt
            .is_some_and(|sprt| sprt.decision != Decision::Continue);
        let precise = self
            .settings
            .precision
            .is_some_and(|precision| precision.is_reached(&self.result.pairs));
        tested || precise || self.settled() >= self.settings.pairs_to_play()
    }

    /// Counts a pair. Returns the lines to print about it.
    fn add(&mut self, pair: &PairLine) -> Vec<String> {
        let mut lines = Vec::new();
        self.result.pairs.add(pair.half_points());
        for (index, game) in pair.games.iter().enumerate() {
            self.result.games[2 - usize::from(game.half_points.min(2))] += 1;
            let Some(forfeit) = game.forfeit else {
                continue;
            };
            let loser = usize::from(game.half_points > 0);
            let count = &mut self.result.forfeits[loser];
            match forfeit {
                Forfeit::Time => count.time += 1,
                Forfeit::IllegalMove => count.illegal_moves += 1,
                Forfeit::Failure => count.failures += 1,
            }
            lines.push(format!(
                "game {}.{}: {} forfeits: {}",
                pair.pair + 1,
                index + 1,
                self.result.names[loser],
                game.cause
            ));
        }
        self.refresh();
        lines
    }

    fn refresh(&mut self) {
        let pairs = self.result.pairs;
        self.result.elo = pairs.elo();
        self.result.normalised_elo = pairs.normalised_elo();
        self.result.likelihood_of_superiority = pairs.likelihood_of_superiority();
        self.result.sprt = self.settings.sprt.map(|test| SprtResult {
            test,
            ratio: test.log_likelihood_ratio(&pairs),
            bounds: test.bounds(),
            decision: test.decide(&pairs),
        });
    }
}

/// Plays pairs, and describes their games.
struct PairPlayer<'a> {
    settings: &'a MatchSettings,
    names: [String; 2],
    date: String,
    /// The keys of the positions after the openings that were played.
    openings: Mutex<HashSet<u64>>,
}

/// What became of a pair.
enum Pair {
    /// It was played.
    Played(PairLine),
    /// It would repeat the games of another pair, because it has the same opening.
    Repeats,
}

impl PairPlayer<'_> {
    /// Plays both games of an opening, unless they would repeat games; `None` if the match was stopped before.
    fn play(
        &self,
        pair: u64,
        [first, second]: &mut [Player; 2],
        end: &Stop,
    ) -> Result<Option<Pair>> {
        let opening = self.settings.openings.get(pair)?;
        let key = opening.board.key();
        let mut played = self.openings.lock().unwrap_or_else(PoisonError::into_inner);
        // Counted as new games, repeated games would make the result look more certain than it is.
        if !played.insert(key) && self.settings.is_repeatable() {
            return Ok(Some(Pair::Repeats));
        }
        drop(played);
        let rules = &self.settings.rules;
        let games = play_pair(first, second, &opening, rules, end)?;
        Ok(games.map(|[one, two]| {
            let points = half_points([one.result, two.result]);
            let games = [
                self.line((pair, 1), &one, points[0]),
                self.line((pair, 2), &two, points[1]),
            ];
            Pair::Played(PairLine {
                pair,
                opening: Some(key),
                games,
            })
        }))
    }

    fn line(&self, (pair, number): (u64, u32), game: &Played, half_points: u8) -> GameLine {
        let order = if number == 1 { [0, 1] } else { [1, 0] };
        let heading = record::Heading {
            date: &self.date,
            round: (pair + 1, number),
            names: order.map(|index| self.names[index].as_str()),
            limits: order.map(|index| {
                let limit = self.settings.engines[index].limit;
                limit.unwrap_or(self.settings.limit).to_string()
            }),
        };
        GameLine {
            half_points,
            cause: game.cause.to_string(),
            forfeit: match game.cause {
                Cause::Time(_) => Some(Forfeit::Time),
                Cause::IllegalMove(_) => Some(Forfeit::IllegalMove),
                Cause::Failure(_) => Some(Forfeit::Failure),
                _ => None,
            },
            pgn: to_pgn(game, &heading, self.settings.rules.mode),
        }
    }
}
