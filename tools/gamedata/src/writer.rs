//! Writing games to a new file, or appending them to the file of an earlier run, which may have been
//! killed while writing.

use std::io::{self, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use skewer_store::{LockedFile, open_alone};

use crate::layout::{self, END};
use crate::{DataError, DataErrorKind, Filter, Game, Prefix, Provenance, Reader, Tail, reader};

/// Writes games to a plain file, one program at a time.
///
/// Each game is written by one call to the operating system, so a program that is killed loses no
/// complete game.
#[derive(Debug)]
pub struct Writer {
    path: PathBuf,
    /// Locked for as long as the writer lives.
    file: LockedFile,
    /// The bytes of the game being written.
    bytes: Vec<u8>,
    /// How many bytes the file has.
    length: u64,
    /// The checksum of these bytes.
    checksum: crc32fast::Hasher,
}

/// The content of a file when it was opened for appending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ExistingContent {
    /// Complete games.
    pub games: u64,
    /// Their moves.
    pub plies: u64,
    /// Their positions that the filter accepts.
    pub usable: u64,
    /// Games that White won, that were drawn, that Black won.
    pub results: [u64; 3],
    /// Bytes of an incomplete last game, which were removed.
    pub cut: u64,
}

impl Writer {
    /// Opens a file to append games, and creates it if it does not exist.
    ///
    /// The games in the file are read and counted. An incomplete last game, from a run that was killed
    /// while writing, is removed.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written, another program is writing to it, it is compressed, it has
    /// damage other than an incomplete last game, or it has no complete game and no record beside it. The
    /// file is then unchanged.
    pub fn append(
        path: impl AsRef<Path>,
        filter: &Filter,
    ) -> Result<(Self, ExistingContent), DataError> {
        let path = path.as_ref();
        let fault = |error: io::Error| DataError::new(path, error);
        let Some(mut file) = open_alone(path).map_err(fault)? else {
            return Err(DataError::new(path, DataErrorKind::InUse));
        };
        if reader::head(&mut *file).map_err(fault)? == reader::ZSTD_MAGIC {
            return Err(DataError::new(path, DataErrorKind::AppendToCompressed));
        }
        file.rewind().map_err(fault)?;
        let mut held = ExistingContent::default();
        // The handle that holds the lock: on some systems no other handle may read.
        let bytes = BufReader::with_capacity(reader::BUFFER, file.try_clone().map_err(fault)?);
        let mut games = Reader::new(path, bytes, Tail::AcceptTorn);
        let record = Provenance::load(path)?;
        let is_ours = record != Provenance::default();
        games.expect(record.checksums);
        for game in games.by_ref() {
            let game = game?;
            held.games += 1;
            held.plies += game.moves.len() as u64;
            held.results[2 - usize::from(game.result.to_byte())] += 1;
            held.usable += game.positions().filter(|p| filter.accepts(p)).count() as u64;
        }
        let length = file.metadata().map_err(fault)?.len();
        held.cut = length - games.sound_bytes();
        if held.cut > 0 {
            // Any short file looks like an incomplete game.
            if held.games == 0 && !is_ours {
                return Err(DataError::new(path, DataErrorKind::NoGame));
            }
            file.set_len(games.sound_bytes()).map_err(fault)?;
        }
        file.seek(SeekFrom::End(0)).map_err(fault)?;
        let writer = Self {
            path: path.to_owned(),
            file,
            bytes: Vec::new(),
            length: games.sound_bytes(),
            checksum: games.checksum(),
        };
        Ok((writer, held))
    }

    /// Writes a game. Its moves must be legal; readers refuse games with illegal moves.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub fn write(&mut self, game: &Game) -> Result<(), DataError> {
        self.bytes.clear();
        write_game(&mut self.bytes, game)
            .and_then(|()| self.file.write_all(&self.bytes))
            .map_err(|error| DataError::new(&self.path, error))?;
        self.length += self.bytes.len() as u64;
        self.checksum.update(&self.bytes);
        Ok(())
    }

    /// Writes all games to the disk, and returns the checksum of the file, for the record beside
    /// it ([`Provenance::checksums`]).
    ///
    /// # Errors
    ///
    /// If the system cannot write them to the disk.
    pub fn sync(&mut self) -> Result<Prefix, DataError> {
        self.file
            .sync_data()
            .map_err(|error| DataError::new(&self.path, error))?;
        Ok(Prefix {
            bytes: self.length,
            crc32: self.checksum.clone().finalize(),
        })
    }
}

/// Writes the bytes of one game anywhere.
///
/// # Errors
///
/// The errors of `out`.
///
/// ```
/// use skewer_gamedata::{Game, Reader, ScoredMove, Tail, write_game};
/// use skewer_movegen::Board;
///
/// let mut game = Game::new(Board::STARTPOS);
/// let mv = game.start.parse_uci("d2d4").unwrap();
/// game.moves.push(ScoredMove { mv, score: 30 });
/// let mut bytes = Vec::new();
/// write_game(&mut bytes, &game).unwrap();
/// assert_eq!(bytes.len(), 32 + 4 + 4);
///
/// let mut games = Reader::new("memory", std::io::Cursor::new(bytes), Tail::Refuse);
/// assert_eq!(games.next().unwrap().unwrap(), game);
/// assert!(games.next().is_none());
/// ```
pub fn write_game(out: &mut impl Write, game: &Game) -> io::Result<()> {
    out.write_all(&layout::pack_start(&game.start, game.result))?;
    for scored in &game.moves {
        out.write_all(&layout::pack_move(scored.mv).to_le_bytes())?;
        out.write_all(&scored.score.to_le_bytes())?;
    }
    out.write_all(&END)
}
