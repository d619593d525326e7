//! Output: whole lines from any thread, and the format of the lines of analysis.

use std::fmt::{self, Write as _};
use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use skewer_movegen::{Board, CastlingMode, DrawRules, Move, Termination};
use skewer_search::{CurrentMove, Report};
use skewer_types::{Bound, Chances, WinModel};

/// A writer of lines. Clones write to the same place.
#[derive(Clone)]
pub struct Output {
    sink: Arc<Mutex<Sink>>,
}

struct Sink {
    to: Box<dyn Write + Send>,
    /// A write failed.
    closed: bool,
    /// Why a write failed, unless the reason is a closed pipe: its reader has read enough.
    lost: Option<io::Error>,
    /// A failure was reported.
    failed: bool,
    /// Called once when a write fails.
    on_close: Box<dyn FnMut() + Send>,
    line: String,
}

impl Output {
    /// Output to `to`, flushed after every line.
    pub fn new(to: impl Write + Send + 'static) -> Self {
        Self {
            sink: Arc::new(Mutex::new(Sink {
                to: Box::new(to),
                closed: false,
                lost: None,
                failed: false,
                on_close: Box::new(|| {}),
                line: String::new(),
            })),
        }
    }

    /// Calls `on_close` when a write fails, on the thread that wrote.
    pub fn when_closed(&self, on_close: impl FnMut() + Send + 'static) {
        self.lock().on_close = Box::new(on_close);
    }

    /// Writes one line. Once the output is closed nothing is written, and
    /// [`is_closed`](Self::is_closed) says so.
    pub fn line(&self, line: impl fmt::Display) {
        let mut sink = self.lock();
        if sink.closed {
            return;
        }
        let mut text = std::mem::take(&mut sink.line);
        text.clear();
        if writeln!(text, "{line}").is_ok() {
            let written = sink.to.write_all(text.as_bytes());
            if let Err(error) = written.and_then(|()| sink.to.flush()) {
                sink.closed = true;
                if error.kind() != io::ErrorKind::BrokenPipe {
                    sink.lost = Some(error);
                    sink.failed = true;
                }
            }
        }
        sink.line = text;
        if sink.closed {
            (sink.on_close)();
        }
    }

    /// Writes `info string` and a sentence.
    pub fn note(&self, sentence: impl fmt::Display) {
        self.line(format_args!("info string {sentence}"));
    }

    /// Writes a note about a failure, and sets [`has_failures`](Self::has_failures).
    pub fn failure(&self, sentence: impl fmt::Display) {
        self.lock().failed = true;
        self.note(sentence);
    }

    /// Whether a failure was reported.
    pub fn has_failures(&self) -> bool {
        self.lock().failed
    }

    /// Whether a write failed.
    pub fn is_closed(&self) -> bool {
        self.lock().closed
    }

    /// Why lines were lost that a reader would have read, such as a full disk; `None` if none were.
    pub fn loss(&self) -> Option<String> {
        self.lock().lost.as_ref().map(io::Error::to_string)
    }

    fn lock(&self) -> MutexGuard<'_, Sink> {
        self.sink.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Output").finish_non_exhaustive()
    }
}

/// How lines of analysis are written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Style {
    /// How castling is written.
    pub castling: CastlingMode,
    /// Whether to add the chances of win, draw and loss.
    pub wdl: WdlColumn,
    /// Converts scores to chances and centipawns.
    pub model: WinModel,
}

/// Whether the chances of win, draw and loss follow a score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WdlColumn {
    /// With the chances.
    Shown,
    /// Without the chances.
    Hidden,
}

/// A line of analysis from `root`, as `info ...`.
pub fn analysis(report: &Report, root: &Board, style: Style) -> impl fmt::Display {
    let curve = style.model.at(root.material());
    fmt::from_fn(move |f| {
        write!(
            f,
            "info depth {} seldepth {} multipv {} score {}",
            report.depth,
            report.seldepth,
            report.multi_pv,
            curve.uci(report.score)
        )?;
        f.write_str(match report.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        })?;
        if style.wdl == WdlColumn::Shown {
            let Chances { win, draw, loss } = if is_drawn(root) {
                Chances {
                    win: 0,
                    draw: 1000,
                    loss: 0,
                }
            } else {
                curve.chances(report.score)
            };
            write!(f, " wdl {win} {draw} {loss}")?;
        }
        let millis = report.time.as_millis();
        let nps = u128::from(report.nodes) * 1_000_000 / report.time.as_micros().max(1);
        write!(
            f,
            " nodes {} nps {nps} hashfull {} tbhits {} time {millis}",
            report.nodes, report.hashfull, report.tb_hits
        )?;
        if !report.pv.is_empty() {
            write!(f, " pv {}", root.uci_line_in(&report.pv, style.castling))?;
        }
        Ok(())
    })
}

/// Whether the game is drawn by stalemate, or because nobody can mate.
fn is_drawn(board: &Board) -> bool {
    matches!(
        board.ending(1, DrawRules::Unclaimed),
        Some(Termination::Stalemate | Termination::InsufficientMaterial)
    )
}

/// The current root move, as `info currmove ...`.
pub fn current_move(current: CurrentMove, root: &Board, style: Style) -> impl fmt::Display {
    format!(
        "info currmove {} currmovenumber {}",
        root.uci_in(current.mv, style.castling),
        current.number
    )
}

/// The answer to `go`: `bestmove ...`, with the move to ponder on if there is one.
pub fn best_move(best: Option<Move>, ponder: Option<Move>, root: &Board, style: Style) -> String {
    let Some(best) = best else {
        return "bestmove (none)".to_owned();
    };
    let mut text = format!("bestmove {}", root.uci_in(best, style.castling));
    let after = root.play(best);
    if let Some(ponder) = ponder.filter(|&ponder| after.is_legal(ponder)) {
        // Writing to a string cannot fail.
        _ = write!(text, " ponder {}", after.uci_in(ponder, style.castling));
    }
    text
}

#[cfg(test)]
pub(crate) mod tests {
    use skewer_types::{Score, WinCurve};

    use super::*;

    /// What is written to an output.
    pub(crate) fn written(write: impl FnOnce(&Output)) -> String {
        #[derive(Clone, Default)]
        struct Sink(Arc<Mutex<Vec<u8>>>);

        impl Write for Sink {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                self.0.lock().unwrap().extend_from_slice(bytes);
                Ok(bytes.len())
            }

            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }

        let sink = Sink::default();
        write(&Output::new(sink.clone()));
        String::from_utf8(sink.0.lock().unwrap().clone()).unwrap()
    }

    /// Accepts a number of writes, then fails as a closed pipe does.
    struct Pipe(usize);

    impl Write for Pipe {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            match self.0.checked_sub(1) {
                Some(left) => {
                    self.0 = left;
                    Ok(bytes.len())
                }
                None => Err(io::ErrorKind::BrokenPipe.into()),
            }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_closed_pipe_is_detected_without_an_error() {
        let output = Output::new(Pipe(1));
        output.line("one");
        assert!(!output.is_closed());
        output.line("two");
        assert!(output.is_closed());
        assert!(!output.has_failures());
        output.line("three");
    }

    #[test]
    fn a_full_disk_is_a_failure() {
        struct Full;

        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::StorageFull.into())
            }

            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }

        let output = Output::new(Full);
        output.line("one");
        assert!(output.is_closed() && output.has_failures());
    }

    #[test]
    fn the_material_of_the_root_decides_the_centipawns_and_chances_of_a_line() {
        let curve = |even| WinCurve::new(even, 80.0).unwrap();
        let style = Style {
            castling: CastlingMode::Standard,
            wdl: WdlColumn::Shown,
            model: WinModel::new(curve(100.0), curve(400.0)),
        };
        let report = Report {
            depth: 1,
            seldepth: 1,
            multi_pv: 1,
            lines: 1,
            score: Score::new(100),
            bound: Bound::Exact,
            nodes: 1,
            time: std::time::Duration::ZERO,
            hashfull: 0,
            tb_hits: 0,
            pv: skewer_search::Line::new(),
        };
        let line = |fen: &str| analysis(&report, &fen.parse().unwrap(), style).to_string();
        let full = line("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        assert!(full.contains("score cp 100 wdl 500 "), "{full}");
        let bare = line("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
        assert!(bare.contains("score cp 91 wdl 23 "), "{bare}");
    }

    #[test]
    fn scores_are_centipawns_or_full_moves() {
        let curve = WinCurve::new(50.0, 80.0).unwrap();
        assert_eq!(curve.uci(Score::ZERO).to_string(), "cp 0");
        assert_eq!(curve.uci(Score::from_raw(25)).to_string(), "cp 50");
        assert_eq!(curve.uci(Score::mate_in(3)).to_string(), "mate 2");
        assert_eq!(curve.uci(Score::mated_in(4)).to_string(), "mate -2");
        assert_eq!(curve.uci(Score::mated_in(0)).to_string(), "mate 0");
    }
}
