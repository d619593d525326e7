//! Engine matches with SPRT, and training-data generation.
