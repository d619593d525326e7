// The engine in the page: `Skewer` of crates/wasm, which takes UCI commands in a worker.
const engine = (() => {
  const $ = id => document.getElementById(id);
  // Milliseconds before a new position is searched, so that stepping through a game starts no searches.
  const PAUSE = 150;
  // Milliseconds between two updates of the page.
  const REFRESH = 250;
  const PLIES = 16;
  // Nodes and milliseconds for one move of an exercise.
  const JUDGED = { nodes: 300000, movetime: 3000 };
  // `refused` is whether the engine was switched off by hand.
  let program = null, starting = null, idle = "", on = false, refused = false, searching = null, pause = 0, refresh = 0;
  // `searching` ends the search that runs; `wanted` is the position to analyse, { past, position };
  // `found` are the lines by number, of which the page shows `shown`.
  let wanted = null, found = [], shown = [], changed = () => {}, chosen = () => {};

  // The program, compiled once.
  async function compile() {
    const text = await skewer.engine();
    const packed = new Blob([Uint8Array.from(atob(text), letter => letter.charCodeAt(0))]);
    const bytes = new Response(packed.stream().pipeThrough(new DecompressionStream("gzip")));
    return WebAssembly.compile(await bytes.arrayBuffer());
  }

  const compiled = () => (program = program || compile());

  // The engine, started once, and again after a failure.
  async function start() {
    const own = await Skewer.start({ program: await compiled() });
    own.listen(line => {
      if (line === null) starting = null;
      else if (line.startsWith("info string the engine has failed")) { searching = null; say(line.slice(12)); }
    });
    await own.setOption("Hash", 32);
    await own.setOption("UCI_Chess960", true);
    return own;
  }

  function stop() {
    clearTimeout(pause);
    if (searching) searching.abort();
    searching = null;
  }

  async function search() {
    const { fen, moves } = wanted.past, own = searching = new AbortController();
    say("loading");
    try {
      starting = starting || start();
      const player = await starting;
      if (searching !== own) return;
      say("searching");
      const onLine = line => { if (searching === own) receive(line); };
      await player.analyse(fen, { moves, lines: Number($("engine-count").value), signal: own.signal, onLine });
      if (searching !== own) return;
      searching = null;
      show();
    } catch (error) {
      if (searching !== own) return;
      searching = starting = program = null;
      say(`The engine has stopped: ${error.message}`);
    }
  }

  // A line of the search, as the page shows it: the score from White's side, in centipawns or as `#3`.
  function receive({ bound, multipv, depth, score, nodes, time, pv }) {
    if (bound) return;
    const sign = wanted.position.white ? 1 : -1;
    const seen = score.mate === undefined ? sign * score.cp : `#${sign * score.mate}`;
    found[multipv - 1] = { line: multipv, depth, score: seen, moves: pv.slice(0, PLIES).join(" "), nodes, time };
    if (!refresh) refresh = setTimeout(show, REFRESH);
  }

  function say(text) {
    $("engine-status").textContent = text;
  }

  const short = count => (count < 1e6 ? Math.round(count / 1e3) + "k" : (count / 1e6).toFixed(1) + "M");

  function show() {
    clearTimeout(refresh);
    refresh = 0;
    if (!on || !wanted) return;
    const first = found[0];
    if (first) {
      const most = found.reduce((a, b) => (b && b.nodes > a.nodes ? b : a), first);
      const speed = most.time >= 100 ? `, ${short(most.nodes / most.time * 1000)} nodes/s` : "";
      // After a mate was found, the search finishes the remaining depths at once, so its depth says nothing.
      say(`${first.score.toString().startsWith("#") ? "mate found" : "depth " + first.depth}, ${short(most.nodes)} nodes${speed}${searching ? "" : ", done"}`);
    }
    rows();
    changed();
  }

  // Shows the lines. Rows and buttons are kept, so that the row or button under the mouse or with the focus
  // stays the same while its text changes.
  function rows() {
    const box = $("engine-lines");
    shown = [...found];
    while (box.children.length > found.length) box.lastChild.remove();
    found.forEach((line, at) => {
      const row = box.children[at] || box.appendChild(view.element("li", {}, view.element("b", { class: "score" })));
      row.firstChild.textContent = notation.score(line.score);
      const words = view.words(wanted.position, line.moves.split(" ").slice(0, PLIES));
      while (row.children.length > words.length + 1) row.lastChild.remove();
      words.forEach((word, step) => {
        const button = row.children[step + 1] || row.appendChild(view.element("button", { class: "step", "data-line": at, "data-step": step }));
        button.textContent = word;
      });
    });
  }

  // Analyses the position to which `past` leads, if the engine is switched on.
  function follow(past, position) {
    const key = [past.fen, ...past.moves].join(" ");
    if (wanted && wanted.key === key) return;
    stop();
    wanted = { key, past, position };
    found = [];
    if (!on) return;
    rows();
    if (document.hidden) return;
    if (!chess.moves(position).length) { say(chess.inCheck(position) ? "checkmate" : "stalemate"); return; }
    pause = setTimeout(search, PAUSE);
  }

  // Searches the same position anew.
  function restart() {
    const { past, position } = wanted;
    wanted = null;
    follow(past, position);
  }

  // Switches the engine on because a move is tried, unless it was switched off by hand.
  function offer() {
    if (!on && !refused) change();
  }

  function toggle() {
    refused = on;
    change();
  }

  // Switches the engine off because no position is shown. The next tried move switches it on again.
  function off() {
    if (on) change();
  }

  // The score of a move in the position to which `past` leads, from White's side, by a short search; undefined without
  // an engine. The search begins before the move, because no search asks whether the position where it begins is a draw
  // by repetition or by the fifty-move rule.
  async function judge({ fen, moves }, move) {
    const before = chess.line(fen, moves).at(-1), after = chess.play(before, move);
    if (!chess.moves(after).length) return chess.inCheck(after) ? (after.white ? "#-0" : "#0") : 0;
    if ($("engine").hidden) return undefined;
    stop();
    // The position that was analysed is analysed anew when it is shown again.
    if (wanted) wanted.key = "";
    let found;
    try {
      starting = starting || start();
      const onLine = line => { if (!line.bound && line.multipv === 1) found = line.score; };
      await (await starting).analyse(fen, { ...JUDGED, moves, searchmoves: [move], onLine });
    } catch {
      starting = program = null;
    }
    if (!found) return undefined;
    const sign = before.white ? 1 : -1;
    return found.mate === undefined ? sign * found.cp : `#${sign * found.mate}`;
  }

  function change() {
    if ($("engine").hidden) return;
    on = !on;
    $("engine-on").setAttribute("aria-pressed", String(on));
    $("engine").classList.toggle("on", on);
    stop();
    say(idle);
    found = [];
    rows();
    if (wanted && on) restart();
    changed();
  }

  // Calls `onChange` when lines change, and `onChoice` with the moves of a line up to the chosen one.
  function begin(onChange, onChoice) {
    changed = onChange;
    chosen = onChoice;
    idle = $("engine-status").textContent;
    $("engine").hidden = !skewer.info.engine;
    $("engine-on").addEventListener("click", toggle);
    $("engine-count").addEventListener("change", () => { if (on && wanted) restart(); });
    $("engine-lines").addEventListener("click", event => {
      const button = event.target.closest(".step");
      if (button) chosen(shown[button.dataset.line].moves.split(" ").slice(0, Number(button.dataset.step) + 1));
    });
    // A hidden page does not search.
    document.addEventListener("visibilitychange", () => {
      if (!on || !wanted) return;
      if (document.hidden) stop();
      else if (!searching) restart();
    });
  }

  // The best line of the position that is shown: { depth, score, moves, ... }, or undefined.
  return { begin, program: compiled, follow, toggle, offer, off, judge, get on() { return on; }, get best() { return on ? found[0] : undefined; }, get found() { return found; }, get searching() { return searching !== null; } };
})();
