//! A server: each line that a client sends is a position, and the answer is its best lines. One engine serves all clients.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use skewer::{Board, Engine, Limits, Options};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

fn answer(engine: &Mutex<Engine>, fen: &str) -> String {
    let board: Board = match fen.parse() {
        Ok(board) => board,
        Err(error) => return format!("error {error}\n"),
    };
    let limits = Limits { multi_pv: 3, ..Limits::move_time(Duration::from_millis(100)) };
    let Ok(mut engine) = engine.lock() else {
        return "error the engine has failed\n".to_owned();
    };
    let lines = engine.analyse(board, limits);
    let curve = engine.win_curve(&board);
    let text = lines.iter().map(|line| format!("{} {}\n", curve.uci(line.score), board.uci_line(&line.pv)));
    text.chain(["end\n".to_owned()]).collect()
}

async fn serve(engine: Arc<Mutex<Engine>>, client: TcpStream) -> std::io::Result<()> {
    let (from, mut to) = client.into_split();
    let mut lines = BufReader::new(from).lines();
    while let Some(line) = lines.next_line().await? {
        let engine = Arc::clone(&engine);
        // A search takes time, so it does not run on a thread of the runtime.
        let text = tokio::task::spawn_blocking(move || answer(&engine, &line)).await?;
        to.write_all(text.as_bytes()).await?;
    }
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Arc::new(Mutex::new(Engine::new(Options::default())?));
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?);
    loop {
        let (client, _) = listener.accept().await?;
        tokio::spawn(serve(Arc::clone(&engine), client));
    }
}
