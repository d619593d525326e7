//! Lessons: a page for each of the five texts, with searches to step through and the measured claims.

use std::fmt::Write as _;

use anyhow::{Context as _, Result};
use clap::Parser;

use crate::claims::CHAPTERS;
use crate::recipe::{Observe, Observed, Question};
use crate::tree_page::{STAGE, document, escaped};

/// A lesson.
#[derive(Debug, Clone, Copy)]
pub struct Lesson {
    /// Its name, which is the name of the chapter of [`CHAPTERS`] whose claims it shows.
    pub name: &'static str,
    /// Its heading.
    pub title: &'static str,
    /// Its text in HTML, with a stage for each of `stages`, and `{claims}`.
    text: &'static str,
    /// What is searched in each stage, as arguments of `skewer-lab search`.
    stages: &'static [&'static [&'static str]],
    /// The claims, as measured.
    table: &'static str,
}

/// White, a rook ahead, mates at once.
const ROOK: &str = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
/// The position [`ROOK`] with Black to move.
const ROOK_BEHIND: &str = "6k1/5ppp/8/8/8/8/5PPP/R5K1 b - - 0 1";
/// The knight wins a pawn. Other moves gain only by their squares, and lead nowhere.
const KNIGHT: &str = "8/5k2/8/3p4/8/2N5/3K4/8 w - - 0 1";
/// White is two queens up.
const QUEENS: &str = "4k3/8/8/8/8/8/8/Q3K2Q w - - 0 1";

/// The lessons, one for each text.
pub const LESSONS: [Lesson; 5] = [
    Lesson {
        name: "futility",
        title: "Futility pruning",
        text: include_str!("lessons/futility.html"),
        stages: &[
            &[
                "--fen",
                ROOK,
                "--depth",
                "2",
                "--at-least",
                "400",
                "--recipe",
                "futility-node",
                "--recipe",
                "plain",
            ],
            &[
                "--fen",
                ROOK_BEHIND,
                "--depth",
                "1",
                "--at-least",
                "-100",
                "--recipe",
                "futility-parent",
                "--recipe",
                "plain",
            ],
            &[
                "--game",
                "horizon",
                "--depth",
                "2",
                "--at-least",
                "100",
                "--recipe",
                "futility-node",
                "--recipe",
                "killers",
            ],
        ],
        table: include_str!("../../../benches/results/tables/claims-futility.csv"),
    },
    Lesson {
        name: "alpha-beta",
        title: "Minimax and alpha-beta",
        text: include_str!("lessons/alpha-beta.html"),
        stages: &[
            &[
                "--tree",
                "(((3 17) (2 12)) ((15) (25 0)))",
                "--recipe",
                "minimax",
                "--recipe",
                "bratko",
            ],
            &[
                "--tree",
                "((1 2) (3 4) (5 6))",
                "--recipe",
                "alpha-beta",
                "--recipe",
                "minimax",
            ],
            &[
                "--fen",
                "4k3/8/2p5/3p4/8/8/8/3QK3 w - - 0 1",
                "--depth",
                "1",
                "--recipe",
                "no-quiescence",
                "--recipe",
                "plain",
            ],
        ],
        table: include_str!("../../../benches/results/tables/claims-alpha-beta.csv"),
    },
    Lesson {
        name: "quiet-moves",
        title: "The order of quiet moves",
        text: include_str!("lessons/quiet-moves.html"),
        stages: &[
            &[
                "--fen",
                ROOK,
                "--depth",
                "2",
                "--recipe",
                "plain",
                "--recipe",
                "best-at-once",
            ],
            &[
                "--fen", KNIGHT, "--depth", "2", "--recipe", "buckets", "--recipe", "plain",
            ],
        ],
        table: include_str!("../../../benches/results/tables/claims-quiet-moves.csv"),
    },
    Lesson {
        name: "null-move",
        title: "The null move",
        text: include_str!("lessons/null-move.html"),
        stages: &[
            &[
                "--fen",
                QUEENS,
                "--depth",
                "3",
                "--at-least",
                "500",
                "--recipe",
                "null-move",
                "--recipe",
                "plain",
            ],
            &[
                "--game",
                "zugzwang",
                "--at-least",
                "-300",
                "--depth",
                "4",
                "--recipe",
                "null-move",
                "--recipe",
                "verified-null-move",
            ],
            &[
                "--game",
                "horizon",
                "--at-least",
                "100",
                "--depth",
                "2",
                "--recipe",
                "null-move",
                "--recipe",
                "killers",
            ],
        ],
        table: include_str!("../../../benches/results/tables/claims-null-move.csv"),
    },
    Lesson {
        name: "pvs",
        title: "Principal variation search",
        text: include_str!("lessons/pvs.html"),
        stages: &[
            &[
                "--tree",
                "((6 9) (3 5) (4 8) (2 7))",
                "--recipe",
                "pvs",
                "--recipe",
                "alpha-beta",
            ],
            &[
                "--tree",
                "((3 5) (6 9) (8 7))",
                "--recipe",
                "pvs",
                "--recipe",
                "negascout",
                "--recipe",
                "alpha-beta",
            ],
            &[
                "--tree",
                "((3 5) (6 9) (1 2))",
                "--recipe",
                "sss",
                "--recipe",
                "mt-sss",
            ],
        ],
        table: include_str!("../../../benches/results/tables/claims-pvs.csv"),
    },
];

/// What a stage asks, as arguments.
#[derive(Parser)]
struct Asked {
    #[command(flatten)]
    question: Question,
}

impl Lesson {
    /// The lesson with this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        LESSONS.iter().find(|lesson| lesson.name == name)
    }

    /// What is searched in each of its stages, recorded.
    ///
    /// # Errors
    ///
    /// If a stage cannot be searched, which a test excludes.
    pub fn stages(&self) -> Result<Vec<(Question, Vec<Observed>)>> {
        let answered = |arguments: &&[&str]| {
            let asked = Asked::try_parse_from([&["stage"], *arguments].concat())?;
            let observed = asked.question.answer(Observe::Steps)?;
            Ok((asked.question, observed))
        };
        self.stages.iter().map(answered).collect()
    }

    /// The page.
    ///
    /// # Errors
    ///
    /// If a stage cannot be searched or the claims cannot be read, which a test excludes.
    pub fn page(&self) -> Result<String> {
        let answered = self.stages()?;
        let stages: Vec<_> = answered
            .iter()
            .map(|(question, observed)| (question, &observed[..]))
            .collect();
        let chapter = CHAPTERS.iter().find(|chapter| chapter.name == self.name);
        let source = chapter.context("a lesson has a chapter")?.source;
        let text = self.text.replace("{stage}", STAGE);
        let body = text.replace("{claims}", &claims(self.table)?);
        Ok(document(self.title, &escaped(source), &body, &stages)?)
    }
}

/// The claims of a chapter as an HTML table.
fn claims(table: &str) -> Result<String> {
    let mut html = String::from(
        "<p>A claim is <em>confirmed</em> if the whole interval of its figure lies in the range that it needs, and \
         <em>refuted</em> if none of it does. It <em>depends</em> if it holds in part only. If an end of the range lies \
         inside the interval, the measurement <em>cannot tell</em>.</p>\n\
         <div class=\"measured\" tabindex=\"0\" role=\"region\" aria-label=\"claims\"><table>\n<thead><tr>\
         <th scope=\"col\">claim</th><th scope=\"col\">verdict</th><th scope=\"col\">figure, with its 95% interval\
         </th><th scope=\"col\">needs</th></tr></thead>\n<tbody>\n",
    );
    for row in csv::Reader::from_reader(table.as_bytes()).records() {
        let row = row?;
        let [claim, figure, needs, verdict] = [0, 3, 4, 5].map(|n| escaped(&row[n]));
        let _ = writeln!(
            html,
            "<tr><td>{claim}</td><td>{verdict}</td><td>{figure}</td><td>{needs}</td></tr>"
        );
    }
    html.push_str("</tbody></table></div>");
    Ok(html)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_has_a_lesson_with_its_parts_and_short_searches() {
        for chapter in &CHAPTERS {
            let lesson = Lesson::named(chapter.name).expect(chapter.name);
            let count = |part: &str| lesson.text.matches(part).count();
            assert_eq!(count("{stage}"), lesson.stages.len(), "{}", lesson.name);
            for part in [
                "The idea",
                "A question",
                "Where it errs",
                "The measurement",
                "<details",
                "{claims}",
            ] {
                assert!(count(part) > 0, "{}: {part}", lesson.name);
            }
            for (question, observed) in lesson.stages().unwrap() {
                // Only the tree in the worst order is to show that alpha-beta saves nothing.
                for (number, (answer, _)) in observed.iter().enumerate() {
                    for (other, _) in &observed[..number] {
                        let worst = [&*answer.recipe, &*other.recipe] == ["minimax", "alpha-beta"];
                        assert_eq!(answer.is_the_search_of(other), worst, "{}", lesson.name);
                    }
                }
                for (answer, recording) in observed {
                    let steps = recording.unwrap().steps.len();
                    let asked = question.in_words();
                    assert!(
                        steps <= 400,
                        "{}: {asked}: {steps} steps of {}",
                        lesson.name,
                        answer.recipe
                    );
                }
            }
            let page = lesson.page().unwrap();
            assert!(!page.contains("{claims}") && !page.contains("{stage}"));
        }
    }

    /// What stands between two marks, each time that they stand in a text.
    fn between<'a>(text: &'a str, from: &str, to: &str) -> Vec<&'a str> {
        let ends = |part: &'a str| part.split(to).next().unwrap_or_default();
        text.split(from).skip(1).map(ends).collect()
    }

    #[test]
    fn every_question_has_one_right_answer_and_every_answer_says_why() {
        let mut places = [0; 3];
        for lesson in &LESSONS {
            // A question is a paragraph with its answers after it.
            let questions: Vec<_> = between(lesson.text, "<h2>A question</h2>", "<h2>")[0]
                .split("<p>")
                .filter(|part| !part.starts_with("Right.") && !part.starts_with("No."))
                .skip(1)
                .collect();
            assert!(!questions.is_empty(), "{}", lesson.name);
            let answers = between(lesson.text, "<details", "</details>");
            assert_eq!(answers.len() % 3, 0, "{}: three answers each", lesson.name);
            assert_eq!(answers.len() / 3, questions.len(), "{}", lesson.name);
            for answers in answers.chunks(3) {
                let right: Vec<_> = (0..3)
                    .filter(|&n| answers[n].contains("class=\"answer right\""))
                    .collect();
                let [right] = right[..] else {
                    panic!("{}: {} are right: {answers:?}", lesson.name, right.len())
                };
                places[right] += 1;
                for (number, answer) in answers.iter().enumerate() {
                    let why = between(answer, "<p>", "</p>")[0];
                    let verdict = if number == right { "Right. " } else { "No. " };
                    assert!(why.starts_with(verdict), "{answer}");
                    assert!(why.split(' ').count() > 8, "no reason: {answer}");
                }
            }
        }
        // The place of an answer does not betray it.
        assert!(places.iter().all(|&count| count >= 2), "{places:?}");
    }

    #[test]
    fn the_examples_of_the_null_move_are_short_and_begin_where_it_acts() {
        let lesson = Lesson::named("null-move").unwrap();
        for (_, observed) in lesson.stages().unwrap() {
            let (answer, recording) = &observed[0];
            let recording = recording.as_ref().unwrap();
            assert_eq!(answer.recipe, "null-move");
            assert!(
                recording.steps.len() < 60,
                "{} steps",
                recording.steps.len()
            );
            // A pass is the first node below the root.
            assert_eq!(recording.places[1].label, "pass");
        }
    }
}
