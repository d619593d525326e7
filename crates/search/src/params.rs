//! The parameters of the search, each with its meaning, unit and range.
//!
//! Score units are the units of the evaluation: its win model says, for each amount of
//! material, how many of them win every other game.
//! Reductions are counted in 1024ths of a ply. Without the feature `tune` every parameter is a constant.

skewer_types::declare_params! {
    // Iterative deepening
    aspiration_depth = 4, 2..=8, "plies", "first iteration that begins with a narrow window";
    aspiration_width = 14, 4..=60, "score units", "half-width of the first window";
    aspiration_growth = 45, 10..=200, "hundredths", "how much a window that was too narrow grows";
    aspiration_swing = 64, 16..=512, "parts", "the score's size divided by this is added to the half-width";
    aspiration_open = 600, 100..=3000, "score units", "width from which the window is opened altogether";
    aspiration_shallower = 3, 0..=6, "plies", "most plies that repeated fail-highs take off the depth of an iteration";
    aspiration_helper = 3, 0..=20, "score units", "added to the half-width, times the worker's number modulo 4";

    // Evaluation
    fading = 220, 101..=1000, "plies", "count without progress at which the evaluation would fade to nothing";
    material_base = 890, 400..=1200, "1024ths", "share of the evaluation that counts without material";
    material_slope = 29, 0..=80, "tenths of 1024ths a pawn", "added to that share for each pawn of material on the board";
    optimism_most = 14, 0..=80, "score units", "most optimism, at the material of the first position of a game";
    optimism_half = 80, 20..=400, "score units", "score of the root at which the optimism is half of that";
    optimism_material = 30, 0..=200, "pawns", "added to the material by which the optimism is scaled";

    // Node pruning
    rfp_depth = 10, 2..=20, "plies", "greatest depth of reverse futility";
    rfp_margin = 74, 20..=200, "score units a ply", "how far the evaluation must lie above beta";
    rfp_improving = 60, 0..=200, "score units", "taken off the margin of reverse futility when improving";
    rfp_blend = 3, 1..=8, "parts", "reverse futility returns (evaluation + (this - 1) * beta) / this";
    razor_depth = 4, 0..=8, "plies", "greatest depth of razoring";
    razor_base = 220, 50..=600, "score units", "how far below alpha razoring begins";
    razor_slope = 230, 50..=600, "score units a ply", "added to that distance for each ply of depth";
    null_depth = 2, 1..=6, "plies", "least depth of a null move";
    null_base = 4, 2..=6, "plies", "reduction of a null move";
    null_divisor = 4, 2..=8, "plies", "plies of depth that add one ply to the reduction of a null move";
    null_eval_divisor = 180, 60..=400, "score units", "surplus of the evaluation over beta that adds one ply to the reduction of a null move";
    null_eval_max = 3, 0..=6, "plies", "most plies that the surplus may add";
    null_margin_base = 80, -200..=500, "score units", "how far above beta the static evaluation must lie for a null move";
    null_margin_slope = 0, 0..=60, "score units a ply", "taken off that margin for each ply of depth";
    null_verify_depth = 14, 6..=30, "plies", "depth from which a null-move cut-off is verified";
    null_verify_share = 75, 25..=100, "hundredths", "share of the verified depth in which no null move is made";
    probcut_depth = 5, 3..=10, "plies", "least depth of ProbCut";
    probcut_margin = 150, 60..=400, "score units", "how far above beta ProbCut looks";
    probcut_improving = 50, 0..=150, "score units", "taken off the margin of ProbCut when improving";
    probcut_reduction = 4, 2..=6, "plies", "how much less deep ProbCut searches";
    iir_depth = 4, 2..=8, "plies", "least depth at which a missing hash move costs a ply";
    hindsight_reduction = 3, 1..=6, "plies", "reduction after which a node may get a ply back";
    hindsight_margin = 170, 0..=400, "score units", "a node after a reduced move loses a ply if its static evaluation plus its parent's is above this";

    // Move pruning
    lmp_base = 3, 1..=10, "moves", "place in the order from which quiet moves are skipped when improving, before depth squared is added; half the sum otherwise";
    lmp_depth = 12, 2..=20, "plies", "greatest depth of late-move pruning";
    futility_depth = 9, 2..=16, "plies", "greatest reduced depth of parent futility";
    futility_base = 60, 0..=300, "score units", "margin of parent futility";
    futility_slope = 65, 20..=250, "score units a ply", "added to that margin for each ply of reduced depth";
    futility_history = 199, 50..=1000, "history units", "history that changes the margin of parent futility by one score unit";
    history_depth = 5, 1..=10, "plies", "greatest reduced depth of history pruning";
    history_slope = 3781, 500..=10000, "history units a ply", "a quiet move whose history is worse than minus this, times the depth, is pruned";
    see_quiet_slope = 24, 5..=80, "hundredths of a pawn", "exchange loss allowed a quiet move, by reduced depth squared";
    see_depth = 12, 2..=20, "plies", "greatest depth (reduced, for quiet moves) of pruning by exchanges";
    see_history = 96, 8..=1000, "history units per hundredth of a pawn", "history that allows a capture to lose a hundredth of a pawn more";
    see_capture_slope = 95, 20..=250, "hundredths of a pawn a ply", "exchange loss allowed a capture";

    // Extensions
    singular_depth = 5, 4..=12, "plies", "least depth of singular extension";
    singular_tt_depth = 3, 1..=6, "plies", "most plies that the hash entry may be shallower than the node";
    singular_margin = 14, 4..=60, "sixteenths of a score unit a ply", "how far below the hash score all other moves must stay";
    singular_double = 16, 0..=100, "score units", "how far below that bound the other moves stay for an extension of two plies";
    singular_double_pv = 120, 0..=400, "score units", "added to that distance on the principal variation";
    singular_triple = 75, 20..=300, "score units", "how far below that bound the other moves stay for an extension of a quiet move by three plies";
    singular_divisor = 2, 2..=4, "parts", "the search without the hash move has the depth divided by this";
    negative_extension = 2, 0..=3, "plies", "plies taken off a hash move that is not singular, where the move or the node is expected to fail high";
    extension_limit = 2, 1..=4, "iterations' depths", "extensions end at the iteration's depth times this, in plies from the root";
    extension_floor = 4, 1..=12, "plies", "a shallower iteration counts as this deep for that limit";
    check_depth = 8, 0..=20, "plies", "greatest depth of check extension";
    check_moves = 3, 1..=64, "moves", "place in the order up to which checks are extended";

    // Reductions, in 1024ths of a ply
    lmr_depth = 2, 1..=5, "plies", "least depth of reductions";
    lmr_base = 820, 0..=2000, "1024ths of a ply", "reduction of quiet moves: the constant";
    lmr_divisor = 230, 120..=500, "hundredths", "reduction of quiet moves: divides ln(depth) ln(number)";
    lmr_capture_base = 250, 0..=2000, "1024ths of a ply", "reduction of captures: the constant";
    lmr_capture_divisor = 340, 120..=700, "hundredths", "reduction of captures: divides ln(depth) ln(number)";
    lmr_pv = 900, 0..=2500, "1024ths of a ply", "reduced less at a node of the principal variation";
    lmr_tt_pv = 850, 0..=2500, "1024ths of a ply", "reduced less where the hash table marks a former node of the principal variation";
    lmr_cut = 1500, 0..=3500, "1024ths of a ply", "reduced more where a cut-off is expected";
    lmr_not_improving = 650, 0..=2500, "1024ths of a ply", "reduced more when not improving";
    lmr_check = 850, 0..=2500, "1024ths of a ply", "reduced less for a move that gives check";
    lmr_tt_capture = 900, 0..=2500, "1024ths of a ply", "reduced more when the hash move is a capture";
    lmr_cutoffs = 750, 0..=2500, "1024ths of a ply", "reduced more when more than `cutoffs_many` nodes one ply below have failed high";
    cutoffs_many = 3, 0..=10, "nodes", "`lmr_cutoffs` applies above this many fail-highs at the next ply";
    lmr_refutation = 900, 0..=2500, "1024ths of a ply", "reduced less for killers and the counter-move";
    lmr_tt_above = 500, 0..=2500, "1024ths of a ply", "reduced less where the score of the hash table is above alpha";
    lmr_complexity = 8, 0..=40, "1024ths of a ply a score unit", "reduced less by the size of the evaluation's correction";
    lmr_history = 12, 1..=40, "history units", "quiet history that takes 1/1024 ply off a reduction";
    lmr_capture_history = 12, 1..=40, "history units", "capture history that takes 1/1024 ply off a reduction";
    deeper_margin = 45, 0..=150, "score units", "surplus over the best score so far that makes the re-search a ply deeper";
    deeper_slope = 2, 0..=10, "score units a ply", "added to that surplus for each ply of depth";
    shallower_margin = 8, 0..=40, "score units", "surplus over the best score so far below which the re-search is a ply shallower";

    // Nodes that were once on the principal variation
    stay_on_pv_depth = 4, 1..=12, "plies", "least depth at which a node that failed low keeps the mark of its parent";

    // Quiescence
    delta_margin = 190, 50..=500, "score units", "how much a capture may gain beyond the value of its victim";
    quiescence_see = 40, 0..=200, "hundredths of a pawn", "exchange loss allowed in quiescence";
    quiescence_moves = 3, 1..=10, "moves", "captures looked at in a quiescence node";

    // Learning
    bonus_slope = 195, 40..=400, "history units a ply", "bonus of the best move, if it raised alpha";
    bonus_base = -60, -400..=400, "history units", "added to that bonus";
    bonus_surprise = 1, 0..=4, "plies", "added to the depth of the bonus if the evaluation was not above alpha";
    bonus_max = 1700, 500..=4000, "history units", "greatest bonus";
    malus_slope = 210, 40..=600, "history units a ply", "malus of the tried moves that did not raise alpha";
    malus_base = -4, -400..=400, "history units", "added to that malus";
    malus_max = 1292, 500..=4000, "history units", "greatest malus";
    previous_bonus = 5, 0..=32, "sixteenths", "share of the bonus that the previous move gets when no reply reaches alpha";
    previous_bonus_deep = 3, 0..=16, "sixteenths", "added to that share in a deep search";
    previous_bonus_depth = 5, 1..=20, "plies", "a search deeper than this is deep";
    previous_bonus_late = 4, 0..=16, "sixteenths", "added to that share for a late move";
    previous_bonus_moves = 8, 1..=40, "moves", "a move after this place in the order is late";
    previous_bonus_fall = 3, 0..=16, "sixteenths", "added to that share if the score is far below the static evaluation of this node, and again for its parent";
    previous_bonus_fall_here = 100, 0..=400, "score units", "a score this far below this node's static evaluation counts as far below";
    previous_bonus_fall_before = 80, 0..=400, "score units", "a score this far below the parent's static evaluation counts as far below";
    previous_malus_divisor = 2, 1..=8, "parts", "divides the malus of an early quiet previous move that is refuted";
    previous_malus_moves = 2, 0..=8, "moves", "a previous move up to this place in the order gets that malus";
    evaluation_history_slope = 11, 0..=40, "history units a score unit", "bonus of a quiet move for each score unit by which it raises the evaluation";
    evaluation_history_base = 174, -1000..=1000, "history units", "added to that bonus";
    evaluation_history_max = 684, 100..=4000, "history units", "greatest such bonus or malus";
    correction_max = 1024, 256..=4096, "correction units", "bound of a correction entry";
    correction_slope = 8, 2..=32, "parts", "error times depth divided by this is learnt";
    correction_pawn = 70, 0..=300, "1024ths", "weight of the correction by pawns";
    correction_minor = 76, 0..=300, "1024ths", "weight of the correction by minor pieces";
    correction_major = 40, 0..=300, "1024ths", "weight of the correction by major pieces";
    correction_non_pawn = 70, 0..=300, "1024ths", "weight of each correction by one side's pieces";
    correction_continuation = 69, 0..=300, "1024ths", "weight of the correction by the last two moves";

    // Endgame tables
    tb_patience = 20, 0..=50, "plies", "count toward the fifty-move rule from which a won root is played by distance alone";
    tb_depth_bonus = 6, 0..=20, "plies", "how much deeper than its node a table's outcome is stored";

    // Time
    time_moves = 36, 10..=60, "moves", "moves that the time is planned for at the start of the game";
    time_moves_fall = 40, 0..=100, "hundredths", "taken off that number for each move that has been played";
    time_moves_least = 19, 5..=60, "moves", "fewest moves that the time is planned for";
    time_increment = 75, 0..=100, "hundredths", "share of the increment for one move";
    time_reserve = 5, 0..=20, "overheads", "move overheads kept back from the clock, at most a third of it";
    time_hard = 450, 150..=900, "hundredths", "hard limit, as a multiple of the soft limit";
    time_cap = 70, 30..=90, "hundredths", "share of the clock that one move may use up";
    time_nodes_base = 215, 100..=300, "hundredths", "soft limit when no node went to the best move";
    time_nodes_slope = 160, 0..=250, "hundredths", "taken off that limit in proportion to the share of nodes that went to the best move";
    time_stable = 7, 0..=12, "hundredths", "taken off the soft limit for each iteration in which the best move stayed";
    time_unstable = 125, 100..=200, "hundredths", "soft limit when the best move has just changed";
    time_fall = 60, 0..=200, "hundredths", "rise of the soft limit when the score falls by a pawn";
    time_forced = 16, 1..=100, "parts", "a move without alternative gets the soft limit divided by this";
}

/// The natural logarithm of `n`, in 1024ths, for `n` below 256, for the formula of reductions.
#[inline]
pub(crate) fn ln(n: i32) -> i32 {
    LOGARITHMS[n.clamp(1, 255) as usize]
}

/// ln(n) * 1024, for n in 1..256.
static LOGARITHMS: [i32; 256] = logarithms();

/// Fills the table by a series, since the standard functions do not run at compile time.
const fn logarithms() -> [i32; 256] {
    let mut table = [0; 256];
    let mut n = 1;
    while n < 256 {
        table[n] = (series_ln(n as f64) * 1024.0 + 0.5) as i32;
        n += 1;
    }
    table
}

/// ln(x) = 2 artanh((x - 1) / (x + 1)), whose series converges for every x > 0. `x` is halved first, because the series
/// converges fast near 1.
const fn series_ln(mut x: f64) -> f64 {
    let mut halvings = 0.0;
    while x > 1.5 {
        x /= 2.0;
        halvings += core::f64::consts::LN_2;
    }
    let z = (x - 1.0) / (x + 1.0);
    let mut power = z;
    let mut sum = 0.0;
    let mut k = 1.0;
    while k < 40.0 {
        sum += power / k;
        power *= z * z;
        k += 2.0;
    }
    halvings + 2.0 * sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_right_to_a_thousandth() {
        for n in 1..256 {
            let exact = f64::from(n).ln() * 1024.0;
            assert!((f64::from(ln(n)) - exact).abs() <= 1.0, "ln({n})");
        }
    }
}
