# shellcheck shell=bash
# Faults on purpose: random and hostile input, changed rules, data races, undefined behaviour.

soak() { # Attacks for an hour, or for SOAK seconds: other cases in every round
    local end=$((SECONDS + ${SOAK:-3600})) round=0 venv=target/ci-python
    local python=$PWD/$venv/bin/python
    environment $venv
    "$python" -m pip install -q "$(ls $PWD/target/wheels/skewer_chess-*.whl)[test]"
    unset PROPTEST_RNG_SEED
    while [ $SECONDS -lt $end ]; do
        round=$((round + 1)); say "attacks, round $round"
        (cd crates/python && "$python" tests/fuzz.py 200000 "$RANDOM-$round" &&
            "$python" -m pytest -n 2 tests/test_adversary.py tests/test_errors.py tests/test_scripts.py)
        # Hostile engines, files and surroundings.
        SKEWER_ATTACK_SEED=$RANDOM$round cargo test --locked --quiet -p skewer-uci-client
        cargo test --locked --quiet -p skewer-analyse --test games -- attacks labels
        cargo test --locked --quiet -p skewer-selfplay --test cli -- attacks engines interruptions
        python3 tools/dev/tests/test_scripts.py Make
        # Damaged networks, books, tables, journals, games, and sessions of the engine.
        cargo test --locked --quiet -p skewer --test bad_input --test storm
        SKEWER_PGN_SEED=$RANDOM$RANDOM SKEWER_PGN_CASES=10000 cargo test --locked --quiet -p skewer-pgn -p skewer-eval -p skewer-syzygy -p skewer-store
        cargo test --locked --quiet -p skewer-analyse --test games -- journals files
    done
    echo "$round rounds of attacks, none failed"
}

fuzzers() { # The fuzz targets on stable Rust, for a few random inputs
    local target
    say "fuzz targets"
    cargo build --manifest-path fuzz/Cargo.toml --target-dir target/fuzz --locked --quiet
    for target in fuzz/fuzz_targets/*.rs; do
        target=$(basename "$target" .rs)
        echo "$target"
        # A few random inputs, which show that the target runs.
        target/fuzz/debug/"$target" -seed=1 -runs=50 -max_len=200 >target/fuzz/log 2>&1 ||
            { cat target/fuzz/log; return 1; }
    done
}

deep_protected() { # A failing test for every technique that is disabled
    say "a failing test for every technique that is disabled"; tools/dev/protected
}

# Rules of search, changed one at a time (.cargo/mutants.toml): hours; FILE=path for one file. MUTANTS has options of
# cargo-mutants: `--shard 0/8` for a part, `--in-place` to build in this tree (quicker; if it is interrupted, a changed
# file is left behind).
deep_mutants() { # A failing test for every changed rule of search: hours
    tool cargo-mutants 27.1.0
    mutants() { # mutants PACKAGE TESTS...: a failing test for every change
        local package=$1
        shift
        [ -z "${FILE:-}" ] || [[ $FILE == */${package#skewer-}/* ]] || return 0
        say "changes of $package that no test notices"
        mkdir -p "target/mutants/$package"
        PATH="$PWD/target/ci-tools/bin:$PATH" CARGO_INCREMENTAL=1 cargo mutants --package "$package" \
            --output "target/mutants/$package" ${FILE:+--re "^$FILE:"} ${MUTANTS:-} --cargo-arg=--locked -- "$@"
    }
    mutants skewer-lab --lib --test leaves --test counts --test algorithms
    mutants skewer-search --lib --test conformance --test tablebases
    mutants skewer-ordering --lib --tests
    mutants skewer-tt --lib --test table --test snapshot
}

deep_threads() { # ThreadSanitizer: hash table, workers, analysis
    say "ThreadSanitizer: hash table, workers, analysis"
    nightly
    # The tests of the analysis start the program; a data race ends it with code 66. Tests that wait
    # for a time are left out, since everything takes ten times as long.
    race() {
        CARGO_TARGET_DIR=target/tsan \
            RUSTFLAGS="-Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer" \
            cargo +nightly test -Zbuild-std --target x86_64-unknown-linux-gnu --locked "$@"
    }
    race -p skewer-tt --test stress
    race -p skewer-smp --test engine -- --skip deadlines_hold
    race -p skewer-analyse --test games -- any_number_of_workers
}

deep_miri() { # Miri: vector code of move generation by SSE2 and AVX2, hash table
    say "Miri: vector code of move generation by SSE2 and AVX2, hash table"
    nightly
    local miri="cargo +nightly miri test --locked --target-dir target/miri"
    RUSTFLAGS="" $miri -p skewer-movegen --lib -- lanes
    # The examples of the documentation go through the AVX2 form. Those with a perft take too long.
    local avx2="-Ctarget-feature=+avx2,+bmi1,+bmi2,+popcnt"
    RUSTFLAGS=$avx2 RUSTDOCFLAGS=$avx2 $miri -p skewer-movegen --doc -- \
        board:: generate:: --skip lean
    # Whole tables are too large for Miri, and so is a test of eight million pairs of entries.
    RUSTFLAGS="" $miri -p skewer-tt --lib -- cluster:: entry:: --skip half_of_one_write
}
