//! `skewer play`: a game against the engine in a terminal.

mod clock;
mod command;
mod game;
mod opponent;
mod options;
mod record;
mod screen;

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::SystemTime;

use skewer_movegen::{Board, Color, Move};
use skewer_pgn::{San, Start};
use skewer_types::{Score, printable};

use crate::input::{Input, read_stdin};
use clock::shown;
use command::{COMMANDS, Command};
use game::{End, TimedGame};
use opponent::{Opponent, Strength};
use options::{PlayOptions, Request};
use screen::Screen;

/// The engine accepts a draw only after this many plies.
const DRAW_PLIES: usize = 60;
/// The engine accepts a draw only if its last score is at most this, in internal units: an even game, or a worse
/// game.
const DRAW_SCORE: i32 = 15;

/// Plays with the person at stdin and stdout. `words` are the words after `play`, which may name a file by any bytes.
pub fn play(words: &[OsString]) -> ExitCode {
    let options = match options::parse(words) {
        Ok(Request::Help) => {
            let output = crate::output::Output::new(io::stdout());
            options::HELP.lines().for_each(|line| output.line(line));
            return crate::written(&output);
        }
        Ok(Request::Play(options)) => options,
        Err(error) => {
            return fail(format_args!(
                "{error}; `skewer play --help` lists the options"
            ));
        }
    };
    match Terminal::new(&options).and_then(|mut terminal| terminal.run()) {
        Ok(()) => ExitCode::SUCCESS,
        // A closed output is not an error, because its reader wants no more text.
        Err(error)
            if error
                .downcast_ref::<io::Error>()
                .is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe) =>
        {
            ExitCode::SUCCESS
        }
        Err(error) => fail(error),
    }
}

/// Says in a line why there is no game. The reason may quote the command line or a file.
fn fail(reason: impl std::fmt::Display) -> ExitCode {
    let reason = reason.to_string();
    _ = writeln!(io::stderr(), "skewer play: {}", printable(&reason));
    ExitCode::FAILURE
}

type Failure = Box<dyn std::error::Error>;

/// Whether the player stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Go,
    Quit,
}

/// The player, the engine and the game between them.
struct Terminal {
    input: Receiver<Input>,
    out: io::Stdout,
    /// Whether the input is a terminal, so that prompts are printed.
    prompts: bool,
    game: TimedGame,
    opponent: Opponent,
    screen: Screen,
    options: PlaySettings,
    /// The score of the engine's last move, from the engine's side.
    last_score: Option<Score>,
    /// Whether the end of this game was announced.
    announced: bool,
}

/// The settings of new games.
struct PlaySettings {
    side: options::Side,
    control: Option<clock::TimeControl>,
    start: Start,
}

impl Terminal {
    fn new(options: &PlayOptions) -> Result<Self, Failure> {
        let settings = PlaySettings {
            side: options.side,
            control: options.control,
            start: options.start,
        };
        let player = settings.side.draw();
        // A separate thread reads the standard input, so that a clock can end the wait for a line.
        let (sender, input) = sync_channel(0);
        read_stdin(sender)?;
        let mut terminal = Self {
            input,
            out: io::stdout(),
            prompts: io::stdin().is_terminal(),
            game: TimedGame::new(settings.start, player, settings.control),
            opponent: Opponent::new(options.strength, options.threads)?,
            screen: Screen {
                pieces: options.pieces,
                squares: options.squares,
                bottom: player,
            },
            options: settings,
            last_score: None,
            announced: false,
        };
        if let Some(path) = &options.load {
            terminal.game = loaded(path, 1, player, terminal.options.control)
                .map_err(|error| format!("{}: {error}", printable(&path.display().to_string())))?;
        }
        Ok(terminal)
    }

    fn run(&mut self) -> Result<(), Failure> {
        let side = self.game.player.fold("White", "Black");
        writeln!(
            self.out,
            "Skewer, {}. You are {side}. Type a move (e4, Nf3, O-O) or `help`.\n",
            self.opponent.strength
        )?;
        self.board()?;
        loop {
            self.announce()?;
            if self.game.end().is_none() && self.game.board().turn() != self.game.player {
                self.engine_moves()?;
                continue;
            }
            self.game.start_clock();
            self.prompt()?;
            let next = match self.next_input() {
                Some(Input::Line { text, .. }) => self.handle(&text)?,
                Some(Input::TooLong) => self.say("that line is too long")?,
                Some(Input::End) => Next::Quit,
                // The time is up.
                None => {
                    writeln!(self.out)?;
                    Next::Go
                }
            };
            if next == Next::Quit {
                return Ok(());
            }
        }
    }

    /// The next input; `None` if the player's time is up before.
    fn next_input(&mut self) -> Option<Input> {
        let left = match self.game.end() {
            None => self.game.time_left(),
            Some(_) => None,
        };
        let input = match left {
            None => self.input.recv().unwrap_or(Input::End),
            Some(left) => match self.input.recv_timeout(left) {
                Ok(input) => input,
                Err(RecvTimeoutError::Disconnected) => Input::End,
                Err(RecvTimeoutError::Timeout) => {
                    self.game.check_flag();
                    return None;
                }
            },
        };
        self.game.check_flag();
        Some(input)
    }

    fn prompt(&mut self) -> io::Result<()> {
        if !self.prompts {
            return Ok(());
        }
        let turn = self.game.board().turn();
        if let Some(clocks) = self.game.clocks() {
            let player = self.game.player;
            let [own, other] =
                [player, !player].map(|color| shown(clocks.left(color, turn)).to_string());
            write!(self.out, "[you {own}, Skewer {other}] ")?;
        }
        write!(self.out, "{}> ", number(self.game.board()))?;
        self.out.flush()
    }

    fn handle(&mut self, line: &str) -> Result<Next, Failure> {
        match Command::parse(line) {
            Command::Empty => {}
            Command::Move(text) => return self.player_moves(text),
            Command::Undo => return self.undo(),
            Command::Hint => return self.hint(),
            Command::Eval => return self.eval(),
            Command::Board => self.board()?,
            Command::Flip => {
                self.screen.bottom = !self.screen.bottom;
                self.board()?;
            }
            Command::Moves => self.moves()?,
            Command::New(side) => return self.new_game(side),
            Command::Level(text) => return self.level(text),
            Command::Fen(text) => return self.fen(text),
            Command::Load(text) => return self.load(text),
            Command::Save(text) => return self.save(text),
            Command::Draw => return self.draw(),
            Command::Resign => self.game.declare(End::Resigned(self.game.player)),
            Command::Help => {
                for entry in COMMANDS {
                    writeln!(self.out, "  {:20} {}", entry.usage, entry.help)?;
                }
                writeln!(
                    self.out,
                    "Anything else is a move: e4, Nf3, O-O, exd8=Q+, or e2e4."
                )?;
            }
            Command::Quit => return Ok(Next::Quit),
        }
        Ok(Next::Go)
    }

    /// Prints a sentence.
    fn say(&mut self, text: impl std::fmt::Display) -> Result<Next, Failure> {
        writeln!(self.out, "{text}")?;
        Ok(Next::Go)
    }

    fn board(&mut self) -> io::Result<()> {
        let drawn = self.screen.draw(self.game.board(), self.game.last_move());
        writeln!(self.out, "{drawn}")
    }

    fn player_moves(&mut self, text: &str) -> Result<Next, Failure> {
        if self.game.end().is_some() {
            return self.say("the game is over: `new` begins another one, `undo` goes back");
        }
        match read_move(self.game.board(), text) {
            Ok(mv) => {
                self.game.play(mv);
                Ok(Next::Go)
            }
            Err(reason) => self.say(format_args!("{}: {reason}", printable(text))),
        }
    }

    fn engine_moves(&mut self) -> Result<(), Failure> {
        self.game.start_clock();
        let clock = self.game.search_clock();
        let found = self.opponent.answer(self.game.position(), clock);
        self.game.check_flag();
        let Some(found) = found.filter(|_| self.game.end().is_none()) else {
            return Ok(());
        };
        self.last_score = Some(found.score);
        let before = *self.game.board();
        self.game.play(found.mv);
        writeln!(self.out, "{}{}\n", number(&before), before.san(found.mv))?;
        self.board()?;
        Ok(())
    }

    /// Says once that the game is over, and how.
    fn announce(&mut self) -> Result<(), Failure> {
        let end = self.game.end();
        let over = end.is_some();
        if let Some(end) = end.filter(|_| !self.announced) {
            if self.game.last_move().is_some() && self.game.board().turn() != self.game.player {
                // The last move was the player's, after which the board was not drawn.
                self.board()?;
            }
            let outcome = end.outcome();
            let verdict = match outcome.winner() {
                None => "a draw",
                Some(winner) if winner == self.game.player => "you win",
                Some(_) => "Skewer wins",
            };
            writeln!(
                self.out,
                "{outcome}: {verdict} ({end}). `new` begins another game, `save FILE` keeps this one."
            )?;
        }
        self.announced = over;
        Ok(())
    }

    fn undo(&mut self) -> Result<Next, Failure> {
        if self.game.undo() == 0 {
            self.say("there is no move of yours to take back")
        } else {
            self.board()?;
            Ok(Next::Go)
        }
    }

    fn hint(&mut self) -> Result<Next, Failure> {
        if self.game.end().is_some() {
            return self.say("the game is over");
        }
        match self.opponent.best(self.game.position()) {
            Some(found) => {
                let san = self.game.board().san(found.mv).to_string();
                self.say(san)
            }
            None => Ok(Next::Go),
        }
    }

    fn eval(&mut self) -> Result<Next, Failure> {
        if self.game.end().is_some() {
            return self.say("the game is over");
        }
        let Some(found) = self.opponent.best(self.game.position()) else {
            return Ok(Next::Go);
        };
        let turn = self.game.board().turn();
        let material = self.game.board().material();
        let curve = self.opponent.win_model().at(material);
        let white = turn.fold(found.score, -found.score);
        let chances = curve.chances(white);
        let percent = |thousandths: u32| (thousandths + 5) / 10;
        let (win, loss) = (percent(chances.win), percent(chances.loss));
        let judged = match white.mate_distance() {
            Some(moves) => format!(
                "{} mates in {}",
                if moves > 0 { "White" } else { "Black" },
                moves.unsigned_abs()
            ),
            None => format!(
                "{:+.2} for White",
                f64::from(curve.centipawns(white)) / 100.0
            ),
        };
        self.say(format_args!(
            "{judged}. Between equal engines White would win {}%, draw {}% and lose {}%.",
            win,
            100 - win - loss,
            loss
        ))
    }

    fn moves(&mut self) -> io::Result<()> {
        let mut board = self.game.start.board;
        let mut text = String::new();
        for (ply, mv) in self.game.moves().enumerate() {
            if board.turn() == Color::White || ply == 0 {
                text.push_str(&number(&board));
            }
            text.push_str(&board.san(mv).to_string());
            text.push(' ');
            board = board.play(mv);
        }
        writeln!(
            self.out,
            "{}",
            if text.is_empty() {
                "no moves yet"
            } else {
                text.trim_end()
            }
        )
    }

    fn new_game(&mut self, side: &str) -> Result<Next, Failure> {
        if !side.is_empty() {
            match side.parse() {
                Ok(side) => self.options.side = side,
                Err(error) => return self.say(error),
            }
        }
        let player = self.options.side.draw();
        self.begin(TimedGame::new(
            self.options.start,
            player,
            self.options.control,
        ))
    }

    /// Replaces the game.
    fn begin(&mut self, game: TimedGame) -> Result<Next, Failure> {
        self.screen.bottom = game.player;
        self.game = game;
        self.announced = false;
        self.last_score = None;
        self.opponent.new_game();
        writeln!(
            self.out,
            "You are {}.\n",
            self.game.player.fold("White", "Black")
        )?;
        self.board()?;
        Ok(Next::Go)
    }

    fn level(&mut self, text: &str) -> Result<Next, Failure> {
        if !text.is_empty() {
            match text.parse::<Strength>() {
                Ok(strength) => self.opponent.strength = strength,
                Err(error) => return self.say(error),
            }
        }
        let strength = self.opponent.strength;
        self.say(format_args!("Skewer plays at {strength}"))
    }

    fn fen(&mut self, text: &str) -> Result<Next, Failure> {
        if text.is_empty() {
            let fen = self
                .game
                .board()
                .to_fen_in(self.game.start.mode)
                .to_string();
            return self.say(fen);
        }
        match Start::from_tags(Some(text), None) {
            Ok(start) => self.begin(TimedGame::new(
                start,
                self.game.player,
                self.options.control,
            )),
            Err(error) => self.say(error),
        }
    }

    fn load(&mut self, text: &str) -> Result<Next, Failure> {
        let (path, game) = match text.rsplit_once(char::is_whitespace) {
            Some((path, last))
                if !Path::new(text).exists() && last.parse::<usize>().is_ok_and(|n| n > 0) =>
            {
                (path.trim(), last.parse().unwrap_or(1))
            }
            _ => (text, 1),
        };
        if path.is_empty() {
            return self.say("load needs the name of a PGN file");
        }
        match loaded(
            Path::new(path),
            game,
            self.game.player,
            self.options.control,
        ) {
            Ok(game) => self.begin(game),
            Err(error) => self.say(format_args!("{}: {error}", printable(path))),
        }
    }

    fn save(&mut self, path: &str) -> Result<Next, Failure> {
        if path.is_empty() {
            return self.say("save needs the name of a PGN file");
        }
        let today = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
        let today = today[.."2026-01-01".len()].replace('-', ".");
        let saved = record::save(Path::new(path), &self.game, self.opponent.strength, &today);
        match saved {
            Ok(()) => self.say(format_args!("the game was added to {}", printable(path))),
            Err(error) => self.say(format_args!("{}: {error}", printable(path))),
        }
    }

    fn draw(&mut self) -> Result<Next, Failure> {
        if self.game.end().is_some() {
            return self.say("the game is over");
        }
        if let Some(claim) = self.game.claim() {
            self.game.declare(End::Claimed(claim));
            return Ok(Next::Go);
        }
        let contented = self
            .last_score
            .is_some_and(|score| score.raw() <= DRAW_SCORE);
        if contented && self.game.moves().len() >= DRAW_PLIES {
            self.game.declare(End::Agreed);
            return Ok(Next::Go);
        }
        self.say("Skewer declines the draw")
    }
}

/// The number of the move that is to be made: `3. ` for White, `3... ` for Black.
fn number(board: &Board) -> String {
    let dots = board.turn().fold(".", "...");
    format!("{}{dots} ", board.fullmove_number())
}

/// Reads a move in SAN or UCI notation, with letters in any case.
fn read_move(board: &Board, text: &str) -> Result<Move, String> {
    let typed = San::new(text.as_bytes());
    let reason = match typed.resolve(board) {
        Ok(Some(mv)) => return Ok(mv),
        Ok(None) => return Err("passing is not allowed".to_owned()),
        Err(error) => error.to_string(),
    };
    if let Ok(mv) = board.parse_uci(&text.to_ascii_lowercase()) {
        return Ok(mv);
    }
    // `nf3` for Nf3 and `E4` for e4, where only one reading is a legal move.
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_ascii_uppercase()).into_iter();
    let piece: String = first
        .chain(letters.as_str().chars().map(|c| c.to_ascii_lowercase()))
        .collect();
    for other in [text.to_ascii_lowercase(), piece, text.to_ascii_uppercase()] {
        if let Ok(Some(mv)) = San::new(other.as_bytes()).resolve(board) {
            return Ok(mv);
        }
    }
    Err(reason)
}

/// The game of a file, to go on with from its last position.
fn loaded(
    path: &Path,
    number: usize,
    player: Color,
    control: Option<clock::TimeControl>,
) -> Result<TimedGame, record::LoadError> {
    let loaded = record::load(path, number)?;
    let mut game = TimedGame::new(loaded.start, player, control);
    for mv in loaded.moves {
        game.play(mv);
    }
    if let Some(outcome) = loaded.outcome {
        game.declare(End::Recorded(outcome));
    }
    Ok(game)
}
