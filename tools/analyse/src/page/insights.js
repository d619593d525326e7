// Aggregate figures as tables with bars, conversions, recurring mistakes and trends.
const insights = (() => {
  const $ = id => document.getElementById(id);
  const TITLES = {
    player: "Players", opponent: "Opponents", color: "Colour", opening: "Openings", eco: "ECO codes", rating_difference: "Rating difference",
    time_control: "Time control", month: "Trend by month", phase: "Phase", piece: "Piece moved", position: "Position before the move",
    time_left: "Time left on the clock", time_spent: "Time spent on the move",
  };
  const MOTIFS = {
    missed_mate: "missed mate", allowed_mate: "allowed mate", hung_piece: "hung piece", missed_capture: "missed capture",
    missed_fork: "missed fork", allowed_fork: "allowed fork", other: "other weak moves",
  };
  const FIRST = 12;
  let data = null;

  const show = (value, digits = 0) => (value === null || value === undefined ? "–" : value.toFixed(digits));

  // A bar as long as `share`, from 0 to 1, with its figure.
  function bar(share, text, name) {
    const svg = document.createElementNS(NS, "svg");
    svg.setAttribute("viewBox", "0 0 100 10");
    svg.setAttribute("preserveAspectRatio", "none");
    svg.setAttribute("aria-hidden", "true");
    svg.classList.add("bar");
    shape("rect", { x: 0, y: 0, width: 100 * Math.max(0, Math.min(1, share)), height: 10, class: name }, svg);
    return view.element("span", { class: "with-bar" }, svg, view.element("span", {}, text));
  }

  function table(dimension, rows) {
    const box = view.element("section", { class: "card group", id: "group-" + dimension });
    const heading = view.element("h3", {}, TITLES[dimension]);
    const worst = Math.max(1, ...rows.map(row => row.average_loss || 0)), most = Math.max(0.01, ...rows.map(row => row.blunder_percent || 0));
    const head = ["", "games", "moves", "score", "expected", "accuracy", "cp loss", "?? in 100"];
    const made = view.element("table", {}, view.element("thead", {}, view.element("tr", {}, ...head.map((text, i) => view.element("th", { scope: "col", class: i ? "figure" : "" }, text || "group")))));
    const body = view.element("tbody");
    const fill = count => {
      body.replaceChildren(...rows.slice(0, count).map(row => view.element("tr", {},
        view.element("th", { scope: "row" }, row.name),
        view.element("td", { class: "figure" }, String(row.games)), view.element("td", { class: "figure" }, String(row.moves)),
        view.element("td", { class: "figure" }, row.score_percent === null ? "–" : show(row.score_percent) + "%"),
        view.element("td", { class: "figure" }, row.expected_percent === null ? "–" : show(row.expected_percent) + "%"),
        view.element("td", {}, bar((row.accuracy || 0) / 100, show(row.accuracy), "good")),
        view.element("td", {}, bar((row.average_loss || 0) / worst, show(row.average_loss), "loss")),
        view.element("td", {}, bar((row.blunder_percent || 0) / most, show(row.blunder_percent, 1), "bad")))));
    };
    fill(FIRST);
    made.append(body);
    box.append(heading, view.element("div", { class: "scroll-x", tabindex: "0", role: "region", "aria-label": TITLES[dimension] }, made));
    if (rows.length > FIRST) {
      const more = view.element("button", { onclick: () => { fill(rows.length); more.remove(); } }, `Show all ${rows.length}`);
      box.append(more);
    }
    return box;
  }

  // Accuracy by month as a line.
  function trend(rows) {
    const known = rows.filter(row => row.accuracy !== null);
    if (known.length < 2) return null;
    const svg = shape("svg", { viewBox: "0 0 600 160", role: "img", class: "trend", "aria-label": "Accuracy by month: " + known.map(row => `${row.name} ${show(row.accuracy)}%`).join(", ") });
    const low = Math.floor(Math.min(...known.map(row => row.accuracy)) / 5) * 5, high = Math.max(low + 5, Math.ceil(Math.max(...known.map(row => row.accuracy)) / 5) * 5);
    const x = i => 40 + 545 * i / (known.length - 1), y = value => 130 - 118 * (value - low) / (high - low);
    for (const value of [low, (low + high) / 2, high]) {
      shape("line", { x1: 40, x2: 585, y1: y(value), y2: y(value), class: "axis" }, svg);
      shape("text", { x: 34, y: y(value) + 4, class: "tick end" }, svg, value + "%");
    }
    const every = Math.ceil(known.length / 8);
    known.forEach((row, i) => { if (i % every === 0) shape("text", { x: x(i), y: 150, class: "tick middle" }, svg, row.name); });
    shape("polyline", { points: known.map((row, i) => x(i).toFixed(1) + "," + y(row.accuracy).toFixed(1)).join(" "), class: "trend-line" }, svg);
    known.forEach((row, i) => { shape("circle", { cx: x(i), cy: y(row.accuracy), r: 3, class: "trend-dot" }, svg); });
    return view.element("figure", {}, svg, view.element("figcaption", { class: "dim" }, "Mean accuracy of the moves, by month."));
  }

  // Links to positions of games.
  function places(list) {
    const links = list.map(({ game, ply }) => view.element("a", { href: `#${game}.${ply}` }, `${game}.${ply}`));
    return links.flatMap((one, i) => (i ? [", ", one] : [one]));
  }

  function total(scope) {
    const { total: all, conversions: c } = scope, of = (part, whole) => (whole ? `${part} of ${whole} (${Math.round(100 * part / whole)}%)` : "none");
    const facts = [
      ["Games", scope === data.all ? data.games : all.games], ["Moves", all.moves], ["Accuracy", show(all.accuracy, 1) + "%"], ["Average centipawn loss", show(all.average_loss, 1)],
      ["Inaccuracies, mistakes, blunders", `${all.inaccuracies}, ${all.mistakes}, ${all.blunders}`],
      ["Won positions that were won", of(c.converted, c.winning)], ["Lost positions that were saved", of(c.saved, c.losing)],
    ];
    if (scope !== data.all) facts.splice(2, 0, ["Wins, draws, losses", `${all.wins}, ${all.draws}, ${all.losses}`], ["Score and expected by rating", `${show(all.rated_score_percent)}% and ${show(all.expected_percent)}%`]);
    if (all.seconds !== null) facts.push(["Time a move", notation.time(all.seconds)]);
    return view.element("dl", { class: "card facts" }, ...facts.flatMap(([name, value]) => [view.element("dt", {}, name), view.element("dd", {}, String(value))]));
  }

  function mistakes(scope) {
    const boxes = [];
    if (scope.motifs.length) {
      const rows = scope.motifs.map(one => view.element("tr", {}, view.element("th", { scope: "row" }, MOTIFS[one.kind]), view.element("td", { class: "figure" }, String(one.count)),
        view.element("td", { class: "figure" }, show(one.lost)), view.element("td", {}, ...places(one.examples))));
      boxes.push(section("Kinds of weak moves", ["kind", "moves", "win % lost", "most costly (game.half-move)"], rows));
    }
    if (scope.recurring.length) {
      const rows = scope.recurring.map(one => view.element("tr", {}, view.element("th", { scope: "row" }, one.played), view.element("td", { class: "figure" }, String(one.count)),
        view.element("td", { class: "figure" }, show(one.lost)), view.element("td", {}, ...places(one.examples))));
      boxes.push(section("Recurring mistakes: the same move in the same position", ["move", "times", "win % lost", "positions (game.half-move)"], rows));
    }
    return boxes;
  }

  function section(title, head, rows) {
    const body = view.element("tbody", {}, ...rows.slice(0, FIRST));
    const made = view.element("table", {}, view.element("thead", {}, view.element("tr", {}, ...head.map((text, i) => view.element("th", { scope: "col", class: i === 1 || i === 2 ? "figure" : "" }, text)))), body);
    const box = view.element("section", { class: "card group" }, view.element("h3", {}, title), view.element("div", { class: "scroll-x", tabindex: "0", role: "region", "aria-label": title }, made));
    if (rows.length > FIRST) {
      const more = view.element("button", { onclick: () => { body.replaceChildren(...rows); more.remove(); } }, `Show all ${rows.length}`);
      box.append(more);
    }
    return box;
  }

  function draw() {
    const scope = $("scope").value === "player" && data.player ? data.player : data.all;
    const box = $("figures");
    box.replaceChildren(total(scope));
    box.append(...mistakes(scope));
    for (const dimension of Object.keys(TITLES)) {
      const rows = scope.groups[dimension];
      if (!rows || !rows.length) continue;
      const made = table(dimension, rows);
      const line = dimension === "month" && trend(rows);
      if (line) made.insertBefore(line, made.children[1]);
      box.append(made);
    }
  }

  async function open() {
    if (data) return;
    data = await skewer.insights();
    if (data.player) {
      $("scope-box").hidden = false;
      $("scope").replaceChildren(view.element("option", { value: "player" }, data.player.names.join(", ")), view.element("option", { value: "all" }, "all players"));
    }
    $("scope").addEventListener("change", draw);
    draw();
  }

  return { open };
})();
