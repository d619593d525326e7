// The opening tree: which moves the games of a player have, with their results and evaluations. Positions that are
// reached by different move orders are merged.
const tree = (() => {
  const $ = id => document.getElementById(id);
  // The first plies of a game, which belong to the tree.
  const PLIES = 40;
  let board = null, nodes = new Map(), path = [], root = "";

  const empty = position => ({ position, moves: new Map(), places: [] });

  // Counts a result for the player or, without one, for White.
  function count(sums, points) {
    sums.games++;
    if (points === 1) sums.wins++;
    if (points === 0.5) sums.draws++;
    if (points === 0) sums.losses++;
  }

  async function build() {
    const name = $("tree-player").value, color = $("tree-color").value, starts = new Map();
    nodes = new Map();
    for (const { row, game, side } of await study.games(name)) {
      if (name ? color && Number(color) !== side : side) continue;
      const points = { "1-0": name ? 1 - side : 1, "0-1": name ? side : 0, "½-½": 0.5 }[row.result];
      let position = study.start(game), at = chess.key(position);
      starts.set(at, (starts.get(at) || 0) + 1);
      const seen = new Set();
      game.moves.slice(0, PLIES).forEach((move, i) => {
        const from = position, before = at, next = chess.play(from, move.u);
        position = next;
        at = chess.key(next);
        // No player has chosen a null move.
        if (!move.u) return;
        const node = nodes.get(before) || nodes.set(before, empty(from)).get(before);
        // A game that comes back to a position counts once.
        if (seen.has(before + move.u)) return;
        seen.add(before + move.u);
        const entry = node.moves.get(move.u) || node.moves.set(move.u, { san: move.s, next: at, games: 0, wins: 0, draws: 0, losses: 0, known: [], weak: 0 }).get(move.u);
        count(entry, points);
        entry.known.push([move.w, move.e]);
        if (move.g >= 4 && skewer.counts(move)) entry.weak++;
        if (!nodes.has(at)) nodes.set(at, empty(next));
        nodes.get(at).places.push(`${game.n}.${i + 1}`);
      });
    }
    root = [...starts].sort(([, a], [, b]) => b - a).map(([start]) => start)[0] || "";
    path = [];
    draw();
  }

  const here = () => (path.length ? path[path.length - 1].next : root);

  // The median of the evaluations that the searches of the games found.
  const middle = known => [...known].sort(([a], [b]) => a - b)[Math.floor(known.length / 2)][1];

  // Wins, draws and losses as a bar with its figures in words.
  function results(entry) {
    const total = entry.wins + entry.draws + entry.losses, svg = shape("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", class: "results", "aria-hidden": "true" });
    let x = 0;
    for (const [part, name] of [[entry.wins, "win"], [entry.draws, "draw"], [entry.losses, "loss"]]) {
      const width = total ? 100 * part / total : 0;
      shape("rect", { x, y: 0, width, height: 10, class: name }, svg);
      x += width;
    }
    const score = total ? Math.round(100 * (entry.wins + entry.draws / 2) / total) + "%" : "–";
    return view.element("span", { class: "with-bar" }, svg, view.element("span", {}, `${score} (${entry.wins}/${entry.draws}/${entry.losses})`));
  }

  function go(move) {
    const entry = nodes.get(here()).moves.get(move);
    // A move that no game has leads nowhere, and its piece goes back.
    if (!entry) { board.draw(); return; }
    path.push(entry);
    draw();
  }

  function crumbs() {
    const start = nodes.get(root), words = [view.element("button", { class: "step", onclick: () => { path = []; draw(); } }, "Start")];
    let position = start.position;
    path.forEach((entry, i) => {
      const number = position.white || !i ? notation.number(position) + " " : "";
      words.push(view.element("button", { class: "step" + (i === path.length - 1 ? " on" : ""), onclick: () => { path = path.slice(0, i + 1); draw(); } }, number + entry.san));
      position = nodes.get(entry.next).position;
    });
    return words;
  }

  function draw() {
    const node = nodes.get(here());
    $("tree-view").hidden = !node;
    $("tree-none").hidden = Boolean(node);
    if (!node) return;
    if (!board) board = new Board($("tree-board"), go);
    board.flipped = $("tree-color").value === "1";
    const moves = [...node.moves].sort(([, a], [, b]) => b.games - a.games || (a.san < b.san ? -1 : 1)), games = moves.reduce((sum, [, entry]) => sum + entry.games, 0);
    board.show(node.position, { last: "", arrows: moves.slice(0, 1).map(([move]) => ({ move, kind: "best" })) });
    $("tree-words").textContent = notation.words(node.position);
    $("tree-path").replaceChildren(...crumbs());
    $("tree-moves").replaceChildren(...moves.map(([move, entry]) => view.element("tr", {},
      view.element("th", { scope: "row" }, view.element("button", { class: "open", onclick: () => go(move) }, `${notation.number(node.position)} ${entry.san}`)),
      view.element("td", { class: "figure" }, String(entry.games)), view.element("td", { class: "figure" }, Math.round(100 * entry.games / games) + "%"),
      view.element("td", {}, results(entry)), view.element("td", { class: "figure" }, notation.score(middle(entry.known))), view.element("td", { class: "figure" }, String(entry.weak)))));
    $("tree-box").hidden = !moves.length;
    const places = node.places.slice(0, 10);
    $("tree-games").replaceChildren(...(places.length ? [`${notation.count(node.places.length, "game")} with this position: `, ...places.flatMap((place, n) => [n ? ", " : "", view.element("a", { href: "#" + place }, "game " + place.split(".")[0])]), node.places.length > places.length ? " …" : ""] : []));
  }

  async function open() {
    await study.players($("tree-player"), build);
    await build();
  }

  $("tree-color").addEventListener("change", build);
  $("tree-back").addEventListener("click", () => { path = path.slice(0, -1); draw(); });
  $("tree-flip").addEventListener("click", () => { if (board) board.flip(); });

  return { open, go, get path() { return path.map(entry => entry.san); }, get node() { return nodes.get(here()); } };
})();
