// What the browser keeps of an analysis: its settings and files as one record, and the findings of each game. Where the
// browser keeps nothing for the page, every call does nothing, and `works` is false.
const storage = (() => {
  const NAME = "skewer-page";
  let opened = null, works = true;

  function open() {
    opened = opened || new Promise((resolve, reject) => {
      const request = indexedDB.open(NAME, 1);
      request.onupgradeneeded = () => { request.result.createObjectStore("run"); request.result.createObjectStore("findings"); };
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    return opened;
  }

  // Calls `use` with both stores, and waits until its changes are stored.
  async function transaction(mode, use) {
    try {
      const database = await open();
      return await new Promise((resolve, reject) => {
        const own = database.transaction(["run", "findings"], mode);
        const result = use(own.objectStore("run"), own.objectStore("findings"));
        own.oncomplete = () => resolve(result);
        own.onerror = own.onabort = () => reject(own.error);
      });
    } catch {
      works = false;
      return undefined;
    }
  }

  const begin = (run, found) => transaction("readwrite", (runs, findings) => {
    runs.put(run, "run");
    findings.clear();
    for (const [game, line] of found) findings.put(line, game);
  });
  const add = (game, line) => transaction("readwrite", (_, findings) => { findings.put(line, game); });
  const empty = () => transaction("readwrite", (runs, findings) => { runs.clear(); findings.clear(); });

  // The analysis that is kept: { run, found }, with the findings by number; null if there is none.
  async function read() {
    const found = new Map();
    const run = await transaction("readonly", (runs, findings) => {
      findings.openCursor().onsuccess = ({ target: { result } }) => { if (result) { found.set(result.key, result.value); result.continue(); } };
      return runs.get("run");
    });
    return run?.result ? { run: run.result, found } : null;
  }

  return { begin, add, empty, read, get works() { return works; } };
})();
