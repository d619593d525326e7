//! Input that is not clean text: encodings, line ends, very long lines, and the end of input.

use skewer::input::MAX_LINE_BYTES;

use crate::case::{Absent, Case, Eof, One, Remarks, Silent, Step, Wait, bytes, case, line};

/// Bytes that the engine does not answer.
fn raw(name: &'static str, sent: &[u8], remarks: Remarks) -> Case {
    case(name, vec![bytes(sent)], 0, remarks)
}

/// A line of this many times the same byte.
fn line_of(byte: u8, length: usize) -> Step {
    let mut line = vec![byte; length];
    line.push(b'\n');
    Step::Bytes(line)
}

/// `isready` in a line of this many bytes.
fn long_isready(length: usize) -> Step {
    let word = "isready";
    line(format!("{word}{}", " ".repeat(length - word.len())))
}

fn utf16(text: &str, encode: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(encode).collect()
}

pub(crate) fn cases() -> Vec<Case> {
    [ends(), breaks_and_blanks(), no_text(), long_lines()]
        .into_iter()
        .flatten()
        .collect()
}

fn ends() -> Vec<Case> {
    vec![
        case("end of input when idle", vec![Eof], 0, Silent),
        case(
            "end of input while searching",
            vec![line("go infinite"), Wait("info depth 2 "), Eof],
            1,
            Silent,
        ),
        case(
            "a last line without newline",
            vec![
                line("go depth 1"),
                Wait("bestmove "),
                bytes(b"isready"),
                Eof,
                Wait("readyok"),
            ],
            1,
            Silent,
        ),
    ]
}

fn breaks_and_blanks() -> Vec<Case> {
    vec![
        case(
            "CRLF",
            vec![
                bytes(b"uci\r\nisready\r\nposition startpos\r\ngo depth 2\r\n"),
                Wait("uciok"),
                Wait("readyok"),
                Wait("bestmove "),
            ],
            1,
            Silent,
        ),
        // A single line, because CR alone does not end one; it is not a valid position.
        case(
            "CR alone",
            vec![
                bytes(b"position startpos\rgo depth 2\r\n"),
                line("go depth 2"),
                Wait("bestmove (none)"),
            ],
            1,
            One("startpos go depth 2"),
        ),
        raw("blank lines", b"\n\n \n\t\n\r\n", Silent),
        // The answer shows that both lines were read: it is a move of Black that only `searchmoves`
        // makes likely.
        case(
            "tabs and runs of blanks",
            vec![
                bytes(
                    b"\t position \t startpos   moves\te2e4  \n  \
                      go\t\tdepth   2 \tsearchmoves\t h7h6 \n",
                ),
                Wait("bestmove h7h6"),
            ],
            1,
            Silent,
        ),
        case(
            "tabs between the fields of a FEN",
            vec![
                line("position\tfen\t4k3/8/8/8/8/8/8/4K2R\tw\tK\t-\t7\t9\tmoves\te1g1"),
                line("d"),
                Wait("Fen: 4k3/8/8/8/8/8/8/5RK1 b - - 8 9"),
            ],
            0,
            Silent,
        ),
    ]
}

fn no_text() -> Vec<Case> {
    vec![
        case(
            "NUL bytes",
            vec![bytes(b"isready\0\n"), Wait("readyok")],
            0,
            One("NUL"),
        ),
        raw("only NUL bytes", b"\0\0\0\n", One("NUL")),
        raw("invalid UTF-8", b"\xFF\xFE\xC0\n", One("unknown command")),
        case(
            "invalid UTF-8 in a FEN",
            vec![
                bytes(b"position fen 8/8/8/8/8/8/8/\xFFK w - -\ngo depth 2\n"),
                Wait("bestmove (none)"),
            ],
            1,
            One("position*FEN, piece placement"),
        ),
        raw(
            "invalid UTF-8 in free text",
            b"register \xFF\n",
            One("UTF-8"),
        ),
        // The replacement character itself is valid UTF-8.
        raw(
            "the replacement character",
            "register \u{FFFD}\n".as_bytes(),
            Silent,
        ),
        case(
            "byte-order mark",
            vec![bytes(b"\xEF\xBB\xBFuci\n"), Wait("uciok")],
            0,
            Silent,
        ),
        case(
            "byte-order mark before a later line",
            vec![bytes(b"uci\n\xEF\xBB\xBFisready\n"), Wait("uciok")],
            0,
            One("unknown command"),
        ),
        // The second byte of the line break becomes the first byte of the next line.
        case(
            "UTF-16",
            vec![
                Step::Bytes(utf16("\u{FEFF}uci\n", u16::to_le_bytes)),
                Absent("uciok"),
                line(""),
            ],
            0,
            crate::case::Each(&["unknown command", "NUL"]),
        ),
        raw(
            "UTF-16 of the other order",
            &utf16("uci\n", u16::to_be_bytes),
            One("unknown command"),
        ),
    ]
}

fn long_lines() -> Vec<Case> {
    vec![
        case(
            "a line of 1 MB",
            vec![line_of(b'x', 1_000_000)],
            0,
            One("unknown command \"xxx"),
        ),
        case(
            "a line of 20 MB",
            vec![line_of(b'x', 20_000_000)],
            0,
            One("a line of more than*bytes was skipped"),
        ),
        case(
            "a line of 1 MB of blanks",
            vec![line_of(b' ', 1_000_000)],
            0,
            Silent,
        ),
        case(
            "the longest line",
            vec![long_isready(MAX_LINE_BYTES), Wait("readyok")],
            0,
            Silent,
        ),
        case(
            "a line of one byte more",
            vec![long_isready(MAX_LINE_BYTES + 1), Absent("readyok")],
            0,
            One("a line of more than*bytes was skipped"),
        ),
        case(
            "a line too long, and the input ends in it",
            vec![Step::Bytes(vec![b'x'; 2 * MAX_LINE_BYTES]), Eof],
            0,
            One("a line of more than*bytes was skipped"),
        ),
    ]
}
