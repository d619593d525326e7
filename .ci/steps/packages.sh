# shellcheck shell=bash
# Packages of the crates and of Debian, and programs that use them from outside.

package() { # The crates as they are published
    say "packages for crates.io"
    rm -f target/package/*.crate
    # shellcheck disable=SC2046 # one word each
    cargo package $(publishable) --no-verify --allow-dirty --locked --quiet 2>&1 |
        { grep -v "^warning: manifest has no\|^ *|\|^ *= note: see https://doc\|^$" || true; }
    [ "$(ls target/package/*.crate | wc -l)" -ge 12 ]
    say "the movegen and pgn crates pull in few packages"
    local packages
    packages=$(cargo tree -p skewer-pgn -e normal,build --prefix none --format '{p}' --locked |
        awk '{ print $1 }' | sort -u | paste -sd' ')
    echo "$packages"
    [ "$packages" = "arrayvec bitflags memchr skewer-movegen skewer-pgn" ]
}

deep_package() { # Every published crate builds from its package alone
    say "packages build from what would be published"
    # shellcheck disable=SC2046 # one word each
    cargo package $(publishable) --allow-dirty --locked --quiet
}

deep_semver() { # Changes of public interfaces since the last release
    local baseline
    baseline=$(cat .ci/semver-baseline) # the revision of the last release
    say "interfaces against $baseline"
    tool cargo-semver-checks 0.51.0
    # shellcheck disable=SC2046 # one word each
    PATH="$PWD/target/ci-tools/bin:$PATH" cargo semver-checks $(publishable) --baseline-rev "$baseline"
}

deep_debian() { # Debian's package: built without a network from vendored sources, installed and tried
    say "Debian package"
    debian dpkg-buildpackage dpkg-dev
    local root="" tree=$PWD/target/debian/skewer; [ "$(id -u)" = 0 ] || root=sudo
    rm -rf target/debian
    tools/dev/packaging/debian-source "$tree"
    # -d: the compiler is not Debian's.
    (cd "$tree" && CARGO_NET_OFFLINE=true dpkg-buildpackage -b -us -uc -d)
    dpkg-deb --contents target/debian/skewer_*.deb
    $root dpkg --install target/debian/skewer_*.deb
    /usr/games/skewer bench 5
    /usr/games/skewer-analyse --version
    man --warnings --location skewer skewer-analyse
    $root dpkg --purge skewer
}

outside() { # Programs outside the workspace that use packed crates alone
    say "programs that use the crates as they are published"
    rm -f target/package/*.crate
    # shellcheck disable=SC2046 # one word each
    cargo package $(publishable) --no-verify --allow-dirty --locked --quiet
    rm -rf target/outside/crates && mkdir -p target/outside/crates
    local crate
    # -m sets the times of the files to now. With their old times, cargo would not build a changed crate
    # of the same version again.
    for crate in target/package/*.crate; do tar -xmzf "$crate" -C target/outside/crates; done
    cargo build --manifest-path .ci/outside/Cargo.toml --target-dir target/outside/build --profile fast --quiet
    .ci/conformance/check.py rows "crates, packed" target/outside/build/fast/outside
    cargo build --manifest-path .ci/outside/no_std/Cargo.toml --target-dir target/outside/build --quiet
    outside_uses target/outside/build/fast target/outside
}

outside_uses() { # outside_uses PROGRAMS FOLDER: what each of the programs answers
    local built=$1 folder=$2
    [ "$("$built/perft" 4 | tail -n 1)" = 197281 ]
    printf '[Result "1-0"]\n\n1. e4 e5 1-0\n\n[Result "0-1"]\n\n1. d4 0-1\n' > "$folder/games.pgn"
    "$built/filter" white < "$folder/games.pgn" > "$folder/won.pgn"
    [ "$(grep -c '^1\. ' "$folder/won.pgn")" = 1 ]
    grep -q '^1\. e4 e5 1-0' "$folder/won.pgn"
    "$built/book" "$folder/book.bin" < "$folder/games.pgn"
    # Three entries of sixteen bytes: two first moves, and one answer.
    [ "$(stat -c %s "$folder/book.bin")" = 48 ]
    "$built/evaluator" | grep -qx 'mate 1 h5f7'
    echo '6k1/5ppp/8/8/8/8/q4PPP/3R2K1 w - - 0 1' | "$built/puzzles" | grep -q 'Rd8#$'
    # The engine that the tests have built.
    cargo test --workspace --locked --no-run --quiet
    [ "$("$built/client" target/debug/skewer | grep -c ' at depth [1-9]')" = 4 ]
    # The address of an earlier run would be read before the server has written its own.
    rm -f "$folder/address"
    "$built/server" > "$folder/address" & local server=$!
    until [ -s "$folder/address" ]; do sleep 0.1; done
    local address port; address=$(cat "$folder/address"); port=${address##*:}
    exec 3<>"/dev/tcp/127.0.0.1/$port"
    echo '7k/6pp/8/8/8/8/8/R5K1 w - - 0 1' >&3
    local line; read -r line <&3; exec 3>&-; kill $server
    [ "$line" = "mate 1 a1a8" ]
}
