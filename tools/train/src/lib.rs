//! Evaluation tuning and network training.
