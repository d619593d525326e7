# shellcheck shell=bash
# Faults on purpose: random and hostile input, changed rules, data races, undefined behaviour.

build_fuzzers() { # the fuzz targets, on stable Rust
    cargo build --manifest-path fuzz/Cargo.toml --target-dir target/fuzz --locked --quiet
}

# The attacks of a round, by kind. npm and python need what `.ci/run npm_package python_package` has built of these
# sources. Random cases differ from round to round.
attack_python() { # attack_python ROUND: calls from Python, and its engine
    local python=$PWD/target/ci-python/bin/python
    environment target/ci-python
    "$python" -m pip install -q "$(ls "$PWD"/target/wheels/skewer_chess-*.whl)[test]"
    (cd crates/python && "$python" tests/fuzz.py 200000 "$RANDOM-$1" &&
        "$python" -m pytest -q -n 2 tests/test_adversary.py tests/test_chess_engine.py tests/test_errors.py \
            tests/test_scripts.py)
}
attack_engines() { # attack_engines ROUND: engines: answers, processes, signals
    SKEWER_ATTACK_SEED=$RANDOM$1 cargo test --locked --quiet -p skewer-uci-client
    cargo test --locked --quiet -p skewer-analyse --test games -- attacks labels
    cargo test --locked --quiet -p skewer-selfplay --test cli -- attacks engines interruptions
}
attack_files() { # attack_files ROUND: files: games, positions, journals, manifests, networks, tables, books, training data
    SKEWER_PGN_SEED=$RANDOM$RANDOM SKEWER_PGN_CASES=10000 cargo test --locked --quiet -p skewer-pgn -p skewer-eval \
        -p skewer-syzygy -p skewer-store -p skewer-gamedata
    cargo test --locked --quiet -p skewer-analyse --test games -- journals files names readers verified
    cargo test --locked --quiet -p skewer-report -p skewer-console -p skewer-types
    cargo test --locked --quiet -p skewer-train --test commands --test outputs
    cargo test --locked --quiet -p skewer-train --test learning -- damaged
}
attack_sessions() { # attack_sessions ROUND: sessions of the engine, and the options of the laboratory
    cargo test --locked --quiet -p skewer --test bad_input --test storm --test engine
    cargo test --locked --quiet -p skewer-lab --test cli -- wrong
}
attack_make() { # attack_make ROUND: names of folders and files
    python3 tools/dev/tests/test_scripts.py Make
}
attack_npm() { # attack_npm ROUND: calls from JavaScript
    local project=target/npm-project
    node node $project/module.mjs
    node node $project/written.mjs $project/skewer.html
}
attack_fuzz() { # attack_fuzz ROUND: random bytes, 10 seconds for each target
    local target
    build_fuzzers
    for target in fuzz/fuzz_targets/*.rs; do
        target=$(basename "$target" .rs)
        target/fuzz/debug/"$target" -seed=$RANDOM -max_total_time=10 >target/fuzz/log 2>&1 ||
            { tail -n 100 target/fuzz/log; return 1; }
    done
}

soak() { # Attacks for an hour, or for SOAK seconds: other cases in every round; KINDS="engines files" for some kinds
    local end=$((SECONDS + ${SOAK:-3600})) round=0 kind
    local kinds=${KINDS:-engines files sessions make npm python fuzz}
    unset PROPTEST_RNG_SEED
    while [ $SECONDS -lt $end ]; do
        round=$((round + 1))
        for kind in $kinds; do
            say "attacks, round $round: $kind"
            "attack_$kind" $round
        done
    done
    say "$round rounds of attacks ($kinds), none failed"
}

fuzzers() { # The fuzz targets on stable Rust, for a few random inputs
    local target
    say "fuzz targets"
    build_fuzzers
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
