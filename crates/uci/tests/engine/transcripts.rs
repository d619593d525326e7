//! Transcripts of sessions, one in each file of `tests/transcripts`: commands after `> `, each followed by
//! all that the engine prints, in which `[..]` stands for any text.
//!
//! `SNAPSHOTS=overwrite cargo test -p skewer transcripts` replaces the transcripts by what the engine prints now.

use std::path::Path;

use snapbox::{Data, assert_data_eq};

use crate::harness::Client;

/// Sends the commands of a transcript, and returns the transcript of this session.
fn play(transcript: &str) -> Result<String, String> {
    let mut client = Client::start(&[]);
    let mut played = Vec::new();
    for command in transcript.lines().filter(|line| line.starts_with("> ")) {
        let before = client.output.len();
        client.send(&command[2..]);
        if command.starts_with("> go") {
            client.wait_for("bestmove ")?;
        }
        client.send("isready");
        client.wait_for("readyok")?;
        client.output.pop();
        played.push(command.to_owned());
        played.extend_from_slice(&client.output[before..]);
    }
    client.leave()?;
    Ok(played.join("\n") + "\n")
}

#[test]
fn transcripts_are_reproduced() -> Result<(), String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts");
    let files = folder.read_dir().map_err(|error| error.to_string())?;
    for file in files {
        let path = file.map_err(|error| error.to_string())?.path();
        let transcript = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
        assert_data_eq!(play(&transcript)?, Data::read_from(&path, None));
    }
    Ok(())
}
