// Tests the command `skewer-chess` and the files that it writes, where the package is installed. The argument is the
// page of `make page`.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, openSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { gunzipSync } from "node:zlib";

const here = import.meta.dirname, folder = mkdtempSync(join(tmpdir(), "skewer-"));
const cli = join(here, "node_modules/skewer-chess/cli.mjs");
const usual = { cwd: folder, encoding: "utf8" };
const start = (words, options) => spawnSync(process.execPath, [cli, ...words], { ...usual, ...options });
const run = (...words) => start(words, {});
const text = name => readFileSync(join(folder, name), "utf8");

// The page is the page of `make page`: the same document and the same program, which may be packed in another way.
const parts = page => {
  const [before, packed, after] = page.split(/(?<=id="data-engine">)([A-Za-z0-9+/=]+)(?=<\/script>)/);
  return [before, gunzipSync(Buffer.from(packed, "base64")).toString("base64"), after];
};
assert.equal(run("page").status, 0);
// The pages are too long to be printed.
assert.ok(isDeepStrictEqual(parts(text("skewer.html")), parts(readFileSync(process.argv[2], "utf8"))), "the page of the package is another one");

// A file that is ours is written again, another file is not touched.
const before = statSync(join(folder, "skewer.html"));
assert.equal(run("page").status, 0);
assert.equal(statSync(join(folder, "skewer.html")).size, before.size);
for (const command of ["page", "single"]) {
  writeFileSync(join(folder, "mine"), "mine\n");
  const refused = run(command, "mine");
  assert.deepEqual([refused.status, text("mine")], [1, "mine\n"]);
  assert.match(refused.stderr, /^error: mine is there already/);
}
// Something else than a file is not read, and a name cannot control the terminal.
for (const [name, reason] of [["/dev/zero", /is not a regular file/], [".", /is not a regular file/], ["no\x1b[31m\u202e/page", /no\?\[31m\?\/page/]]) {
  const refused = run("page", name);
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, reason);
  assert.doesNotMatch(refused.stderr, /[\x1b\u202e]/);
}

// The script carries both programs.
assert.equal(run("single").status, 0);
writeFileSync(join(folder, "both.cjs"), `const skewer = require("./skewer-chess-single.js");
(async () => {
  for (const vectors of [true, false]) {
    const engine = await skewer.start({ vectors, base: "/nowhere" });
    console.log((await engine.analyse("7k/8/6KP/8/8/8/8/R7 w - - 0 1", { depth: 3 })).best);
    engine.quit();
  }
})();`);
const both = spawnSync(process.execPath, ["both.cjs"], { cwd: folder, encoding: "utf8" });
assert.equal(both.stdout, "a1a8\na1a8\n", both.stderr);

// Nothing else is taken for a file to write.
assert.equal(run("page", "a", "b").status, 1);
assert.match(run("--help").stdout, /skewer-chess page \[FILE\]/);

// Commands of the command line, and the exit status, are as in the program.
const last = ({ status, stdout }) => [status, stdout.trimEnd().split("\n").at(-1)];
for (const [words, wanted, pattern] of [
  [["bench", "1"], 0, / nps$/], [["--help"], 0, /leave$/], [["help", "options"], 0, /./],
  [["foo"], 1, /unknown command "foo"/], [["bench", "3", "--without", "nul"], 1, /no technique of that name/],
  // The first argument contains a blank, so that each argument is a command.
  [["position fen 7k/8/6KP/8/8/8/8/R7 w - - 0 1", "go depth 3"], 0, /^bestmove a1a8/],
  [["position startpos moves e2e5", "isready"], 1, /^readyok$/],
  [["isready now", "quit", "go"], 1, /readyok/],
  // A line break begins no other command.
  [["isready\nquit"], 1, /readyok/],
]) {
  const [status, line] = last(run(...words));
  assert.equal(status, wanted, words.join(" "));
  assert.match(line, pattern);
}
const play = run("play", "--level", "900");
assert.deepEqual([play.status, play.stdout], [1, ""]);
assert.match(play.stderr, /^error: this package has no `play`.*\n$/);
// Commands of the standard input are a client's, whose mistakes are not the program's.
const client = start([], { input: "foo\n" });
assert.deepEqual([client.status, last(client)[1].includes('"foo"')], [0, true]);
// Output that is lost is a failure, of every command.
for (const words of existsSync("/dev/full") ? [["bench", "1"], ["--version"], ["--help"], ["page", "lost.html"]] : []) {
  const full = start(words, { stdio: ["ignore", openSync("/dev/full", "w"), "pipe"] });
  assert.equal(full.status, 1, words.join(" "));
  assert.match(full.stderr, /^error: standard output: /, words.join(" "));
}
console.log("the command and the files that it writes are right");
