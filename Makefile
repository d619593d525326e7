# Builds of the engine. `make EXE=path` is what distributed engine testers call; everything else is
# plain cargo.
#
#   make [EXE=path]         for the machine it is built on
#   make portable [EXE=..]  for every processor of the kind since about 2009, as in the archives of a release
#   make aarch64            64-bit ARM
#   make EVALFILE=path      with this network inside
#   make analyse            skewer-analyse, which analyses games
#   make selfplay           skewer-selfplay, for matches and training games
#   make PROFILE=no ...     any of these without a profile, in a third of the time
#   make wasm               the engine for web pages and for the reports of skewer-analyse
#   make page               skewer.html, which analyses games in a browser
#   make npm                the package skewer-chess for npm; needs Node
#   make wheel              the Python package, for other machines too   (CPU=native, ...)
#   make install            skewer and skewer-analyse with their manuals   (PREFIX=/usr/local, DESTDIR=, CPU=x86-64-v2)
#   make test, make bench, make clean, make help
#
# Programs are optimised by a profile of a typical run, which makes the engine about a tenth faster. That
# needs llvm-profdata: `rustup component add llvm-tools`. Without it they are built as by plain cargo.

CARGO ?= cargo
EXE ?= skewer
ifeq ($(OS),Windows_NT)
    SUFFIX := .exe
endif
# $(value) keeps a dollar sign in the name of a file.
# The name may or may not end in .exe already.
TARGET := $(if $(SUFFIX),$(patsubst %$(SUFFIX),%,$(value EXE)))$(if $(SUFFIX),,$(value EXE))$(SUFFIX)
export PROFILE
# Not by $(abspath), which takes a name with a blank for two names.
ifneq ($(value EVALFILE),)
    HAS_ROOT := $(filter /%,$(firstword $(value EVALFILE)))$(if $(SUFFIX),$(findstring :,$(firstword $(value EVALFILE))))
    export SKEWER_EVALFILE := $(if $(HAS_ROOT),,$(CURDIR)/)$(value EVALFILE)
endif

# Where cargo builds. Passed on below, since the user's cargo configuration may say otherwise.
OUT := $(or $(value CARGO_TARGET_DIR),target)
# A name that begins with a dash must not be read as an option.
OUT := $(if $(filter -%,$(firstword $(OUT))),./)$(OUT)
# `cd` would look there first, and print where it went.
unexport CDPATH

# Names of files reach the shell as variables, because they may have blanks and quotes.
export SKEWER_OUT := $(OUT)
export SKEWER_PROGRAM := $(TARGET)

# The system of the compiler, for builds that name a processor.
HOST = $(shell rustc -vV | sed -n 's/^host: //p')
# What nearly every processor for x86-64 has. Faster code for the network is chosen when a program starts.
PORTABLE = $(if $(filter x86_64-%,$(HOST)),x86-64-v2)
ARM = $(patsubst x86_64-%,aarch64-%,$(HOST))

# $(call program,PACKAGE,TARGET,FLAGS,OUTPUT,TYPICAL RUN)
program = CARGO="$(CARGO)" CARGO_TARGET_DIR="$$SKEWER_OUT" tools/dev/profiled-build $(1) "$(2)" "$(3)" "$(4)" $(5)

.PHONY: native portable aarch64 analyse selfplay wasm npm page page-program wheel packaged install test bench clean help

native:
	$(call program,skewer,$(HOST),-C target-cpu=native,$$SKEWER_PROGRAM,bench)

portable:
	$(call program,skewer,$(HOST),$(if $(PORTABLE),-C target-cpu=$(PORTABLE)),$$SKEWER_PROGRAM,bench)

aarch64:
	$(call program,skewer,$(ARM),,skewer-$@$(SUFFIX),bench)

analyse:
	$(call program,skewer-analyse,$(HOST),-C target-cpu=native,skewer-analyse$(SUFFIX),\
		games crates/analysis-cli/tests/data/lichess-47.pgn.zst --shard 1/8 --nodes 10000 --confidence none --threads 1 --quiet --jsonl -)

# Both searches that are compiled: with the usual techniques, and with others, as in training games.
COMMA := ,
selfplay:
	$(call program,skewer-selfplay,$(HOST),-C target-cpu=native,skewer-selfplay$(SUFFIX),\
		match --engine ours --engine ours$(COMMA)name=short$(COMMA)without=material-scale --nodes 400 --games 120)

# Two builds: with vectors of 128 bits, which every browser has since 2023, and without vectors for
# older browsers. A search needs more than the usual megabyte of stack. The build with vectors is also
# copied to where skewer-analyse looks for the engine: into its own folder.
NPM := crates/wasm/npm
# A folder for each, or every build would replace the result of the other.
wasm-build = RUSTFLAGS="$(1) -C strip=symbols -C link-arg=-zstack-size=16777216" $(CARGO) build --release --locked \
	-p skewer-wasm --target wasm32-wasip1 --target-dir "$$SKEWER_OUT/$(2)" && \
	cp "$$SKEWER_OUT/$(2)/wasm32-wasip1/release/skewer_wasm.wasm"

wasm:
	mkdir -p "$$SKEWER_OUT/release"
	$(call wasm-build,-C target-feature=-simd128,wasm-plain) $(NPM)/skewer-plain.wasm
	$(call wasm-build,-C target-feature=+simd128,wasm) $(NPM)/skewer.wasm
	cp $(NPM)/skewer.wasm "$$SKEWER_OUT/release/skewer.wasm"

# The page has one program, which is the analysis and the engine, for browsers with vectors.
PAGE := skewer.html
unexport PAGE
export SKEWER_PAGE := $(value PAGE)
page: page-program
	$(CARGO) run --quiet --locked -p skewer-page --target-dir "$$SKEWER_OUT" -- \
		"$$SKEWER_OUT/wasm/wasm32-wasip1/release/skewer_page.wasm" "$$SKEWER_PAGE"

page-program:
	RUSTFLAGS="-C target-feature=+simd128 -C strip=symbols -C link-arg=-zstack-size=16777216" $(CARGO) build --release \
		--locked -p skewer-page --lib --target wasm32-wasip1 --target-dir "$$SKEWER_OUT/wasm"

npm: wasm page
	tools/dev/release/licences --target wasm32-wasip1 skewer-page skewer-wasm > $(NPM)/THIRD-PARTY.md
	page="$$(realpath -- "$$SKEWER_PAGE")" && cd $(NPM) && SKEWER_PAGE="$$page" npm pack --silent

PYTHON ?= python3
CPU ?= $(PORTABLE)
wheel:
	rm -rf "$$SKEWER_OUT/wheels"
	mkdir -p "$$SKEWER_OUT"
	tools/dev/release/licences --manifest crates/python/Cargo.toml skewer-python > crates/python/THIRD-PARTY.md
	RUSTFLAGS="$(if $(CPU),-C target-cpu=$(CPU))" CARGO_TARGET_DIR="$$(cd "$$SKEWER_OUT" && pwd)/python" \
		$(PYTHON) -m pip wheel --quiet --no-deps --wheel-dir "$$SKEWER_OUT/wheels" ./crates/python
	@ls "$$SKEWER_OUT"/wheels/*.whl

# What packages hold: built by plain cargo, for every processor of the kind CPU, so that two builds are equal. The manuals and
# completions are written by the programs themselves. CARGO_FLAGS=--offline builds from vendored sources.
CARGO_FLAGS ?=
PACKAGED = $$SKEWER_OUT/release
MANUAL = $$SKEWER_OUT/manual
packaged:
	RUSTFLAGS="$(if $(CPU),-C target-cpu=$(CPU))" CARGO_TARGET_DIR="$$SKEWER_OUT" \
		$(CARGO) build --release --locked $(CARGO_FLAGS) -p skewer -p skewer-analyse
	rm -rf "$(MANUAL)"
	mkdir -p "$(MANUAL)/man" "$(MANUAL)/completions"
	"$(PACKAGED)/skewer" 'help man' > "$(MANUAL)/man/skewer.6"
	"$(PACKAGED)/skewer" 'help bash' > "$(MANUAL)/completions/skewer.bash"
	"$(PACKAGED)/skewer" 'help zsh' > "$(MANUAL)/completions/_skewer"
	"$(PACKAGED)/skewer" 'help fish' > "$(MANUAL)/completions/skewer.fish"
	"$(PACKAGED)/skewer-analyse" --write-manual "$(MANUAL)"
	tools/dev/release/licences skewer skewer-analyse > "$(MANUAL)/THIRD-PARTY.md"

# Where packagers and users want them.
PREFIX ?= /usr/local
BINDIR ?= $(value PREFIX)/bin
DATADIR ?= $(value PREFIX)/share
INSTALL ?= install
# Otherwise make would expand them for the environment of every command.
unexport DESTDIR PREFIX BINDIR DATADIR
# The defaults name PREFIX, so that only what the user gives is taken as it is written.
given = $(if $(filter file,$(origin $(1))),$($(1)),$(value $(1)))
export SKEWER_BINDIR := $(value DESTDIR)$(call given,BINDIR)
export SKEWER_DATADIR := $(value DESTDIR)$(call given,DATADIR)
install: packaged
	$(INSTALL) -d -- "$$SKEWER_BINDIR" "$$SKEWER_DATADIR/man/man1" "$$SKEWER_DATADIR/man/man6" "$$SKEWER_DATADIR/applications" \
		"$$SKEWER_DATADIR/doc/skewer" "$$SKEWER_DATADIR/bash-completion/completions" \
		"$$SKEWER_DATADIR/zsh/site-functions" "$$SKEWER_DATADIR/fish/vendor_completions.d"
	$(INSTALL) -m 755 -- "$(PACKAGED)/skewer" "$(PACKAGED)/skewer-analyse" "$$SKEWER_BINDIR"
	$(INSTALL) -m 644 -- "$(MANUAL)"/man/*.1 "$$SKEWER_DATADIR/man/man1"
	$(INSTALL) -m 644 -- "$(MANUAL)"/man/*.6 "$$SKEWER_DATADIR/man/man6"
	for name in skewer skewer-analyse; do \
		$(INSTALL) -m 644 -- "$(MANUAL)/completions/$$name.bash" "$$SKEWER_DATADIR/bash-completion/completions/$$name" && \
		$(INSTALL) -m 644 -- "$(MANUAL)/completions/_$$name" "$$SKEWER_DATADIR/zsh/site-functions" && \
		$(INSTALL) -m 644 -- "$(MANUAL)/completions/$$name.fish" "$$SKEWER_DATADIR/fish/vendor_completions.d" || exit 1; \
	done
	$(INSTALL) -m 644 -- tools/dev/packaging/skewer.desktop "$$SKEWER_DATADIR/applications"
	$(INSTALL) -m 644 -- README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE "$(MANUAL)/THIRD-PARTY.md" docs/uci.md \
		"$$SKEWER_DATADIR/doc/skewer"

test:
	$(CARGO) test --workspace

# `./` before a bare name, since EXE may also be a whole path.
bench: native
	"$(if $(findstring /,$(TARGET)),,./)$$SKEWER_PROGRAM" bench

clean:
	$(CARGO) clean

help:
	@sed -n 's/^#   //p' $(firstword $(MAKEFILE_LIST))
