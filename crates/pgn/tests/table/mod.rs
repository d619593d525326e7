//! The table `data/cases.txt`: texts, and what a reader must make of each.

const TABLE: &str = include_str!("../data/cases.txt");

/// A text, and what must be read of it.
pub(crate) struct Case {
    /// The name of the case.
    pub(crate) name: &'static str,
    /// The text of a file.
    pub(crate) text: String,
    /// The games of the text.
    pub(crate) games: Vec<Expected>,
}

/// What must be read of a game.
pub(crate) struct Expected {
    /// The moves of the main line and, unless an error ends the game, the result.
    pub(crate) words: Vec<&'static str>,
    /// What an error says, if there is one.
    pub(crate) error: Option<&'static str>,
    /// Whether the error ends the game.
    pub(crate) is_cut: bool,
}

/// All cases of the table.
pub(crate) fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut lines = TABLE.lines().filter(|line| !line.starts_with('#'));
    while let Some(line) = lines.next() {
        if let Some(name) = line.strip_prefix("= ") {
            let text = unescaped(lines.next().expect("a text"));
            let games = Vec::new();
            cases.push(Case { name, text, games });
        } else if let Some(game) = line.strip_prefix("> ") {
            let (moves, error) = game.split_at(game.find(['!', '~']).unwrap_or(game.len()));
            let game = Expected {
                words: moves.split_whitespace().collect(),
                error: error.get(1..).map(str::trim),
                is_cut: error.starts_with('!'),
            };
            cases.last_mut().expect("a case").games.push(game);
        }
    }
    assert!(cases.len() >= 50 && cases.iter().all(|case| !case.games.is_empty()));
    cases
}

/// A text with its escapes as the characters that they stand for.
fn unescaped(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        plain.push_str(before);
        let length = match after.as_bytes()[0] {
            b'u' => after.find('}').expect("a closing brace") + 1,
            _ => 1,
        };
        plain.push(match &after[..length] {
            "n" => '\n',
            "r" => '\r',
            "t" => '\t',
            code => {
                let digits = code.trim_start_matches("u{").trim_end_matches('}');
                let code = u32::from_str_radix(digits, 16).expect("a number");
                char::from_u32(code).expect("a character")
            }
        });
        rest = &after[length..];
    }
    plain + rest
}
