// The analysis that runs: as many workers as the user chose, each of which analyses one game after the other. The
// browser keeps the findings, and each game is added to the report when it is done.
const analysis = (() => {
  // Milliseconds between two updates of the list of games.
  const REFRESH = 1500;
  let program = null, listener = () => {};
  // `found` are the findings by number, as lines of JSON; `left` the games that no worker has; `state` is "empty",
  // "ready", "running", "pausing", "paused" or "done".
  let run = null, found = new Map(), left = [], state = "empty", crew = null, reporter = null, failed = 0, unread = 0;
  // Whether the browser keeps these files with these settings.
  let kept = false;
  // For the time left: when the last start was, and how many games were done before it.
  let began = 0, doneBefore = 0;
  // The games that the report has, and the end of the queue of games that it does not have yet.
  let added = 0, adding = Promise.resolve();
  // When the list of games was last brought up to date, and the timer of the next time.
  let refreshed = 0, refreshing = 0;

  const opening = () => ({ do: "open", files: run.files.map(file => file.name), wanted: run.wanted });

  async function machine() {
    const { files } = run, request = opening();
    program = program || engine.program();
    const own = new Machine(await program, files);
    await own.ask(request);
    return own;
  }

  function change(to) {
    state = to;
    listener();
  }

  // Reads files, or the files and findings of an earlier session, and counts their games. Returns whether the files are
  // open: they are not if other files were opened, or all files were forgotten, in the meantime. `isKept` is whether the
  // browser keeps them.
  async function open(next, earlier = new Map(), isKept = false) {
    end();
    run = next;
    kept = isKept;
    found = new Map([...earlier].sort(([a], [b]) => a - b));
    [failed, unread, added, refreshed] = [0, 0, 0, 0];
    adding = Promise.resolve();
    const own = await machine();
    if (run !== next) { own.end(); return false; }
    reporter = own;
    const { games } = await own.ask({ do: "survey" });
    if (run !== next) return false;
    run.total = games;
    await refresh(own);
    if (run !== next) return false;
    for (const line of found.values()) add(line);
    left = Array.from({ length: run.total }, (_, i) => i + 1).filter(game => !found.has(game));
    change(left.length ? (earlier.size ? "paused" : "ready") : "done");
    return true;
  }

  // Adds a game to the report.
  function add(line) {
    const own = reporter;
    if (!JSON.parse(line).findings) unread++;
    adding = adding.then(async () => {
      const game = JSON.parse(await own.text(JSON.stringify({ do: "add", ...JSON.parse(line) })));
      if (own !== reporter) return;
      if (game) skewer.games(added++, [game]);
      clearTimeout(refreshing);
      const wait = found.size === run.total ? 0 : Math.max(0, refreshed + REFRESH - performance.now());
      refreshing = setTimeout(refresh, wait, own);
    }).catch(error => { if (own === reporter) listener(error); });
  }

  async function refresh(own) {
    refreshed = performance.now();
    const index = await own.ask({ do: "index" }), insights = await own.ask({ do: "insights" });
    if (own !== reporter) return;
    await skewer.insights(insights);
    skewer.index({ ...index, engine: true });
  }

  // Takes one game after the other. `crew` are the workers of one start: { machines, busy, ended }.
  async function work(crew) {
    let own = null;
    while (state === "running" && !crew.ended && left.length) {
      const game = left.shift();
      try {
        if (!own) {
          own = await machine();
          crew.machines.add(own);
        }
        if (crew.ended) break;
        const line = await own.text({ do: "analyse", game });
        if (crew.ended) break;
        await storage.add(game, line);
        if (crew.ended) break;
        found.set(game, line);
        add(line);
        listener();
      } catch (error) {
        if (crew.ended) break;
        // The analysis of this game has failed, or the browser could not store its result. The other games may still
        // succeed, with a new machine.
        failed++;
        own?.end();
        crew.machines.delete(own);
        own = null;
        listener(new Error(`game ${game}: ${error.message}`));
      }
    }
    own?.end();
    crew.busy--;
    if (crew.ended || crew.busy) return;
    if (state === "running") change("done");
    if (state === "pausing") change(left.length ? "paused" : "done");
  }

  async function start(count) {
    if (!["ready", "paused"].includes(state)) return;
    if (!kept) await storage.begin({ files: run.files, wanted: run.wanted }, found);
    kept = true;
    began = performance.now();
    doneBefore = found.size;
    const most = Math.min(count, left.length);
    crew = { machines: new Set(), busy: most, ended: false };
    change("running");
    for (let n = 0; n < most; n++) work(crew);
  }

  // Ends the workers at once.
  function dismiss() {
    if (!crew) return;
    crew.ended = true;
    for (const own of crew.machines) own.end();
    crew = null;
  }

  // Lets the workers finish their games.
  function pause() {
    if (state === "running") change("pausing");
  }

  // Ends the workers at once. Their games are searched anew when the analysis goes on.
  function stop() {
    if (!["running", "pausing"].includes(state)) return;
    dismiss();
    left = Array.from({ length: run.total }, (_, i) => i + 1).filter(game => !found.has(game));
    change("paused");
  }

  // Forgets the analysis.
  function end() {
    state = "empty";
    dismiss();
    reporter?.end();
    clearTimeout(refreshing);
    [run, reporter, left] = [null, null, []];
    found = new Map();
    listener();
  }

  // Returns a file with the games that are done.
  async function save(form) {
    const own = await machine();
    const lines = [...found].sort(([a], [b]) => a - b).map(([, line]) => line);
    try {
      return await own.bytes({ do: "write", form, engine: form === "html" ? await skewer.engine() : null }, lines);
    } finally {
      own.end();
    }
  }

  // Seconds that are left; null if nothing is known yet.
  function secondsLeft() {
    const done = found.size - doneBefore;
    return done ? (performance.now() - began) / 1000 / done * (run.total - found.size) : null;
  }

  return {
    open, start, pause, stop, end, save, secondsLeft, listen: then => { listener = then; },
    get run() { return run; }, get state() { return state; }, get done() { return found.size; }, get found() { return found; }, get failed() { return failed; },
    // Games that cannot be read, among the games that are done.
    get unread() { return unread; },
  };
})();
