//! What a player types.

/// A line of the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Command<'a> {
    /// Anything that is no command: a move.
    Move(&'a str),
    /// Nothing.
    Empty,
    Undo,
    Hint,
    Eval,
    Board,
    Flip,
    Moves,
    /// A new game. The text names the side of the player, or is empty.
    New(&'a str),
    Level(&'a str),
    /// The FEN of a position to begin a game from; empty to print the present position.
    Fen(&'a str),
    Load(&'a str),
    Save(&'a str),
    Draw,
    Resign,
    Help,
    Quit,
}

/// A command as `help` shows it.
pub(super) struct Entry {
    pub(super) usage: &'static str,
    pub(super) help: &'static str,
    /// All names of the command; `usage` shows the first name.
    names: &'static [&'static str],
    read: for<'a> fn(&'a str) -> Command<'a>,
}

/// Every command.
pub(super) const COMMANDS: &[Entry] = &[
    Entry {
        usage: "undo",
        help: "take back your last move and the answer",
        names: &["undo", "takeback", "back"],
        read: |_| Command::Undo,
    },
    Entry {
        usage: "hint",
        help: "a good move, found at full strength",
        names: &["hint"],
        read: |_| Command::Hint,
    },
    Entry {
        usage: "eval",
        help: "who is better, at full strength",
        names: &["eval"],
        read: |_| Command::Eval,
    },
    Entry {
        usage: "draw",
        help: "claim a draw, or offer one",
        names: &["draw"],
        read: |_| Command::Draw,
    },
    Entry {
        usage: "resign",
        help: "give the game up",
        names: &["resign"],
        read: |_| Command::Resign,
    },
    Entry {
        usage: "new [white|black]",
        help: "begin a new game",
        names: &["new"],
        read: |text| Command::New(text),
    },
    Entry {
        usage: "level [ELO|full]",
        help: "show or change the strength",
        names: &["level", "elo"],
        read: |text| Command::Level(text),
    },
    Entry {
        usage: "board",
        help: "draw the board",
        names: &["board", "d"],
        read: |_| Command::Board,
    },
    Entry {
        usage: "flip",
        help: "turn the board round",
        names: &["flip"],
        read: |_| Command::Flip,
    },
    Entry {
        usage: "moves",
        help: "list the moves of the game",
        names: &["moves"],
        read: |_| Command::Moves,
    },
    Entry {
        usage: "fen [FEN]",
        help: "show the position, or begin a game from this one",
        names: &["fen"],
        read: |text| Command::Fen(text),
    },
    Entry {
        usage: "save FILE",
        help: "add the game to a PGN file",
        names: &["save"],
        read: |text| Command::Save(text),
    },
    Entry {
        usage: "load FILE [N]",
        help: "go on with the first game of a PGN file, or with game N",
        names: &["load", "open"],
        read: |text| Command::Load(text),
    },
    Entry {
        usage: "help",
        help: "this list",
        names: &["help", "?"],
        read: |_| Command::Help,
    },
    Entry {
        usage: "quit",
        help: "leave; a game that is not saved is lost",
        names: &["quit", "exit"],
        read: |_| Command::Quit,
    },
];

impl<'a> Command<'a> {
    /// Reads a line. Commands are known in any case of letters.
    pub(super) fn parse(line: &'a str) -> Self {
        let line = line.trim();
        if line.is_empty() {
            return Self::Empty;
        }
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        COMMANDS
            .iter()
            .find(|entry| {
                entry
                    .names
                    .iter()
                    .any(|name| name.eq_ignore_ascii_case(word))
            })
            .map_or(Self::Move(line), |entry| (entry.read)(rest.trim()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_command_is_a_move() {
        for mv in ["e4", "Nf3", "O-O", "e2e4", "bxc3", "d4", "Bb5+"] {
            assert_eq!(Command::parse(mv), Command::Move(mv));
        }
    }

    #[test]
    fn commands_are_known_in_any_case_and_with_blanks_around() {
        assert_eq!(Command::parse("  UNDO \r"), Command::Undo);
        assert_eq!(
            Command::parse("save my games.pgn"),
            Command::Save("my games.pgn")
        );
        assert_eq!(Command::parse("new black"), Command::New("black"));
        assert_eq!(Command::parse(" "), Command::Empty);
    }

    #[test]
    fn every_command_is_named_as_its_usage_begins() {
        for entry in COMMANDS {
            assert_eq!(entry.usage.split(' ').next(), entry.names.first().copied());
        }
    }
}
