//! `skewer-train stats`: what is in game files.

use std::collections::HashSet;

use skewer_eval::network::Architecture;
use skewer_gamedata::{Filter, Game, GameResult, Reader};
use skewer_movegen::Board;
use skewer_train::data::fingerprint;

use super::{Choice, Files};

/// Say what is in game files.
///
/// Every game is read and checked, so this is also the way to look a file over: a damaged one is
/// named with the game and the byte.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    choice: Choice,
}

struct Totals {
    /// A network with an output for each bucket.
    network: Architecture,
    games: u64,
    again: u64,
    results: [u64; 3],
    positions: u64,
    usable: u64,
    score: f64,
    /// By men, as the output buckets of the network have them.
    buckets: Vec<u64>,
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
        }
    }

    fn add(&mut self, game: &Game, filter: &Filter) {
        self.games += 1;
        self.results[game.result as usize] += 1;
        self.positions += game.moves.len() as u64;
        for record in game.positions().filter(|record| filter.accepts(record)) {
            self.usable += 1;
            self.score += f64::from(record.score.unsigned_abs());
            let men = record.board.occupied().count() as usize;
            self.buckets[self.network.bucket(men)] += 1;
        }
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let filter = args.choice.filter();
    let mut totals = Totals::new(Architecture::new(Architecture::HIDDEN[0], 8)?);
    let mut seen = HashSet::new();
    let mut game = Game::new(Board::STARTPOS);
    for file in &args.files.files {
        let mut reader = Reader::open(file, args.files.tail())?;
        while reader.read_game(&mut game)? {
            totals.add(&game, &filter);
            totals.again += u64::from(!seen.insert(fingerprint(&game)));
        }
    }
    print(&totals);
    Ok(())
}

fn print(totals: &Totals) {
    let share = |part: u64, whole: u64| part as f64 * 100.0 / whole.max(1) as f64;
    let Totals {
        network,
        games,
        again,
        results,
        positions,
        usable,
        score,
        buckets,
    } = totals;
    println!("games      {games}, of which {again} come again");
    println!(
        "results    White {:.1}%, draws {:.1}%, Black {:.1}%",
        share(results[GameResult::WhiteWins as usize], *games),
        share(results[GameResult::Draw as usize], *games),
        share(results[GameResult::BlackWins as usize], *games),
    );
    println!(
        "positions  {positions}, {:.1} a game; usable {usable} ({:.1}%)",
        *positions as f64 / (*games).max(1) as f64,
        share(*usable, *positions)
    );
    println!(
        "scores     {:.0} from zero on average",
        score / (*usable).max(1) as f64
    );
    println!("usable positions by men, and so by output bucket:");
    for (bucket, &count) in buckets.iter().enumerate() {
        let mut men = (2..=32).filter(|&men| network.bucket(men) == bucket);
        let (low, high) = (men.next().unwrap_or(0), men.next_back().unwrap_or(32));
        println!(
            "  {low:>2} to {high:>2}   {count:>10}  {:>5.1}%",
            share(count, *usable)
        );
    }
}
