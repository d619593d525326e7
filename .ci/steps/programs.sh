# shellcheck shell=bash
# The programs with real clients, in a browser and on a cluster.

clients() { # The programs with real clients, in a browser and on a cluster
    local clients=crates/uci/tests/clients engine=target/ci-engine
    say "real clients"
    debian /usr/games/gnuchess gnuchess
    python
    # As distributed testers build it, but without the profile, which takes a second build.
    mkdir -p target
    make -s EXE=$engine PROFILE=no CARGO="cargo --quiet"
    "$VENV/bin/python" $clients/run.py --engine $engine --gnuchess /usr/games/gnuchess --complete
    # Games with real clocks, on a machine that may do other things as well.
    "$VENV/bin/python" $clients/reliability.py --engine $engine --games 16 --busy
    wasm
    # The programs that the tests have built.
    cargo test --workspace --locked --no-run --quiet
    analysis target/debug/skewer-analyse
    tree_page target/debug/skewer-lab
}

analysis() { # analysis PROGRAM: games, aggregates, report and cluster scripts of skewer-analyse
    local analyse=$1 tests=crates/analysis-cli/tests cluster=crates/analysis-cli/cluster
    say "annotated games, aggregates and data, checked by python-chess, an independent script and the schema"
    "$VENV/bin/python" -m pip install -q "jsonschema==4.26.0"
    $tests/read_back.sh "$analyse" "$VENV/bin/python"
    say "the report in a browser, and axe-core"
    debian chromium chromium
    # The package contains the script of axe-core; nothing else of the package is used.
    "$VENV/bin/python" -m pip install -q --no-deps "axe-playwright-python==0.1.8"
    "$VENV/bin/python" -m pip install -q "kubernetes-validate==1.37.0"
    local axe; axe=$(find "$VENV" -name axe.min.js | head -n 1)
    local engine=(); [ ! -e target/release/skewer.wasm ] || engine=(--engine target/release/skewer.wasm)
    "$VENV/bin/python" $tests/browser.py --analyse "$analyse" --axe "$axe" "${engine[@]}"
    say "cluster scripts"
    "$VENV/bin/kubernetes-validate" --quiet $cluster/kubernetes.yaml
    debian /usr/sbin/munged munge; debian sbatch slurm-client
    debian /usr/sbin/slurmctld slurmctld; debian /usr/sbin/slurmd slurmd
    if [ "$(id -u)" = 0 ]; then
        $cluster/test_slurm.sh "$analyse" $tests/data/lichess-47.pgn.zst
    else
        sudo $cluster/test_slurm.sh "$analyse" $tests/data/lichess-47.pgn.zst
    fi
}

tree_page() { # tree_page PROGRAM: the page of skewer-lab
    say "the tree page in a browser, and axe-core"
    debian chromium chromium
    python
    "$VENV/bin/python" -m pip install -q --no-deps "axe-playwright-python==0.1.8"
    tools/lab/tests/browser.py --lab "$1" \
        --axe "$(find "$VENV" -name axe.min.js | head -n 1)"
}

# The tests with a clock, by target and parts of their names: tests that give an engine a time, wait with a
# time limit, or kill a program at work.
CLOCKED="\
--lib -- deadline stop held in_a_moment
--test robustness -- clock
--test engines -- hung_engine
--test engine -- stop last_reported deadlines ponder dropping deterministic killed_save pipe_closes book_move
--test lists
--test bad_input -- limits unexpected_commands threads_is_set closed_output
--test storm -- random_scripts
--test replay -- every_script
--test games -- killed
--test cli -- floods misbehave sigterm killed_match node_clock repeat"
CLOCKED_PYTHON="tests/test_engine.py tests/test_chess_engine.py tests/test_dask.py tests/test_errors.py"

deep_busy() { # The tests with a clock, on a busy machine
    local times=${TIMES:-20} loops="" time target
    python_package
    cargo test --workspace --locked --no-run
    trap 'kill $loops' EXIT
    for _ in 1 2 3 4 5 6; do
        while :; do :; done & loops+=" $!"
    done
    for time in $(seq "$times"); do
        say "tests with a clock beside six busy loops, $time of $times"
        while read -r target; do
            # shellcheck disable=SC2086 # one word each
            cargo test -q --workspace --locked $target </dev/null
        done <<<"$CLOCKED"
        # shellcheck disable=SC2086
        (cd crates/python && ../../target/ci-python/bin/python -m pytest -q $CLOCKED_PYTHON)
    done
    trap - EXIT
    kill $loops
}
