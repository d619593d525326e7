//! `skewer-train stats`: statistics of game files.

use std::collections::HashSet;
use std::io::{self, Write as _};
use std::path::PathBuf;

use skewer_console::options::own_file;
use skewer_console::standard::{self, say};
use skewer_eval::network::Architecture;
use skewer_gamedata::{Filter, Game};
use skewer_movegen::{Board, Outcome, Piece};
use skewer_store::OutputFile;
use skewer_svg::chart::{Bar, Chart, Scale, Tone, stack};
use skewer_train::data::fingerprint;

use super::{Choice, Files, finish};

/// Print statistics of game files.
///
/// Every game is read and checked, so the command also validates files: for a damaged file it
/// prints the game and the byte.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    choice: Choice,
    /// Draw scores, pieces, lengths, results and phases as a picture, too.
    #[arg(long, value_name = "FILE.svg", value_parser = own_file())]
    picture: Option<PathBuf>,
}

/// Scores are counted in bins of this width, and in this number of bins on either side of zero.
const SCORE_BIN: i32 = 100;
const SCORE_BINS: i32 = 10;
/// Lengths of games are counted in bins of this many plies.
const LENGTH_BIN: usize = 20;
const LENGTH_BINS: usize = 16;
/// The greatest phase: 4 for a queen, 2 for a rook, 1 for a minor piece.
const PHASES: usize = 24;

struct Totals {
    /// A network with an output for each bucket.
    network: Architecture,
    games: u64,
    again: u64,
    results: [u64; 3],
    positions: u64,
    usable: u64,
    score: f64,
    /// Positions by the number of pieces, in the output buckets of the network.
    buckets: Vec<u64>,
    /// By score, from the worst for White to the best.
    scores: Vec<u64>,
    /// Games by their length.
    lengths: Vec<u64>,
    /// By phase, from bare pawns to all pieces.
    phases: Vec<u64>,
}

impl Totals {
    fn new(network: Architecture) -> Self {
        Self {
            network,
            games: 0,
            again: 0,
            results: [0; 3],
            positions: 0,
            usable: 0,
            score: 0.0,
            buckets: vec![0; network.buckets()],
            scores: vec![0; 2 * SCORE_BINS as usize + 1],
            lengths: vec![0; LENGTH_BINS + 1],
            phases: vec![0; PHASES / 2 + 1],
        }
    }

    fn add(&mut self, game: &Game, filter: &Filter) {
        self.games += 1;
        self.results[usize::from(game.result.to_byte())] += 1;
        self.positions += game.moves.len() as u64;
        self.lengths[(game.moves.len() / LENGTH_BIN).min(LENGTH_BINS)] += 1;
        for record in game.positions().filter(|record| filter.accepts(record)) {
            self.usable += 1;
            self.score += f64::from(record.score.unsigned_abs());
            let pieces = record.board.occupied().count() as usize;
            self.buckets[self.network.bucket(pieces)] += 1;
            let bin = (f64::from(record.score) / f64::from(SCORE_BIN)).round() as i32;
            self.scores[(bin.clamp(-SCORE_BINS, SCORE_BINS) + SCORE_BINS) as usize] += 1;
            self.phases[phase(&record.board).min(PHASES) / 2] += 1;
        }
    }

    /// The charts of the picture.
    fn charts(&self) -> [Chart; 5] {
        let [black, draws, white] = self.results;
        let scores = self.scores.iter().zip(-SCORE_BINS..).map(|(&n, bin)| {
            // The outer bins include all scores beyond them.
            let sign = match bin.abs() {
                SCORE_BINS if bin < 0 => "≤",
                SCORE_BINS => "≥",
                _ => "",
            };
            (format!("{sign}{}", bin * SCORE_BIN), n)
        });
        let lengths = self.lengths.iter().enumerate().map(|(at, &n)| {
            let more = if at == LENGTH_BINS { "+" } else { "" };
            (format!("{}{more}", at * LENGTH_BIN), n)
        });
        let pieces = self.buckets.iter().enumerate().map(|(bucket, &n)| {
            let (low, high) = pieces_of(self.network, bucket);
            (format!("{low}-{high}"), n)
        });
        let phases = self.phases.iter().enumerate();
        let results = [("White won", white), ("draw", draws), ("Black won", black)];
        [
            chart(
                "score for White in internal units",
                "usable positions",
                scores,
            ),
            chart(
                "result",
                "games",
                results.map(|(name, n)| (name.to_owned(), n)),
            ),
            chart("length of a game in plies", "games", lengths),
            chart("pieces on the board", "usable positions", pieces),
            chart(
                "phase (24: all pieces, 0: pawns only)",
                "usable positions",
                phases.map(|(at, &n)| ((2 * at).to_string(), n)),
            ),
        ]
    }

    fn print(&self) -> io::Result<()> {
        let mut out = standard::output();
        writeln!(
            out,
            "games      {}, {} of them duplicates",
            self.games, self.again
        )?;
        writeln!(
            out,
            "results    White {:.1}%, draws {:.1}%, Black {:.1}%",
            share(
                self.results[usize::from(Outcome::WhiteWins.to_byte())],
                self.games
            ),
            share(
                self.results[usize::from(Outcome::Draw.to_byte())],
                self.games
            ),
            share(
                self.results[usize::from(Outcome::BlackWins.to_byte())],
                self.games
            ),
        )?;
        writeln!(
            out,
            "positions  {}, {:.1} a game; usable {} ({:.1}%)",
            self.positions,
            self.positions as f64 / self.games.max(1) as f64,
            self.usable,
            share(self.usable, self.positions)
        )?;
        writeln!(
            out,
            "scores     {:.0} from zero on average",
            self.score / self.usable.max(1) as f64
        )?;
        writeln!(
            out,
            "usable positions by pieces on the board (output buckets):"
        )?;
        for (bucket, &count) in self.buckets.iter().enumerate() {
            let (low, high) = pieces_of(self.network, bucket);
            writeln!(
                out,
                "  {low:>2} to {high:>2}   {count:>10}  {:>5.1}%",
                share(count, self.usable)
            )?;
        }
        Ok(())
    }
}

/// A chart of the shares that these counts have in their sum.
fn chart(title: &str, counted: &str, counts: impl IntoIterator<Item = (String, u64)>) -> Chart {
    let counts: Vec<_> = counts.into_iter().collect();
    let total: u64 = counts.iter().map(|(_, count)| count).sum();
    let bar = |(label, count): (String, u64)| {
        let percent = share(count, total);
        Bar {
            label,
            length: percent,
            interval: None,
            note: format!("{count} ({percent:.1}%)"),
            tone: Tone::Plain,
        }
    };
    Chart {
        title: title.to_owned(),
        subtitle: counted.to_owned(),
        axis: "per cent".to_owned(),
        scale: Scale::Linear,
        bars: counts.into_iter().map(bar).collect(),
    }
}

/// A part of a whole in per cent.
fn share(part: u64, whole: u64) -> f64 {
    part as f64 * 100.0 / whole.max(1) as f64
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    if let Some(picture) = &args.picture {
        args.files.with_output("--picture", picture).check()?;
    }
    let picture = args.picture.as_ref().map(OutputFile::create).transpose()?;
    let filter = args.choice.filter();
    let mut totals = Totals::new(Architecture::new(Architecture::HIDDEN[0], 8)?);
    let mut seen = HashSet::new();
    for game in args.files.games() {
        let game = game?;
        totals.add(&game, &filter);
        totals.again += u64::from(!seen.insert(fingerprint(&game)));
    }
    let printed = totals.print();
    if let Some(picture) = picture {
        finish(picture, &stack(&totals.charts()))?;
    }
    printed?;
    if let Some(path) = &args.picture {
        say(format_args!("picture    {}", path.display()))?;
    }
    Ok(())
}

/// The fewest and the most pieces of an output bucket.
fn pieces_of(network: Architecture, bucket: usize) -> (usize, usize) {
    let mut counts = (2..=32).filter(|&pieces| network.bucket(pieces) == bucket);
    let low = counts.next().unwrap_or(0);
    (low, counts.next_back().unwrap_or(low))
}

/// The phase of a position: 24 with all pieces, 0 with pawns only.
fn phase(board: &Board) -> usize {
    let count = |piece| board.pieces(piece).count() as usize;
    4 * count(Piece::Queen) + 2 * count(Piece::Rook) + count(Piece::Bishop) + count(Piece::Knight)
}
