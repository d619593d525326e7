//! The commands for people at a terminal, on the real binary: their output, for the present position.

use crate::harness::Client;
use skewer::options::OPTIONS;

/// The output of a command.
fn page(client: &mut Client, command: &str) -> Result<Vec<String>, String> {
    let before = client.output.len();
    client.send(command);
    client.send("isready");
    client.wait_for("readyok")?;
    let mut lines = client.output.split_off(before);
    lines.pop();
    Ok(lines)
}

/// The FEN that `d` shows.
fn fen(client: &mut Client) -> Result<String, String> {
    let page = page(client, "d")?;
    let fen = page.iter().find_map(|line| line.strip_prefix("Fen: "));
    fen.map(str::to_owned).ok_or_else(|| format!("{page:?}"))
}

#[test]
fn d_shows_the_board() -> Result<(), String> {
    let mut client = Client::start(&[]);
    client.send("position fen 4k3/8/8/8/1b6/8/4r3/R3K2R w KQ - 3 9");
    let page = page(&mut client, "d")?;
    let edge = " +---+---+---+---+---+---+---+---+";
    let ranks = [
        " |   |   |   |   | k |   |   |   | 8",
        " |   |   |   |   |   |   |   |   | 7",
        " |   |   |   |   |   |   |   |   | 6",
        " |   |   |   |   |   |   |   |   | 5",
        " |   | b |   |   |   |   |   |   | 4",
        " |   |   |   |   |   |   |   |   | 3",
        " |   |   |   |   | r |   |   |   | 2",
        " | R |   |   |   | K |   |   | R | 1",
    ];
    let mut expected: Vec<&str> = ranks.iter().flat_map(|rank| [edge, rank]).collect();
    expected.extend([
        edge,
        "   a   b   c   d   e   f   g   h",
        "Fen: 4k3/8/8/8/1b6/8/4r3/R3K2R w KQ - 3 9",
        "Side to move: White",
    ]);
    let (drawn, rest) = page.split_at(expected.len().min(page.len()));
    assert_eq!(drawn, expected);
    let [key, checkers] = rest else {
        return Err(format!("{rest:?}"));
    };
    let digits = key.strip_prefix("Key: ").ok_or("no key")?;
    assert_eq!(digits.len(), 16, "{key}");
    assert!(u64::from_str_radix(digits, 16).is_ok(), "{key}");
    let mut checkers: Vec<&str> = checkers.split(' ').collect();
    checkers.sort_unstable();
    assert_eq!(checkers, ["Checkers:", "b4", "e2"]);
    client.leave()?;
    Ok(())
}

#[test]
fn d_follows_the_moves_and_the_castling_mode() -> Result<(), String> {
    let mut client = Client::start(&[]);
    assert_eq!(
        fen(&mut client)?,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    );
    client.send("position startpos moves e2e4 c7c5 g1f3");
    assert_eq!(
        fen(&mut client)?,
        "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"
    );
    let shown = page(&mut client, "d")?;
    assert_eq!(value_of(&shown, "Side to move: ")?, "Black");
    assert_eq!(value_of(&shown, "Last move: ")?, "g1f3");
    client.set("UCI_Chess960", "true");
    assert!(fen(&mut client)?.ends_with(" b HAha - 1 2"));
    client.send("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1");
    let shown = page(&mut client, "d")?;
    assert_eq!(value_of(&shown, "Last move: ")?, "e1h1");
    client.leave()?;
    Ok(())
}

/// The rest of the line that begins with `start`.
fn value_of<'a>(page: &'a [String], start: &str) -> Result<&'a str, String> {
    let value = page.iter().find_map(|line| line.strip_prefix(start));
    value.ok_or_else(|| format!("no {start:?} in {page:?}"))
}

#[test]
fn eval_adds_up_and_shows_the_network_score() -> Result<(), String> {
    let mut client = Client::start(&[]);
    // White has a queen more.
    client.send("position fen 4k3/pppppppp/8/8/8/8/PPPPPPPP/3QK3 w - - 0 1");
    let page = page(&mut client, "eval")?;
    let terms: Vec<i32> = page
        .iter()
        .skip_while(|line| !line.starts_with("term "))
        .skip(1)
        .take_while(|line| !line.starts_with("phase: "))
        .map(|line| line.split(' ').next_back().unwrap_or_default().parse())
        .collect::<Result<_, _>>()
        .map_err(|error| format!("{error}: {page:?}"))?;
    assert!(terms.len() > 5, "{page:?}");
    let total: i32 = value_of(&page, "total, for White: ")?
        .parse()
        .map_err(|_| "no number")?;
    // Each term has been rounded.
    assert!(
        total.abs_diff(terms.iter().sum()) as usize <= terms.len(),
        "{page:?}"
    );
    let pawn = 100;
    assert!(total > pawn, "{page:?}");
    // A build may be without a network.
    if let Ok(network) = value_of(&page, "network ") {
        let score = network.rsplit(' ').next().unwrap_or_default();
        assert!(
            score.parse::<i32>().is_ok_and(|score| score > pawn),
            "{page:?}"
        );
    }
    client.set("Use Network", "false");
    client.send("isready");
    client.wait_for("readyok")?;
    let output = client.leave()?;
    assert!(!output.iter().any(|line| line.starts_with("info string")));
    Ok(())
}

#[test]
fn flip_swaps_the_colours_and_the_search_follows() -> Result<(), String> {
    let mut client = Client::start(&[]);
    client.send("position fen r3k2r/8/8/2pP4/8/8/8/4K2R w Kq c6 3 20");
    let before = fen(&mut client)?;
    client.send("flip");
    assert_eq!(fen(&mut client)?, "4k2r/8/8/8/2Pp4/8/8/R3K2R b Qk c3 3 20");
    client.send("go depth 1 searchmoves d4c3");
    client.wait_for("bestmove d4c3")?;
    client.send("flip");
    assert_eq!(fen(&mut client)?, before);
    let output = client.leave()?;
    assert!(!output.iter().any(|line| line.starts_with("info string")));
    Ok(())
}

#[test]
fn help_has_its_pages() -> Result<(), String> {
    let mut client = Client::start(&[]);
    let commands = page(&mut client, "help")?.join("\n");
    for word in [
        "position startpos|fen",
        "go [LIMITS]",
        "searchmoves",
        "help options",
    ] {
        assert!(commands.contains(word), "{word} in {commands}");
    }
    let options = page(&mut client, "help options")?;
    assert_eq!(options.len(), 2 * OPTIONS.len());
    for (lines, option) in options.chunks(2).zip(OPTIONS) {
        assert!(
            lines[0].starts_with(&format!("{} (", option.name)),
            "{lines:?}"
        );
        assert_eq!(lines[1].trim(), option.meaning);
    }
    let techniques = page(&mut client, "help techniques")?;
    assert!(techniques.len() > 1, "{techniques:?}");
    let names: Vec<&str> = techniques
        .iter()
        .filter_map(|line| line.split_once(' '))
        .map(|(name, explanation)| {
            assert!(explanation.ends_with(['.', ')']), "{name}:{explanation}");
            name
        })
        .collect();
    assert_eq!(names.len(), techniques.len(), "{techniques:?}");
    // Every name can be used, all of them at once.
    client.send(&format!("setoption name Without value {}", names.join(",")));
    client.send("go depth 2");
    client.wait_for("bestmove ")?;
    let output = client.leave()?;
    assert!(!output.iter().any(|line| line.starts_with("info string")));
    Ok(())
}

#[test]
fn the_chances_of_a_game_that_is_over_are_certain() -> Result<(), String> {
    let mut client = Client::start(&[]);
    client.set("UCI_ShowWDL", "true");
    for (what, fen, chances) in [
        ("stalemate", "k7/8/1Q6/8/8/8/8/K7 b - - 0 1", "0 1000 0"),
        ("bare kings", "k7/8/8/8/8/8/8/K7 w - - 0 1", "0 1000 0"),
        ("a knight", "k7/8/8/8/8/8/8/KN6 w - - 0 1", "0 1000 0"),
        ("mate", "R6k/6pp/8/8/8/8/8/K7 b - - 0 1", "0 0 1000"),
        (
            "a mate in one",
            "7k/6pp/8/8/8/8/8/KR6 w - - 0 1",
            "1000 0 0",
        ),
    ] {
        client.send(&format!("position fen {fen}"));
        client.send("go depth 2");
        let line = client.wait_for("info depth")?;
        client.wait_for("bestmove ")?;
        assert!(line.contains(&format!(" wdl {chances} ")), "{what}: {line}");
    }
    client.leave().map(drop)
}

#[test]
fn register_is_accepted() -> Result<(), String> {
    let mut client = Client::start(&[]);
    for line in ["register", "register later", "register name Ann code 4711"] {
        assert_eq!(page(&mut client, line)?, [""; 0], "{line}");
    }
    client.send("debug on");
    let said = page(&mut client, "register later")?;
    assert!(
        said.len() == 1 && said[0].contains("registration"),
        "{said:?}"
    );
    client.leave()?;
    Ok(())
}
