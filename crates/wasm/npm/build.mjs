// Makes what the package needs beside its sources, from the programs that `make wasm` has put here.
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const here = name => new URL(name, import.meta.url);
const root = name => here(`../../../${name}`);

const workspace = /^version = "(.*)"$/m.exec(readFileSync(root("Cargo.toml"), "utf8"))[1];
const { version } = JSON.parse(readFileSync(here("package.json"), "utf8"));
if (version !== workspace) throw new Error(`package.json has version ${version}, Cargo.toml ${workspace}`);

for (const name of ["LICENSE-MIT", "LICENSE-APACHE"]) copyFileSync(root(name), here(name));

const packed = ["skewer.wasm", "skewer-plain.wasm"].map(name => [name, gzipSync(readFileSync(here(name)), { level: 9 }).toString("base64")]);
const script = readFileSync(here("skewer-chess.js"), "utf8");
const empty = "const EMBEDDED = {};";
if (!script.includes(empty)) throw new Error(`skewer-chess.js has no "${empty}"`);
writeFileSync(here("skewer-chess-single.js"), script.replace(empty, () => `const EMBEDDED = ${JSON.stringify(Object.fromEntries(packed))};`));
