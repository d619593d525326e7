// The engine in the page: WebAssembly in a worker, one worker for each position. A worker cannot
// receive messages while it searches, so a search is stopped by terminating its worker.
const engine = (() => {
  const $ = id => document.getElementById(id);
  // Milliseconds before a new position is searched, so that stepping through a game starts no searches.
  const PAUSE = 150;
  // Milliseconds between two updates of the page.
  const REFRESH = 250;
  const PLIES = 16;
  let module = null, idle = "", on = false, worker = null, pause = 0, refresh = 0;
  // `wanted` is the position to analyse, { fen, moves, position }; `found` the lines by number, of which
  // the page shows `shown`.
  let wanted = null, found = [], shown = [], changed = () => {}, chosen = () => {};

  // Runs in the worker. Implements the part of WASI preview 1 that the program uses: its standard input
  // is the request, and each line of its standard output is posted as a message.
  function work() {
    onmessage = async ({ data: { module, request } }) => {
      const input = new TextEncoder().encode(request + "\n"), decoders = { 1: new TextDecoder(), 2: new TextDecoder() };
      const UNSUPPORTED = 52, BAD_DESCRIPTOR = 8;
      let memory = null, read = 0, output = "", errors = "";
      const view = () => new DataView(memory.buffer);
      const parts = (at, count) => Array.from({ length: count }, (_, i) => new Uint8Array(memory.buffer, view().getUint32(at + 8 * i, true), view().getUint32(at + 8 * i + 4, true)));
      const wasi = {
        clock_time_get(_clock, _precision, at) { view().setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true); return 0; },
        environ_sizes_get(count, size) { view().setUint32(count, 0, true); view().setUint32(size, 0, true); return 0; },
        environ_get: () => 0,
        fd_prestat_get: () => BAD_DESCRIPTOR,
        random_get(at, length) { crypto.getRandomValues(new Uint8Array(memory.buffer, at, length)); return 0; },
        fd_read(_descriptor, at, count, size) {
          let total = 0;
          for (const part of parts(at, count)) {
            const some = input.subarray(read, read + part.length);
            part.set(some);
            read += some.length;
            total += some.length;
          }
          view().setUint32(size, total, true);
          return 0;
        },
        fd_write(descriptor, at, count, size) {
          let total = 0, text = "";
          for (const part of parts(at, count)) { text += decoders[descriptor].decode(part, { stream: true }); total += part.length; }
          view().setUint32(size, total, true);
          if (descriptor === 2) { errors += text; return 0; }
          const lines = (output + text).split("\n");
          output = lines.pop();
          for (const line of lines) postMessage({ line: JSON.parse(line) });
          return 0;
        },
        proc_exit() { throw new Error("exit"); },
      };
      const imports = {};
      for (const { name } of WebAssembly.Module.imports(module)) imports[name] = wasi[name] || (() => UNSUPPORTED);
      try {
        const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: imports });
        memory = instance.exports.memory;
        instance.exports._start();
      } catch (error) {
        if (error.message !== "exit") errors += error.message;
      }
      postMessage({ end: true, error: errors.trim() });
    };
  }

  // The program, compiled once.
  async function compile() {
    const text = await skewer.engine();
    const packed = new Blob([Uint8Array.from(atob(text), letter => letter.charCodeAt(0))]);
    const program = new Response(packed.stream().pipeThrough(new DecompressionStream("gzip")));
    return WebAssembly.compile(await program.arrayBuffer());
  }

  function stop() {
    clearTimeout(pause);
    if (worker) worker.terminate();
    worker = null;
  }

  async function search() {
    const request = wanted;
    say("loading");
    try {
      module = module || compile();
      const program = await module;
      if (!on || wanted !== request) return;
      const url = URL.createObjectURL(new Blob([`(${work})()`], { type: "text/javascript" }));
      const own = worker = new Worker(url);
      URL.revokeObjectURL(url);
      own.onmessage = ({ data }) => { if (worker === own) receive(data); };
      own.onerror = event => { if (worker === own) receive({ end: true, error: event.message || "the browser does not allow the worker" }); };
      say("searching");
      own.postMessage({ module: program, request: JSON.stringify({ fen: request.fen, moves: request.moves, lines: Number($("engine-count").value) }) });
    } catch (error) {
      module = null;
      say(`The engine cannot be started: ${error.message}`);
    }
  }

  function receive({ line, end, error }) {
    if (line) {
      found[line.line - 1] = line;
      if (!refresh) refresh = setTimeout(show, REFRESH);
    }
    if (!end) return;
    worker = null;
    show();
    if (error) say(`The engine has stopped: ${error}`);
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
      say(`depth ${first.depth}, ${short(most.nodes)} nodes${speed}${worker ? "" : ", done"}`);
    }
    rows();
    changed();
  }

  // Shows the lines. Rows and buttons are kept, so that the one under the mouse or with the focus
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

  // Analyses the position after `moves`, if the engine is switched on.
  function follow(fen, moves, position) {
    const key = [fen, ...moves].join(" ");
    if (wanted && wanted.key === key) return;
    stop();
    wanted = { key, fen, moves, position };
    found = [];
    if (!on) return;
    rows();
    if (document.hidden) return;
    if (!chess.moves(position).length) { say(chess.inCheck(position) ? "checkmate" : "stalemate"); return; }
    pause = setTimeout(search, PAUSE);
  }

  // Searches the same position anew.
  function restart() {
    const { fen, moves, position } = wanted;
    wanted = null;
    follow(fen, moves, position);
  }

  function toggle() {
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
      else if (!worker) restart();
    });
  }

  // The best line of the position that is shown: { depth, score, moves, ... }, or undefined.
  return { begin, follow, toggle, get best() { return on ? found[0] : undefined; }, get found() { return found; }, get searching() { return worker !== null; } };
})();
