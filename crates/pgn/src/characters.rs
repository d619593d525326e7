//! Characters outside ASCII: how bytes become characters, and what a character means among the
//! moves.

use crate::Nag;
use crate::params::LONGEST_MOVE;

/// What a character outside ASCII means among the moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Meaning {
    /// A blank or line end of Unicode.
    Blank,
    /// A character that has no width or is not shown. It is ignored, also within a word.
    Invisible,
    /// The dots after a move number.
    Dots,
    /// `½`, in a result.
    Half,
    /// An annotation glyph such as `±`.
    Glyph(Nag),
    /// Another form of this ASCII character: a figurine, a dash, a letter that looks the same.
    Same(u8),
    /// A character that no game has.
    Unknown,
}

/// The characters of Windows-1252 from 0x80 to 0x9f. All other bytes are as in Latin-1. The five
/// bytes that Windows-1252 does not define stay control characters.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// The character of a byte that is not part of UTF-8.
pub(crate) fn windows_1252(byte: u8) -> char {
    match byte {
        0x80..=0x9f => WINDOWS_1252[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

/// The first character and its length in bytes: UTF-8 if the bytes are valid, else Windows-1252.
/// `None` without bytes.
pub(crate) fn first_char(bytes: &[u8]) -> Option<(char, usize)> {
    let &first = bytes.first()?;
    let length = match first {
        0..=0x7f => return Some((char::from(first), 1)),
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => 1,
    };
    let valid = bytes
        .get(..length)
        .and_then(|bytes| std::str::from_utf8(bytes).ok());
    match valid.and_then(|text| text.chars().next()) {
        Some(c) => Some((c, length)),
        None => Some((windows_1252(first), 1)),
    }
}

/// The meaning of a character outside ASCII.
#[allow(
    clippy::match_same_arms,
    reason = "characters are grouped by what they are"
)]
pub(crate) fn meaning(c: char) -> Meaning {
    use Meaning::{Blank, Dots, Glyph, Half, Invisible, Same, Unknown};
    match c {
        '\u{85}'
        | '\u{a0}'
        | '\u{1680}'
        | '\u{2000}'..='\u{200a}'
        | '\u{2028}'
        | '\u{2029}'
        | '\u{202f}'
        | '\u{205f}'
        | '\u{2800}'
        | '\u{3000}'
        // Fillers of Korean text.
        | '\u{115f}'
        | '\u{1160}'
        | '\u{3164}'
        | '\u{ffa0}' => Blank,
        '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{17b4}'
        | '\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}'
        | '\u{fff0}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}' => Invisible,
        '…' | '‥' | '․' | '．' => Dots,
        '½' => Half,
        // Figurines: white, black and neutral.
        '♔' | '♚' | '\u{1fa00}' => Same(b'K'),
        '♕' | '♛' | '\u{1fa01}' => Same(b'Q'),
        '♖' | '♜' | '\u{1fa02}' => Same(b'R'),
        '♗' | '♝' | '\u{1fa03}' => Same(b'B'),
        '♘' | '♞' | '\u{1fa04}' => Same(b'N'),
        '♙' | '♟' | '\u{1fa05}' => Same(b'P'),
        _ if is_dash(c) => Same(b'-'),
        // Letters of other alphabets, zeros and circles that look like an O.
        'О' | 'Ο' | 'Օ' | 'Ⲟ' | 'ⵔ' | 'ዐ' | 'ଠ' | 'ഠ' | 'ဝ' | 'ჿ' | 'ꓳ' | '\u{1d0f}' | '𐐄' | '𐐬' | 'Ø' | 'ø' => {
            Same(b'O')
        }
        '०' | '০' | '੦' | '૦' | '୦' | '௦' | '౦' | '೦' | '൦' | '๐' | '໐' | '၀' | '\u{7c0}' | '⁰' | '₀' | '∅' => {
            Same(b'O')
        }
        '〇' | '◯' | '⚪' | '⚫' | '●' | '◦' | '⭕' | '⭘' | 'º' | '°' | '˚' => Same(b'O'),
        'о' | 'ο' | 'օ' | 'ⲟ' => Same(b'o'),
        // Letters that look like files and pieces. The Cyrillic К (a knight in Russian) and С (a
        // bishop) and the Greek Β (a queen in Greek) are left out, because they have two readings.
        'а' => Same(b'a'),
        'с' | 'ϲ' => Same(b'c'),
        'ԁ' => Same(b'd'),
        'е' => Same(b'e'),
        'ɡ' => Same(b'g'),
        'һ' => Same(b'h'),
        'Κ' | '\u{212a}' => Same(b'K'),
        'Ν' => Same(b'N'),
        'В' => Same(b'B'),
        'Ԛ' => Same(b'Q'),
        '×' | 'х' | 'Х' | 'χ' | 'Χ' | '✕' | '✖' | '⨯' => Same(b'x'),
        '∶' | '：' => Same(b':'),
        '⁄' | '∕' => Same(b'/'),
        '†' | '‡' => Same(b'+'),
        '∗' | '＊' | '⁎' | '✱' | '٭' => Same(b'*'),
        '≠' | '♯' => Same(b'#'),
        '！' | '❗' | 'ǃ' => Glyph(Nag::GOOD),
        '？' | '❓' => Glyph(Nag::MISTAKE),
        '‼' => Glyph(Nag::BRILLIANT),
        '⁇' => Glyph(Nag::BLUNDER),
        '⁉' => Glyph(Nag::INTERESTING),
        '⁈' => Glyph(Nag::DUBIOUS),
        // The forms of ASCII characters in East Asian text.
        '０'..='９' | 'Ａ'..='Ｚ' | 'ａ'..='ｚ' | '＋' | '＝' | '＃' | '／' | '＠' => {
            Same((c as u32 - 0xfee0) as u8)
        }
        // Letters and digits of mathematics, which are used as other fonts.
        '\u{1d400}'..='\u{1d6a3}' => {
            let letter = (c as u32 - 0x1d400) % 52;
            Same(if letter < 26 { b'A' + letter as u8 } else { b'a' + letter as u8 - 26 })
        }
        '\u{1d7ce}'..='\u{1d7ff}' => Same(b'0' + ((c as u32 - 0x1d7ce) % 10) as u8),
        _ => glyph(c).map_or(Unknown, |number| Glyph(Nag(number))),
    }
}

/// Whether a character is a hyphen or a dash (the Unicode category Pd), a sign of subtraction, or looks like one.
fn is_dash(c: char) -> bool {
    matches!(
        c,
        '\u{58a}' | '\u{5be}' | '\u{1400}' | '\u{1806}' | '\u{2010}'
            ..='\u{2015}'
                | '\u{2e17}'
                | '\u{2e1a}'
                | '\u{2e3a}'
                | '\u{2e3b}'
                | '\u{2e40}'
                | '\u{2e5d}'
                | '\u{301c}'
                | '\u{3030}'
                | '\u{30a0}'
                | '\u{fe31}'
                | '\u{fe32}'
                | '\u{fe58}'
                | '\u{fe63}'
                | '\u{ff0d}'
                | '\u{10d6e}'
                | '\u{10ead}'
                | '\u{2d7}'
                | '\u{2043}'
                | '\u{207b}'
                | '\u{208b}'
                | '\u{2212}'
                | '\u{23af}'
                | '\u{2796}'
                | '\u{30fc}'
                | '\u{ff70}'
                | '\u{3161}'
                | '\u{4e00}'
                | '¯'
                | '\u{2500}'
                | '\u{2501}'
    )
}

/// The number of a glyph that is one character.
fn glyph(c: char) -> Option<u8> {
    Some(match c {
        '□' | '☐' | '◻' | '▢' | '⬜' => 7,
        '∞' => 13,
        '⩲' => 14,
        '⩱' => 15,
        '±' => 16,
        '∓' => 17,
        '⨀' | '⊙' => 22,
        '○' => 26,
        '⟳' | '↻' => 32,
        '↑' => 36,
        '→' => 40,
        '⯹' => 44,
        '⇆' | '⇄' => 132,
        '⨁' | '⊕' => 138,
        'Δ' | '∆' | '△' => 140,
        '∇' | '▽' => 141,
        '⌓' => 142,
        // The signs of the Chess Informant.
        '⇔' => 239,
        '⇗' => 240,
        '⊞' => 241,
        '⟫' => 242,
        '⟪' => 243,
        '⊥' | '⟂' => 245,
        '⧉' => 246,
        '⯺' => 249,
        '⯻' => 250,
        '⯼' => 251,
        '⯽' => 252,
        '∟' => 254,
        '⯾' => 255,
        _ => return None,
    })
}

/// The length of a blank or an invisible character outside ASCII at the front; 0 if there is none.
pub(crate) fn foreign_blank(ahead: &[u8]) -> usize {
    match first_char(ahead) {
        Some((c, length))
            if !c.is_ascii() && matches!(meaning(c), Meaning::Blank | Meaning::Invisible) =>
        {
            length
        }
        _ => 0,
    }
}

/// The text without the blanks at its front, Unicode blanks included.
pub(crate) fn trim_start(mut text: &[u8]) -> &[u8] {
    loop {
        text = text.trim_ascii_start();
        match foreign_blank(text) {
            0 => return text,
            length => text = &text[length..],
        }
    }
}

/// A word in ASCII, and where each of its bytes begins in the bytes that it was made from.
pub(crate) struct Plain {
    bytes: [u8; LONGEST_MOVE],
    starts: [u8; LONGEST_MOVE],
    length: usize,
}

impl Plain {
    /// The word with every character replaced by the ASCII character that it stands for, without blanks and brackets
    /// (which only castling and promotions have) and without invisible characters. `None` if a character stands for no
    /// ASCII character, or if the word is too long.
    pub(crate) fn of(word: &[u8]) -> Option<Self> {
        let mut plain = Self {
            bytes: [0; LONGEST_MOVE],
            starts: [0; LONGEST_MOVE],
            length: 0,
        };
        let mut at = 0;
        while let Some((c, length)) = first_char(&word[at..]) {
            let byte = match meaning(c) {
                Meaning::Invisible | Meaning::Blank if !c.is_ascii() => None,
                _ if c.is_ascii_whitespace() || matches!(c, '(' | ')' | '[' | ']') => None,
                Meaning::Same(b'-') if plain.is_castling() && plain.bytes().ends_with(b"-") => None,
                _ if c == '-' && plain.is_castling() && plain.bytes().ends_with(b"-") => None,
                _ if c.is_ascii() => Some(c as u8),
                Meaning::Same(byte) => Some(byte),
                _ if c == '○' => Some(b'O'),
                _ => return None,
            };
            let Some(byte) = byte else {
                at += length;
                continue;
            };
            *plain.bytes.get_mut(plain.length)? = byte;
            *plain.starts.get_mut(plain.length)? = u8::try_from(at).ok()?;
            plain.length += 1;
            at += length;
        }
        Some(plain)
    }

    /// Whether it begins as castling does.
    fn is_castling(&self) -> bool {
        matches!(self.bytes().first(), Some(b'0' | b'O' | b'o'))
    }

    /// The word.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// Where byte `index` began.
    pub(crate) fn start(&self, index: usize) -> usize {
        usize::from(self.starts[index])
    }
}

/// A FEN as people paste it, in ASCII: blanks of any kind become a single blank, dashes become `-`,
/// and invisible characters are left out.
pub(crate) fn plain_fen(fen: &str) -> std::borrow::Cow<'_, str> {
    if fen.is_ascii() {
        return fen.into();
    }
    let plain = fen.chars().filter_map(|c| match meaning(c) {
        _ if c.is_ascii() => Some(c),
        Meaning::Blank => Some(' '),
        Meaning::Invisible => None,
        Meaning::Same(b'-') => Some('-'),
        _ => Some(c),
    });
    plain.collect::<String>().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes that are not UTF-8 are characters of Windows-1252, one by one.
    #[test]
    fn characters_of_bytes() {
        assert_eq!(first_char("♘f3".as_bytes()), Some(('♘', 3)));
        assert_eq!(first_char(b"\x96O"), Some(('–', 1)));
        assert_eq!(first_char(b"\xa0"), Some(('\u{a0}', 1)));
        assert_eq!(first_char(b"\xe2\x99"), Some(('â', 1)));
        assert_eq!(first_char(b"\xf6"), Some(('ö', 1)));
        assert_eq!(first_char(b""), None);
    }

    /// A word with a character that stands for no ASCII character has no plain form, so that the
    /// character cannot be dropped.
    #[test]
    fn words_in_ascii() {
        let plain = |word: &str| Plain::of(word.as_bytes()).map(|plain| plain.bytes().to_vec());
        assert_eq!(plain("♘×f3†").unwrap(), b"Nxf3+");
        assert_eq!(plain("О–Ο―0").unwrap(), b"O-O-0");
        assert_eq!(plain("N\u{ad}f\u{feff}3").unwrap(), b"Nf3");
        assert_eq!(plain("e8=♛").unwrap(), b"e8=Q");
        assert_eq!(plain("Ｎｆ３").unwrap(), b"Nf3");
        assert_eq!(plain("Кf3"), None, "king or, in Russian, knight");
        assert_eq!(plain("¤f3"), None);
    }

    #[test]
    fn positions_as_people_paste_them() {
        let fen = "8/8/8/8/8/8/8/K6k\u{a0}w –\u{200b} — 0 1";
        assert_eq!(plain_fen(fen), "8/8/8/8/8/8/8/K6k w - - 0 1");
    }
}
