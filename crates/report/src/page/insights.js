// Aggregate figures as tables with bars, conversions, recurring mistakes and trends.
const insights = (() => {
  const $ = id => document.getElementById(id);
  const TITLES = {
    player: "Players", opponent: "Opponents", color: "Colour", opening: "Openings", eco: "ECO codes", rating_difference: "Rating difference",
    time_control: "Time control", month: "Trend by month", phase: "Phase", piece: "Piece moved", position: "Position before the move",
    time_left: "Time left on the clock", time_spent: "Time spent on the move",
  };
  const MOTIFS = {
    missed_mate: "missed mate", allowed_mate: "allowed mate", hung_piece: "hung piece", hung_pawn: "hung pawn", missed_capture: "missed capture",
    missed_fork: "missed fork", allowed_fork: "allowed fork", missed_promotion: "missed promotion", allowed_promotion: "allowed promotion",
    lost_material: "lost material", missed_material: "missed winning material", wrong_promotion: "promoted to the wrong piece",
    missed_repetition: "missed draw by repetition", allowed_repetition: "allowed draw by repetition",
    missed_threat: "missed threat", allowed_threat: "allowed threat", wrong_capture: "captured with the wrong piece",
    allowed_reply: "reply not prevented", exchange: "exchange or sacrifice", undeveloped: "piece not developed",
    not_castled: "not castled", wrong_square: "piece to the wrong square", lost_win: "let a win slip", lost_draw: "from level to lost", in_won_game: "in a won game", in_lost_game: "in a lost game", other: "other weak moves",
  };
  const PIECES = { N: "knight", B: "bishop", R: "rook", Q: "queen", K: "king", O: "king" };
  const RATINGS = [[-199, "-200 and less"], [-49, "-199 to -50"], [50, "-49 to +49"], [200, "+50 to +199"], [Infinity, "+200 and more"]];
  const LEFT = [[10, "under 10 s"], [30, "10 to 30 s"], [60, "30 to 60 s"], [180, "1 to 3 min"], [600, "3 to 10 min"], [Infinity, "10 min and more"]];
  const SPENT = [[1, "under 1 s"], [3, "1 to 3 s"], [10, "3 to 10 s"], [30, "10 to 30 s"], [120, "30 s to 2 min"], [Infinity, "2 min and more"]];
  const FIRST = 12;
  // The aggregates, with every label and with sure labels alone.
  let both = null, drawn = 0;
  const data = () => both && (choices.unsure ? both.every : both.sure);

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
    const box = view.element("section", { class: "card group sums", id: "group-" + dimension });
    const heading = view.element("h3", {}, TITLES[dimension]);
    const worst = Math.max(1, ...rows.map(row => row.average_loss || 0)), most = Math.max(0.01, ...rows.map(row => row.blunder_percent || 0));
    const head = ["", "games", "moves", scopeName() || ["player", "color", "rating_difference"].includes(dimension) ? "score" : "White's score", "expected", "move accuracy", "cp loss", "?? in 100"];
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

  // The number of a move as score sheets have it, with an ellipsis for Black. `ply` counts from 1 in this game.
  function moveNumber(game, ply) {
    const before = ply - 1 + (skewer.info.starts[game] || 0);
    return Math.floor(before / 2) + 1 + (before % 2 ? "…" : "");
  }

  // Links to positions of games.
  function places(list) {
    const links = list.map(({ game, ply }) => view.element("a", { href: `#${game}.${ply}` }, `game ${game}, move ${moveNumber(game, ply)}`));
    return links.flatMap((one, i) => (i ? [", ", one] : [one]));
  }

  function total(scope) {
    const { total: all, conversions: c } = scope, of = (part, whole) => (whole ? `${part} of ${whole} (${Math.round(100 * part / whole)}%)` : "none");
    const facts = [
      ["Games", all.games], ["Moves", all.moves], ["Move accuracy", all.accuracy === null ? "–" : show(all.accuracy, 1) + "%"], ["Average centipawn loss", show(all.average_loss, 1)],
      ["Inaccuracies, mistakes, blunders", `${all.inaccuracies}, ${all.mistakes}, ${all.blunders}`],
      ["Won positions that were won", of(c.converted, c.winning)], ["Lost positions that were saved", of(c.saved, c.losing)],
    ];
    if (scopeName()) facts.splice(2, 0, ["Wins, draws, losses", `${all.wins}, ${all.draws}, ${all.losses}`], ["Score", notation.percent(all.score_percent)],
      ...(all.expected_percent === null ? [] : [["Score in games with ratings, and expected by them", `${notation.percent(all.rated_score_percent)}, ${notation.percent(all.expected_percent)}`]]));
    if (all.seconds !== null) facts.push(["Time per move", notation.time(all.seconds)]);
    return view.element("dl", { class: "card facts" }, ...facts.flatMap(([name, value]) => [view.element("dt", {}, name), view.element("dd", {}, String(value))]));
  }

  function mistakes(scope) {
    const boxes = [];
    if (scope.motifs.length) {
      const rows = scope.motifs.map(one => view.element("tr", {}, view.element("th", { scope: "row" }, MOTIFS[one.kind]), view.element("td", { class: "figure" }, String(one.count)),
        view.element("td", { class: "figure" }, show(one.lost)), view.element("td", {}, ...places(one.examples))));
      boxes.push(section("Kinds of weak moves", ["kind", "moves", "win % lost", "most costly"], rows));
      boxes[0].classList.add("kinds");
    }
    if (scope.recurring.length) {
      const rows = scope.recurring.map(one => view.element("tr", {}, view.element("th", { scope: "row" }, one.played), view.element("td", { class: "figure" }, String(one.count)),
        view.element("td", { class: "figure" }, show(one.lost)), view.element("td", {}, ...places(one.examples))));
      boxes.push(section("Recurring mistakes: the same move in the same position", ["move", "times", "win % lost", "positions"], rows));
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

  // The player whose moves are shown; empty for all.
  const scopeName = () => $("scope").value;

  // Sums of a group as its figures.
  function figures(sums) {
    const mean = (sum, count) => (count ? sum / count : null), games = [...sums.games.values()], known = games.filter(one => one.points !== undefined), rated = known.filter(one => one.expected !== undefined);
    const total = (list, key) => list.reduce((sum, one) => sum + one[key], 0);
    return {
      games: games.length, wins: known.filter(one => one.points === 1).length, draws: known.filter(one => one.points === 0.5).length, losses: known.filter(one => one.points === 0).length,
      score_percent: mean(100 * total(known, "points"), known.length), rated_score_percent: mean(100 * total(rated, "points"), rated.length), expected_percent: mean(100 * total(rated, "expected"), rated.length),
      moves: sums.moves, accuracy: mean(sums.accuracy, sums.moves), average_loss: mean(sums.loss, sums.moves), inaccuracies: sums.marks[0], mistakes: sums.marks[1], blunders: sums.marks[2],
      blunder_percent: mean(100 * sums.marks[2], sums.moves), seconds: mean(sums.time, sums.timed),
    };
  }

  // Dimensions in which a game counts once for each player, also when the moves of all players are shown.
  const OF_PLAYERS = ["player", "opponent", "color", "rating_difference"];

  // The order of the groups of these dimensions. Months are in order of time; the groups of all other dimensions are
  // ordered by games.
  const ORDER = {
    phase: PHASES, position: ["winning", "level", "losing"], time_left: LEFT.map(one => one[1]), time_spent: SPENT.map(one => one[1]),
    rating_difference: RATINGS.map(one => one[1]), time_control: SPEEDS, color: ["white", "black"], piece: Object.values(PIECE_NAMES).reverse(),
  };

  // The name beside the first limit that is greater than a value.
  const bucket = (value, limits) => limits.find(([limit]) => value < limit)[1];

  // The points of a side in a game, and the points expected by the ratings; undefined if unknown.
  function result(row, side) {
    const points = { "1-0": 1 - side, "0-1": side, "½-½": 0.5 }[row.result];
    const [own, other] = [row.elo[side], row.elo[1 - side]];
    const expected = own && other && points !== undefined ? 1 / (1 + 10 ** ((other - own) / 400)) : undefined;
    return { points, expected };
  }

  // The result of the other side.
  function reversed({ points, expected }) {
    const less = value => (value === undefined ? undefined : 1 - value);
    return { points: less(points), expected: less(expected) };
  }

  // The groups of all moves of a side in a game, as pairs of dimension and name. `player` is empty if the moves of all
  // players are shown.
  function groupsOfGame(row, side, player) {
    const names = [row.white || "?", row.black || "?"], other = 1 - side;
    const groups = [["total", "total"], player ? ["opponent", names[other]] : ["player", names[side]], ["color", side ? "black" : "white"]];
    if (row.opening) groups.push(["opening", row.opening.slice(4).split(":")[0]], ["eco", row.opening.slice(0, 3)]);
    if (row.elo[0] && row.elo[1]) groups.push(["rating_difference", bucket(row.elo[side] - row.elo[other], RATINGS)]);
    if (row.speed) groups.push(["time_control", row.speed]);
    if (row.date % 10000 >= 100) groups.push(["month", notation.date(row.date).slice(0, 7)]);
    return groups;
  }

  // The groups of a move, before which the player had `clock` seconds.
  function groupsOfMove(move, standing, clock) {
    const piece = /^[a-h]/.test(move.s) ? "pawn" : PIECES[move.s[0]];
    const groups = [["phase", PHASES[move.p]], ["position", standing]];
    if (piece) groups.push(["piece", piece]);
    if (clock !== undefined) groups.push(["time_left", bucket(clock, LEFT)]);
    if (move.t !== undefined) groups.push(["time_spent", bucket(move.t, SPENT)]);
    return groups;
  }

  // Whether the label of a move is counted.
  const isWeak = move => move.g >= 4 && skewer.counts(move);

  function addMove(sums, move) {
    sums.moves++;
    sums.accuracy += move.a;
    sums.loss += move.l || 0;
    if (isWeak(move)) sums.marks[move.g - 4]++;
    if (move.t !== undefined) { sums.timed++; sums.time += move.t; }
  }

  // Adds a weak move, `ply` of a game from 1, to its motifs.
  function addMotifs(motifs, move, game, ply, lost) {
    const kinds = move.q && move.q.length ? move.q : ["other"];
    for (const kind of kinds) {
      if (!motifs.has(kind)) motifs.set(kind, { kind, count: 0, lost: 0, examples: [] });
      const sum = motifs.get(kind);
      sum.count++;
      sum.lost += lost;
      sum.examples.push({ game: game.n, ply, lost });
    }
  }

  // The motifs by what they cost, with the ten most costly moves of each.
  function worstMotifs(motifs) {
    const costly = (a, b) => b.lost - a.lost;
    const sorted = [...motifs.values()].sort(costly);
    for (const one of sorted) one.examples = one.examples.sort(costly).slice(0, 10);
    return sorted;
  }

  // Groups as rows of figures, by dimension and in its order.
  function rowsOfGroups(groups) {
    const made = {};
    for (const sums of groups) (made[sums.dimension] ||= []).push({ name: sums.name, ...figures(sums) });
    for (const [dimension, rows] of Object.entries(made)) {
      const rank = row => (ORDER[dimension] ? ORDER[dimension].indexOf(row.name) : dimension === "month" ? row.name : -row.games);
      rows.sort((a, b) => { const x = rank(a), y = rank(b); return x < y ? -1 : x > y ? 1 : a.name < b.name ? -1 : 1; });
    }
    return made;
  }

  // The same figures as the program computes, for a player in the games of these rows; null if there is no such game.
  async function computed(name, rows = list.shown) {
    const groups = new Map(), motifs = new Map(), conversions = { winning: 0, converted: 0, losing: 0, saved: 0 };
    const group = (dimension, key) => {
      const id = dimension + "\n" + key;
      return groups.get(id) || groups.set(id, { dimension, name: key, games: new Map(), moves: 0, accuracy: 0, loss: 0, marks: [0, 0, 0], time: 0, timed: 0 }).get(id);
    };
    for (const { row, game, side } of await study.games(name, rows)) {
      const own = result(row, side), white = side ? reversed(own) : own, first = study.start(game).white;
      // Over all players a game counts once, with White's result, except in the groups of players.
      const entered = ([dimension, key]) => {
        const sums = group(dimension, key);
        if (name || OF_PLAYERS.includes(dimension)) sums.games.set(`${game.n}.${side}`, own); else sums.games.set(game.n, white);
        return sums;
      };
      const ofGame = groupsOfGame(row, side, name).map(entered), met = {};
      let clock = game.clock;
      game.moves.forEach((move, i) => {
        if ((first === (i % 2 === 0)) !== (side === 0)) return;
        const standing = ["level", "winning", "losing"][move.z || 0], left = move.k === undefined ? undefined : clock;
        clock = move.k;
        // No player has chosen a null move.
        if (!move.u) return;
        met[standing] = true;
        for (const sums of [...ofGame, ...groupsOfMove(move, standing, left).map(entered)]) addMove(sums, move);
        if (isWeak(move)) addMotifs(motifs, move, game, i + 1, study.drop(game, i, side === 0));
      });
      if (own.points === undefined) continue;
      if (met.winning) { conversions.winning++; conversions.converted += own.points === 1; }
      if (met.losing) { conversions.losing++; conversions.saved += own.points > 0; }
    }
    const total = groups.get("total\ntotal");
    if (!total) return null;
    groups.delete("total\ntotal");
    return { groups: rowsOfGroups(groups.values()), motifs: worstMotifs(motifs), recurring: [], conversions, total: figures(total) };
  }

  async function draw() {
    const own = ++drawn, name = scopeName(), filtered = list.shown.length < skewer.rows.length;
    const isOwn = data().player && data().player.names.some(one => one.toLowerCase() === name.toLowerCase());
    const scope = filtered || name && !isOwn ? await computed(name) : name ? data().player : data().all;
    if (own !== drawn) return;
    $("scope-games").textContent = filtered ? `Among the ${notation.count(list.shown.length, "game")} that the list shows.` : "Filters of the list apply here as well.";
    const box = $("figures");
    if (!scope) { box.replaceChildren(view.element("p", {}, "The list has no such games.")); return; }
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
    both = await skewer.insights();
    await study.players($("scope"), draw);
    await draw();
  }

  choices.changed(name => { if (name === "unsure" && both && !$("part-insights").hidden) draw(); });

  return { open, computed, MOTIFS, get data() { return data(); } };
})();
