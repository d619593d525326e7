//! The numbers of the lab: those the texts give, and those chosen for the experiments.

/// Noughts and crosses.
pub mod rows {
    use crate::game::Value;

    /// The value of a finished row, to which the plies left are added.
    pub const WIN: Value = 10_000;

    /// What a row with `stones` of one side only is worth to it: each stone four times as much.
    pub const fn worth_of(stones: u32) -> Value {
        if stones == 0 { 0 } else { 1 << (2 * (stones - 1)) }
    }
}
