//! Four engines search the same position, and are stopped after a second: `client PROGRAM`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use skewer::client::{Analysis, Bounds, EngineError, Go, Program, UciEngine, Variant};

fn analyse(program: &Program, position: &str, stop: &AtomicBool) -> Result<Analysis, EngineError> {
    let stopped = || stop.load(Ordering::Relaxed);
    let mut engine = UciEngine::start(program, Variant::Standard, Bounds::default(), &stopped)?;
    let hour = Duration::from_secs(3600);
    engine.analyse(position, &Go::default(), hour, &stopped)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let program: Program = std::env::args().nth(1).ok_or("usage: client PROGRAM")?.parse()?;
    let stop = Arc::new(AtomicBool::new(false));
    let engines = (0..4).map(|_| {
        let (program, stop) = (program.clone(), Arc::clone(&stop));
        tokio::task::spawn_blocking(move || analyse(&program, "position startpos", &stop))
    });
    let engines: Vec<_> = engines.collect();
    tokio::time::sleep(Duration::from_secs(1)).await;
    stop.store(true, Ordering::Relaxed);
    for engine in engines {
        let found = engine.await??;
        let depth = found.lines.first().and_then(|line| line.depth).unwrap_or_default();
        println!("{} at depth {depth}", found.best);
    }
    Ok(())
}
