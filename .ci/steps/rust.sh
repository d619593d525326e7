# shellcheck shell=bash
# The crates: style, dependencies, features, tests, oracles, other targets, old compilers.

lint() { # Format, clippy, documentation, unused dependencies, sentences
    say "format"; cargo fmt --all --check
    cargo fmt --manifest-path benches/peers/Cargo.toml --check
    say "clippy"; cargo clippy --workspace --all-targets --locked --quiet -- -D warnings
    say "documentation"; RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked --quiet
    say "unused dependencies"; tool cargo-machete 0.9.2; target/ci-tools/bin/cargo-machete
    say "movegen without std"; cargo build -p skewer-movegen --no-default-features --locked --quiet
    say "nouns in sentences"; tools/dev/words.py --except benches/results/ --except CHANGELOG.md
}

deep_lint() { # Clippy for the packages outside the workspace
    local package
    for package in benches/peers fuzz; do
        say "clippy for $package"
        cargo clippy --manifest-path $package/Cargo.toml --target-dir "target/lint/$package" --all-targets --locked --quiet -- -D warnings
    done
}

dependencies() { # Licences and sources of dependencies
    local manifest
    tool cargo-deny 0.20.2
    for manifest in Cargo.toml crates/python/Cargo.toml; do
        say "licences, bans and sources of $manifest"
        target/ci-tools/bin/cargo-deny --manifest-path $manifest --locked --config deny.toml \
            check --hide-inclusion-graph --allow duplicate licenses bans sources
    done
}

features() { # Every pair of features compiles
    say "every pair of features"
    tool cargo-hack 0.6.46
    target/ci-tools/bin/cargo-hack hack check --workspace --feature-powerset --depth 2 --locked --quiet
}

tests() { # All tests of the workspace, the scripts' own tests, and files made from others
    say "tests"; cargo test --workspace --locked --no-fail-fast
    debian python3 python3
    say "scripts of the match runner"; python3 tools/dev/tests/test_scripts.py
    say "table of experiments"; tools/dev/check_experiments.py
    say "picture of the crates"; tools/dev/crates.py --check
    say "links of the documents"; tools/dev/site target/site --links
}

oracles() { # Tests against other crates, and with search parameters that can change
    say "oracle tests against peer crates"
    cargo test --manifest-path benches/peers/Cargo.toml --target-dir target/peers --locked
    # Cargo chooses the other features as for the whole workspace, so that little has to be built again.
    say "parameters that can be changed"
    cargo test --workspace --features skewer-selfplay/tune --test spsa --locked
}

books() { # Positions, SAN, FEN and books compared with python-chess and polyglot
    say "positions, SAN, FEN and books of movegen compared with python-chess and polyglot"
    debian /usr/games/polyglot polyglot
    python
    # The tests have built the example.
    cargo test --workspace --locked --no-run --quiet
    "$VENV/bin/python" crates/movegen/tests/peers.py target/debug/examples/peer 10000
}

deep_msrv() { # Crates without dependencies on the rest, with older compilers
    # 1.85 is Debian 13's; the instructions of AVX-512 came with 1.89.
    local version cpu
    while read -r version cpu; do
        say "movegen and pgn with Rust $version for $cpu"
        rustup toolchain list | grep -q "^$version" || rustup toolchain install "$version" --profile minimal < /dev/null
        RUSTFLAGS="-C target-cpu=$cpu" cargo "+$version" check -p skewer-movegen -p skewer-pgn --target-dir target/msrv --locked --quiet < /dev/null
    done <<< $'1.85 x86-64\n1.85 x86-64-v3\n1.89 x86-64-v4'
}

deep_foreign() { # Processors of 32 bits and of the other byte order: tests of movegen, pgn and syzygy
    local tests=(-p skewer-movegen -p skewer-pgn -p skewer-syzygy --lib --test forms --test library --test cases
        --test round_trips --test sets)
    debian qemu-s390x qemu-user
    debian s390x-linux-gnu-gcc gcc-s390x-linux-gnu
    debian /usr/s390x-linux-gnu/include/stdio.h libc6-dev-s390x-cross
    rustup target add s390x-unknown-linux-gnu i686-unknown-linux-musl
    say "tests on s390x, by qemu"
    CARGO_TARGET_S390X_UNKNOWN_LINUX_GNU_LINKER=s390x-linux-gnu-gcc \
        CARGO_TARGET_S390X_UNKNOWN_LINUX_GNU_RUNNER="qemu-s390x -L /usr/s390x-linux-gnu" \
        RUSTFLAGS="" cargo test "${tests[@]}" --target s390x-unknown-linux-gnu --locked
    say "tests on i686"
    RUSTFLAGS="-C linker=rust-lld" cargo test "${tests[@]}" --target i686-unknown-linux-musl --locked
}

deep_plain() { # A build by plain cargo is not much slower than a build with a profile
    local plain=target/plain/plain profiled=target/plain/profiled
    mkdir -p target/plain
    make -s EXE=$plain PROFILE=no CARGO="cargo --quiet"
    make -s EXE=$profiled CARGO="cargo --quiet"
    # 0.92 on 2026-11-29; 0.73 with a function of the network that plain cargo compiles to scalar code.
    say "nodes a second by plain cargo: at least 0.8 of the nodes with a profile"
    tools/dev/speed.py --seconds 1 --rounds 3 --at-least 0.8 "profiled=$profiled" "plain cargo=$plain"
}

portable() { # Other processors and systems: builds, and tests where they can run
    local target
    for target in aarch64-unknown-linux-gnu aarch64-apple-darwin i686-unknown-linux-gnu \
        wasm32-unknown-unknown x86_64-pc-windows-gnu
    do
        say "libraries for $target"
        # Only a failed download is passed over: without it nothing can be checked.
        rustup target list --installed | grep -qx "$target" ||
            rustup target add "$target" >/dev/null 2>&1 ||
            { echo "NOT CHECKED: the standard library for $target cannot be downloaded"; continue; }
        RUSTFLAGS="" cargo check -p skewer-movegen -p skewer-pgn -p skewer-syzygy \
            --features skewer-syzygy/memmap2 --target "$target" --locked --quiet
    done
}

models() { # The protocols of threads, with all orders that loom finds
    say "loom models"
    RUSTFLAGS="--cfg loom" cargo test -p skewer-tt -p skewer-smp --lib --locked \
        --target-dir target/loom loom
}
