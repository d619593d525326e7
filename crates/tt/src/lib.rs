//! A lock-free hash table for game-tree search, and its snapshots.
