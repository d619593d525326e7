# shellcheck shell=bash
# The same answers from every build.

CROSS="x86_64-unknown-linux-musl aarch64-unknown-linux-musl i686-unknown-linux-musl"

conformance_build() { # conformance_build NAME TARGET FLAGS [RUNNER]: a build of the engine, and its check
    local name=$1 target=$2 flags=$3 program said
    shift 3
    program=target/conformance/$name/$target/fast/skewer
    RUSTFLAGS="-C linker=rust-lld $flags" cargo build --profile fast -p skewer --target "$target" \
        --target-dir "target/conformance/$name" --locked --quiet
    if ! said=$("$@" $program --version 2>&1) && grep "needs a processor" <<< "$said"; then
        echo "| $name | not run: this processor lacks something | | | | |" | tee -a target/conformance/table.md
        return 0
    fi
    .ci/conformance/check.py program "$name" "$@" $program
}

conformance() { # Every build gives the same answers to 60 searches
    say "the same answers from every build"
    debian qemu-aarch64 qemu-user
    # shellcheck disable=SC2086 # one word each
    rustup target add $CROSS
    mkdir -p target/conformance
    printf '| build | searches | answers | transcripts | stop | time |\n|---|---|---|---|---|---|\n' \
        > target/conformance/table.md
    local level
    for level in x86-64 x86-64-v2 x86-64-v3 x86-64-v4; do
        conformance_build $level x86_64-unknown-linux-musl "-C target-cpu=$level"
    done
    # The program of a release on a processor of 2008, without AVX and BMI; the others run its newer functions.
    .ci/conformance/check.py program "x86-64-v2 on Nehalem" qemu-x86_64 -cpu Nehalem \
        target/conformance/x86-64-v2/x86_64-unknown-linux-musl/fast/skewer
    conformance_build i686 i686-unknown-linux-musl ""
    conformance_build aarch64 aarch64-unknown-linux-musl "" qemu-aarch64
    npm_package
    outside
    python_wheel
    target/ci-python/bin/python .ci/conformance/check.py wheel "Python wheel"
    say "conformance"; cat target/conformance/table.md
}
