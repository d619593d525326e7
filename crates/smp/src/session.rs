//! The stop and start protocol of one search: how its user stops it, and how its coordinator
//! follows it to its answer. What lines and answers are, and who hears them, is for others to say,
//! so that this can be model-checked just as the engine runs it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::desk::{Desk, Enough, Next, Patience};
use crate::sync::Signals;

/// Who follows a search to its answer.
pub(crate) trait Audience<L, O> {
    /// A line that is to be shown.
    fn line(&mut self, line: L);
    /// A worker panicked with this message. The others have been told to stop.
    fn failure(&mut self, message: &str);
    /// When [`remark`](Self::remark) is to be called, should nothing else happen until then.
    fn next_remark(&self) -> Option<Instant>;
    /// The time for a remark has come.
    fn remark(&mut self);
    /// What the answer is, from what is on the desk.
    fn decide(&mut self) -> O;
    /// Hears the answer.
    fn done(&mut self, answer: &O);
}

/// One search, for all who have a part in it.
pub(crate) struct Session<L, O> {
    pub(crate) desk: Desk<L, O>,
    pub(crate) signals: Arc<Signals>,
    /// The search's number among all that the signals serve.
    pub(crate) epoch: u64,
    /// How long its clock runs before the answer is due even if no worker says so.
    curfew: Option<Duration>,
}

impl<L: Clone, O: Clone> Session<L, O> {
    /// Numbers a new search of `workers` workers. Its clock has been running since `started`, or
    /// runs from the ponder hit if it has the patience to wait for one.
    pub(crate) fn begin(
        signals: Arc<Signals>,
        workers: usize,
        patience: Patience,
        enough: Enough,
        started: Instant,
        curfew: Option<Duration>,
    ) -> Self {
        let desk = Desk::new(workers, patience, enough);
        if patience == Patience::AnswerWhenDone {
            desk.expect_answer(curfew.and_then(|curfew| started.checked_add(curfew)));
        }
        Self {
            desk,
            epoch: signals.begin(),
            signals,
            curfew,
        }
    }

    /// The user wants the answer now.
    pub(crate) fn stop(&self) {
        self.signals.stop(self.epoch);
        self.desk.ask_to_stop();
    }

    /// The move pondered on has been played: the clock runs, and the user no longer minds when the
    /// answer comes.
    pub(crate) fn ponder_hit(&self) {
        self.signals.ponder_hit(self.epoch);
        let due = self
            .curfew
            .and_then(|curfew| Instant::now().checked_add(curfew));
        self.desk.expect_answer(due);
    }

    /// Follows the search to its answer, on the coordinator's thread.
    pub(crate) fn coordinate(&self, audience: &mut impl Audience<L, O>) {
        loop {
            match self.desk.next(audience.next_remark()) {
                Next::Show(line) => audience.line(line),
                Next::Panic(message) => {
                    self.signals.stop(self.epoch);
                    audience.failure(&message);
                }
                // The worker that keeps the time has not been given any by the system.
                Next::Overdue => self.stop(),
                Next::Remark => audience.remark(),
                Next::Answer => break,
            }
        }
        // Whoever still searches does so for nothing.
        self.signals.stop(self.epoch);
        let answer = audience.decide();
        // Whoever hears the answer must find the search answered; whoever waits for it must
        // find it told.
        self.desk.begin_answer();
        audience.done(&answer);
        self.desk.answer(answer);
    }
}
