// The games of a player, and where they leave the book.
const study = (() => {
  const $ = id => document.getElementById(id);
  // The most games whose data are loaded, because a report in a folder holds any number of games.
  const MOST = 1000;

  // Fills `select` with the players, by their number of games, and the player of --player first. Calls `then` when
  // another player is chosen.
  async function players(select, then) {
    const games = String(skewer.rows.length), chosen = select.value;
    if (select.dataset.games === games) return;
    if (!select.dataset.games) select.addEventListener("change", then);
    select.dataset.games = games;
    const counts = new Map(), data = (await skewer.insights()).every;
    for (const row of skewer.rows) for (const name of [row.white, row.black]) if (name) counts.set(name, (counts.get(name) || 0) + 1);
    const own = data.player ? data.player.names.map(name => name.toLowerCase()) : [];
    const rank = name => (own.includes(name.toLowerCase()) ? 1e9 : counts.get(name));
    const names = [...counts.keys()].sort((a, b) => rank(b) - rank(a) || (a < b ? -1 : 1)).slice(0, 500);
    select.replaceChildren(view.element("option", { value: "" }, "all players"), ...names.map(name => view.element("option", { value: name }, `${name} (${counts.get(name)})`)));
    select.value = counts.has(chosen) ? chosen : own.length ? names[0] : "";
  }

  // Loads the games of a player among these rows: { row, game, side }. Without a name, each game comes
  // once for each side.
  async function games(name, rows = list.shown) {
    const found = [];
    for (const row of rows.slice(0, MOST)) {
      const sides = [0, 1].filter(side => !name || (side ? row.black : row.white) === name);
      if (!sides.length) continue;
      const game = await skewer.game(row.place);
      for (const side of sides) found.push({ row, game, side });
    }
    return found;
  }

  const start = game => chess.parse(game.fen || chess.START);
  const drop = (game, i, white) => {
    const best = game.lines[i] && game.lines[i][0], before = best ? best[2] : i ? game.moves[i - 1].w : game.first_win;
    return Math.max(0, (before - game.moves[i].w) * (white ? 1 : -1));
  };

  async function repertoire() {
    await players($("repertoire-player"), repertoire);
    $("repertoire-color").onchange = repertoire;
    const side = Number($("repertoire-color").value), tree = new Map();
    for (const { row, game } of (await games($("repertoire-player").value)).filter(one => one.side === side)) {
      const white = start(game).white, book = game.moves.reduce((last, move, i) => (move.g === 0 ? i + 1 : last), 0);
      // The player's first move outside the book.
      const i = game.moves.findIndex((move, at) => at >= book && move.u && (at % 2 === 0 ? white : !white) === (side === 0));
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
    $("repertoire-lines").replaceChildren(...(rows.length ? rows : [view.element("p", {}, "No game in the list has an opening of the catalogue.")]));
  }

  return { repertoire, players, games, drop, start };
})();
