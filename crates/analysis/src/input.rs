//! Opens files of games, compressed or not, and the standard input; looks through files before
//! they are analysed.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufReader, Cursor, Read};
use std::ops::ControlFlow;
use std::path::Path;

use skewer_pgn::params::SNIFFED;
use skewer_pgn::{Foreign, Games, ReadError, Reader, TagValue, Visitor, looks_like_epd};

pub use skewer_pgn::looks_like_pgn;

use crate::error::AnalysisError;
use crate::insights::Player;
use crate::selection::Selection;
use skewer_types::not_utf8;

/// A source of bytes.
pub type Source = Box<dyn Read + Send>;

/// Opens `path`, or the standard input for `-`. Files compressed by zstd, gzip or bzip2 are recognized
/// by their first bytes, not by name.
///
/// # Errors
///
/// When it cannot be read.
pub fn open(path: impl AsRef<Path>) -> Result<Source, AnalysisError> {
    let path = path.as_ref();
    unpack(open_packed(path)?).map_err(|error| cannot_read(&path.to_string_lossy())(error))
}

/// Opens `path`, or the standard input for `-`, without decompressing it; [`unpack`] does that.
///
/// # Errors
///
/// When it cannot be opened.
pub fn open_packed(path: impl AsRef<Path>) -> Result<Source, AnalysisError> {
    let path = path.as_ref();
    if path == Path::new("-") {
        return Ok(Box::new(io::stdin()));
    }
    let file = File::open(path).map_err(|error| AnalysisError::Open {
        path: path.to_string_lossy().into_owned(),
        error,
    })?;
    Ok(Box::new(file))
}

/// Decompresses a source if its first bytes are of a zstd, gzip or bzip2 file.
///
/// # Errors
///
/// When its first bytes cannot be read.
pub fn unpack(mut source: Source) -> io::Result<Source> {
    let head = head(&mut source, 4)?;
    let kind = <[u8; 4]>::try_from(&head[..]).unwrap_or_default();
    let whole = Cursor::new(head).chain(source);
    Ok(match kind {
        [0x28, 0xb5, 0x2f, 0xfd] | [0x50..=0x5f, 0x2a, 0x4d, 0x18] => zstandard(whole)?,
        [0x1f, 0x8b, ..] => Box::new(flate2::read::MultiGzDecoder::new(BufReader::new(whole))),
        [b'B', b'Z', b'h', _] => Box::new(bzip2::read::MultiBzDecoder::new(whole)),
        _ => Box::new(whole),
    })
}

#[cfg(not(target_family = "wasm"))]
fn zstandard(packed: impl Read + Send + 'static) -> io::Result<Source> {
    Ok(Box::new(zstd::Decoder::new(packed)?))
}

#[cfg(target_family = "wasm")]
fn zstandard(packed: impl Read + Send + 'static) -> io::Result<Source> {
    Ok(Box::new(crate::zstd_frames::Frames::new(packed)))
}

/// Replaces each folder among `paths` by its files whose names end in `.pgn` (`.pgn.zst`, `.pgn.gz`, `.pgn.bz2`), in
/// the order of their names.
///
/// # Errors
///
/// When a folder cannot be read, or has no such file.
pub fn files(paths: &[String]) -> Result<Vec<String>, AnalysisError> {
    let mut all = Vec::new();
    for path in paths {
        if path == "-" || !Path::new(path).is_dir() {
            all.push(path.clone());
            continue;
        }
        let entries = fs::read_dir(path).and_then(Iterator::collect::<io::Result<Vec<_>>>);
        let entries = entries.map_err(cannot_read(path))?.into_iter();
        let entries = entries.map(|entry| entry.path().into_os_string());
        let name = |name: OsString| {
            // Opening a pipe could wait for ever. A pipe that is meant is given by its own name.
            if fs::metadata(&name).is_ok_and(|data| !data.is_file()) {
                let text = format!("{} is not a regular file", name.display());
                return Err(io::Error::other(text));
            }
            // The results name the files, and are UTF-8.
            let error = |name: OsString| io::Error::other(not_utf8(&name));
            name.into_string().map_err(error)
        };
        let is_game =
            |name: &OsString| is_pgn(&name.to_string_lossy()) && !Path::new(name).is_dir();
        let games = entries.filter(is_game);
        let mut games = games
            .map(name)
            .collect::<io::Result<Vec<String>>>()
            .map_err(cannot_read(path))?;
        if games.is_empty() {
            let error = io::Error::new(io::ErrorKind::NotFound, "there is no .pgn file in it");
            return Err(cannot_read(path)(error));
        }
        games.sort_unstable();
        all.append(&mut games);
    }
    Ok(all)
}

fn is_pgn(name: &str) -> bool {
    let ends_in = |path: &Path, endings: &[&str]| {
        let ending = path.extension().and_then(|ending| ending.to_str());
        ending.is_some_and(|own| endings.iter().any(|end| own.eq_ignore_ascii_case(end)))
    };
    let path = Path::new(name);
    let plain = if ends_in(path, &["zst", "gz", "bz2"]) {
        path.with_extension("")
    } else {
        path.to_owned()
    };
    ends_in(&plain, &["pgn"])
}

/// The first bytes of a source, up to `limit`.
///
/// # Errors
///
/// When it cannot be read.
pub fn head(source: &mut impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    source.take(limit).read_to_end(&mut head)?;
    Ok(head)
}

/// The error of a file that cannot be read.
pub(crate) fn cannot_read(path: &str) -> impl Fn(io::Error) -> AnalysisError + use<'_> {
    |error| {
        // The name of a file that is no text may tell its format.
        let foreign = error
            .get_ref()
            .and_then(|error| error.downcast_ref::<Foreign>());
        let named = foreign.map(|foreign| io::Error::new(error.kind(), foreign.or_named(path)));
        AnalysisError::Read {
            path: path.to_owned(),
            error: named.unwrap_or(error),
        }
    }
}

/// The same source, if it does not begin with a position.
///
/// # Errors
///
/// When the source cannot be read, or has positions.
pub(crate) fn refuse_positions(path: &str, mut source: Source) -> Result<Source, AnalysisError> {
    let head = first_line(&mut source).map_err(cannot_read(path))?;
    if looks_like_epd(&head) {
        let path = path.to_owned();
        return Err(AnalysisError::Positions { path });
    }
    Ok(Box::new(Cursor::new(head).chain(source)))
}

/// The first line of a source that is neither blank nor a comment, and what comes with it, up to [`SNIFFED`] bytes. A
/// pipe is not asked for more, because its writer may wait until the first game has been analysed.
fn first_line(source: &mut Source) -> io::Result<Vec<u8>> {
    let has_line = |head: &[u8]| {
        let mut lines: Vec<_> = head.split(|byte| b"\r\n".contains(byte)).collect();
        // The last line may still grow.
        lines.pop();
        let mut lines = lines.iter().map(|line| line.trim_ascii());
        lines.any(|line| !matches!(line, [] | [b'#' | b'%' | b';', ..]))
    };
    let mut head = Vec::new();
    while head.len() < SNIFFED as usize && !has_line(&head) {
        let mut bytes = [0; SNIFFED as usize];
        let room = SNIFFED as usize - head.len();
        match source.read(&mut bytes[..room]) {
            Ok(0) => break,
            Ok(count) => head.extend_from_slice(&bytes[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(head)
}

/// Checks game files before anything is analysed: that each can be opened, and that one of them
/// has a game with moves. The standard input and pipes can only be checked while they are read.
///
/// # Errors
///
/// When a file cannot be read or has positions, or no file has a game.
pub fn check_games(paths: &[String]) -> Result<(), AnalysisError> {
    let mut problem = String::new();
    let mut any = false;
    for path in paths {
        if !is_regular(path) {
            any = true;
            continue;
        }
        // Look at the beginning of all files, but read no further than the first game.
        let mut games = Games::new(refuse_positions(path, open(path)?)?);
        while !any {
            match games.next_placed() {
                Ok(None) => break,
                Ok(Some(placed)) => any = placed.game.mainline().next().is_some(),
                Err(ReadError::Io(error)) => return Err(cannot_read(path)(error)),
                Err(bad) if problem.is_empty() => {
                    // The name of an only file stands before.
                    problem = match paths {
                        [_] => format!(": {bad}"),
                        _ => format!("; {path}: {bad}"),
                    };
                }
                Err(_) => {}
            }
        }
    }
    if any {
        return Ok(());
    }
    let paths = paths.join(", ");
    Err(AnalysisError::NoGame { paths, problem })
}

/// What [`survey`] finds, without checking the moves of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Survey {
    /// Selected games.
    pub games: u64,
    /// Whether a game of any file has the player.
    pub has_player: bool,
}

/// Counts the selected games of files and looks for a player. `None` if one of the files can be
/// read only once.
///
/// # Errors
///
/// When a file cannot be read.
pub fn survey(
    paths: &[String],
    selection: Selection,
    player: Option<&Player>,
) -> Result<Option<Survey>, AnalysisError> {
    if !paths.iter().all(|path| is_regular(path)) {
        return Ok(None);
    }
    let mut games = 0;
    let mut number = 0;
    let mut has_player = PlayerSearch(player, false);
    for path in paths {
        let mut reader = Reader::new(open(path)?);
        while reader
            .read_game(&mut has_player)
            .map_err(cannot_read(path))?
            .is_some()
        {
            number += 1;
            games += u64::from(selection.has(number));
        }
    }
    Ok(Some(Survey {
        games,
        has_player: has_player.1,
    }))
}

/// Looks for a player among the tags, and remembers whether one was found.
struct PlayerSearch<'a>(Option<&'a Player>, bool);

impl Visitor for PlayerSearch<'_> {
    type Output = ();

    fn tag(&mut self, name: &[u8], value: TagValue<'_>) -> ControlFlow<()> {
        if let (b"White" | b"Black", Some(player)) = (name, self.0) {
            self.1 |= player.is(&value.decode());
        }
        ControlFlow::Continue(())
    }

    fn end_tags(&mut self) -> ControlFlow<()> {
        ControlFlow::Break(())
    }

    fn end_game(&mut self) {}
}

/// Whether this is a file, and not the standard input or a pipe. True for a missing file, so that
/// opening it reports the error.
fn is_regular(path: &str) -> bool {
    path != "-" && fs::metadata(path).map_or(true, |data| data.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_comment_do_not_hide_games() {
        assert!(looks_like_pgn(b"; from a club\n% 2025\n\n[Event \"?\"]\n"));
        assert!(!looks_like_pgn(b"; mates\n8/8/8/8/8/5k2/7q/5K2 w - -\n"));
        assert!(!looks_like_pgn(b"; only this"));
    }

    /// A file that is no text is named by its bytes, or else by the ending of its name.
    #[test]
    fn files_of_other_formats_are_named() {
        let error = |bytes: &'static [u8], name: &str| {
            let read = Games::new(bytes).next_placed();
            let Err(ReadError::Io(error)) = read else {
                panic!("{bytes:?} is no text");
            };
            cannot_read(name)(error).to_string()
        };
        let zip = error(b"PK\x03\x04", "games.pgn");
        assert_eq!(
            zip,
            "cannot read games.pgn: it is a ZIP archive; unzip it, and give the .pgn file in it"
        );
        let index = error(&[0; 200], "base.si5");
        assert!(index.contains("Scid"), "{index}");
        let archive = error(&[1; 200], "games.cbv");
        assert!(archive.contains("ChessBase archive"), "{archive}");
    }

    /// A file that is cut, as by a download that was interrupted, damaged, or followed by other bytes, is an error, and no
    /// shorter list of games.
    #[test]
    fn damaged_archives_are_errors() {
        use std::io::Write as _;

        let games: Vec<String> = (1..40)
            .map(|number| format!("[Round \"{number}\"]\n\n1. e4 *\n\n"))
            .collect();
        let games = games.concat();
        let text = games.as_bytes();
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        gzip.write_all(text).unwrap();
        let mut bzip = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::default());
        bzip.write_all(text).unwrap();
        let mut zstd = zstd::Encoder::new(Vec::new(), 1).unwrap();
        zstd.include_checksum(true).unwrap();
        zstd.write_all(text).unwrap();
        let read = |bytes: &[u8]| {
            let mut found = Vec::new();
            let mut source = unpack(Box::new(Cursor::new(bytes.to_owned())))?;
            source.read_to_end(&mut found).map(|_| found)
        };
        for (kind, packed) in [
            ("gzip", gzip.finish().unwrap()),
            ("bzip2", bzip.finish().unwrap()),
            ("zstd", zstd.finish().unwrap()),
        ] {
            let twice = packed.repeat(2);
            assert_eq!(read(&packed).unwrap(), text, "{kind}");
            assert_eq!(read(&twice).unwrap(), text.repeat(2), "{kind}");
            // A shorter file has no beginning by which it could be recognized.
            for cut in 4..packed.len() {
                assert!(read(&packed[..cut]).is_err(), "{kind}: {cut} bytes");
                assert!(
                    read(&twice[..packed.len() + cut]).is_err(),
                    "{kind}: {cut} bytes of two"
                );
            }
            for more in [&b"x"[..], b"1. e4 *\n", &[0xff; 100]] {
                let longer = [&packed[..], more].concat();
                assert!(read(&longer).is_err(), "{kind}, then {more:?}");
            }
            for bit in 0..8 * packed.len() {
                let mut damaged = packed.clone();
                damaged[bit / 8] ^= 1 << (bit % 8);
                // Without the right beginning it is no archive, and is read as it is.
                let found = read(&damaged).ok();
                let is_right =
                    found.is_none_or(|found| found == text || bit < 32 && found == damaged);
                assert!(is_right, "{kind}: bit {bit}");
            }
        }
    }
}
