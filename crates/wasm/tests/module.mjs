// Tests the package `skewer-chess` as a module, where it is installed.
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
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

// `base` is a folder, an address of a file beside the programs as text or as a URL, or an address on a server.
const beside = new URL(import.meta.resolve("skewer-chess"));
const server = createServer(async (request, response) => response.end(await readFile(new URL(`.${request.url}`, beside)))).listen(0, "127.0.0.1");
await once(server, "listening");
for (const base of [dirname(fileURLToPath(beside)), beside, beside.href, `http://127.0.0.1:${server.address().port}/`]) {
  assert.ok((await load({ base })) instanceof WebAssembly.Module, `${base}`);
}
server.close();
await assert.rejects(load({ base: new URL("nowhere/", beside) }), { code: "ENOENT" });

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

// A search that is aborted while the engine is asked for its ranges has a result, too. Other calls do not ask.
const asked = await start({ program });
const said = [];
asked.listen(line => said.push(line));
await asked.setOption("UCI_ShowWDL", "true");
assert.ok(!said.includes("uciok"));
const aborted = new AbortController();
asked.listen(line => { if (line === "uciok") aborted.abort(); });
assert.ok((await asked.analyse("startpos", { lines: 2, signal: aborted.signal })).best);
assert.ok(said.includes("uciok") && aborted.signal.aborted);
asked.quit();

await assert.rejects(engine.analyse("nonsense", { lines: 2 }), /FEN/);
assert.equal((await engine.analyse("startpos", { depth: 2 })).lines.length, 1, "the lines of a call that failed");
await assert.rejects(engine.analyse("startpos", { signal: AbortSignal.abort() }), { name: "AbortError" });
await assert.rejects(engine.setOption("Hash", "many"), /not a number/);
await engine.setOption("Hash", 2);
assert.equal((await engine.analyse("startpos", { searchmoves: ["a2a3"], depth: 2 })).best, "a2a3");
assert.equal(parse("readyok"), null);

// A number out of range is refused by the name that the caller used, and the engine does not take another one instead.
const outside = message => ({ name: "RangeError", message });
await assert.rejects(engine.analyse("startpos", { lines: 500, depth: 1 }), outside("lines: at most 256"));
assert.equal((await engine.analyse("startpos", { lines: 256, depth: 1 })).lines.length, 20);
for (const [name, value, message] of [
  ["Threads", 4, "Threads: at most 1"], ["threads", "+4", "threads: at most 1"],
  [" Move  Overhead ", -1, "Move  Overhead: at least 0"], ["Hash", "9".repeat(40), "Hash: at most 33554432"],
]) await assert.rejects(engine.setOption(name, value), outside(message));
// An error says what is wrong, and not how the engine would go on.
for (const [fen, wrong, message] of [
  ["startpos", { moves: ["e2e5"] }, /no such pawn can reach e5$/],
  ["startpos", { searchmoves: ["e2e5"] }, /no legal move here$/],
  ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w KQkq - 0 1", {}, /is not on its square$/],
  ["qqq1k3/8/8/8/pppppppp/8/8/4K3 w - - 0 1", {}, /promoted[^;]*$/],
]) await assert.rejects(engine.analyse(fen, { depth: 1, ...wrong }), { message });
// The engine says whether a command has failed.
assert.deepEqual([vectors.failed, engine.failed], [false, true]);

// Invalid arguments are refused before anything is sent to the engine, so that no text becomes a command.
const told = [];
const leave = engine.listen(line => told.push(line));
const start1 = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
for (const [fen, bad] of [
  ["startpos\nquit", { nodes: 100 }], [`${start1}\r\nquit`, { nodes: 100 }], [`${start1}\u2028quit`, { nodes: 100 }],
  [`${start1}\u0000`, { nodes: 100 }], [`${start1}\ud800`, { nodes: 100 }], [undefined, { nodes: 100 }], [{ toString: () => "startpos\nquit" }, { nodes: 100 }],
  ...[NaN, Infinity, -1, 0, 1.5, 1e21, 2 ** 53, 100n, "100", "100\nquit", null, {}, { toString: null }].flatMap(wrong =>
    ["nodes", "depth", "mate", "lines", ...(wrong === 0 ? [] : ["movetime"])].map(name => ["startpos", { depth: 1, [name]: wrong }])),
  // Lines that the engine would skip.
  ["8/".repeat(5_000_000), { depth: 1 }], ["é".repeat(600_000), { depth: 1 }],
  ...["moves", "searchmoves"].map(name => ["startpos", { depth: 1, [name]: Array(2_000_000).fill("e2e4") }]),
  ...[["e2e4\nquit"], ["e2e4 quit"], ["quit"], "e2e4", [7], [["e2e4\nquit"]]].flatMap(wrong =>
    ["moves", "searchmoves"].map(name => ["startpos", { depth: 1, [name]: wrong }])),
  ["startpos", { depth: 1, onLine: 7 }],
  // Keywords of the command, options that are not an object, and a signal that is not an AbortSignal.
  [`${start1} moves e2e4`, { depth: 1 }], [`${start1}\tMOVES e2e4`, { depth: 1 }],
  ...[null, 5, "nodes", [], true, new Map([["depth", 1]]), Promise.resolve({ depth: 1 })].map(wrong => ["startpos", wrong]),
  // A misspelt limit would be none.
  ...["Depth", "node", "onMove"].map(name => ["startpos", { [name]: 1 }]),
  ...[null, 5, "abort", {}].map(signal => ["startpos", { depth: 1, signal }]),
]) await assert.rejects(engine.analyse(fen, bad), TypeError, JSON.stringify([fen, bad], (_, value) => String(value)).slice(0, 200));
for (const [name, value] of [
  ["Hash", "1\nquit"], ["Hash\nquit", 1], ["Hash", 1.5], ["Hash", NaN], ["Hash", 2n], ["Hash", {}], ["Hash", null], [7, 1], ["Hash value 2", 1], ["Hash\udc00", 1], ["Hash", "9".repeat(10_000_000)], ["H".repeat(10_000_000), 1], ["Hash", "\ud83d"],
]) await assert.rejects(engine.setOption(name, value), TypeError);
for (const wrong of [undefined, null, 7, {}, ["quit"], Symbol.iterator]) {
  assert.throws(() => engine.send(wrong), TypeError);
  assert.throws(() => engine.listen(wrong), TypeError);
}
for (const wrong of [null, 7, "program", []]) {
  await assert.rejects(load(wrong), TypeError);
  await assert.rejects(start(wrong), TypeError);
}
// A worker that cannot be given its program does not stay.
await assert.rejects(start({ program: () => 1 }), { name: "DataCloneError" });
await assert.rejects(start({ program: {} }), /Module/);
assert.deepEqual([told, engine.ended], [[], false]);
// A command may be as long as the engine reads: 1 MiB.
const shuffle = Array(104_000).fill(["g1f3", "g8f6", "f3g1", "f6g8"]).flat();
await assert.rejects(engine.analyse("startpos", { depth: 1, moves: shuffle }), /1048576 bytes/);
assert.equal((await engine.analyse("startpos", { depth: 1, moves: shuffle.slice(0, 100_000) })).lines.length, 1);
// Moves that are not legal are not replaced by others.
for (const searchmoves of [["e2e5"], ["e2e4", "e1g1"]]) await assert.rejects(engine.analyse("startpos", { searchmoves }), /no legal move/);
// Arguments are copied when they are checked, so that a later change of the list has no effect.
const changing = ["e2e4"];
const unchanged = engine.analyse("startpos", { depth: 1, moves: changing });
changing[0] = "e2e4\nquit";
await unchanged;
assert.equal((await engine.analyse("startpos", { depth: 1, movetime: 1000, moves: ["e2e4", "e7e5"], searchmoves: ["g1f3"] })).best, "g1f3");
leave();

// What a caller's function throws ends its search, and no other. Getters that throw reach the caller.
const thrown = new Error("on purpose");
await assert.rejects(engine.analyse("startpos", { onLine: () => { throw thrown; } }), thrown);
await assert.rejects(engine.analyse("startpos", { get nodes() { throw thrown; } }), thrown);
assert.equal((await engine.analyse("startpos", Object.freeze({ depth: 1, moves: Object.freeze(["e2e4"]) }))).lines.length, 1);
// What a listener throws is reported, and the other listeners hear the line.
const reported = once(process, "uncaughtException");
const [loud, heard] = [engine.listen(line => { if (line === "readyok") throw thrown; }), []];
const quiet = engine.listen(line => heard.push(line));
engine.send("isready");
await engine.idle();
assert.deepEqual([(await reported)[0], heard], [thrown, ["readyok"]]);
loud();
quiet();
// The time for a name does not grow with the square of its length.
const began = performance.now();
await assert.rejects(engine.setOption(`a${" ".repeat(200_000)}b`, 1));
assert.ok(performance.now() - began < 5000);

// Commands cost the same however many wait: ten times as many take no more than thirty times as long.
const flood = async count => {
  const began = performance.now();
  for (let n = 0; n < count; n++) engine.send("isready");
  await engine.idle();
  return performance.now() - began;
};
await flood(1000);
const [few, many] = [await flood(4000), await flood(40_000)];
assert.ok(many < 30 * few + 500, `${few} ms for 4,000 commands, ${many} ms for 40,000`);

// A stop is obeyed before the commands that wait. If the worker has already answered all commands when the stop is
// sent, no command waits, so there are several attempts.
const answersBeforeStop = async (count, stops = 1) => {
  const flooded = engine.analyse("startpos");
  await new Promise(begun => { const once = engine.listen(line => { if (line?.startsWith("info depth ")) { once(); begun(); } }); });
  let answers = 0;
  const leave = engine.listen(line => { if (line === "readyok") answers += 1; });
  for (let n = 0; n < count; n++) engine.send("isready");
  for (let n = 0; n < stops; n++) engine.stop();
  assert.match((await flooded).best, /^[a-h][1-8][a-h][1-8]$/);
  const before = answers;
  await engine.idle();
  leave();
  assert.equal(answers, count);
  return before;
};
let overtaken = false;
for (let attempt = 0; attempt < 5 && !overtaken; attempt++) overtaken = await answersBeforeStop(40_000) < 40_000;
assert.ok(overtaken, "a stop waits for the commands before it");
// Many stops in a flood take no longer than one: they do not look for their place among all commands that wait.
const timed = async stops => {
  const began = performance.now();
  await answersBeforeStop(40_000, stops);
  return performance.now() - began;
};
const [one, thousands] = [await timed(1), await timed(8000)];
assert.ok(thousands < 5 * one + 2000, `${one} ms with one stop, ${thousands} ms with 8,000`);

const endless = engine.analyse("startpos");
engine.quit();
await assert.rejects(endless, /ended/);
assert.ok(engine.ended);
vectors.quit();
console.log("the module works");
