# Builds of the engine. `make EXE=path` is what distributed engine testers call; everything else is
# plain cargo.
#
#   make [EXE=path]         for the machine it is built on
#   make x86-64-v2          portable: nearly every x86 processor since 2009   (also -v3, -v4)
#   make aarch64            64-bit ARM
#   make EVALFILE=path      with this network inside
#   make pgo [EXE=path]     native, optimised by a profile of `skewer bench`; needs
#                           `rustup component add llvm-tools`
#   make wasm               for web pages: the report of skewer-analyse takes it in
#   make wheel              the Python package, for x86-64-v2   (CPU=native, CPU=x86-64-v3, ...)
#   make test, make bench, make clean, make help

CARGO ?= cargo
EXE ?= skewer
ifeq ($(OS),Windows_NT)
    SUFFIX := .exe
endif
# The name may or may not end in .exe already.
TARGET := $(patsubst %$(SUFFIX),%,$(EXE))$(SUFFIX)
ifneq ($(EVALFILE),)
    export SKEWER_EVALFILE := $(abspath $(EVALFILE))
endif

# Where cargo builds. Passed on below, since the user's cargo configuration may say otherwise.
OUT := $(or $(CARGO_TARGET_DIR),target)
BUILD := $(CARGO) build --release --locked -p skewer --target-dir "$(OUT)"

# The system of the compiler, for builds that name a processor.
HOST = $(shell rustc -vV | sed -n 's/^host: //p')
X86 = $(patsubst aarch64-%,x86_64-%,$(HOST))
ARM = $(patsubst x86_64-%,aarch64-%,$(HOST))

# $(call put,FROM,TO). By a new file that takes the place of the old: an engine that is being run
# cannot be written to, and macOS ends a program whose file was.
put = cp "$(1)" "$(2).new" && mv -f "$(2).new" "$(2)"

.PHONY: native pgo x86-64-v2 x86-64-v3 x86-64-v4 aarch64 wasm wheel test bench clean help

native:
	$(BUILD)
	$(call put,$(OUT)/release/skewer$(SUFFIX),$(TARGET))

# The profile (Pettis and Hansen, 1990) tells the compiler which branches are taken. `--target` keeps
# build scripts and procedural macros from being instrumented.
PGO := $(abspath $(OUT))/pgo
PROFDATA = $(shell rustc --print sysroot)/lib/rustlib/$(HOST)/bin/llvm-profdata
PGO_BUILD = $(CARGO) build --release --locked -p skewer --target "$(HOST)" --target-dir "$(PGO)"
pgo:
	@[ -x "$(PROFDATA)" ] || { echo "first: rustup component add llvm-tools"; exit 1; }
	rm -rf "$(PGO)/raw"
	RUSTFLAGS="-C target-cpu=native -C profile-generate=$(PGO)/raw" $(PGO_BUILD)
	"$(PGO)/$(HOST)/release/skewer$(SUFFIX)" bench
	"$(PROFDATA)" merge -o "$(PGO)/skewer.profdata" "$(PGO)/raw"
	RUSTFLAGS="-C target-cpu=native -C profile-use=$(PGO)/skewer.profdata" $(PGO_BUILD)
	$(call put,$(PGO)/$(HOST)/release/skewer$(SUFFIX),$(TARGET))

# RUSTFLAGS takes the place of the flags in .cargo/config.toml, which build for this machine.
x86-64-v2 x86-64-v3 x86-64-v4:
	RUSTFLAGS="-C target-cpu=$@" $(BUILD) --target $(X86)
	$(call put,$(OUT)/$(X86)/release/skewer$(SUFFIX),skewer-$@$(SUFFIX))

aarch64:
	RUSTFLAGS="" $(BUILD) --target $(ARM)
	$(call put,$(OUT)/$(ARM)/release/skewer$(SUFFIX),skewer-$@$(SUFFIX))

# Vectors of 128 bits are in every browser since 2023. A search needs more than the usual megabyte
# of stack. The file lies where skewer-analyse looks for it: beside its own.
wasm:
	RUSTFLAGS="-C target-feature=+simd128 -C link-arg=-zstack-size=16777216" \
		$(CARGO) build --release --locked -p skewer-wasm --target wasm32-wasip1 --target-dir "$(OUT)"
	mkdir -p "$(OUT)/release"
	$(call put,$(OUT)/wasm32-wasip1/release/skewer-wasm.wasm,$(OUT)/release/skewer.wasm)

# A wheel that runs on processors other than x86-64 is built for all of their kind.
PYTHON ?= python3
CPU ?= $(if $(filter x86_64-%,$(HOST)),x86-64-v2)
wheel:
	rm -rf "$(OUT)/wheels"
	RUSTFLAGS="$(if $(CPU),-C target-cpu=$(CPU))" CARGO_TARGET_DIR="$(abspath $(OUT))/python" \
		$(PYTHON) -m pip wheel --quiet --no-deps --wheel-dir "$(OUT)/wheels" ./crates/python
	@ls "$(OUT)"/wheels/*.whl

test:
	$(CARGO) test --workspace

# The program where cargo left it: EXE may be a bare name or a whole path.
bench: native
	"$(OUT)/release/skewer$(SUFFIX)" bench

clean:
	$(CARGO) clean

help:
	@sed -n 's/^#   //p' $(firstword $(MAKEFILE_LIST))
