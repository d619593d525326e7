//! The contradictions that a visitor of main lines finds.

use std::ops::ControlFlow;

use skewer_pgn::{
    Contradictions, GameErrorKind, Location, MoveNumber, Outcome, PgnError, PgnGame, Reader,
    Replay, San, Start, TagValue, Tags, Variation, Visitor,
};

/// Collects the contradictions of the tags and of the end of a game, and then the others with their places.
#[derive(Default)]
struct MainLine {
    replay: Replay,
    tags: Tags,
    contradictions: Contradictions,
    of_tags: Vec<GameErrorKind>,
    found: Vec<(Location, GameErrorKind)>,
}

impl Visitor for MainLine {
    type Output = ();

    fn tag(&mut self, name: &[u8], value: TagValue<'_>) -> ControlFlow<()> {
        self.replay.tag(name, value);
        let name = String::from_utf8_lossy(name);
        self.contradictions
            .tag(&mut self.tags, name, value.decode());
        ControlFlow::Continue(())
    }

    fn end_tags(&mut self) -> ControlFlow<()> {
        self.replay.start().unwrap();
        let start = Start {
            board: *self.replay.board(),
            mode: self.replay.mode(),
        };
        self.contradictions.start(&self.tags, &start);
        self.of_tags = self.contradictions.take();
        ControlFlow::Continue(())
    }

    fn number(&mut self, number: MoveNumber<'_>) -> ControlFlow<()> {
        self.contradictions.number(number, self.replay.board());
        ControlFlow::Continue(())
    }

    fn doubts(&self) -> bool {
        self.contradictions.has_found()
    }

    fn san(&mut self, san: San<'_>) -> ControlFlow<()> {
        self.replay.play(san).unwrap();
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self) -> ControlFlow<(), Variation> {
        ControlFlow::Continue(Variation::Skip)
    }

    fn outcome(&mut self, outcome: Option<Outcome>) -> ControlFlow<()> {
        self.contradictions.outcome(outcome, self.replay.board());
        ControlFlow::Continue(())
    }

    fn problem(&mut self, problem: PgnError, location: Location) -> ControlFlow<()> {
        if problem == PgnError::Contradiction {
            let found = self.contradictions.take().into_iter();
            self.found.extend(found.map(|reason| (location, reason)));
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self) {
        self.contradictions.end(self.replay.board());
        self.of_tags.extend(self.contradictions.take());
    }
}

/// A visitor that passes over variations finds the same contradictions of the main line as [`skewer_pgn::Games`]. Every
/// game of the other tests is compared.
pub(crate) fn check(text: &str, game: &PgnGame) {
    let mut main_line = MainLine::default();
    let visited = Reader::new(text.as_bytes()).read_game(&mut main_line);
    let line = visited.unwrap().expect("a game").line;
    let of_tags = main_line.of_tags.into_iter();
    let of_tags = of_tags.map(|reason| (Location::of_line(line), reason));
    let found: Vec<_> = of_tags.chain(main_line.found).collect();
    let is_of_main_line = |reason: &GameErrorKind| {
        matches!(
            reason,
            GameErrorKind::Right(_)
                | GameErrorKind::DoubledTag(_)
                | GameErrorKind::FenWithoutSetUp
                | GameErrorKind::SetUpWithoutFen
                | GameErrorKind::Number { .. }
                | GameErrorKind::TwoResults { .. }
                | GameErrorKind::WrongResult { .. }
        )
    };
    let named = game.problems.iter();
    let expected: Vec<_> = named
        .filter(|problem| !problem.in_variation && is_of_main_line(&problem.reason))
        .map(|problem| (problem.location, problem.reason.clone()))
        .collect();
    assert_eq!(found, expected, "{text}");
}
