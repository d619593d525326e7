# shellcheck shell=bash
# The npm package, the page that analyses games, and the web site.

deep_speed() { # The npm package compared with stockfish.js, on a quiet machine; about 20 minutes
    local project=target/npm-project
    npm_package
    (cd $project && node npm install --silent --no-audit --no-fund --ignore-scripts stockfish@19.0.0)
    local lite=$project/node_modules/stockfish/bin/stockfish-19-lite-single
    debian /usr/games/stockfish stockfish
    make -s EXE=target/ci-engine CARGO="cargo --quiet"
    say "sizes, as they are and compressed"
    local file
    for file in crates/wasm/npm/skewer.wasm crates/wasm/npm/skewer-plain.wasm $lite.wasm; do
        echo "$file $(stat -c %s "$file") $(gzip -9c "$file" | wc -c)"
    done
    say "nodes a second"
    node tools/dev/speed.py "Skewer=target/ci-engine" "Skewer, wasm=$project/node_modules/.bin/skewer-chess" \
        "Skewer, wasm without vectors=env SKEWER_VECTORS=no $project/node_modules/.bin/skewer-chess" \
        "Stockfish of Debian=/usr/games/stockfish" "stockfish.js lite=node $lite.js"
    say "match, 1 s + 0.01 s"
    printf '#!/bin/sh\nexec node "%s/%s.js"\n' "$PWD" "$lite" > target/stockfish-js
    chmod +x target/stockfish-js
    cargo build --release --locked --quiet -p skewer-selfplay
    node target/release/skewer-selfplay match --engine $project/node_modules/.bin/skewer-chess,name=wasm \
        --engine target/stockfish-js,name=stockfish-js --tc 1+0.01 --games 200
}

npm_package() { # The npm package, installed into an empty project; in Node and in Chromium
    local project=target/npm-project check=.ci/conformance/check.py
    debian chromium chromium
    rustup target add wasm32-wasip1
    say "npm package"
    node make -s npm CARGO="cargo --quiet" PAGE=target/skewer.html
    rm -rf $project && mkdir -p $project
    echo '{ "private": true }' > $project/package.json
    (cd $project && node npm install --silent --no-audit --no-fund ../../crates/wasm/npm/skewer-chess-*.tgz)
    # Later steps may build another page.
    cp crates/wasm/tests/*.mjs target/skewer.html $project
    node node $project/module.mjs && node node $project/written.mjs $project/skewer.html
    node $project/node_modules/.bin/skewer-chess single $project/node_modules/skewer-chess/skewer-chess-single.js
    node $check program "wasm, Node" node $project/node_modules/skewer-chess/cli.mjs
    local way
    for way in worker file deaf; do
        $check browser "wasm, Chromium ($way)" $project/node_modules/skewer-chess $way
    done
    say "the vector instructions of the npm package: at least twice the nodes a second of the program without"
    # 2.8 times on 2026-11-29; 1.7 times while one function of the network was not inlined.
    local program=$project/node_modules/.bin/skewer-chess
    node tools/dev/speed.py --seconds 0.7 --rounds 2 --at-least 2 \
        "without vectors=env SKEWER_VECTORS=no $program" "with vectors=$program"
}

deep_firefox() { # The page that analyses games, in Firefox
    local tests=crates/page/tests axe
    debian firefox-esr firefox-esr
    python
    "$VENV/bin/python" -m pip install -q "websocket-client==1.8.0"
    "$VENV/bin/python" -m pip install -q --no-deps "axe-playwright-python==0.1.8"
    rustup target add wasm32-wasip1
    say "the page that analyses games, in Firefox"
    make -s page CARGO="cargo --quiet" PAGE=target/skewer.html
    cargo build --locked --quiet -p skewer-analyse
    axe=$(find "$VENV" -name axe.min.js | head -n 1)
    "$VENV/bin/python" $tests/browser.py --page target/skewer.html --analyse target/debug/skewer-analyse --axe "$axe" --firefox firefox-esr
}

deep_site() { # The web site of the manuals and the page, with every link and anchor
    tool mdbook 0.5.4
    say "the web site"
    make -s page CARGO="cargo --quiet" PAGE=target/skewer.html
    tools/dev/site target/site --page target/skewer.html --mdbook target/ci-tools/bin/mdbook
}

game_page() { # The page that analyses games, in Node and in Chromium, and axe-core; the bytes of the program
    local tests=crates/page/tests program=target/wasm/wasm32-wasip1/release/skewer_page.wasm analyse=target/debug/skewer-analyse axe
    debian chromium chromium
    python
    rustup target add wasm32-wasip1
    say "the page that analyses games"
    make -s page CARGO="cargo --quiet" PAGE=target/skewer.html
    # The program that the tests have built.
    cargo test --workspace --locked --no-run --quiet
    node node $tests/conformance.mjs $program $analyse 3000 $tests/games/*.pgn*
    node $tests/sites.py
    "$VENV/bin/python" -m pip install -q --no-deps "axe-playwright-python==0.1.8"
    axe=$(find "$VENV" -name axe.min.js | head -n 1)
    $tests/browser.py --page target/skewer.html --analyse $analyse --axe "$axe"
}
