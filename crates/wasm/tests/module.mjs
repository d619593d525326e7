// Tests the package `skewer-chess` as a module, where it is installed.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { load, parse, start } from "skewer-chess";

assert.equal(typeof createRequire(import.meta.url)("skewer-chess").start, "function");

const program = await load({ vectors: false });
const [engine, vectors] = await Promise.all([start({ program }), start()]);
const seen = [];
const options = { nodes: 20_000, lines: 2, moves: ["e2e4", "e7e5"] };
const [plain, fast] = await Promise.all([
  engine.analyse("startpos", { ...options, onLine: line => seen.push(line) }),
  vectors.analyse("startpos", options),
]);
const known = ({ best, lines }) => [best, lines.map(({ score, nodes, pv }) => [score, nodes, pv])];
assert.deepEqual(known(plain), known(fast), "both programs find the same");
assert.equal(plain.lines.length, 2);
assert.equal(plain.best, plain.lines[0].pv[0]);
assert.deepEqual(seen.at(-1), plain.lines[1]);

// Several calls are executed one after another; each has its own limits.
const mate = engine.analyse("7k/8/6KP/8/8/8/8/R7 w - - 0 1", { depth: 3 });
const over = engine.analyse("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", { depth: 3 });
assert.deepEqual((await mate).lines[0].score, { mate: 1 });
assert.deepEqual([(await over).best, (await over).lines[0].score], [null, { cp: 0 }]);

const abort = new AbortController();
const first = new Promise(found => { engine.analyse("startpos", { signal: abort.signal, onLine: found }).then(done => { last = done; }); });
let last = null;
await first;
assert.equal(last, null, "a search without limits goes on");
abort.abort();
await engine.newGame();
assert.match(last.best, /^[a-h][1-8][a-h][1-8]$/);

await assert.rejects(engine.analyse("nonsense", { lines: 2 }), /FEN/);
assert.equal((await engine.analyse("startpos", { depth: 2 })).lines.length, 1, "the lines of a call that failed");
await assert.rejects(engine.analyse("startpos", { signal: AbortSignal.abort() }), { name: "AbortError" });
await assert.rejects(engine.setOption("Hash", "many"), /not a number/);
await engine.setOption("Hash", 2);
assert.equal((await engine.analyse("startpos", { searchmoves: ["a2a3"], depth: 2 })).best, "a2a3");
assert.equal(parse("readyok"), null);

const endless = engine.analyse("startpos");
engine.quit();
await assert.rejects(endless, /ended/);
assert.ok(engine.ended);
vectors.quit();
console.log("the module works");
