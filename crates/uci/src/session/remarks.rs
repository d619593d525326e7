//! What is to be said about a line, gathered so that it makes one line of output.

use std::fmt;

use crate::output::Output;

/// Remarks that wait to be told together.
#[derive(Debug, Default)]
pub(crate) struct Remarks {
    sentences: Vec<String>,
    /// One of them says that something could not be done.
    failed: bool,
}

impl Remarks {
    /// Something that the client should know.
    pub(crate) fn add(&mut self, sentence: impl fmt::Display) {
        self.sentences.push(sentence.to_string());
    }

    /// Something that could not be done, or not as it was asked for.
    pub(crate) fn add_failure(&mut self, sentence: impl fmt::Display) {
        self.add(sentence);
        self.failed = true;
    }

    /// Says it all in one line, if there is anything to say.
    pub(crate) fn tell(&mut self, output: &Output) {
        if self.sentences.is_empty() {
            return;
        }
        let all = std::mem::take(self);
        let text = all.sentences.join("; ");
        if all.failed {
            output.failure(text);
        } else {
            output.note(text);
        }
    }
}
