//! Lazy SMP on rayon: one shared table, one search a worker, and the Engine facade.
