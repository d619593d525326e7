//! Output files, and the check that an output is not also another file of the command.

mod common;

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;

use common::files_in;
use skewer_store::{
    CommandFiles, OutputFile, StoreErrorKind as Kind, check_standard_output, is_file_of_its_own,
    open_alone, write,
};

#[test]
fn a_regular_file_is_replaced_only_by_a_complete_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("out");
    fs::write(&path, "old").expect("written");
    let mut output = OutputFile::create(&path).expect("begun");
    output.write_all(&vec![b'n'; 1 << 20]).expect("written");
    assert_eq!(fs::read(&path).expect("there"), b"old");
    drop(output);
    assert_eq!(fs::read(&path).expect("there"), b"old");
    assert_eq!(files_in(folder.path()), ["out"]);

    write(&path, "new").expect("written");
    assert_eq!(fs::read(&path).expect("there"), b"new");
    assert_eq!(files_in(folder.path()), ["out"]);

    let error = OutputFile::create(folder.path()).expect_err("a folder");
    assert!(matches!(error.kind(), Kind::IsAFolder), "{error}");
    assert!(OutputFile::create(folder.path().join("missing/out")).is_err());
    assert!(OutputFile::create("").is_err());
    let long = folder.path().join("ä".repeat(127));
    write(&long, "new").expect("a name of 254 bytes");
    assert_eq!(fs::read(&long).expect("there"), b"new");
}

/// The system's message is in the text once, however the chain of errors is printed.
#[test]
fn an_error_has_its_reason_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let error = OutputFile::create(folder.path().join("missing/out")).expect_err("no folder");
    let text = error.to_string();
    assert!(
        text.ends_with("cannot create the file: No such file or directory (os error 2)"),
        "{text}"
    );
    assert!(std::error::Error::source(&error).is_none());
    assert!(std::error::Error::source(error.kind()).is_none());
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
    use std::process::Command;

    use super::*;

    fn fifo(path: &Path) {
        let status = Command::new("mkfifo").arg(path).status().expect("mkfifo");
        assert!(status.success());
    }

    #[test]
    fn links_are_followed_and_permissions_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, link) = (folder.path().join("real"), folder.path().join("link"));
        fs::write(&path, "old").expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("set");
        symlink("real", &link).expect("linked");
        write(&link, "new").expect("written");
        assert_eq!(fs::read(&path).expect("there"), b"new");
        assert!(fs::symlink_metadata(&link).expect("there").is_symlink());
        let mode = fs::metadata(&path).expect("there").permissions().mode();
        assert_eq!(mode & 0o777, 0o640);

        // A link to a file that is not there yet.
        let dangling = folder.path().join("dangling");
        symlink("sub/../later", &dangling).expect("linked");
        fs::create_dir(folder.path().join("sub")).expect("made");
        write(&dangling, "later").expect("written");
        assert_eq!(
            fs::read(folder.path().join("later")).expect("there"),
            b"later"
        );

        let circle = folder.path().join("circle");
        symlink("circle", &circle).expect("linked");
        assert!(write(&circle, "never").is_err());
    }

    #[test]
    fn devices_and_pipes_are_written_to() {
        write("/dev/null", "nothing").expect("written");
        let null = fs::metadata("/dev/null").expect("there").file_type();
        assert!(null.is_char_device());
        let full = write("/dev/full", "something").expect_err("full");
        assert!(full.to_string().contains("No space left"), "{full}");

        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("pipe");
        fifo(&path);
        let reader = std::thread::spawn({
            let path = path.clone();
            move || fs::read_to_string(path).expect("read")
        });
        write(&path, "through the pipe").expect("written");
        assert_eq!(reader.join().expect("no panic"), "through the pipe");
        assert!(fs::metadata(&path).expect("there").file_type().is_fifo());
    }

    #[test]
    fn a_descriptor_is_written_to_and_its_file_not_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("out");
        let mut file = File::create_new(&path).expect("created");
        file.write_all(b"before ").expect("written");
        let descriptor = {
            use std::os::fd::AsRawFd;
            format!("/dev/fd/{}", file.as_raw_fd())
        };
        write(&descriptor, "after").expect("written");
        assert_eq!(fs::read(&path).expect("there"), b"before after");
        let mut same = String::new();
        File::open(&descriptor)
            .and_then(|mut file| file.read_to_string(&mut same))
            .expect("read");
        assert_eq!(
            same, "before after",
            "the descriptor's file is the one at the path"
        );
    }

    /// The next writer of the same name removes the temporary files of a killed process, but not
    /// files that are being written or that belong to another program.
    #[test]
    fn abandoned_temporary_files_are_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("out");
        for name in [
            ".out.99999-0.part",
            ".out.12-3.part",
            ".out.x-0.part",
            ".other.1-0.part",
        ] {
            fs::write(folder.path().join(name), "half").expect("written");
        }
        let output = OutputFile::create(&path).expect("begun");
        assert_eq!(
            files_in(folder.path()).len(),
            3,
            "two of other programs, one being written"
        );
        output.commit().expect("written");
        assert_eq!(
            files_in(folder.path()),
            [".other.1-0.part", ".out.x-0.part", "out"]
        );
    }

    /// The second writer is refused, by any spelling of the path, until the first has ended.
    #[test]
    fn two_writers_of_one_file_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("out");
        let link = folder.path().join("link");
        symlink("out", &link).expect("linked");
        let first = OutputFile::create(&path).expect("begun");
        for spelling in [&path, &link, &folder.path().join(".").join("out")] {
            let refused = OutputFile::create(spelling).expect_err("refused");
            assert!(matches!(refused.kind(), Kind::BeingWritten));
        }
        assert!(OutputFile::create(folder.path().join("other")).is_ok());
        drop(first);
        OutputFile::create(&link)
            .expect("begun")
            .commit()
            .expect("written");

        // However many begin at once, one may write.
        let begun = std::sync::Barrier::new(8);
        let accepted = std::thread::scope(|scope| {
            let begin = || {
                begun.wait();
                let file = OutputFile::create(&path);
                begun.wait();
                file.is_ok()
            };
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(begin)).collect();
            let accepted = threads
                .into_iter()
                .map(|thread| thread.join().expect("ended"));
            accepted.filter(|&accepted| accepted).count()
        });
        assert_eq!(accepted, 1);
    }

    /// The variable by which the test below knows that it runs without a standard output.
    const CLOSED: &str = "SKEWER_TEST_CLOSED";

    /// What is written to a closed standard output would be lost without an error.
    #[test]
    fn a_standard_output_that_loses_results_is_refused() {
        if std::env::var_os(CLOSED).is_some() {
            assert!(check_standard_output().is_err());
            for path in ["-", "/dev/stdout", "/dev/fd/1"] {
                let error = OutputFile::create_or_stdout(path).expect_err("closed");
                let reason = error.to_string();
                assert!(
                    reason.contains("it is closed") || reason.contains("it is open for"),
                    "{reason}"
                );
            }
            return;
        }
        assert!(check_standard_output().is_ok());
        let name = "unix::a_standard_output_that_loses_results_is_refused";
        let script = format!("exec \"$0\" --exact {name} --nocapture");
        let run = |redirection: &str, closed: bool| {
            let mut command = Command::new("sh");
            let program = std::env::current_exe().expect("this program");
            command
                .args(["-c", &format!("{script} {redirection}")])
                .arg(program);
            if closed {
                command.env(CLOSED, "");
            }
            command.status().expect("run").success()
        };
        assert!(run(">&-", true), "closed");
        assert!(run("1</dev/null", true), "open for reading alone");
        assert!(!run(">/dev/null", true), "open, to nowhere");
    }

    #[test]
    fn only_regular_files_are_files_of_their_own() {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, pipe) = (folder.path().join("out"), folder.path().join("pipe"));
        fifo(&pipe);
        assert!(is_file_of_its_own(&path));
        fs::write(&path, "").expect("written");
        assert!(is_file_of_its_own(&path));
        let open = File::open(&path).expect("opened");
        let descriptor = format!("/dev/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&open));
        for other in ["/dev/null", "/dev/stdout", "/proc/self/fd/1", &descriptor] {
            assert!(!is_file_of_its_own(other), "{other}");
        }
        assert!(!is_file_of_its_own(&pipe) && !is_file_of_its_own(folder.path()));
    }

    #[test]
    fn links_and_other_spellings_are_the_same_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.pgn");
        fs::write(&path, "*").expect("written");
        let (soft, hard) = (folder.path().join("soft"), folder.path().join("hard"));
        symlink("games.pgn", &soft).expect("linked");
        fs::hard_link(&path, &hard).expect("linked");
        let other = folder.path().join(".").join("games.pgn");
        for spelling in [&path, &soft, &hard, &other] {
            let mut files = CommandFiles::new();
            files.input(&path).output("--csv", spelling);
            let error = files.check().expect_err("one file").to_string();
            assert!(error.ends_with("; choose another output"), "{error}");
        }
        let mut files = CommandFiles::new();
        let error = files.output("--csv", &path).journal(&path).check();
        assert_eq!(
            error.expect_err("one file").to_string(),
            format!(
                "{} is both journal and --csv output; choose another output",
                path.display()
            )
        );
        let mut files = CommandFiles::new();
        let error = files.input(&path).journal(&soft).check();
        assert_eq!(
            error.expect_err("one file").to_string(),
            format!(
                "{} (journal) is the same file as {} (input); choose another journal",
                soft.display(),
                path.display()
            )
        );

        // Files that are not there yet.
        let (new, link) = (folder.path().join("new"), folder.path().join("to-new"));
        symlink("new", &link).expect("linked");
        let mut files = CommandFiles::new();
        assert!(
            files
                .output("--csv", &new)
                .output("--html", &link)
                .check()
                .is_err()
        );
        let mut files = CommandFiles::new();
        assert!(
            files
                .output("--csv", &new)
                .output("--html", &path)
                .check()
                .is_ok()
        );
    }

    #[test]
    fn a_stream_can_be_given_twice_unless_output_would_be_mixed() {
        let ok = |files: &CommandFiles| files.check().is_ok();
        let mut files = CommandFiles::new();
        files.input("/dev/null").input("/dev/null");
        assert!(ok(files
            .output("--csv", "/dev/null")
            .output("--html", "/dev/null")));

        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("pipe");
        fifo(&path);
        let mut files = CommandFiles::new();
        assert!(ok(files.input(&path)), "one input");
        assert!(
            !ok(files.output("--csv", &path)),
            "a pipe as input and output would block"
        );

        let (terminal, _other) = std::os::unix::net::UnixStream::pair().expect("a pair");
        let descriptor = {
            use std::os::fd::AsRawFd;
            format!("/dev/fd/{}", terminal.as_raw_fd())
        };
        let mut files = CommandFiles::new();
        assert!(ok(files.input(&descriptor).output("--csv", &descriptor)));
        assert!(
            !ok(files.output("--html", &descriptor)),
            "two outputs, one stream"
        );
    }

    /// A program takes a broken pipe (`ErrorKind::BrokenPipe`) for its user's wish that it end. So only the standard
    /// output may give an error of that kind.
    #[test]
    fn a_pipe_that_has_lost_its_reader_is_no_wish_to_end() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("pipe");
        fifo(&path);
        let lose = |bytes: usize| {
            let reader = path.clone();
            let reader = std::thread::spawn(move || drop(File::open(reader).expect("opened")));
            let mut output = OutputFile::create(&path).expect("begun");
            reader.join().expect("it has come and gone");
            let written = output.write_all(&vec![0; bytes]);
            (written, output)
        };
        let (written, _output) = lose(1 << 20);
        let error = written.expect_err("too much for the buffer");
        assert_eq!(error.kind(), std::io::ErrorKind::Other, "{error}");
        assert!(error.to_string().contains("Broken pipe"), "{error}");
        let (written, output) = lose(1);
        written.expect("it is in the buffer");
        let error = output.commit().expect_err("no reader");
        assert!(
            matches!(error.kind(), Kind::Io { error, .. } if error.kind() == std::io::ErrorKind::Other),
            "{error}"
        );
    }

    /// Only what was written gets the name of the output.
    #[test]
    fn a_temporary_file_that_was_replaced_is_not_published() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("out");
        for replace in [false, true] {
            write(&path, "old").expect("written");
            let mut output = OutputFile::create(&path).expect("begun");
            output.write_all(b"new").expect("written");
            let names = files_in(folder.path());
            let temporary = names.iter().find(|name| *name != "out");
            let temporary = folder.path().join(temporary.expect("there"));
            fs::remove_file(&temporary).expect("removed");
            if replace {
                fs::write(&temporary, "other").expect("written");
            }
            let error = output.commit().expect_err("replaced").to_string();
            assert!(error.contains("removed or replaced"), "{error}");
            assert_eq!(fs::read(&path).expect("there"), b"old");
        }
    }

    #[test]
    fn files_to_add_to_are_regular() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("pipe");
        fifo(&path);
        for path in [path.as_path(), Path::new("/dev/zero"), folder.path()] {
            let error = open_alone(path).expect_err("it may have no end");
            assert!(error.to_string().contains("not a regular file"), "{error}");
        }
        assert!(
            open_alone(folder.path().join("new"))
                .expect("made")
                .is_some()
        );
    }
}
