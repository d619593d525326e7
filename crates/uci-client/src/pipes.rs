//! The pipes to and from an engine's process, each with a thread and a bounded queue.
//!
//! An engine that writes without end or never reads costs bounded memory and never blocks the
//! caller: when the queue of its output is full, nothing more is read and the full pipe blocks the
//! engine; when the queue of its input is full, sending fails.

use std::io::{BufRead, BufReader, Read, Write};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;
use std::time::Instant;

use crate::params::{Bounds, INPUT_LINES, OUTPUT_LINES};

/// What an engine writes.
#[derive(Debug)]
pub(crate) enum Written {
    /// A line, without its end and surrounding space.
    Line {
        /// When it was read.
        at: Instant,
        /// The text; anything that is not UTF-8 is replaced.
        text: String,
        /// The length of the line in the pipe, in bytes.
        bytes: usize,
    },
    /// A line of more than [`Bounds::line_bytes`]. Nothing is read after it.
    TooLong,
}

/// Reads lines in a thread of their own until the pipe ends, a line is too long or the receiver
/// is dropped.
pub(crate) fn read_lines(pipe: impl Read + Send + 'static, bounds: &Bounds) -> Receiver<Written> {
    let (longest, clock) = (bounds.line_bytes, Arc::clone(&bounds.clock));
    let (sender, lines) = mpsc::sync_channel(OUTPUT_LINES);
    thread::spawn(move || {
        let mut pipe = BufReader::new(pipe);
        let mut line = Vec::new();
        loop {
            line.clear();
            let limit = longest as u64 + 1;
            match pipe.by_ref().take(limit).read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
            let output = if line.len() > longest {
                Written::TooLong
            } else {
                Written::Line {
                    at: clock.now(),
                    text: String::from_utf8_lossy(&line).trim().to_owned(),
                    bytes: line.len(),
                }
            };
            let ends = matches!(output, Written::TooLong);
            if sender.send(output).is_err() || ends {
                return;
            }
        }
    });
    lines
}

/// Writes lines in a thread of their own until the sender is dropped or the pipe closes.
pub(crate) fn write_lines(mut pipe: impl Write + Send + 'static) -> SyncSender<String> {
    let (sender, lines) = mpsc::sync_channel::<String>(INPUT_LINES);
    thread::spawn(move || {
        for line in lines {
            let written = pipe
                .write_all((line + "\n").as_bytes())
                .and_then(|()| pipe.flush());
            if written.is_err() {
                return;
            }
        }
    });
    sender
}
