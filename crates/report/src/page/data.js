// The data: the index with a row for each game, and the games. A report in a folder loads games by
// the hundred, from data files that call skewer.index, skewer.games, skewer.insights and
// skewer.engine.
const skewer = (() => {
  const rows = [];
  const loaded = new Map();
  const waiting = new Map();
  const listeners = [];
  let chunk = 0, info = {}, insightsData = null, engineData = null, start = null, begun = false;

  // Turns the columns of the index into rows. A page that shows games as they are done calls it again and again, with
  // more games after the others.
  function index(data) {
    info = { engine: data.engine, engineLeftOut: data.engine_left_out, sureFrom: data.sure_from, exerciseFrom: data.exercise_from, scale: data.scale, settings: data.settings, settingsText: data.settings_text, starts: data.starts, omitted: data.omitted, bad: data.bad };
    chunk = data.chunk;
    rows.length = 0;
    const digit = (text, at) => parseInt(text[at], 36);
    data.number.forEach((number, i) => {
      const accuracy = player => {
        const value = parseInt(data.accuracy.slice(4 * i + 2 * player, 4 * i + 2 * player + 2), 36);
        return value ? value - 1 : null;
      };
      const marks = text => [0, 1].map(player => [0, 1, 2].map(kind => digit(text, 6 * i + 3 * player + kind)));
      const every = marks(data.marks), sure = marks(data.sure);
      const white = data.names[data.white[i]], black = data.names[data.black[i]];
      const opening = data.openings[data.opening[i]], event = data.events[data.event[i]];
      rows.push({
        place: i, number, white, black, opening, event,
        elo: [data.white_elo[i], data.black_elo[i]], date: data.date[i], moves: data.moves[i],
        result: { 1: "1-0", 0: "0-1", "=": "½-½", "*": "*" }[data.result[i]],
        speed: SPEEDS[digit(data.speed, i)], accuracy: [accuracy(0), accuracy(1)],
        // Inaccuracies, mistakes and blunders that count.
        get marks() { return choices.unsure ? every : sure; },
        text: [number, white, black, opening, event, notation.date(data.date[i])].join(" ").toLowerCase(),
      });
    });
    if (begun) for (const listener of listeners) listener();
    else { begun = true; start(); }
  }

  // Whether the label of a move, or its absence, is sure; true also where that is not known.
  const isSure = move => move.c === undefined || move.c >= info.sureFrom;

  // Whether the label of a move counts in figures.
  const counts = move => choices.unsure || isSure(move);

  function games(number, list) {
    list.forEach((game, i) => loaded.set(number * (chunk || 1) + i, game));
    for (const [place, resolve] of [...waiting]) if (loaded.has(place)) { waiting.delete(place); resolve(loaded.get(place)); }
  }

  // Runs a data file. It is a script, because browsers do not let a local page fetch files.
  function run(path) {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = path;
      script.onload = resolve;
      script.onerror = () => reject(new Error("cannot load " + path));
      document.head.append(script);
    });
  }

  // A game, once it is loaded.
  async function game(place) {
    if (!loaded.has(place)) {
      if (chunk) await run("data/" + Math.floor(place / chunk) + ".js");
      else JSON.parse(document.getElementById("data-games").textContent).forEach((one, i) => loaded.set(i, one));
    }
    return loaded.get(place);
  }

  async function insights(data) {
    if (data) insightsData = data;
    if (!insightsData) {
      const inPage = document.getElementById("data-insights");
      if (inPage) insightsData = JSON.parse(inPage.textContent);
      else await run("data/insights.js");
    }
    return insightsData;
  }

  // The program of the engine for the page, compressed and in base64, if the report has one.
  async function engine(data) {
    if (data) engineData = data;
    if (!engineData) {
      const inPage = document.getElementById("data-engine");
      if (inPage) engineData = inPage.textContent.trim();
      else await run("data/engine.js");
    }
    return engineData;
  }

  // Calls `then` when the index is there: at once, or when data/index.js is loaded.
  function begin(then) {
    start = then;
    const inPage = document.getElementById("data-index");
    if (inPage) index(JSON.parse(inPage.textContent));
    else run("data/index.js").catch(error => { document.getElementById("settings").textContent = error.message; });
  }

  // Calls `then` when there are more games.
  const grown = then => listeners.push(then);

  return { rows, index, grown, isSure, counts, games, game, insights, engine, begin, get info() { return info; } };
})();
