//! A match between two engines: pairs of games with the same opening and colours changed, in parallel,
//! until there are enough or the sequential test decides.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result};
use serde::Serialize;
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
use crate::stats::{Decision, Estimate, Pairs, Sprt};
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

/// Games that an engine lost by something other than its moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Forfeits {
    /// On time.
    pub time: u64,
    /// By an illegal move.
    pub illegal_moves: u64,
    /// By a crash or a hang.
    pub failures: u64,
}

/// The state of a match.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Standing {
    /// The engines' names.
    pub names: [String; 2],
    /// Pairs that brought the first engine 0, ½, 1, 1½ and 2 points.
    pub pairs: Pairs,
    /// Games that the first engine won, drew, lost.
    pub games: [u64; 3],
    /// The difference in Elo.
    pub elo: Option<Estimate>,
    /// The difference in normalised Elo.
    pub normalised_elo: Option<Estimate>,
    /// The likelihood of superiority of the first engine.
    pub likelihood_of_superiority: f64,
    /// The test, if there is one.
    pub sprt: Option<SprtStanding>,
    /// Games that each engine lost other than by its moves.
    pub forfeits: [Forfeits; 2],
    /// The conditions of the match.
    pub conditions: String,
    /// The commit that this program was built from.
    pub commit: String,
    /// Whether the match is complete.
    pub finished: bool,
}

/// The state of a sequential test.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SprtStanding {
    /// The test.
    pub test: Sprt,
    /// The log-likelihood ratio.
    pub ratio: f64,
    /// Its bounds: rejected at or below the first, accepted at or above the second.
    pub bounds: (f64, f64),
    /// The decision.
    pub decision: Decision,
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

impl Standing {
    /// The state in a line.
    pub fn description(&self) -> String {
        let [wins, draws, losses] = self.games;
        let mut words = format!("+{wins} ={draws} -{losses}");
        if let Some(elo) = self.elo {
            let _ = write!(
                words,
                " | Elo {:+.1} ± {:.1} | LOS {:.1}%",
                elo.value,
                elo.error,
                100.0 * self.likelihood_of_superiority
            );
        }
        if let Some(sprt) = &self.sprt {
            let _ = write!(
                words,
                " | LLR {:+.2} [{:.2}, {:.2}]",
                sprt.ratio, sprt.bounds.0, sprt.bounds.1
            );
        }
        let lost: u64 = self.forfeits.iter().map(Forfeits::total).sum();
        if lost > 0 {
            let _ = write!(words, " | {lost} forfeits");
        }
        words
    }
}

impl Forfeits {
    fn total(&self) -> u64 {
        self.time + self.illegal_moves + self.failures
    }
}

impl std::fmt::Display for Standing {
    /// The result in full, as the program prints it at the end.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [wins, draws, losses] = self.games;
        let games = wins + draws + losses;
        let [first, second] = &self.names;
        writeln!(f, "{first} against {second}, {}", self.conditions)?;
        let percent = 100.0 * (wins as f64 + draws as f64 / 2.0) / games.max(1) as f64;
        writeln!(
            f,
            "Games: {games}, +{wins} ={draws} -{losses}, {percent:.1}%"
        )?;
        let [none, half, one, more, both] = self.pairs.counts();
        writeln!(
            f,
            "Pairs: {}, of 0, 1/2, 1, 1 1/2, 2 points: {none}, {half}, {one}, {more}, {both}",
            self.pairs.pairs()
        )?;
        if let Some(elo) = self.elo {
            write!(f, "Elo: {:+.1} +/- {:.1} (95%)", elo.value, elo.error)?;
            if let Some(elo) = self.normalised_elo {
                write!(f, ", normalised {:+.1} +/- {:.1}", elo.value, elo.error)?;
            }
            let superior = 100.0 * self.likelihood_of_superiority;
            writeln!(f, ", likelihood of superiority {superior:.1}%")?;
        }
        if let Some(sprt) = &self.sprt {
            let (elo0, elo1) = (sprt.test.elo0, sprt.test.elo1);
            let said = match sprt.decision {
                Decision::Accept => format!("accepted: {elo1} is likelier than {elo0}"),
                Decision::Reject => format!("rejected: {elo0} is likelier than {elo1}"),
                Decision::Continue => "undecided".to_owned(),
            };
            writeln!(
                f,
                "SPRT [{elo0}, {elo1}] normalised Elo: LLR {:+.2} of [{:.2}, {:.2}], {said}",
                sprt.ratio, sprt.bounds.0, sprt.bounds.1
            )?;
        }
        for (name, lost) in self.names.iter().zip(&self.forfeits) {
            writeln!(
                f,
                "{name}: {} time losses, {} illegal moves, {} failures",
                lost.time, lost.illegal_moves, lost.failures
            )?;
        }
        if self.finished {
            Ok(())
        } else {
            writeln!(f, "Interrupted.")
        }
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
