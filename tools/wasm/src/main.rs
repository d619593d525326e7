//! The program: answers the request on the standard input.

use std::io::{self, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut request = String::new();
    let result = io::stdin().read_line(&mut request);
    if let Err(error) = result {
        eprintln!("skewer-wasm: cannot read the request: {error}");
        return ExitCode::from(2);
    }
    let mut out = io::stdout();
    let answered = skewer_wasm::analyse(&request, &mut |line| {
        // Errors are ignored: the search runs until its caller ends the program.
        let _ = serde_json::to_writer(&mut out, line).map(|()| writeln!(out));
    });
    match answered {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("skewer-wasm: {error}");
            ExitCode::from(2)
        }
    }
}
