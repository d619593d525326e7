//! Remarks about an input line, collected into one line of output.

use std::fmt::{self, Write as _};

use skewer_types::is_printable;

use crate::output::Output;

/// The most sentences printed for one line of input. If there are more, their number is printed.
const MOST: usize = 3;

/// How many characters are kept of the beginning and the end of a longer sentence. Its middle quotes the
/// client, for example a path of a megabyte.
const BEGINNING: usize = 160;
const END: usize = 80;

/// A sentence without control characters, shortened if it is too long for an output line.
fn fit(sentence: &str) -> String {
    let plain = |c: char| if is_printable(c) { c } else { ' ' };
    let length = sentence.chars().count();
    if length <= BEGINNING + END {
        return sentence.chars().map(plain).collect();
    }
    let beginning = sentence.chars().take(BEGINNING);
    let end = sentence.chars().skip(length - END);
    let cut = "...".chars();
    beginning.chain(cut).chain(end).map(plain).collect()
}

/// Remarks to be printed as one line.
#[derive(Debug, Default)]
pub(crate) struct Remarks {
    sentences: Vec<String>,
    /// The number of remarks beyond [`MOST`].
    more: usize,
    /// Whether one of them reports a failure.
    failed: bool,
}

impl Remarks {
    /// Adds a remark.
    pub(crate) fn add(&mut self, sentence: impl fmt::Display) {
        if self.sentences.len() < MOST {
            self.sentences.push(fit(&sentence.to_string()));
        } else {
            self.more += 1;
        }
    }

    /// Adds a failure: a command could not be executed, or not as written.
    pub(crate) fn add_failure(&mut self, sentence: impl fmt::Display) {
        self.add(sentence);
        self.failed = true;
    }

    /// Adds a message, or a failure.
    pub(crate) fn add_result(&mut self, result: Result<impl fmt::Display, impl fmt::Display>) {
        match result {
            Ok(message) => self.add(message),
            Err(error) => self.add_failure(error),
        }
    }

    /// Adds a failure that is printed before all other remarks.
    pub(crate) fn refuse(&mut self, sentence: impl fmt::Display) {
        self.sentences.insert(0, fit(&sentence.to_string()));
        if self.sentences.len() > MOST {
            self.sentences.pop();
            self.more += 1;
        }
        self.failed = true;
    }

    /// Prints all remarks as one line, if there are any.
    pub(crate) fn print(&mut self, output: &Output) {
        if self.sentences.is_empty() {
            return;
        }
        let all = std::mem::take(self);
        let mut text = all.sentences.join("; ");
        if all.more > 0 {
            // Writing to a string cannot fail.
            _ = write!(text, "; and {} more", all.more);
        }
        if all.failed {
            output.failure(text);
        } else {
            output.note(text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::tests::written;

    #[test]
    fn many_mistakes_make_a_short_line() {
        let said = written(|output| {
            let mut remarks = Remarks::default();
            for number in 1..=3 {
                remarks.add(number);
            }
            remarks.print(output);
            for number in 1..=100_000 {
                remarks.add_failure(number);
            }
            remarks.print(output);
            remarks.print(output);
            for number in 1..=3 {
                remarks.add(number);
            }
            remarks.refuse("no");
            remarks.print(output);
            assert!(output.has_failures());
        });
        assert_eq!(
            said,
            "info string 1; 2; 3\ninfo string 1; 2; 3; and 99997 more\n\
             info string no; 1; 2; and 1 more\n"
        );
    }

    #[test]
    fn a_long_sentence_keeps_its_beginning_and_its_end() {
        let long = format!("Hash: {}\r\n; nothing changed", "é".repeat(1000));
        let fitted = fit(&long);
        assert_eq!(fitted.chars().count(), BEGINNING + 3 + END);
        assert!(fitted.starts_with("Hash: é") && fitted.ends_with("é  ; nothing changed"));
        let short = "x".repeat(BEGINNING + END);
        assert_eq!(fit(&short), short);
    }
}
