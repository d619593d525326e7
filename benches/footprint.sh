#!/usr/bin/env bash
# What it costs to depend on a move generator: for each, a program that does nothing but count
# moves is built from clean with `cargo build --release -j2`, and its build time, its size and the
# crates that it pulled in are printed. Fails if ours pulls in more than bitflags and arrayvec.
#
#   benches/footprint.sh [ROUNDS]     each is built so many times, in turn (1); the least counts
#
# Needs the crates of the peers (a registry, or cargo's cache of one).
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${1:-1}
movegen=$PWD/crates/movegen
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

program() { # program NAME DEPENDENCY CODE: a package that prints a perft
    mkdir -p "$work/$1/src"
    printf '[package]\nname = "count-with-%s"\nversion = "0.0.0"\nedition = "2024"\n[workspace]\n[dependencies]\n%s\n' \
        "$1" "$2" > "$work/$1/Cargo.toml"
    cat > "$work/$1/src/main.rs" <<RUST
fn main() {
    let mut args = std::env::args().skip(1);
    let fen = args.next().expect("a FEN");
    let depth: u32 = args.next().expect("a depth").parse().expect("a number");
    println!("{}", count(&fen, depth));
}
fn count(fen: &str, depth: u32) -> u64 { $3 }
RUST
}

program skewer "skewer-movegen = { path = \"$movegen\" }" \
    'skewer_movegen::perft(&fen.parse().expect("a position"), depth)'
program cozy-chess 'cozy-chess = "=0.3.4"' '
    fn perft(board: &cozy_chess::Board, depth: u32) -> u64 {
        let mut nodes = 0;
        board.generate_moves(|moves| {
            if depth == 1 {
                nodes += moves.len() as u64;
            } else {
                for mv in moves {
                    let mut child = board.clone();
                    child.play_unchecked(mv);
                    nodes += perft(&child, depth - 1);
                }
            }
            false
        });
        nodes
    }
    perft(&fen.parse().expect("a position"), depth)'
program eschac 'eschac = "=0.6.2"' '
    let fen = fen.split(" ").take(4).collect::<Vec<_>>().join(" ");
    let setup = eschac::setup::Setup::from_text_record(&fen).expect("a position");
    setup.into_position().expect("legal").perft(depth as usize) as u64'
program chess 'chess = "=3.2.0"' '
    chess::MoveGen::movegen_perft_test(&fen.parse().expect("a position"), depth as usize) as u64'
program shakmaty 'shakmaty = "=0.30.1"' '
    let fen: shakmaty::fen::Fen = fen.parse().expect("a FEN");
    let position: shakmaty::Chess =
        fen.into_position(shakmaty::CastlingMode::Standard).expect("legal");
    shakmaty::perft(&position, depth)'

names="skewer cozy-chess eschac chess shakmaty"
start="rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
declare -A best
for name in $names; do # downloads are not part of the time
    cargo fetch -q --manifest-path "$work/$name/Cargo.toml"
done
# Outside the repository, so that its settings (this machine's processor) do not hold.
cd "$work"
for ((round = 0; round < rounds; round++)); do
    for name in $names; do
        rm -rf "$work/target-$name"
        begin=$(date +%s%N)
        cargo build -q --release -j2 --manifest-path "$work/$name/Cargo.toml" \
            --target-dir "$work/target-$name"
        took=$((($(date +%s%N) - begin) / 1000000))
        [ "${best[$name]:-$took}" -lt "$took" ] || best[$name]=$took
    done
done

printf '%-12s %10s %12s %12s  %s\n' "" "build, s" "size, bytes" "stripped" "crates pulled in"
for name in $names; do
    binary=$work/target-$name/release/count-with-$name
    [ "$("$binary" "$start" 4)" = 197281 ] || { echo "$name miscounts" >&2; exit 1; }
    cp "$binary" "$work/stripped"; strip "$work/stripped"
    crates=$(cargo tree --manifest-path "$work/$name/Cargo.toml" -e normal,build --prefix none \
        --format '{p}' | awk 'NR > 1 { print $1 }' | sort -u | paste -sd' ')
    printf '%-12s %10s %12s %12s  %s\n' "$name" "$(awk "BEGIN { print ${best[$name]} / 1000 }")" \
        "$(stat -c %s "$binary")" "$(stat -c %s "$work/stripped")" "$crates"
    if [ "$name" = skewer ] && [ "$crates" != "arrayvec bitflags skewer-movegen" ]; then
        echo "skewer-movegen pulls in more than bitflags and arrayvec" >&2
        exit 1
    fi
done
