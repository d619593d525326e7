//! Files that survive: versioned header, checksum, bincode, atomic rename.
