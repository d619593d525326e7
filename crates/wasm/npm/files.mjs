// The files that the package can write: the page that analyses games, and the engine as one script.
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import skewer from "./skewer-chess.js";

const bytes = name => readFileSync(new URL(name, import.meta.url));
const packed = bytes => gzipSync(bytes, { level: 9 }).toString("base64");

function page() {
  const program = packed(skewer.join(bytes("page.part"), bytes("skewer.wasm")));
  return bytes("page.html").toString().replace('id="data-engine">', text => text + program);
}

function single() {
  const programs = Object.fromEntries(["skewer.wasm", "skewer-plain.part"].map(name => [name, packed(bytes(name))]));
  return bytes("skewer-chess.js").toString().replace("const EMBEDDED = {};", () => `const EMBEDDED = ${JSON.stringify(programs)};`);
}

// By command: the default name, the contents, a text near the start that identifies a file of an earlier version,
// and what the file is for.
const FILES = {
  page: ["skewer.html", page, "<title>Skewer: analyse your games</title>", "Open it in a browser."],
  single: ["skewer-chess-single.js", single, "// Skewer, a UCI chess engine, for web pages and Node.", "Load it with a script element."],
};

/** The text without characters that a terminal would obey, or that hide or reorder text. */
export const printable = text => text.replace(/[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/gu, "?");

export const isFile = command => Object.hasOwn(FILES, command);

/** Writes the file of `command`, as `name`; throws if a file that is not ours has the name. */
export function write(command, name) {
  const [usual, contents, mark, use] = FILES[command];
  const path = name ?? usual;
  try {
    // Reading a device or a pipe might never end.
    if (!statSync(path).isFile()) throw new Error(`${path} is not a regular file`);
    if (!readFileSync(path, "utf8").slice(0, 4096).includes(mark)) throw new Error(`${path} is there already and was not written by this program`);
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
  const text = contents();
  writeFileSync(path, text);
  return `${path}: ${(Buffer.byteLength(text) / 1e6).toFixed(1)} MB. ${use}`;
}
