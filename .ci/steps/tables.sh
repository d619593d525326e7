# shellcheck shell=bash
# Endgame tables compared with python-chess.

compare_tables() { # compare_tables COUNT: endgame tables against python-chess on random positions
    python
    # The tests have built the example.
    cargo test --workspace --locked --no-run --quiet
    "$VENV/bin/python" crates/syzygy/tests/compare_with_python_chess.py --positions "$1" \
        --probe target/debug/examples/probe --tables crates/syzygy/tests/data
    # Tables of five to seven pieces, which this test writes.
    cargo test --locked --quiet -p skewer-syzygy --test large
    "$VENV/bin/python" crates/syzygy/tests/compare_with_python_chess.py --positions 3000 \
        --probe target/debug/examples/probe --tables target/tmp/large-tables \
        --wdl KRBvKN KQQvKQ KRPvKR KPPvKP KRRvKNN KQQQQQvK
}

tables() { # Endgame tables against python-chess
    say "endgame tables: 20,000 positions against python-chess"; compare_tables 20000
}

deep_tables() { # All endgame tables that python-chess and retrograde analysis can check
    say "endgame tables: a million positions against python-chess"; compare_tables 1000000
    say "endgame tables: every position of four pieces against retrograde analysis"
    cargo test --locked -p skewer-syzygy --test retrograde -- --ignored --nocapture
}
