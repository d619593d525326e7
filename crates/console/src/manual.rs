//! Manual pages and completions of shells, made from a program's own command line.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs, io};

use clap_complete::Shell;

/// The option that asks for the documents. The folder to write them to follows it, and nothing else.
const WORD: &str = "--write-manual";

/// Writes the documents of a program if its command line is `--write-manual FOLDER`, which packagers use and `--help`
/// does not list. Returns the exit code of the program in that case, and otherwise `None`.
pub fn written(command: clap::Command) -> Option<ExitCode> {
    let mut words = env::args_os().skip(1);
    let (first, folder) = (words.next()?, words.next()?);
    if first != OsStr::new(WORD) || words.next().is_some() {
        return None;
    }
    let name = command.get_name().to_owned();
    let folder = PathBuf::from(folder);
    Some(match write(command, &folder) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            crate::progress::note(format_args!("{name}: {}: {error}", folder.display()));
            ExitCode::FAILURE
        }
    })
}

/// Writes the manual pages of a command and its subcommands to `FOLDER/man`, and completions for bash, zsh and fish to
/// `FOLDER/completions`.
///
/// # Errors
///
/// If a folder or file cannot be written.
pub fn write(mut command: clap::Command, folder: &Path) -> io::Result<()> {
    let (pages, completions) = (folder.join("man"), folder.join("completions"));
    fs::create_dir_all(&pages)?;
    fs::create_dir_all(&completions)?;
    let name = command.get_name().to_owned();
    // Write the pages before the completions, because completions add subcommands of `help`, which would get pages of
    // their own.
    clap_mangen::generate_to(command.clone(), &pages)?;
    for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
        clap_complete::generate_to(shell, &mut command, &name, &completions)?;
    }
    Ok(())
}

/// A line of prose in the help of a command, or of one of its subcommands, that ends although the next word would fit.
/// Such an end, written into the text, splits sentences on a terminal of another width. For tests.
pub fn early_line_end(command: &clap::Command) -> Option<String> {
    let ends = [80, 100].into_iter().find_map(|width| {
        let mut command = command.clone().term_width(width);
        early_end(&command.render_long_help().to_string(), width)
    });
    ends.or_else(|| command.get_subcommands().find_map(early_line_end))
}

/// The first such line of a text. Lines of prose are not indented, unlike lines of tables and examples.
fn early_end(text: &str, width: usize) -> Option<String> {
    let is_prose = |line: &str| line.starts_with(|c: char| !c.is_whitespace());
    let length = |text: &str| text.chars().count();
    let pairs = text.lines().zip(text.lines().skip(1));
    let mut prose = pairs.filter(|(line, next)| is_prose(line) && is_prose(next));
    let early = prose.find(|(line, next)| {
        let word = next.split(' ').next().unwrap_or_default();
        !line.ends_with(':') && length(line) + 1 + length(word) <= width
    });
    early.map(|(line, _)| line.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_end_early_are_found() {
        let long = "word ".repeat(30);
        let command = |text: &str| {
            let inner = clap::Command::new("run").after_help(text.to_owned());
            clap::Command::new("tool").subcommand(inner)
        };
        let whole = format!("{long}and more\n\nExamples:\n  tool run\n  tool");
        assert_eq!(early_line_end(&command(&whole)), None);
        let split = early_line_end(&command("A line\nthat was split"));
        assert_eq!(split.as_deref(), Some("A line"));
    }

    #[test]
    fn each_subcommand_has_one_page_and_each_shell_its_completions() {
        let folder = tempfile::tempdir().unwrap();
        let command = clap::Command::new("tool")
            .subcommand(clap::Command::new("run"))
            .subcommand(clap::Command::new("merge"));
        write(command, folder.path()).unwrap();
        let names = |part: &str| {
            let files = fs::read_dir(folder.path().join(part)).unwrap();
            let mut names: Vec<String> = files
                .map(|file| file.unwrap().file_name().into_string().unwrap())
                .collect();
            names.sort();
            names
        };
        assert_eq!(names("man"), ["tool-merge.1", "tool-run.1", "tool.1"]);
        assert_eq!(names("completions"), ["_tool", "tool.bash", "tool.fish"]);
    }
}
