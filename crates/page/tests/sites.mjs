// Fetches the games of a player from servers that answer in the documented formats of lichess.org and chess.com:
//
//   sites.mjs ADDRESS
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const sites = new Function(`${readFileSync(new URL("../src/web/sites.js", import.meta.url), "utf8")}; return sites;`)();
const address = process.argv[2];
const events = text => [...text.matchAll(/^\[Event "(.*)"\]$/gm)].map(([, event]) => event);
const get = (wanted, said = []) => sites.fetchGames(
  { site: "lichess", address, player: "ann", most: 50, rated: "", speed: "", since: 0, ...wanted },
  { signal: AbortSignal.timeout(60000), say: words => said.push(words) });

const all = await get({});
assert.deepEqual([all.games, all.note, events(all.text).length], [3, "", 3]);
assert.equal((await get({ most: 2 })).games, 2);

// A cut answer gives the games that are whole, and says so.
const cut = await get({ player: "cut" });
assert.deepEqual(events(cut.text), ["Rated game 0", "Rated game 1"]);
assert.match(cut.note, /cut/);

// A site that asks for a pause is asked again after it.
const said = [];
assert.equal((await get({ player: "busy" }, said)).games, 3);
assert.ok(said.some(words => /asks for a pause: 1 s/.test(words)), said);

await assert.rejects(get({ player: "nobody" }), /has no player nobody/);
await assert.rejects(get({ player: "nobody", site: "chesscom" }), /has no player nobody/);
await assert.rejects(get({ address: "http://127.0.0.1:9" }), /cannot be reached/);
const abort = new AbortController();
abort.abort();
await assert.rejects(sites.fetchGames({ site: "lichess", address, player: "ann", most: 1, rated: "", speed: "", since: 0 }, { signal: abort.signal, say: () => {} }), { name: "AbortError" });

// chess.com: newest first, without variants, by month as far as they are needed, at the chosen address.
const chess = wanted => get({ site: "chesscom", ...wanted }).then(({ text }) => events(text).map(event => event.split(" ").at(-1)).join(" "));
assert.equal(await chess({}), "6 5 4 2 1");
assert.equal(await chess({ most: 2 }), "6 5");
assert.equal(await chess({ speed: "blitz" }), "6 4 1");
assert.equal(await chess({ rated: "false" }), "4");
assert.equal(await chess({ speed: "correspondence", rated: "true" }), "5");
assert.equal(await chess({ since: Date.UTC(2026, 0, 1) }), "6 5 4");
await assert.rejects(chess({ speed: "classical" }), /no classical games/);
await assert.rejects(chess({ speed: "bullet" }), /has no such games/);
console.log("the games of a player are found");
