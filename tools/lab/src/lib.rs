//! The textbook search algorithms beside the real search; ablations.
