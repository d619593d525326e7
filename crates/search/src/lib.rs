//! Chess search: iterative deepening, principal variation search, quiescence, pruning, time.
