//! Reads games from a file, and checks each game: no damaged game is returned.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};

use skewer_movegen::{Board, Outcome};

use crate::layout::{self, END, MOVE_BYTES, START_BYTES};
use crate::{DataError, DataErrorKind, Game, Prefix, Provenance, ScoredMove};

/// The first bytes of a zstd frame. A plain file begins with the same bytes if the first game has exactly these
/// squares of the first four ranks occupied. That is one case in four thousand million, and random openings keep more
/// pieces at home.
pub(crate) const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// Bytes read from the file at a time.
pub(crate) const BUFFER: usize = 1 << 18;

/// What to make of a file that ends in the middle of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tail {
    /// Refuse it with [`DataErrorKind::Cut`].
    #[default]
    Refuse,
    /// Leave the torn game out, as after a run that was killed while it wrote. [`Reader::open`] refuses a
    /// file without a complete game all the same ([`DataErrorKind::NoCompleteGame`]).
    AcceptTorn,
}

/// Reads games one by one from a plain or zstd-packed file.
///
/// Each move is checked to be legal where it stands. The first fault ends the reading with an
/// error that names the file, the game and the byte; what was read before it is sound.
///
/// ```no_run
/// use skewer_gamedata::{Filter, Reader, Tail};
///
/// let filter = Filter::default();
/// let mut usable = 0;
/// for game in Reader::open("data/first-1.vf", Tail::Refuse)? {
///     usable += game?.positions().filter(|p| filter.accepts(p)).count();
/// }
/// # Ok::<(), skewer_gamedata::DataError>(())
/// ```
pub struct Reader {
    path: PathBuf,
    bytes: Box<dyn Read + Send>,
    tail: Tail,
    /// Games read, all of them whole.
    games: u64,
    /// Bytes of the games read.
    sound: u64,
    /// The CRC-32 of these bytes.
    checksum: crc32fast::Hasher,
    /// The bytes of the game being read.
    game: Vec<u8>,
    /// Checksums that the file must have, the longest first.
    expected: Vec<Prefix>,
    ended: bool,
    /// Whether the file ended in the middle of a game, which was left out.
    torn: bool,
    /// Whether the file must have a complete game.
    must_have_game: bool,
}

impl Reader {
    /// Opens a file; whether it is packed is seen from its first bytes.
    ///
    /// If the record beside a plain file has checksums, the games are compared with them as they
    /// are read.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened or read, or is empty, or the record beside it is damaged.
    pub fn open(path: impl AsRef<Path>, tail: Tail) -> Result<Self, DataError> {
        let path = path.as_ref();
        let fault = |error: io::Error| DataError::new(path, error);
        let file = File::open(path).map_err(fault)?;
        let data = file.metadata().map_err(fault)?;
        let kind = data.file_type();
        if kind.is_dir() || is_device(kind) {
            let error = io::Error::new(
                io::ErrorKind::InvalidInput,
                "it is neither a file nor a pipe",
            );
            return Err(fault(error));
        }
        // Files of the system, such as /proc/kmsg, have no length, and reading them may wait.
        let most = if kind.is_file() { data.len() } else { u64::MAX };
        let mut file = file.take(most);
        let head = head(&mut file).map_err(fault)?;
        if head.is_empty() {
            return Err(DataError::new(path, DataErrorKind::Empty));
        }
        let packed = head == ZSTD_MAGIC;
        // A pipe cannot be rewound.
        let bytes = Cursor::new(head).chain(file);
        let bytes: Box<dyn Read + Send> = if packed {
            let unpacked = zstd::Decoder::new(bytes).map_err(fault)?;
            Box::new(BufReader::with_capacity(BUFFER, unpacked))
        } else {
            Box::new(BufReader::with_capacity(BUFFER, bytes))
        };
        let mut reader = Self::from_bytes(path, bytes, tail);
        reader.must_have_game = true;
        if !packed {
            reader.expect(Provenance::load(path)?.checksums);
        }
        Ok(reader)
    }

    /// Compares the games with these checksums as they are read.
    pub(crate) fn expect(&mut self, mut checksums: Vec<Prefix>) {
        checksums.sort_by_key(|prefix| std::cmp::Reverse(prefix.bytes));
        self.expected = checksums;
    }

    /// Reads games from any source of bytes. Errors name it `path`.
    pub fn new(path: impl AsRef<Path>, bytes: impl BufRead + Send + 'static, tail: Tail) -> Self {
        Self::from_bytes(path.as_ref(), Box::new(bytes), tail)
    }

    fn from_bytes(path: &Path, bytes: Box<dyn Read + Send>, tail: Tail) -> Self {
        Self {
            path: path.to_owned(),
            bytes,
            tail,
            games: 0,
            sound: 0,
            checksum: crc32fast::Hasher::new(),
            game: Vec::new(),
            expected: Vec::new(),
            ended: false,
            torn: false,
            must_have_game: false,
        }
    }

    /// Whether the file ended in the middle of a game, which was left out. Only with [`Tail::AcceptTorn`], and once all
    /// games are read.
    pub fn has_torn_end(&self) -> bool {
        self.torn
    }

    /// Bytes (of the unpacked data) up to the end of the last whole game read.
    pub fn sound_bytes(&self) -> u64 {
        self.sound
    }

    /// The state of the checksum of the complete games read so far.
    pub(crate) fn checksum(&self) -> crc32fast::Hasher {
        self.checksum.clone()
    }

    /// The checksum of the complete games read so far.
    fn prefix(&self) -> Prefix {
        Prefix {
            bytes: self.sound,
            crc32: self.checksum.clone().finalize(),
        }
    }

    /// Reads the next game into `game`, whose memory is used again. `false` at the end of the
    /// file; `game` then holds nothing of use.
    ///
    /// # Errors
    ///
    /// [`DataError`] with file, game and byte at the first fault; after it, the reading is over.
    pub fn read_game(&mut self, game: &mut Game) -> Result<bool, DataError> {
        if self.ended {
            return Ok(false);
        }
        match self.try_read(game) {
            Ok(true) => {
                self.games += 1;
                self.sound += self.game.len() as u64;
                self.checksum.update(&self.game);
                self.compare()?;
                Ok(true)
            }
            Ok(false) => {
                self.ended = true;
                self.check_length()?;
                Ok(false)
            }
            Err(DataErrorKind::Cut) if self.tail == Tail::AcceptTorn => {
                self.ended = true;
                self.torn = true;
                if self.must_have_game && self.games == 0 {
                    return Err(DataError::new(&self.path, DataErrorKind::NoCompleteGame));
                }
                self.check_length()?;
                Ok(false)
            }
            Err(kind) => {
                self.ended = true;
                Err(DataError::at(&self.path, self.games + 1, self.sound, kind))
            }
        }
    }

    /// Compares the checksum of the bytes read so far with every recorded checksum that ends here or before.
    fn compare(&mut self) -> Result<(), DataError> {
        let now = self.prefix();
        while let Some(due) = self.expected.pop_if(|prefix| prefix.bytes <= now.bytes) {
            if due != now {
                self.ended = true;
                let kind = DataErrorKind::Checksum { bytes: due.bytes };
                return Err(DataError::new(&self.path, kind));
            }
        }
        Ok(())
    }

    /// Checks at the end of the file that no recorded checksum covers more bytes than the file has.
    fn check_length(&self) -> Result<(), DataError> {
        let Some(longest) = self.expected.first() else {
            return Ok(());
        };
        let kind = DataErrorKind::ShorterThanRecorded {
            expected: longest.bytes,
            found: self.sound,
        };
        Err(DataError::new(&self.path, kind))
    }

    /// Reads a game; `false` at the end of the file.
    fn try_read(&mut self, game: &mut Game) -> Result<bool, DataErrorKind> {
        self.game.clear();
        let mut start = [0; START_BYTES];
        match fill(&mut self.bytes, &mut start)? {
            0 => return Ok(false),
            START_BYTES => {}
            _ => return Err(DataErrorKind::Cut),
        }
        game.start = layout::unpack_start(&start).map_err(DataErrorKind::BadStart)?;
        game.result = Outcome::from_byte(start[30]).ok_or(DataErrorKind::BadResult(start[30]))?;
        game.moves.clear();
        let mut board = game.start;
        self.game.extend(start);
        loop {
            let mut bytes = [0; MOVE_BYTES];
            if fill(&mut self.bytes, &mut bytes)? < MOVE_BYTES {
                return Err(DataErrorKind::Cut);
            }
            self.game.extend(bytes);
            if bytes == END {
                return Ok(true);
            }
            let scored = read_move(&board, bytes).ok_or_else(|| DataErrorKind::IllegalMove {
                number: game.moves.len() + 1,
                bits: u16::from_le_bytes([bytes[0], bytes[1]]),
                position: board.to_string(),
            })?;
            board = board.play(scored.mv);
            game.moves.push(scored);
        }
    }
}

impl Iterator for Reader {
    type Item = Result<Game, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut game = Game::new(Board::STARTPOS);
        let read = self.read_game(&mut game);
        read.map(|found| found.then_some(game)).transpose()
    }
}

/// The move in these bytes, if it is legal on this board.
fn read_move(board: &Board, bytes: [u8; MOVE_BYTES]) -> Option<ScoredMove> {
    let mv = layout::unpack_move(u16::from_le_bytes([bytes[0], bytes[1]]))?;
    let score = i16::from_le_bytes([bytes[2], bytes[3]]);
    board.is_legal(mv).then_some(ScoredMove { mv, score })
}

/// Fills `buffer` until it is full or `bytes` ends, and returns the number of bytes read. A zstd file that ends in
/// the middle of a frame is cut.
fn fill(bytes: &mut impl Read, buffer: &mut [u8]) -> Result<usize, DataErrorKind> {
    let mut filled = 0;
    while filled < buffer.len() {
        match bytes.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                return Err(DataErrorKind::Cut);
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(filled)
}

/// The first bytes of a file. They are [`ZSTD_MAGIC`] if the file is packed.
pub(crate) fn head(file: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    file.by_ref()
        .take(ZSTD_MAGIC.len() as u64)
        .read_to_end(&mut head)?;
    Ok(head)
}

/// Whether reading may never end, as reading `/dev/zero`.
#[cfg(unix)]
fn is_device(kind: std::fs::FileType) -> bool {
    use std::os::unix::fs::FileTypeExt as _;

    kind.is_char_device() || kind.is_block_device()
}

#[cfg(not(unix))]
fn is_device(_kind: std::fs::FileType) -> bool {
    false
}
