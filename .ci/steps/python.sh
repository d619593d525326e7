# shellcheck shell=bash
# The Python package.

python_package() { # The Python package: style, wheel, tests
    local package=crates/python python=$PWD/target/ci-python/bin/python
    say "Python package: format, clippy"
    cargo fmt --check --manifest-path $package/Cargo.toml
    cargo clippy --manifest-path $package/Cargo.toml --target-dir target --quiet \
        -- -D warnings
    say "Python package: wheel"
    python_wheel
    "$python" -m pip install -q "$(ls $PWD/target/wheels/skewer_chess-*.whl)[test]"
    say "Python package: tests"
    (cd $package && "$python" -m pytest -n 2 --dist worksteal)
    say "Python package: tests of other people's packages"
    "$python" $package/tests/packages.py --small --wheel "$(ls $PWD/target/wheels/skewer_chess-*.whl)"
    say "Python package: no lines of python-chess"
    "$python" $package/tests/alike.py
}

wheels() { # Wheels for an index, with an old C library, and from the source distribution; an hour
    local package=crates/python venv=target/ci-python python
    python=$PWD/$venv/bin/python
    environment $venv
    "$python" -m pip install -q "maturin>=1.9,<2" ziglang
    say "wheels for other systems"
    rm -rf target/index
    tools/dev/release/licences --manifest $package/Cargo.toml skewer-python > $package/THIRD-PARTY.md
    (cd $package && RUSTFLAGS="-C target-cpu=x86-64-v2" PATH=$PWD/../../$venv/bin:$PATH \
        CARGO_TARGET_DIR=../../target/python-zig "$python" -m maturin build --quiet --release --zig \
        --compatibility manylinux2014 --sdist --out ../../target/index)
    ls target/index
    clean_install target/index/skewer_chess-*manylinux*.whl /usr/bin:/bin
    clean_install target/index/skewer_chess-*.tar.gz "$PATH"
}

clean_install() { # clean_install FILE PATH: install into an empty environment, and use it
    say "$(basename "$1") in an empty environment"
    local python; python=$(command -v python3)
    rm -rf target/clean-venv; "$python" -m venv target/clean-venv
    PATH=$2 target/clean-venv/bin/python -m pip install -q "$1"
    (cd / && PATH=$2 "$OLDPWD/target/clean-venv/bin/python" -c '
import skewer, skewer.chess as chess, skewer.chess.pgn
assert skewer.Engine().play(skewer.Board(), nodes=1000).move and chess.Board().legal_moves.count() == 20
print(skewer.__version__, skewer.__file__)')
}

deep_packages() { # Other people's Python packages, with their own tests, on skewer.chess
    say "tests of other people's packages, with python-chess and with skewer.chess"
    python_wheel
    target/ci-python/bin/python crates/python/tests/packages.py \
        --wheel "$(ls $PWD/target/wheels/skewer_chess-*.whl)"
}

deep_pytorch() { # The trainer in PyTorch compared with skewer-train, on the processor; torch takes 5 GB
    local venv=target/ci-torch gpu=tools/train/gpu
    say "the trainer in PyTorch"
    environment $venv
    "$venv/bin/python" -m pip install -q -r $gpu/requirements.txt
    cargo build --profile fast --locked --quiet -p skewer -p skewer-selfplay -p skewer-train
    "$venv/bin/python" $gpu/test_train.py --selfplay target/fast/skewer-selfplay --train target/fast/skewer-train \
        --engine target/fast/skewer
}
