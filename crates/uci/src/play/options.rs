//! The options of `skewer play`.

use std::ffi::{OsStr, OsString};
use std::fmt::Display;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::str::FromStr;

use lexopt::prelude::*;
use skewer_movegen::{Board, CastlingMode, Color, Scharnagl};
use skewer_pgn::Start;
use skewer_types::{Rng, not_utf8};

use super::clock::TimeControl;
use super::opponent::Strength;
use super::screen::{Pieces, Squares};

/// What `skewer play --help` prints.
pub(super) const HELP: &str = "\
Play against Skewer in this terminal.

Usage: skewer play [OPTIONS]

Options:
  -l, --level <ELO|full>     Strength: 800 to 2600, or full [default: 1500]
  -c, --color <COLOR>        Your side: white, black or random [default: white]
  -t, --clock <MIN[+SEC]>    Clocks: minutes for the game, seconds a move (5+3) [default: none]
      --fen <FEN>            Begin with this position
      --chess960 [N]         Begin with a random position of Chess960, or with number N (0 to 959)
      --load <FILE>          Go on with the first game of a PGN file
      --threads <N>          Threads of the engine [default: 1]
      --ascii                Letters instead of chess symbols
      --plain                No colours
  -h, --help                 Print this help

Type moves as in books (e4, Nf3, O-O) or as squares (e2e4); `help` lists the commands.
Without clocks, full strength thinks for a second a move. Levels from 1320 up were measured against
Stockfish. Lower levels, and the strength against people, are estimates.
";

/// The level of a game without the option `--level`.
const DEFAULT_LEVEL: u32 = 1500;

/// The side of the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// Always this colour.
    Fixed(Color),
    /// Drawn for each game.
    Random,
}

/// The error of a text that names no side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a side is white, black or random")]
pub(super) struct SideError;

impl FromStr for Side {
    type Err = SideError;

    fn from_str(text: &str) -> Result<Self, SideError> {
        match text.to_ascii_lowercase().as_str() {
            "white" | "w" => Ok(Self::Fixed(Color::White)),
            "black" | "b" => Ok(Self::Fixed(Color::Black)),
            "random" | "r" => Ok(Self::Random),
            _ => Err(SideError),
        }
    }
}

impl Side {
    pub(super) fn draw(self) -> Color {
        match self {
            Self::Fixed(color) => color,
            Self::Random if random(2) == 0 => Color::White,
            Self::Random => Color::Black,
        }
    }
}

/// The options of the command line.
#[derive(Debug)]
pub(super) struct PlayOptions {
    pub(super) strength: Strength,
    pub(super) side: Side,
    pub(super) control: Option<TimeControl>,
    pub(super) start: Start,
    pub(super) load: Option<PathBuf>,
    pub(super) threads: usize,
    pub(super) pieces: Pieces,
    pub(super) squares: Squares,
}

/// What to do.
#[derive(Debug)]
pub(super) enum Request {
    /// Print [`HELP`].
    Help,
    /// Play.
    Play(Box<PlayOptions>),
}

/// Reads the words after `play`.
///
/// # Errors
///
/// A sentence about the first word that is wrong.
pub(super) fn parse(words: &[OsString]) -> Result<Request, String> {
    let mut options = PlayOptions {
        strength: Strength::Elo(DEFAULT_LEVEL),
        side: Side::Fixed(Color::White),
        control: None,
        start: Start::default(),
        load: None,
        threads: 1,
        pieces: if has_unicode() {
            Pieces::Symbols
        } else {
            Pieces::Letters
        },
        squares: if has_colours() {
            Squares::Coloured
        } else {
            Squares::Plain
        },
    };
    let mut parser = lexopt::Parser::from_args(words);
    while let Some(argument) = parser.next().map_err(|error| sentence(&error))? {
        match argument {
            Short('h') | Long("help") => return Ok(Request::Help),
            Short('l') | Long("level") => options.strength = value(&mut parser, "--level")?,
            Short('c') | Long("color" | "colour") => options.side = value(&mut parser, "--color")?,
            Short('t') | Long("clock") => options.control = Some(value(&mut parser, "--clock")?),
            Long("fen") => {
                let fen: String = value(&mut parser, "--fen")?;
                let start = Start::from_tags(Some(&fen), None);
                options.start = start.map_err(|error| format!("--fen: {error}"))?;
            }
            Long("chess960") => {
                let number = optional_word(&mut parser)?;
                let number = number.as_deref().map(OsStr::to_string_lossy);
                options.start = chess960(number.as_deref())?;
            }
            Long("load") => options.load = Some(word(&mut parser, "--load")?.into()),
            Long("threads") => {
                options.threads = value(&mut parser, "--threads")?;
                if !(1..=skewer_smp::MAX_THREADS).contains(&options.threads) {
                    return Err(format!(
                        "--threads: a number from 1 to {}",
                        skewer_smp::MAX_THREADS
                    ));
                }
            }
            Long("ascii") => options.pieces = Pieces::Letters,
            Long("plain") => options.squares = Squares::Plain,
            other => return Err(sentence(&other.unexpected())),
        }
    }
    Ok(Request::Play(Box::new(options)))
}

fn sentence(error: &lexopt::Error) -> String {
    error.to_string()
}

/// The value of an option, which may be the name of a file.
fn word(parser: &mut lexopt::Parser, option: &str) -> Result<OsString, String> {
    let word = parser.value().map_err(|error| sentence(&error))?;
    if word.is_empty() {
        return Err(format!("{option}: the value is empty"));
    }
    Ok(word)
}

/// The value of an option that may lack one. A next word that is no option is the value, because nothing else can be:
/// the command takes no other words.
fn optional_word(parser: &mut lexopt::Parser) -> Result<Option<OsString>, String> {
    let joined = parser.optional_value();
    if joined.is_some() {
        return Ok(joined);
    }
    let mut rest = parser
        .try_raw_args()
        .ok_or("--chess960: its number is unreadable")?;
    Ok(rest.next_if(|word| !word.as_encoded_bytes().starts_with(b"-")))
}

/// The value of an option that is text.
fn value<T: FromStr<Err: Display>>(parser: &mut lexopt::Parser, option: &str) -> Result<T, String> {
    let word = word(parser, option)?;
    let text = word.to_str().ok_or_else(|| not_utf8(&word))?;
    text.parse().map_err(|error| format!("{option}: {error}"))
}

/// The position with this number, or a random one.
fn chess960(number: Option<&str>) -> Result<Start, String> {
    let wrong = || "--chess960: a number from 0 to 959".to_owned();
    let number = match number {
        Some(text) => text.parse().map_err(|_| wrong())?,
        None => random(960) as u16,
    };
    let setup = Scharnagl::new(number).ok_or_else(wrong)?;
    Ok(Start::from_board(
        Board::chess960(setup),
        CastlingMode::Chess960,
    ))
}

/// A random number below `below`.
fn random(below: usize) -> usize {
    use std::hash::{BuildHasher, RandomState};
    Rng::new(RandomState::new().hash_one(below)).below(below)
}

/// Whether the terminal can show chess symbols. The locale decides, as in other programs; on Windows and macOS without
/// a locale the answer is yes.
fn has_unicode() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .filter_map(|name| std::env::var(name).ok())
        .find(|value| !value.is_empty());
    match locale {
        Some(locale) => {
            let locale = locale.to_ascii_lowercase();
            locale.contains("utf-8") || locale.contains("utf8")
        }
        None => cfg!(any(windows, target_os = "macos")),
    }
}

/// Whether the output takes colours: a terminal that is not `dumb`, unless `NO_COLOR` is set (no-color.org).
fn has_colours() -> bool {
    let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb") && !cfg!(windows);
    io::stdout().is_terminal() && !unwanted && !dumb
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Box<PlayOptions>, String> {
        let words: Vec<OsString> = line
            .split(' ')
            .filter(|word| !word.is_empty())
            .map(OsString::from)
            .collect();
        match parse(&words)? {
            Request::Play(options) => Ok(options),
            Request::Help => Err("help".to_owned()),
        }
    }

    #[test]
    fn options_are_read_in_every_form() {
        let options =
            read("-l full --color=black --clock 5+3 --threads 2 --ascii --plain").unwrap();
        assert_eq!(options.strength, Strength::Full);
        assert_eq!(options.side, Side::Fixed(Color::Black));
        assert_eq!(options.control, "5+3".parse().ok());
        assert_eq!(
            (options.threads, options.pieces, options.squares),
            (2, Pieces::Letters, Squares::Plain)
        );
        for line in ["--chess960=518", "--chess960 518", "--chess960 518 --plain"] {
            let shuffled = read(line).unwrap();
            assert_eq!(shuffled.start.board, Board::STARTPOS, "{line}");
            assert_eq!(shuffled.start.mode, CastlingMode::Chess960, "{line}");
        }
        for line in ["--chess960", "--chess960 --ascii"] {
            assert_eq!(read(line).unwrap().start.mode, CastlingMode::Chess960);
        }
        assert!(read("--help").is_err_and(|said| said == "help"));
    }

    /// The name of a file may be any bytes; other values are text.
    #[cfg(unix)]
    #[test]
    fn words_that_are_not_text_name_files_alone() {
        use std::os::unix::ffi::OsStringExt as _;

        let foreign = OsString::from_vec(b"\xff.pgn".to_vec());
        let Ok(Request::Play(options)) = parse(&["--load".into(), foreign.clone()]) else {
            panic!("{foreign:?}");
        };
        assert_eq!(options.load.unwrap(), foreign);
        for option in ["--level", "--color", "--clock", "--fen", "--threads"] {
            let said = parse(&[option.into(), foreign.clone()]).unwrap_err();
            let reason = r#""\xFF.pgn" is not UTF-8, and must be text"#;
            assert_eq!(said, reason, "{option}");
        }
    }

    #[test]
    fn a_wrong_word_is_named() {
        for (line, named) in [
            ("--level 5000", "800 to 2600"),
            ("--color green", "--color"),
            ("--clock soon", "--clock"),
            ("--fen x", "--fen: the FEN \"x\" is not a position: "),
            ("--chess960=960", "0 to 959"),
            ("--chess960 960", "0 to 959"),
            ("--chess960 e4", "0 to 959"),
            ("--threads 0", "1 to"),
            ("--threads x", "--threads"),
            ("--fast", "--fast"),
            ("e4", "e4"),
            ("--level", "--level"),
        ] {
            let said = read(line).unwrap_err();
            assert!(said.contains(named), "{line}: {said}");
        }
        for option in ["--load", "--level", "--clock", "--fen", "--threads"] {
            let said = parse(&[option.into(), OsString::new()]).unwrap_err();
            assert!(said.contains("is empty"), "{option}: {said}");
        }
    }
}
