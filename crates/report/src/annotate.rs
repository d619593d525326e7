//! Annotates a game: evaluations, marks, and better lines as variations.

use skewer_pgn::{EvalTag, EvalValue, Nag, NodeId, PgnGame, Tags, annotation};

use skewer_analysis::formulas::{Eval, Label};
use skewer_analysis::judged::{JudgedGame, JudgedMove, Line};

/// The annotated game: `[%eval]` after every move; `$6`, `$2` or `$4` and the best line as a variation
/// for weak moves. Old evaluations, and the verdicts of weak moves, are replaced. Of several verdicts of another move,
/// the first is kept. All other annotations of the game are kept, and the opening gets tags if it has none.
pub(crate) fn annotated(judged: &JudgedGame) -> PgnGame {
    let mut game = judged.game.clone();
    leave_one_verdict(&mut game);
    let line: Vec<NodeId> = game.mainline().collect();
    let mut parent = NodeId::ROOT;
    for (index, (&id, mv)) in line.iter().zip(&judged.moves).enumerate() {
        let node = game.node_mut(id);
        for comment in &mut node.comments {
            *comment = annotation::without(comment, "eval");
        }
        node.comments.retain(|comment| !comment.is_empty());
        let eval = eval_tag(mv).to_string();
        match node.comments.first_mut() {
            // In the same comment as the clock, as lichess does.
            Some(first) if first.starts_with("[%") => *first = format!("{eval} {first}"),
            _ => node.comments.insert(0, eval),
        }
        set_verdict(&mut node.nags, mv.label);
        if mv.label.is_some() {
            add_line(&mut game, parent, judged.best(index));
        }
        parent = id;
    }
    if let Some(opening) = judged.opening {
        add_opening(&mut game.tags, opening.eco, opening.name);
    }
    if game.tags.get("Annotator").is_none() {
        game.tags
            .set("Annotator", concat!("Skewer ", env!("CARGO_PKG_VERSION")));
    }
    game
}

/// The tags by which files name an opening.
const OPENING_TAGS: [&str; 6] = [
    "ECO",
    "ECOUrl",
    "NIC",
    "Opening",
    "Variation",
    "SubVariation",
];

/// Adds the code and the name of the opening, unless the file names it. The two come from one catalogue: beside a tag
/// of another one they could contradict it.
fn add_opening(tags: &mut Tags, eco: &str, name: &str) {
    let is_of_opening = |tag: &str| OPENING_TAGS.iter().any(|own| own.eq_ignore_ascii_case(tag));
    let is_unknown = |value: &str| value.trim_matches(['?', '-', ' ']).is_empty();
    let names_opening = |(tag, value): (&str, &str)| is_of_opening(tag) && !is_unknown(value);
    if tags.iter().any(names_opening) {
        return;
    }
    tags.set("ECO", eco);
    tags.set("Opening", name);
}

/// Leaves the author's first verdict of every move, also in variations.
fn leave_one_verdict(game: &mut PgnGame) {
    let mut open = vec![NodeId::ROOT];
    while let Some(id) = open.pop() {
        set_verdict(&mut game.node_mut(id).nags, None);
        open.extend(game.node(id).children());
    }
}

/// Leaves one verdict (`$1` to `$6`) of a move: the verdict of the label, since it stands beside the evaluation of the
/// label, else the author's first verdict.
fn set_verdict(nags: &mut Vec<Nag>, label: Option<Label>) {
    let is_verdict = |nag: &Nag| (Nag::GOOD..=Nag::DUBIOUS).contains(nag);
    let author = nags.iter().copied().find(is_verdict);
    nags.retain(|nag| !is_verdict(nag));
    if let Some(verdict) = label.map(nag).or(author) {
        nags.insert(0, verdict);
    }
}

/// Adds the best line as a variation, unless the game has a line there that begins with the same move.
fn add_line(game: &mut PgnGame, parent: NodeId, line: Option<&Line>) {
    let Some((line, first)) = line.and_then(|line| Some((line, line.moves.first()?))) else {
        return;
    };
    let begins_alike = |&child: &NodeId| game.node(child).mv() == Some(*first);
    if game.node(parent).children().iter().any(begins_alike) {
        return;
    }
    let mut at = parent;
    for &mv in &line.moves {
        let Ok(next) = game.add(at, Some(mv)) else {
            return;
        };
        at = next;
    }
}

/// The mark of a label.
pub(crate) fn nag(label: Label) -> Nag {
    match label {
        Label::Inaccuracy => Nag::DUBIOUS,
        Label::Mistake => Nag::MISTAKE,
        Label::Blunder => Nag::BLUNDER,
    }
}

fn eval_tag(mv: &JudgedMove) -> EvalTag {
    let value = match mv.eval {
        Eval::Cp(cp) => EvalValue::Centipawns(cp),
        Eval::Mate(moves) => EvalValue::Mate(moves),
        Eval::Mated { .. } => EvalValue::Mate(0),
    };
    // A search that has found a mate finishes the remaining depths at once, so its depth says nothing.
    let is_mate = !matches!(mv.eval, Eval::Cp(_));
    EvalTag {
        value,
        depth: Some(mv.depth).filter(|&depth| depth > 0 && !is_mate),
    }
}

#[cfg(test)]
mod tests {
    use skewer_pgn::Games;

    use super::*;

    /// The code and the name of an opening come from one catalogue. So both are added, or, if the file has a tag that
    /// names the opening, neither is.
    #[test]
    fn the_tags_of_an_opening_come_from_one_catalogue() {
        let after = |old: &[(&str, &str)]| {
            let mut tags = Tags::default();
            for &(tag, value) in old {
                tags.set(tag, value);
            }
            add_opening(&mut tags, "C50", "Italian Game");
            let found = tags.iter().map(|(tag, value)| format!("{tag} {value}"));
            found.collect::<Vec<_>>().join(", ")
        };
        assert_eq!(after(&[]), "ECO C50, Opening Italian Game");
        // A placeholder names nothing.
        assert_eq!(
            after(&[("ECO", "?"), ("Opening", "")]),
            "ECO C50, Opening Italian Game"
        );
        for (tag, value) in [
            ("ECO", "B20"),
            ("eco", "B20"),
            ("Opening", "Sicilian"),
            ("Variation", "Dragon"),
            ("SubVariation", "Yugoslav"),
            ("NIC", "SI 1"),
        ] {
            assert_eq!(after(&[(tag, value)]), format!("{tag} {value}"));
        }
        assert_eq!(
            after(&[("ECO", "B20"), ("Opening", "?")]),
            "ECO B20, Opening ?"
        );
    }

    /// A move has one verdict: ours where it has a label, else the author's first. Other glyphs stay.
    #[test]
    fn one_verdict_a_move() {
        let after = |nags: &[u8], label| {
            let mut nags: Vec<Nag> = nags.iter().map(|&number| Nag(number)).collect();
            set_verdict(&mut nags, label);
            nags.iter().map(|nag| nag.0).collect::<Vec<_>>()
        };
        assert_eq!(after(&[1], Some(Label::Blunder)), [4]);
        assert_eq!(after(&[14, 6, 7], Some(Label::Mistake)), [2, 14, 7]);
        assert_eq!(after(&[3], None), [3]);
        assert_eq!(after(&[1, 146, 3], None), [1, 146]);
        assert_eq!(after(&[10], None), [10]);
    }

    /// A move of a variation has one verdict too: the first of the author, because variations have no labels.
    #[test]
    fn one_verdict_a_move_of_variations() {
        let text = "1. f3 $2 $6 (1. e4 $1 e5 (1... c5 $5 $14 $1) 2. Nf3 $3 $3) 1... e5 *";
        let mut game = Games::new(text.as_bytes()).next().unwrap().unwrap();
        leave_one_verdict(&mut game);
        let written = format!("{game:#}");
        let moves = "1. f3 $2 (1. e4 $1 e5 (1... c5 $5 $14) 2. Nf3 $3) 1... e5 *";
        assert!(written.ends_with(&format!("{moves}\n\n")), "{written}");
    }
}
