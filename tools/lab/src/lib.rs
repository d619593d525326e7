#![doc = include_str!("../README.md")]
//!
//! Start reading at [`algorithms`].

#![forbid(unsafe_code)]

pub mod algorithms;
pub mod chess;
pub mod claims;
pub mod compare;
pub mod figure;
pub mod game;
pub mod games;
pub mod laboratory;
pub mod lesson;
pub mod params;
pub mod real;
pub mod recipe;
pub mod report;
mod table;
pub mod trace;
pub mod tree_page;
