//! Recognizes files that are no text, by their first bytes or their names.

use std::fmt;

/// A file format that people mistake for PGN or keep PGN in. Such a file must be converted first.
///
/// The readers look at the first bytes of a source. If they are of such a file, the readers return an
/// [`io::Error`](std::io::Error) of the kind [`InvalidData`](std::io::ErrorKind::InvalidData), whose inner error is a
/// `Foreign`.
///
/// ```
/// use skewer_pgn::{Foreign, Games};
///
/// let error = Games::new(&b"PK\x03\x04..."[..]).next().unwrap().unwrap_err();
/// assert_eq!(error.to_string(), "cannot read: it is a ZIP archive; unzip it, and give the .pgn file in it");
/// assert!(Foreign::of_name("games.cbv").unwrap().to_string().contains("ChessBase"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Foreign {
    what: &'static str,
    remedy: &'static str,
}

/// How many of the first bytes are looked at.
pub(crate) const HEAD: usize = 512;

const UNZIP: &str = "unzip it, and give the .pgn file in it";
const UNPACK: &str = "unpack it, and give the .pgn file in it";
const CHESSBASE: &str = "export its games as PGN in ChessBase";
const SCID: &str = "export its games as PGN in Scid";
const SAVE: &str = "save the games as plain text";
const SAVE_PGN: &str = "save the games themselves as PGN";

const fn foreign(what: &'static str, remedy: &'static str) -> Foreign {
    Foreign { what, remedy }
}

/// The first bytes of formats.
#[rustfmt::skip]
const BEGINNINGS: &[(&[u8], Foreign)] = &[
    (b"PK\x03\x04", ZIP),
    (b"PK\x05\x06", foreign("an empty ZIP archive", UNZIP)),
    (b"PK\x07\x08", foreign("a part of a ZIP archive", UNZIP)),
    (b"7z\xbc\xaf\x27\x1c", foreign("a 7-Zip archive", UNPACK)),
    (b"Rar!\x1a\x07", foreign("a RAR archive", UNPACK)),
    (b"\xfd7zXZ\0", foreign("a file compressed by xz", UNPACK)),
    (b"\x1f\x8b", foreign("a file compressed by gzip", UNPACK)),
    (b"BZh", foreign("a file compressed by bzip2", UNPACK)),
    (b"\x28\xb5\x2f\xfd", foreign("a file compressed by zstd", UNPACK)),
    (b"\x04\x22\x4d\x18", foreign("a file compressed by LZ4", UNPACK)),
    (b"\x1f\x9d", foreign("a file compressed by compress", UNPACK)),
    (b"LZIP", foreign("a file compressed by lzip", UNPACK)),
    (b"Scid.si", foreign("the index of a Scid database", SCID)),
    (b"SQLite format 3\0", foreign("an SQLite database", "export its games as PGN in the program that made it")),
    (b"\0\0\x24\0\x2e\x01", foreign("a ChessBase database", CHESSBASE)),
    (b"\0\0\x2c\0\x2e\x01", foreign("a ChessBase database", CHESSBASE)),
    (b"%PDF-", foreign("a PDF document", SAVE)),
    (b"{\\rtf", foreign("an RTF document", SAVE)),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", OLD_OFFICE),
    (b"\x89PNG", foreign("a picture", SAVE)),
    (b"\xff\xd8\xff", foreign("a picture", SAVE)),
    (b"GIF8", foreign("a picture", SAVE)),
    (b"MSCF", foreign("a CAB archive", UNPACK)),
    (b"\x60\xea", foreign("an ARJ archive", UNPACK)),
    (b"RIFF", foreign("a sound, a picture or a video", SAVE)),
    (b"\x7fELF", foreign("a program", "give a file of PGN, EPD or FEN")),
    (b"\0\0\xfe\xff", foreign("text in UTF-32", "save it in UTF-8")),
    (b"\xff\xfe\0\0", foreign("text in UTF-32", "save it in UTF-8")),
];

/// The endings of names. A file with such a name may still be text.
#[rustfmt::skip]
const ENDINGS: &[(&[&str], Foreign)] = &[
    (&["cbv", "cbz"], foreign("a ChessBase archive", CHESSBASE)),
    (&["cbh", "cbg", "cba", "cbp", "cbt", "cbc", "cbs", "cbe", "cbj", "cbl", "cbm", "cbb", "2cbh", "cbone", "cbf", "cbi"],
     foreign("a part of a ChessBase database", CHESSBASE)),
    (&["ctg", "cto", "ctb"], foreign("a ChessBase opening book", "books have no games")),
    (&["si3", "sg3", "sn3", "si4", "sg4", "sn4", "si5", "sg5", "sn5", "scid"],
     foreign("a part of a Scid database", SCID)),
    (&["db3", "sqlite"], foreign("an SQLite database", "export its games as PGN in the program that made it")),
    (&["zip"], foreign("a ZIP archive", UNZIP)),
    (&["7z"], foreign("a 7-Zip archive", UNPACK)),
    (&["rar"], foreign("a RAR archive", UNPACK)),
    (&["bin", "abk"], foreign("an opening book", "books have no games")),
    (&["docx", "doc"], foreign("a Word document", SAVE)),
    (&["xlsx", "xls"], foreign("an Excel workbook", SAVE)),
    (&["pptx", "ppt"], foreign("a PowerPoint document", SAVE)),
];

const ZIP: Foreign = foreign("a ZIP archive", UNZIP);
const OFFICE: Foreign = foreign("a document of Microsoft Office", SAVE);
const OLD_OFFICE: Foreign = foreign("a document of an old Microsoft Office", SAVE);

/// How ZIP archives that are files of another format are recognized: by the name of the first member and, where the
/// name is not enough, by its text.
#[rustfmt::skip]
const MEMBERS: &[(&str, &str, Foreign)] = &[
    ("[Content_Types].xml", "", OFFICE),
    ("_rels/", "", OFFICE),
    ("docProps/", "", OFFICE),
    ("word/", "", foreign("a Word document", SAVE)),
    ("xl/", "", foreign("an Excel workbook", SAVE)),
    ("ppt/", "", foreign("a PowerPoint document", SAVE)),
    ("mimetype", "application/vnd.oasis.opendocument.text", foreign("an OpenDocument text", SAVE)),
    ("mimetype", "application/vnd.oasis.opendocument.spreadsheet", foreign("an OpenDocument spreadsheet", SAVE)),
    ("mimetype", "application/vnd.oasis.opendocument", foreign("an OpenDocument file", SAVE)),
    ("mimetype", "application/epub+zip", foreign("a book in EPUB", SAVE)),
    ("META-INF/", "", foreign("a Java archive", "give a file of PGN, EPD or FEN")),
    ("AndroidManifest.xml", "", foreign("an Android app", "give a file of PGN, EPD or FEN")),
];

const BINARY: Foreign = foreign("a binary file", "give a file of PGN, EPD or FEN");

impl Foreign {
    /// The format of a file that begins with these bytes, at best 512; `None` if it may be text.
    pub fn of(head: &[u8]) -> Option<Self> {
        let head = &head[..head.len().min(HEAD)];
        let known = BEGINNINGS.iter().find(|(start, _)| head.starts_with(start));
        if let Some(&(_, format)) = known {
            return Some(if format == ZIP { in_zip(head) } else { format });
        }
        if head.get(257..262) == Some(b"ustar") {
            return Some(foreign("a tar archive", UNPACK));
        }
        let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
        let text = text.trim_ascii_start();
        let begins = |word: &str| {
            let start = text.get(..word.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
        };
        if ["<!doctype", "<html", "<head", "<?xml", "<svg"]
            .into_iter()
            .any(begins)
        {
            return Some(foreign("a web page", SAVE_PGN));
        }
        if is_json(text) {
            return Some(foreign("JSON", SAVE_PGN));
        }
        is_binary(head).then_some(BINARY)
    }

    /// The format that the ending of a name stands for, if files with this ending are usually not
    /// text.
    pub fn of_name(name: &str) -> Option<Self> {
        let (_, ending) = name.rsplit_once('.')?;
        let mut known = ENDINGS.iter();
        let known = known.find(|(endings, _)| {
            endings
                .iter()
                .any(|known| ending.eq_ignore_ascii_case(known))
        });
        known.map(|&(_, format)| format)
    }

    /// This format, or the format of the name if that is more precise: for a binary file, or for a document of
    /// Microsoft Office.
    #[must_use]
    pub fn or_named(self, name: &str) -> Self {
        if self == BINARY || self == OFFICE || self == OLD_OFFICE {
            Self::of_name(name).unwrap_or(self)
        } else {
            self
        }
    }
}

/// The format of a ZIP archive, by its first member.
fn in_zip(head: &[u8]) -> Foreign {
    let number = |at: usize| {
        let bytes = head.get(at..at + 2);
        bytes.map_or(0, |bytes| {
            usize::from(u16::from_le_bytes([bytes[0], bytes[1]]))
        })
    };
    let (name_length, extra) = (number(26), number(28));
    let rest = head.get(30..).unwrap_or_default();
    let (name, text) = rest.split_at(name_length.min(rest.len()));
    let text = text.get(extra..).unwrap_or_default();
    let mut known = MEMBERS.iter();
    let known = known.find(|(start, mime, _)| {
        name.starts_with(start.as_bytes()) && text.starts_with(mime.as_bytes())
    });
    known.map_or(ZIP, |&(_, _, format)| format)
}

/// Whether a text begins like JSON: with an object that has a name in quotes, or a list of such objects.
fn is_json(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"[").unwrap_or(text).trim_ascii_start();
    let Some(rest) = text.strip_prefix(b"{") else {
        return false;
    };
    let Some(name) = rest.trim_ascii_start().strip_prefix(b"\"") else {
        return false;
    };
    let length = name
        .iter()
        .position(|&byte| matches!(byte, b'"' | b'\n' | b'}'));
    length.is_some_and(|length| {
        name[length] == b'"' && name[length + 1..].trim_ascii_start().starts_with(b":")
    })
}

/// Whether these first bytes are unlikely to be text: more than an eighth are control characters,
/// or more than one in 32 are and the other bytes are not UTF-8.
fn is_binary(head: &[u8]) -> bool {
    let is_control = |byte: &&u8| matches!(byte, 0..=8 | 0x0e..=0x19 | 0x1b..=0x1f | 0x7f);
    let controls = head.iter().filter(is_control).count();
    if controls * 8 > head.len() {
        return true;
    }
    // The last character may be cut.
    let is_text =
        std::str::from_utf8(head).map_or_else(|error| error.error_len().is_none(), |_| true);
    !is_text && controls * 32 > head.len()
}

impl fmt::Display for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "it is {}; {}", self.what, self.remedy)
    }
}

impl std::error::Error for Foreign {}

#[cfg(test)]
mod tests {
    use super::*;

    /// Text of any encoding is no binary file, even with a stray control character.
    #[test]
    fn text_is_text() {
        for text in [
            &b"[Event \"x\"]\n\n1. e4 {\x01} *\n"[..],
            b"[White \"M\xfcller\"]\n\n1. e4 *\n\x1a",
            b"",
            b"1. e4 *",
            "1. ♘f3 *".as_bytes(),
        ] {
            assert_eq!(Foreign::of(text), None, "{text:?}");
        }
    }

    #[test]
    fn formats_by_bytes_and_names() {
        let mut state = 1_u32;
        let noise: Vec<u8> = std::iter::repeat_with(|| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        })
        .take(512)
        .collect();
        let noise = Foreign::of(&noise).unwrap();
        assert_eq!(
            noise.to_string(),
            "it is a binary file; give a file of PGN, EPD or FEN"
        );
        assert!(
            noise
                .or_named("a.si5")
                .to_string()
                .starts_with("it is a part of a Scid")
        );
        assert!(
            noise
                .or_named("A.CBV")
                .to_string()
                .starts_with("it is a ChessBase archive")
        );
        assert_eq!(noise.or_named("a.pgn"), noise);
        let mut tar = [b'x'; 512];
        tar[257..262].copy_from_slice(b"ustar");
        assert!(Foreign::of(&tar).unwrap().to_string().contains("tar"));
        assert!(
            Foreign::of(b"\n<!DOCTYPE html>")
                .unwrap()
                .to_string()
                .contains("web page")
        );
    }
}
