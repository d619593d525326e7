//! Scores of positions by a short search.

use skewer_eval::Evaluation;
use skewer_movegen::Board;
use skewer_search::Judge;

#[test]
fn a_judge_scores_a_lost_queen_and_repeats_its_scores() {
    let mut judge = Judge::new(Evaluation::hand_written(), 300).unwrap();
    let level = judge.score(&Board::STARTPOS).unwrap();
    let lost = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1";
    let lost = judge.score(&lost.parse().unwrap()).unwrap();
    assert!(lost.raw() < level.raw() - 500, "{lost:?} {level:?}");
    assert_eq!(judge.score(&Board::STARTPOS), Some(level));
    let mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    assert_eq!(judge.score(&mated.parse().unwrap()), None);
}
