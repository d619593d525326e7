//! Self-play game files: write, read, check, sample.
