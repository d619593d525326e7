// What can be learnt from the games of a player: where the book was left, and mistakes as exercises.
const study = (() => {
  const $ = id => document.getElementById(id);
  // Games whose data are loaded for this, at most: a report in a folder holds any number.
  const MOST = 1000;
  // Points of win percentage that an inaccuracy loses.
  const INACCURACY = 5;
  let board = null, tasks = [], at = -1, solved = false;

  // The players by their number of games, the one of --player first.
  async function players(select, then) {
    if (select.options.length) return;
    const counts = new Map(), data = (await skewer.insights()).every;
    for (const row of skewer.rows) for (const name of [row.white, row.black]) if (name) counts.set(name, (counts.get(name) || 0) + 1);
    const own = data.player ? data.player.names.map(name => name.toLowerCase()) : [];
    const rank = name => (own.includes(name.toLowerCase()) ? 1e9 : counts.get(name));
    const names = [...counts.keys()].sort((a, b) => rank(b) - rank(a) || (a < b ? -1 : 1)).slice(0, 500);
    select.replaceChildren(view.element("option", { value: "" }, "all players"), ...names.map(name => view.element("option", { value: name }, `${name} (${counts.get(name)})`)));
    select.value = own.length ? names[0] : "";
    select.addEventListener("change", then);
  }

  // The games of a player among those of the list, loaded: { row, game, side }. Both sides without a name.
  async function games(name) {
    const found = [];
    for (const row of list.shown.slice(0, MOST)) {
      const sides = [0, 1].filter(side => !name || (side ? row.black : row.white) === name);
      if (!sides.length) continue;
      const game = await skewer.game(row.place);
      for (const side of sides) found.push({ row, game, side });
    }
    return found;
  }

  const start = game => chess.parse(game.fen || chess.START);
  const drop = (game, i, white) => {
    const best = game.lines[i] && game.lines[i][0], before = best ? notation.winPercent(best[0]) : i ? game.moves[i - 1].w : notation.winPercent(game.first);
    return Math.max(0, (before - game.moves[i].w) * (white ? 1 : -1));
  };

  async function repertoire() {
    await players($("repertoire-player"), repertoire);
    $("repertoire-color").onchange = repertoire;
    const side = Number($("repertoire-color").value), tree = new Map();
    for (const { row, game } of (await games($("repertoire-player").value)).filter(one => one.side === side)) {
      const white = start(game).white, book = game.moves.reduce((last, move, i) => (move.g === 0 ? i + 1 : last), 0);
      // The player's first move outside the book.
      const i = game.moves.findIndex((_, at) => at >= book && (at % 2 === 0 ? white : !white) === (side === 0));
      if (i < 0 || !row.opening) continue;
      const group = tree.get(row.opening) || tree.set(row.opening, { games: 0, points: 0, finished: 0, cost: 0, moves: new Map() }).get(row.opening);
      const points = { "1-0": 1 - side, "0-1": side, "½-½": 0.5 }[row.result], cost = drop(game, i, side === 0);
      const left = game.moves.slice(0, i + 1).map(move => move.s), key = left.join(" ");
      const entry = group.moves.get(key) || group.moves.set(key, { left, best: game.lines[i] && game.lines[i][0], before: start(game), path: game.moves.slice(0, i).map(move => move.u), games: [], cost: 0, points: 0, finished: 0 }).get(key);
      for (const sum of [group, entry]) { sum.cost += cost; if (points !== undefined) { sum.points += points; sum.finished++; } }
      group.games++;
      entry.games.push(`${game.n}.${i + 1}`);
    }
    const score = sum => (sum.finished ? Math.round(100 * sum.points / sum.finished) + "%" : "–");
    const rows = [...tree].sort(([, a], [, b]) => b.games - a.games || b.cost - a.cost).map(([name, group]) => {
      const entries = [...group.moves.values()].sort((a, b) => b.games.length - a.games.length || b.cost - a.cost).map(entry => {
        const before = entry.path.reduce(chess.play, entry.before), played = entry.left[entry.left.length - 1];
        const best = entry.best && entry.best[1] ? view.words(before, entry.best[1].split(" ").slice(0, 1))[0] : "";
        const from = Math.max(0, entry.path.length - 6), moves = view.words(entry.path.slice(0, from).reduce(chess.play, entry.before), entry.path.slice(from)).join(" ");
        return view.element("tr", {}, view.element("th", { scope: "row" }, moves && moves + " ", view.element("b", {}, `${notation.number(before)} ${played}`)),
          view.element("td", { class: "figure" }, String(entry.games.length)), view.element("td", { class: "figure" }, score(entry)),
          view.element("td", { class: "figure" }, (entry.cost / entry.games.length).toFixed(1)), view.element("td", {}, best),
          view.element("td", {}, ...entry.games.slice(0, 5).flatMap((place, n) => [n ? ", " : "", view.element("a", { href: "#" + place }, "game " + place.split(".")[0])])));
      });
      return view.element("details", { class: "card group" }, view.element("summary", {}, view.element("b", {}, name), ` ${notation.count(group.games, "game")}, score ${score(group)}, ${(group.cost / group.games).toFixed(1)} points lost by leaving the book`),
        view.element("div", { class: "scroll-x", tabindex: "0", role: "region", "aria-label": name }, view.element("table", {},
          view.element("thead", {}, view.element("tr", {}, ...["left the book by", "games", "score", "win % lost", "the engine plays", "games"].map((text, n) => view.element("th", { scope: "col", class: n > 0 && n < 4 ? "figure" : "" }, text)))),
          view.element("tbody", {}, ...entries))));
    });
    if (rows.length) rows[0].open = true;
    $("repertoire").replaceChildren(...(rows.length ? rows : [view.element("p", {}, "No game of the list with an opening of the catalogue.")]));
  }

  async function exercises() {
    await players($("exercise-player"), exercises);
    const name = $("exercise-player").value;
    tasks = (await games(name)).flatMap(({ row, game, side }) => game.moves.flatMap((move, i) => {
      const white = start(game).white === (i % 2 === 0), best = game.lines[i] && game.lines[i][0];
      // From labels that are known to be sure alone: an unsure one may teach a wrong move.
      const isSure = move.c !== undefined && skewer.isSure(move);
      return move.g >= 5 && isSure && white === (side === 0) && best && best[1] ? [{ row, game, i }] : [];
    }));
    // The most costly first.
    tasks.sort((a, b) => drop(b.game, b.i, start(b.game).white === (b.i % 2 === 0)) - drop(a.game, a.i, start(a.game).white === (a.i % 2 === 0)));
    at = -1;
    $("exercise").hidden = !tasks.length;
    const given = /evals=of-the-games(?: |$)/.test(skewer.info.settings);
    $("exercise-count").textContent = tasks.length ? ""
      : given ? "The evaluations are those of the games, without better moves. Write the report with --pgn-evals refine, which searches the positions of weak moves."
      : "No mistake or blunder with a sure label is among the games of the list.";
    if (tasks.length) next();
  }

  const position = () => tasks[at].game.moves.slice(0, tasks[at].i).reduce((now, move) => chess.play(now, move.u), start(tasks[at].game));

  function next() {
    at = (at + 1) % tasks.length;
    solved = false;
    const { row, game, i } = tasks[at], now = position();
    if (!board) board = new Board($("exercise-board"), choices => answer(choices.find(move => move[4] === "q") || choices[0]));
    board.flipped = !now.white;
    board.show(now, { last: i ? game.moves[i - 1].u : "", arrows: [] });
    $("exercise-words").textContent = notation.words(now);
    $("exercise-count").textContent = `${at + 1} of ${tasks.length}`;
    $("exercise-task").textContent = `${row.white || "?"} – ${row.black || "?"}: ${now.white ? "White" : "Black"} to move played ${notation.number(now)} ${game.moves[i].s}${MARKS[game.moves[i].g]} (${notation.certainty(game.moves[i])}). Find a better move.`;
    $("exercise-answer").textContent = "";
    $("exercise-game").href = `#${game.n}.${i}`;
  }

  // Judges a move by the lines of the report or, where they do not have it, by the engine in the page. Every move is
  // right that loses less than an inaccuracy against the best one, and is better than the one that was played by as much.
  async function answer(move) {
    const own = tasks[at], { game, i } = own, now = position(), lines = game.lines[i].filter(one => one[1]), san = chess.san(now, move);
    const sign = now.white ? 1 : -1, percent = score => sign * notation.winPercent(score), say = text => { $("exercise-answer").textContent = text; };
    const line = lines.find(one => one[1].split(" ")[0] === move);
    if (move === game.moves[i].u) { say(`${san} is what was played (${notation.score(game.moves[i].e)}). Try another move.`); return; }
    if (!line) say(`${san} is being looked at.`);
    const score = line ? line[0] : await engine.judge(chess.play(now, move));
    if (own !== tasks[at]) return;
    if (score === undefined) { say(`${san} is not in the report's lines, and without an engine in the page it is not known whether it is good. Try again, or see the move.`); return; }
    const good = percent(score) > percent(lines[0][0]) - INACCURACY && percent(score) >= sign * game.moves[i].w + INACCURACY;
    solved = solved || good;
    const rest = line ? view.words(now, line[1].split(" ")).slice(1, 5).join(" ") : move === lines[0][1].split(" ")[0] ? "" : `The report's first choice is ${chess.san(now, lines[0][1].split(" ")[0])} (${notation.score(lines[0][0])}).`;
    say(good ? `Right: ${san} (${notation.score(score)}) ${rest}` : `${san} (${notation.score(score)}) is not good enough. Try again, or see the move.`);
    board.show(good ? chess.play(now, move) : now, { last: good ? move : "", arrows: [] });
  }

  function reveal() {
    const { game, i } = tasks[at], best = game.lines[i][0], now = position();
    $("exercise-answer").textContent = `${view.words(now, best[1].split(" ")).slice(0, 6).join(" ")} (${notation.score(best[0])})`;
    board.show(now, { last: "", arrows: [{ move: best[1].split(" ")[0], kind: "best" }] });
  }

  $("exercise-next").addEventListener("click", next);
  $("exercise-show").addEventListener("click", reveal);
  $("exercise-form").addEventListener("submit", event => {
    event.preventDefault();
    const input = $("exercise-move"), move = chess.read(position(), input.value);
    if (move) { input.value = ""; answer(move); } else $("exercise-answer").textContent = `${input.value || "This"} is not a legal move here.`;
  });

  return { repertoire, exercises, players, games, drop, start, position, answer, get tasks() { return tasks; }, get task() { return tasks[at]; }, get solved() { return solved; } };
})();
