//! The `skewer` binary: checks that the processor can run it, then serves a client.

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use skewer_types::not_utf8;

fn main() -> ExitCode {
    // This check comes first, because any other code may use instructions that the processor lacks.
    #[cfg(target_arch = "x86_64")]
    if !skewer::cpu::can_run() {
        return ExitCode::FAILURE;
    }
    start()
}

#[inline(never)]
fn start() -> ExitCode {
    skewer_store::report_file_size_limit();
    if let Err(error) = skewer_store::check_standard_output() {
        _ = writeln!(std::io::stderr(), "skewer: {error}");
        return ExitCode::FAILURE;
    }
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    #[cfg(feature = "play")]
    if let Some((command, words)) = arguments.split_first()
        && command == "play"
    {
        return skewer::play(words);
    }
    let arguments = arguments.into_iter().map(OsString::into_string);
    let arguments: Vec<String> = match arguments.collect() {
        Ok(arguments) => arguments,
        Err(word) => {
            _ = writeln!(std::io::stderr(), "skewer: {}", not_utf8(&word));
            return ExitCode::FAILURE;
        }
    };
    match arguments.first().map(String::as_str) {
        None => skewer::console(),
        Some("--version" | "-V") => {
            let output = skewer::output::Output::new(std::io::stdout());
            output.line(concat!("Skewer ", env!("SKEWER_VERSION")));
            skewer::written(&output)
        }
        Some("--help" | "-h") => {
            let status = skewer::run_commands(&["help".to_owned()]);
            if cfg!(feature = "play") {
                let play = "A game in this terminal: `skewer play` (`skewer play --help`)";
                _ = writeln!(std::io::stdout(), "{play}");
            }
            status
        }
        Some(_) => skewer::run_commands(&arguments),
    }
}
