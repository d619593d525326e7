//! Files compressed by zstd, read without the library in C, which has no build for WebAssembly.

use std::io::{self, Cursor, Read};

use ruzstd::decoding::{FrameDecoder, StreamingDecoder};

/// A frame with its magic number put back, which the decoder reads again.
type Packed<R> = io::Chain<Cursor<[u8; 4]>, R>;

/// Reads the contents of the frames of a file, one after another (RFC 8878, section 3). Skippable frames are skipped.
pub(crate) struct Frames<R: Read> {
    state: State<R>,
}

enum State<R: Read> {
    /// Before a frame or the end.
    Between(R),
    Frame(Box<StreamingDecoder<Packed<R>, FrameDecoder>>),
    /// After the end or an error.
    Ended,
}

impl<R: Read> Frames<R> {
    pub(crate) fn new(packed: R) -> Self {
        Self {
            state: State::Between(packed),
        }
    }

    /// The state at the next frame that is not skipped, or at the end.
    fn next(mut packed: R) -> io::Result<State<R>> {
        loop {
            let mut magic = [0; 4];
            let mut length = 0;
            while length < 4 {
                match packed.read(&mut magic[length..])? {
                    0 if length == 0 => return Ok(State::Ended),
                    0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                    read => length += read,
                }
            }
            if !matches!(magic, [0x50..=0x5f, 0x2a, 0x4d, 0x18]) {
                let decoder = StreamingDecoder::new(Cursor::new(magic).chain(packed));
                return Ok(State::Frame(Box::new(decoder.map_err(io::Error::other)?)));
            }
            let mut size = [0; 4];
            packed.read_exact(&mut size)?;
            let size = u64::from(u32::from_le_bytes(size));
            if io::copy(&mut packed.by_ref().take(size), &mut io::sink())? < size {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
    }
}

impl<R: Read> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match std::mem::replace(&mut self.state, State::Ended) {
                State::Between(packed) => self.state = Self::next(packed)?,
                State::Frame(mut decoder) => {
                    let read = decoder.read(buffer)?;
                    if read > 0 || buffer.is_empty() {
                        self.state = State::Frame(decoder);
                        return Ok(read);
                    }
                    let (_, packed) = decoder.into_inner().into_inner();
                    self.state = State::Between(packed);
                }
                State::Ended => return Ok(0),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unpacked(packed: &[u8]) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        Frames::new(packed).read_to_end(&mut text)?;
        Ok(text)
    }

    /// A frame that decoders have to skip.
    fn skipped(content: &[u8]) -> Vec<u8> {
        let length = (content.len() as u32).to_le_bytes();
        [&[0x5a, 0x2a, 0x4d, 0x18], &length[..], content].concat()
    }

    #[test]
    fn frames_follow_each_other_and_skippable_ones_are_skipped() {
        let text = "1. e4 e5 2. Nf3 Nc6 ".repeat(20_000).into_bytes();
        let frame = |level| zstd::encode_all(&text[..], level).unwrap();
        let file = [
            skipped(b"index"),
            frame(1),
            skipped(b""),
            frame(19),
            skipped(b"end"),
        ]
        .concat();
        assert_eq!(unpacked(&file).unwrap(), text.repeat(2));
        assert_eq!(unpacked(&[]).unwrap(), b"");
    }

    #[test]
    fn a_cut_or_damaged_file_is_an_error() {
        let text = "1. d4 d5 2. c4 e6 ".repeat(5_000).into_bytes();
        let file = [skipped(b"index"), zstd::encode_all(&text[..], 3).unwrap()].concat();
        for cut in 1..file.len() {
            // A file may end after a frame.
            if cut != skipped(b"index").len() {
                assert!(unpacked(&file[..cut]).is_err(), "{cut}");
            }
        }
        assert!(unpacked(b"\x28\xb5\x2f\xfdnot a frame").is_err());
        assert!(unpacked(b"1. e4 e5 *").is_err());
    }
}
