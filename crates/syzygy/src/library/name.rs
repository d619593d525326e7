//! The names of table files, which say what men a table is about: `KRPvKR.rtbw`.

use std::cmp::Reverse;

/// The men, the strongest first, as they stand in a name.
const LETTERS: &str = "KQRBNP";

/// The most men for which tables exist.
const MOST_MEN: usize = 7;

/// What a table tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Won, drawn or lost.
    Outcomes,
    /// How far the next capture or pawn move is.
    Distances,
    /// How far mate is. The library looks for such files, but at none of them.
    Mates,
}

impl Kind {
    const ALL: [Self; 3] = [Self::Outcomes, Self::Distances, Self::Mates];

    /// The ending of the files' names.
    const fn extension(self) -> &'static str {
        match self {
            Self::Outcomes => "rtbw",
            Self::Distances => "rtbz",
            Self::Mates => "rtbm",
        }
    }
}

/// The name of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Name {
    /// Either side's men, each as its place in `LETTERS`, in order.
    sides: [Vec<u8>; 2],
    pub(super) kind: Kind,
}

impl Name {
    /// Reads the name of a file, whatever the case of its letters. `None` if the library would
    /// look for no file of this name: both sides have one king, the men of each are named from
    /// the strongest to the weakest, and the side with more men, or with the stronger ones, is
    /// named first.
    pub(super) fn parse(file: &str) -> Option<Self> {
        let (men, extension) = file.split_once('.')?;
        let kind = Kind::ALL
            .into_iter()
            .find(|kind| extension.eq_ignore_ascii_case(kind.extension()))?;
        let (first, second) = men.split_once(['v', 'V'])?;
        let sides = [side(first)?, side(second)?];
        let [first, second] = &sides;
        let in_order = (Reverse(first.len()), first) <= (Reverse(second.len()), second);
        let men = first.len() + second.len();
        (in_order && (3..=MOST_MEN).contains(&men)).then_some(Self { sides, kind })
    }

    /// The name as the library writes it.
    pub(super) fn file(&self) -> String {
        let [first, second] = self.sides.each_ref().map(|side| {
            side.iter()
                .filter_map(|&man| LETTERS.chars().nth(usize::from(man)))
                .collect::<String>()
        });
        format!("{first}v{second}.{}", self.kind.extension())
    }

    /// How many men there are.
    pub(super) fn men(&self) -> usize {
        self.sides[0].len() + self.sides[1].len()
    }

    /// Whether both sides have the same men.
    pub(super) fn is_symmetric(&self) -> bool {
        self.sides[0] == self.sides[1]
    }

    /// All men by the numbers they have in the files: pawn to king are 1 to 6, and eight more for
    /// the side that is named second.
    pub(super) fn codes(&self) -> Vec<u8> {
        let code = |man: &u8, side: u8| LETTERS.len() as u8 - man + 8 * side;
        let [first, second] = &self.sides;
        let first = first.iter().map(|man| code(man, 0));
        first.chain(second.iter().map(|man| code(man, 1))).collect()
    }
}

/// The men of one side.
fn side(letters: &str) -> Option<Vec<u8>> {
    let men: Vec<u8> = letters
        .chars()
        .map(|letter| LETTERS.find(letter.to_ascii_uppercase()).map(|at| at as u8))
        .collect::<Option<_>>()?;
    let one_king = men.first() == Some(&0) && men.get(1) != Some(&0);
    (one_king && men.is_sorted()).then_some(men)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_the_library_looks_for_are_names() {
        for name in [
            "KQvK.rtbw",
            "KPvKP.rtbz",
            "KBNvK.rtbm",
            "KRPvKR.rtbw",
            "KQRBNPvK.rtbz",
            "KQvKP.rtbw",
        ] {
            assert_eq!(Name::parse(name).unwrap().file(), name);
        }
        assert_eq!(Name::parse("kqVkr.RTBW").unwrap().file(), "KQvKR.rtbw");
        for name in [
            "",
            "KQvK",
            "KvK.rtbw",
            "KvKQ.rtbw",
            "KRvKQ.rtbw",
            "KPQvK.rtbw",
            "KQvKv.rtbw",
            "QKvK.rtbw",
            "KKvK.rtbw",
            "KQv.rtbw",
            "KQvK.rtbw.part",
            "KQvK(1).rtbw",
            "KXvK.rtbw",
            "KQQQQQQvK.rtbw",
            "notes.rtbw",
            "ÄvK.rtbw",
        ] {
            assert_eq!(Name::parse(name), None, "{name}");
        }
    }

    #[test]
    fn there_are_1511_tables() {
        // All sides of up to five men beside the king.
        let mut sides = vec!["K".to_owned()];
        let mut at = 0;
        while at < sides.len() {
            if sides[at].len() < 6 {
                let last = sides[at].chars().last().unwrap();
                let from = if last == 'K' {
                    1
                } else {
                    LETTERS.find(last).unwrap()
                };
                for letter in LETTERS[from..].chars() {
                    sides.push(format!("{}{letter}", sides[at]));
                }
            }
            at += 1;
        }
        let names = sides.iter().flat_map(|first| {
            sides
                .iter()
                .map(move |second| format!("{first}v{second}.rtbw"))
        });
        assert_eq!(
            names.filter(|name| Name::parse(name).is_some()).count(),
            1511
        );
    }
}
