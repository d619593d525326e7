//! The parameters of move ordering, each with its meaning, unit and range. Without the feature
//! `tune` every parameter is a constant.

skewer_types::declare_params! {
    see_pawn = 100, 50..=200, "hundredths of a pawn", "value of a pawn in exchanges";
    see_knight = 320, 200..=500, "hundredths of a pawn", "value of a knight in exchanges";
    see_bishop = 335, 200..=500, "hundredths of a pawn", "value of a bishop in exchanges";
    see_rook = 510, 350..=800, "hundredths of a pawn", "value of a rook in exchanges";
    see_queen = 975, 700..=1500, "hundredths of a pawn", "value of a queen in exchanges";
    history_max = 16384, 4096..=32767, "history units", "bound of butterfly and capture history";
    history_age = 25, 0..=100, "hundredths", "share of the butterfly history that is forgotten before each search";
    continuation_max = 16384, 4096..=32767, "history units", "bound of continuation history";
    pawn_history_max = 8192, 2048..=32767, "history units", "bound of pawn-structure history";
    victim_weight = 18, 4..=64, "history units per hundredth of a pawn", "weight of the victim's value in the order of captures";
    good_capture_slope = 32, 8..=128, "order points per hundredth of a pawn", "order points for which a good capture may lose another hundredth of a pawn in the exchange";
    quiet_delta_weight = 24, 0..=128, "history units per score unit", "weight of the piece-square change in the order of quiet moves";
    quiet_history_weight = 16, 0..=64, "sixteenths", "weight of the butterfly history in the order of quiet moves";
    pawn_history_weight = 16, 0..=64, "sixteenths", "weight of the pawn-structure history in the order of quiet moves";
    low_ply_max = 8192, 2048..=32767, "history units", "bound of the history by ply";
    low_ply_weight = 32, 0..=128, "sixteenths", "weight of the history by ply in the order of quiet moves";
    continuation_1_weight = 16, 0..=64, "sixteenths", "weight of the history with the last move";
    continuation_2_weight = 16, 0..=64, "sixteenths", "weight of the history with our last move";
    continuation_4_weight = 8, 0..=64, "sixteenths", "weight of the history with our last move but one";
    continuation_6_weight = 6, 0..=64, "sixteenths", "weight of the history with our last move but two";
    check_order_bonus = 9000, 0..=30000, "history units", "bonus of a quiet move that gives check";
    check_order_loss = 75, 0..=300, "hundredths of a pawn", "exchange loss up to which a quiet move that gives check gets its bonus";
    escape_pawn = 6000, 0..=30000, "history units", "bonus for leaving, or malus for entering, a square a pawn attacks";
    escape_minor = 8000, 0..=30000, "history units", "bonus of a rook that leaves a square attacked by a minor piece, malus of one that enters it";
    escape_rook = 12000, 0..=30000, "history units", "bonus of a queen that leaves a square attacked by a rook, malus of one that enters it";
}
