// Makes what the package needs beside its sources, from the programs that `make wasm` has put here and from the page
// that `make page` has written, whose path is in SKEWER_PAGE.
import { copyFileSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import skewer from "./skewer-chess.js";

const here = name => new URL(name, import.meta.url);
const root = name => here(`../../../${name}`);

const workspace = /^version = "(.*)"$/m.exec(readFileSync(root("Cargo.toml"), "utf8"))[1];
const { version } = JSON.parse(readFileSync(here("package.json"), "utf8"));
if (version !== workspace) throw new Error(`package.json has version ${version}, Cargo.toml ${workspace}`);

for (const name of ["LICENSE-MIT", "LICENSE-APACHE"]) copyFileSync(root(name), here(name));

// All programs contain the same network, which is most of their bytes. The package has it once, in skewer.wasm. The
// other programs are stored as parts: the program without the network, followed by three numbers of 32 bits. They are
// the offset of the network in skewer.wasm, its length, and the offset at which the program needs it.
const nets = root("crates/eval/nets/");
const networks = readdirSync(nets).filter(name => name.endsWith(".nnue")).map(name => readFileSync(new URL(name, nets)));
const whole = readFileSync(here("skewer.wasm"));
const network = networks.find(bytes => whole.includes(bytes));
if (!network) throw new Error("skewer.wasm has no network of crates/eval/nets");

function part(program, name) {
  const at = program.indexOf(network);
  if (at < 0) throw new Error(`${name} does not contain the network of skewer.wasm`);
  const numbers = Buffer.from(Uint32Array.of(whole.indexOf(network), network.length, at).buffer);
  const bytes = Buffer.concat([program.subarray(0, at), program.subarray(at + network.length), numbers]);
  if (!program.equals(skewer.join(bytes, whole))) throw new Error(`${name} cannot be joined again`);
  return bytes;
}

writeFileSync(here("skewer-plain.part"), part(readFileSync(here("skewer-plain.wasm")), "skewer-plain.wasm"));

// The page without its program, and the program.
const page = readFileSync(process.env.SKEWER_PAGE ?? root("skewer.html"), "utf8");
const [before, packed, after, more] = page.split(/(?<=id="data-engine">)([A-Za-z0-9+/=]+)(?=<\/script>)/);
if (more !== undefined || !after) throw new Error("the page has no program, or more than one");
writeFileSync(here("page.html"), before + after);
writeFileSync(here("page.part"), part(gunzipSync(Buffer.from(packed, "base64")), "the program of the page"));
