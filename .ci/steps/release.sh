# shellcheck shell=bash
# What a release holds, and the figures that it prints.

dist() { # What a release holds, as far as this machine can make it: target/dist, and CONTENTS.md in it
    local out=target/dist venv=target/ci-python target=x86_64-unknown-linux-musl
    rm -rf $out target/dist-programs && mkdir -p $out
    say "the page that analyses games, and the npm package"
    rustup target add wasm32-wasip1
    node make -s npm CARGO="cargo --quiet" PAGE=target/skewer.html
    cp crates/wasm/npm/skewer-chess-*.tgz $out
    say "Python: wheel and source distribution"
    environment $venv
    make -s wheel PYTHON="$PWD/$venv/bin/python"
    "$venv/bin/python" -m pip install -q "maturin>=1.9,<2"
    "$venv/bin/maturin" sdist --manifest-path crates/python/Cargo.toml --out $out
    cp target/wheels/skewer_chess-*.whl $out
    say "crates"
    rm -f target/package/*.crate
    # shellcheck disable=SC2046 # one word each
    cargo package $(publishable) --no-verify --allow-dirty --locked --quiet
    cp target/package/*.crate $out
    say "programs"
    debian musl-gcc musl-tools
    rustup target add $target
    tools/dev/release/programs $target "-C target-cpu=x86-64-v2" target/dist-programs/linux-x86-64
    tools/dev/release/check target/dist-programs/linux-x86-64/skewer
    tools/dev/release/pack target/dist-programs $out target/skewer.html
    cat $out/CONTENTS.md
}

release() { # Before a release: the published figures are of this build
    say "figures of the documents, measured on this build"
    tools/dev/release/figures.py --check --release
}
