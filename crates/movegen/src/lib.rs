//! Fast legal chess move generation: bitboards, FEN, SAN, UCI, Chess960, perft.
