//! A match between two engines: pairs of games with the same opening and colours changed, in parallel,
//! until there are enough or the sequential test decides.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result};
use skewer_gamedata::GameResult;
use skewer_movegen::CastlingMode;

use crate::duel::{Cause, GameRules, Played, Player, play};
use crate::identity;
use crate::journal::{Forfeit, GameLine, Heading, Journal, PairLine};
use crate::limit::Limit;
use crate::openings::Openings;
use crate::precision::Precision;
use crate::progress::Progress;
use crate::record::{self, to_pgn};
use crate::spec::EngineSpec;
use crate::standing::{Forfeits, SprtStanding, Standing};
use crate::stats::{Decision, Pairs, Sprt};
use crate::stop::Stop;

/// The settings of a match.
pub struct MatchSettings {
    /// The engines. Results are from the first one's side.
    pub engines: [EngineSpec; 2],
    /// The engines as given on the command line.
    pub texts: [String; 2],
    /// The limit of engines without a limit of their own.
    pub limit: Limit,
    /// The openings.
    pub openings: Openings,
    /// The rules of adjudication and time.
    pub rules: GameRules,
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
pub fn run(settings: &MatchSettings, stop: &Stop) -> Result<Standing> {
    let mut score = Score::new(settings, stop)?;
    let mut done = vec![];
    let mut journal = None;
    if let Some(out) = &settings.out {
        let path = out.with_added_extension("journal");
        let (opened, held) = Journal::open(&path, &settings.heading())?;
        done = held.iter().map(|pair| pair.pair).collect();
        for pair in &held {
            score.add(pair);
        }
        journal = Some(opened);
    }
    let mut progress = Progress::new(Some(settings.pairs_to_play()));
    if let Some(line) = settings.openings_run_out() {
        progress.print(&line);
    }
    if !done.is_empty() {
        progress.print(&format!("resuming after {} pairs", done.len()));
    }

    let next = AtomicU64::new(0);
    let end = Stop::new();
    let date = record::today();
    if !score.is_decided() {
        thread::scope(|scope| -> Result<()> {
            let _guard = end.set_on_drop();
            let (sender, results) = mpsc::channel::<Result<PairLine>>();
            for _ in 0..settings.threads.max(1) {
                let worker = Worker {
                    settings,
                    next: &next,
                    done: &done,
                    end: &end,
                    names: score.standing.names.clone(),
                    date: &date,
                };
                let sender = sender.clone();
                scope.spawn(move || worker.play_pairs(&sender));
            }
            drop(sender);
            while !score.is_decided() {
                if stop.is_set() {
                    break;
                }
                let pair = match results.recv_timeout(Duration::from_millis(200)) {
                    Ok(pair) => pair?,
                    Err(RecvTimeoutError::Timeout) => {
                        progress.update(score.pairs(), || score.standing.description());
                        continue;
                    }
                    Err(RecvTimeoutError::Disconnected) => break,
                };
                if let Some(journal) = &mut journal {
                    journal.append(&pair)?;
                }
                for line in score.add(&pair) {
                    progress.print(&line);
                }
                progress.update(score.pairs(), || score.standing.description());
            }
            Ok(())
        })?;
    }
    progress.finish();
    score.standing.finished = score.is_decided();
    if let Some(out) = &settings.out {
        let path = out.with_added_extension("json");
        let text = serde_json::to_string_pretty(&score.standing)? + "\n";
        skewer_store::write(&path, text)?;
    }
    Ok(score.standing)
}

impl MatchSettings {
    fn heading(&self) -> Heading {
        let [first, second] = &self.engines;
        Heading {
            version: 2,
            engines: self.texts.clone(),
            builds: [
                identity::build_of(&first.kind),
                identity::build_of(&second.kind),
            ],
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

    /// A remark if there are fewer openings than pairs.
    fn openings_run_out(&self) -> Option<String> {
        let count = self.openings.count().filter(|count| *count < self.pairs)?;
        let plural = if count == 1 { "" } else { "s" };
        Some(if self.is_repeatable() {
            format!(
                "at most {count} pair{plural} for {count} opening{plural}: without a clock, the same \
                 opening gives the same games"
            )
        } else {
            format!(
                "{count} opening{plural} for {} pairs: each is played more than once",
                self.pairs
            )
        })
    }

    fn is_chess960(&self) -> bool {
        self.rules.mode == CastlingMode::Chess960
    }

    /// Starts both engines.
    fn players(&self, stop: &Stop) -> Result<[Player; 2]> {
        let player = |index: usize, fallback: &str| {
            let (spec, text) = (&self.engines[index], &self.texts[index]);
            Player::new(spec, self.limit, self.is_chess960(), fallback, stop)
                .with_context(|| format!("cannot start the engine {text}"))
        };
        let mut players = [player(0, &self.texts[0])?, player(1, &self.texts[1])?];
        if players[0].name == players[1].name {
            for (player, letter) in players.iter_mut().zip(["A", "B"]) {
                player.name = format!("{} ({letter})", player.name);
            }
        }
        Ok(players)
    }
}

/// Adds up the games played.
struct Score<'a> {
    settings: &'a MatchSettings,
    standing: Standing,
}

impl<'a> Score<'a> {
    /// Starts the engines once, to get their names and to fail early.
    fn new(settings: &'a MatchSettings, stop: &Stop) -> Result<Self> {
        let names = settings.players(stop)?.map(|player| player.name);
        let mut score = Self {
            settings,
            standing: Standing {
                names,
                pairs: Pairs::default(),
                games: [0; 3],
                elo: None,
                normalised_elo: None,
                likelihood_of_superiority: 0.5,
                sprt: None,
                forfeits: [Forfeits::default(); 2],
                conditions: settings.conditions.clone(),
                commit: identity::COMMIT.to_owned(),
                finished: false,
            },
        };
        score.refresh();
        Ok(score)
    }

    fn pairs(&self) -> u64 {
        self.standing.pairs.pairs()
    }

    fn is_decided(&self) -> bool {
        let tested = self
            .standing
            .sprt
            .is_some_and(|sprt| sprt.decision != Decision::Continue);
        let precise = self
            .settings
            .precision
            .is_some_and(|precision| precision.is_reached(&self.standing.pairs));
        tested || precise || self.pairs() >= self.settings.pairs_to_play()
    }

    /// Counts a pair. Returns the lines to print about it.
    fn add(&mut self, pair: &PairLine) -> Vec<String> {
        let mut lines = Vec::new();
        self.standing.pairs.add(pair.half_points());
        for (index, game) in pair.games.iter().enumerate() {
            self.standing.games[2 - usize::from(game.half_points.min(2))] += 1;
            let Some(forfeit) = game.forfeit else {
                continue;
            };
            let loser = usize::from(game.half_points > 0);
            let count = &mut self.standing.forfeits[loser];
            match forfeit {
                Forfeit::Time => count.time += 1,
                Forfeit::IllegalMove => count.illegal_moves += 1,
                Forfeit::Failure => count.failures += 1,
            }
            lines.push(format!(
                "game {}.{}: {} forfeits: {}",
                pair.pair + 1,
                index + 1,
                self.standing.names[loser],
                game.cause
            ));
        }
        self.refresh();
        lines
    }

    fn refresh(&mut self) {
        let pairs = self.standing.pairs;
        self.standing.elo = pairs.elo();
        self.standing.normalised_elo = pairs.normalised_elo();
        self.standing.likelihood_of_superiority = pairs.likelihood_of_superiority();
        self.standing.sprt = self.settings.sprt.map(|test| SprtStanding {
            test,
            ratio: test.log_likelihood_ratio(&pairs),
            bounds: test.bounds(),
            decision: test.decide(&pairs),
        });
    }
}

/// One thread of a match with its own two engines.
struct Worker<'a> {
    settings: &'a MatchSettings,
    next: &'a AtomicU64,
    done: &'a [u64],
    end: &'a Stop,
    names: [String; 2],
    date: &'a str,
}

impl Worker<'_> {
    fn play_pairs(&self, results: &mpsc::Sender<Result<PairLine>>) {
        let mut players = match self.settings.players(self.end) {
            Ok(players) => players,
            Err(error) => {
                if !self.end.is_set() {
                    let _ = results.send(Err(error));
                }
                return;
            }
        };
        while !self.end.is_set() {
            let pair = self.next.fetch_add(1, Ordering::Relaxed);
            if pair >= self.settings.pairs_to_play() {
                return;
            }
            if self.done.contains(&pair) {
                continue;
            }
            match self.play_pair(pair, &mut players) {
                Ok(Some(line)) => {
                    if results.send(Ok(line)).is_err() {
                        return;
                    }
                }
                Ok(None) => return,
                Err(error) => {
                    let _ = results.send(Err(error));
                    return;
                }
            }
        }
    }

    /// Plays both games of an opening; `None` if the match was stopped before.
    fn play_pair(&self, pair: u64, players: &mut [Player; 2]) -> Result<Option<PairLine>> {
        let opening = self.settings.openings.get(pair)?;
        let rules = &self.settings.rules;
        let [first, second] = players;
        let Some(game) = play(first, second, &opening, rules, self.end)? else {
            return Ok(None);
        };
        let one = self.line(pair, 1, &game);
        let Some(game) = play(second, first, &opening, rules, self.end)? else {
            return Ok(None);
        };
        let two = self.line(pair, 2, &game);
        Ok(Some(PairLine {
            pair,
            games: [one, two],
        }))
    }

    fn line(&self, pair: u64, number: u32, game: &Played) -> GameLine {
        let [first, second] = [self.names[0].as_str(), self.names[1].as_str()];
        let white = game.result as u8;
        let [one, two] = self.settings.engines.each_ref().map(|engine| {
            let limit = engine.limit.unwrap_or(self.settings.limit);
            limit.to_string()
        });
        let (names, limits, half_points) = if number == 1 {
            ([first, second], [&*one, &*two], white)
        } else {
            ([second, first], [&*two, &*one], 2 - white)
        };
        let heading = record::Heading {
            event: "skewer-selfplay match",
            date: self.date,
            round: (pair + 1, number),
            names,
            limits,
        };
        debug_assert!(!game.cause.is_forfeit() || game.result != GameResult::Draw);
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
