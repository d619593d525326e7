//! Incremental chess evaluation: hand-written terms and an efficiently updated network.
