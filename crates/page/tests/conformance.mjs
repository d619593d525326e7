// The program for the browser and `skewer-analyse games --jsonl` write the same lines of JSON, byte for byte, with one
// and with two workers, and when the findings of an earlier session are used.
//
//   conformance.mjs PROGRAM.wasm SKEWER-ANALYSE NODES FILE.pgn...
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";

const Machine = new Function(`${readFileSync(new URL("../src/web/machine.js", import.meta.url), "utf8")}; return Machine;`)();
const [wasm, analyse, nodes, ...paths] = process.argv.slice(2);
const program = await WebAssembly.compile(readFileSync(wasm));

// Searches the games with these numbers by `count` workers. Returns the findings as lines of JSON, by number.
async function search(files, open, numbers, count) {
  const left = [...numbers], found = new Map();
  await Promise.all(Array.from({ length: count }, async () => {
    const machine = new Machine(program, files);
    await machine.ask(open);
    while (left.length) {
      const game = left.shift();
      found.set(game, await machine.text({ do: "analyse", game }));
    }
    machine.end();
  }));
  return found;
}

for (const path of paths) {
  const name = basename(path), files = [{ name, bytes: readFileSync(path) }];
  const native = spawnSync(resolve(analyse), ["games", name, "--nodes", nodes, "--quiet", "--jsonl", "-"], { cwd: dirname(path), maxBuffer: 1 << 30 });
  assert.ok(native.stdout.length, native.stderr.toString());
  const open = { do: "open", files: [name], wanted: { nodes: Number(nodes), lines: 1 } };
  const machine = new Machine(program, files);
  await machine.ask(open);
  const { games } = await machine.ask({ do: "survey" });
  const numbers = Array.from({ length: games }, (_, i) => i + 1);
  const write = async (found, form) => Buffer.from(await machine.bytes({ do: "write", form }, numbers.map(game => found.get(game))));
  for (const workers of [1, 2]) {
    const found = await search(files, open, numbers, workers);
    const lines = await write(found, "jsonl");
    assert.ok(lines.equals(native.stdout), `${name}: ${lines.length} bytes with ${workers} workers are not the ${native.stdout.length} bytes of ${analyse}`);
    // A session that ends, and another that goes on with its findings.
    const half = new Map([...found].slice(0, games >> 1));
    const rest = await search(files, open, numbers.filter(game => !half.has(game)), workers);
    assert.ok((await write(new Map([...half, ...rest]), "jsonl")).equals(native.stdout), `${name}: continued`);
    if (workers === 2) {
      // The report grows by the same games, in the order in which they are done.
      for (const line of found.values()) {
        const game = await machine.ask(JSON.stringify({ do: "add", ...JSON.parse(line) }));
        assert.ok(game === null || game.moves, line.slice(0, 80));
      }
      const index = await machine.ask({ do: "index" });
      assert.equal(index.number.length + index.bad.length, games);
      assert.deepEqual([...index.number, ...index.bad.map(bad => bad.number)].sort((a, b) => a - b), numbers);
      assert.equal((await machine.ask({ do: "insights" })).every.games, index.number.length);
    }
  }
  machine.end();
  console.log(`${name}: ${games} games, ${native.stdout.length} bytes of JSON, the same with one and two workers`);
}
