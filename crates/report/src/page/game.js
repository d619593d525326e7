// One game: board, moves, lines and graphs. From any position the user can follow a line of the engine
// or play moves; `line` holds those moves, and `step` is how many of them are on the board.
const view = (() => {
  const $ = id => document.getElementById(id);
  let game = null, row = null, positions = [], ply = 0, line = null, step = 0, board = null;
  // The score of the line that is followed, if the engine gave one; lines that were tried in this game, by
  // the ply where they begin.
  let lineKnown, tried = [];

  function element(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const key in attributes) {
      if (key.startsWith("on")) made.addEventListener(key.slice(2), attributes[key]);
      else if (attributes[key] !== undefined) made.setAttribute(key, attributes[key]);
    }
    made.append(...children);
    return made;
  }

  // The moves of a line as words with their numbers.
  function words(position, moves) {
    return moves.map((move, i) => {
      const number = position.white || !i ? notation.number(position) + " " : "";
      const word = number + chess.san(position, move);
      position = chess.play(position, move);
      return word;
    });
  }

  const whiteAt = at => positions[at].white;

  // The position on the board, with the moves of the line.
  function current() {
    let position = positions[ply];
    if (line) for (const move of line.slice(0, step)) position = chess.play(position, move);
    return position;
  }

  async function open(place, at = 0) {
    row = skewer.rows[place];
    try {
      game = await skewer.game(place);
    } catch (error) {
      $("say").textContent = error.message + ". Keep the folder together: index.html needs the files beside it.";
      $("view").hidden = false;
      return;
    }
    positions = chess.line(game.fen, game.moves.map(move => move.u));
    line = null;
    tried = [];
    $("view").hidden = false;
    $("part-games").classList.add("open");
    list.mark(place);
    const side = player => (player ? row.black : row.white) || "?";
    $("title").textContent = `${side(0)} – ${side(1)}  ${row.result}`;
    $("sub").replaceChildren([row.opening, row.event, notation.date(row.date), game.tags.TimeControl].filter(text => text && text !== "?").join(" · "));
    link();
    graphs.evaluation($("graph"), game);
    $("time-box").hidden = !graphs.time($("time"), game, positions[0].white);
    moves();
    grades();
    show(at);
  }

  // Closes the game, because it is no longer in the list.
  function close() {
    engine.off();
    game = row = line = null;
    $("view").hidden = true;
    $("part-games").classList.remove("open");
    list.mark(-1);
  }

  // Adds a link to the game on the site where it was played.
  function link() {
    const site = game.tags.Site || "", url = /^https:\/\/(lichess\.org|www\.chess\.com)\/[\w\/-]*$/.exec(game.tags.Link || site);
    if (url) $("sub").append(" · ", element("a", { href: url[0], rel: "noreferrer" }, "original game"));
  }

  // The moves in two columns: a row for each number.
  function moves() {
    const body = element("ol", { "aria-label": "moves" });
    const own = (game.o || []).map(text => element("i", {}, text));
    if (own.length) body.append(element("li", { class: "said" }, element("div", { class: "notes" }, ...own)));
    let current = null;
    game.moves.forEach((move, i) => {
      const white = whiteAt(i);
      if (white || !current) {
        current = element("li", {}, element("span", { class: "number" }, String(positions[i].number)));
        if (!white) current.append(element("span", { class: "gap" }, "…"));
        body.append(current);
      }
      const grade = notation.grade(move), sure = move.g >= 4 && move.c !== undefined ? [notation.certainty(move)] : [];
      const words = [move.s, notation.score(move.e), grade, ...(move.x || []), ...sure].join(", ");
      const button = element("button", { "data-ply": i + 1, class: `move ${grade}${sure.length && !skewer.isSure(move) ? " unsure" : ""}`, title: words, "aria-label": `${positions[i].number} ${white ? "White" : "Black"} ${words}` },
        element("span", { class: "san" }, move.s + notation.mark(move)), element("span", { class: "score" }, notation.score(move.e)));
      current.append(button);
      const said = notes.of(game, positions, i, follow);
      if (!said) return;
      // Comments and variations of the file follow the move, and the answer begins a new row.
      body.append(element("li", { class: "said" }, said));
      current = null;
    });
    $("moves").replaceChildren(body);
  }

  // Shows the position after `to` plies of the game.
  function show(to) {
    ply = Math.max(0, Math.min(game.moves.length, to));
    line = null;
    step = 0;
    refresh();
    // Another game has an entry of its own in the browser's history.
    const address = `#${game.n}.${ply}`, isSame = !location.hash || location.hash.split(".")[0] === "#" + game.n;
    if (isSame) history.replaceState(null, "", address); else history.pushState(null, "", address);
  }

  // Follows a line from the position after `from` plies, `at` moves into it. `known` is the { score, win } of a
  // line of the engine.
  function follow(from, moves, at, known) {
    ply = from;
    line = moves;
    step = at;
    lineKnown = known;
    refresh();
  }

  // Keeps a line that was tried, in place of the lines that it continues.
  function keep() {
    const text = line.join(" ");
    tried = tried.filter(one => one.ply !== ply || !(text + " ").startsWith(one.line.join(" ") + " "));
    tried.push({ ply, line });
  }

  function forward() {
    if (line && step < line.length) { step++; refresh(); } else if (!line) show(ply + 1);
  }

  function back() {
    if (!line) show(ply - 1);
    else if (step > 1) { step--; refresh(); } else show(ply);
  }

  // Moves made on the board, typed in, or chosen in a line of the engine in the page.
  function made(...moves) {
    if (!line && moves.length === 1 && game.moves[ply] && game.moves[ply].u === moves[0]) { show(ply + 1); return; }
    const before = line ? line.slice(0, step) : [];
    engine.offer();
    follow(ply, [...before, ...moves], before.length + moves.length);
    keep();
    lines();
  }

  // The moves of the best line: of the engine in the page if it has one, or of the analysed game.
  function bestLine() {
    if (engine.best) return engine.best.moves;
    const best = !line && game.lines[ply] && game.lines[ply][0];
    return best ? best[1] : "";
  }

  function arrows(position) {
    const found = [];
    if ($("threats").checked) for (const move of chess.threats(position)) found.push({ move, kind: "threat" });
    const best = bestLine();
    if ($("best").checked && best) found.push({ move: best.split(" ")[0], kind: "best" });
    return found;
  }

  // The evaluation of the position on the board and White's win percentage, if they are known: of the engine in the
  // page, of the line that is followed, or of the game.
  function known() {
    if (engine.best) return { score: engine.best.score, win: notation.winPercent(engine.best.score) };
    if (line && step) return lineKnown;
    return ply ? { score: game.moves[ply - 1].e, win: game.moves[ply - 1].w } : { score: game.first, win: game.first_win };
  }

  // White's chances beside the board.
  function bar() {
    const found = known(), win = found ? found.win : 50;
    const drawn = $("bar").firstElementChild;
    drawn.setAttribute("height", win);
    drawn.setAttribute("y", board.flipped ? 0 : 100 - win);
    $("bar").classList.toggle("unknown", !found);
    $("value").textContent = found ? notation.score(found.score) : engine.on ? "…" : "?";
  }

  // Shows what the engine in the page has found.
  function engineFound() {
    if (!game) return;
    board.point(arrows(current()));
    bar();
  }

  // How the position on the board came about.
  const past = () => chess.past(game.fen, [...game.moves.slice(0, ply).map(move => move.u), ...(line ? line.slice(0, step) : [])]);

  function refresh() {
    const position = current();
    engine.follow(past(), position);
    const last = line && step ? line[step - 1] : ply ? game.moves[ply - 1].u : "";
    $("status").textContent = "";
    board.show(position, { last, arrows: arrows(position) });
    $("words").textContent = notation.words(position);
    bar();
    for (const svg of [$("graph"), $("time")]) graphs.mark(svg, ply, game.moves.length);
    players();
    say();
    lines();
    mark();
  }

  function players() {
    for (const [id, black] of [["top", !board.flipped], ["bottom", board.flipped]]) {
      const player = black ? 1 : 0, elo = row.elo[player];
      let clock = "";
      for (let i = ply - 1; i >= 0 && !clock; i--) if (whiteAt(i) !== black && game.moves[i].k !== undefined) clock = notation.clock(game.moves[i].k);
      $(id).replaceChildren(
        element("span", {}, ((black ? row.black : row.white) || "?") + (elo ? ` (${elo})` : "")),
        element("span", { class: "clock-text" }, clock),
        element("span", { class: "figures", title: "game accuracy, and mean loss of a move in hundredths of a pawn" },
          `accuracy ${notation.percent(game.accuracy[player])}${game.loss[player] === null ? "" : `, loses ${Math.round(game.loss[player])} cp a move`}`));
    }
  }

  // The numbers of moves of both sides by grade. A click goes to the next such move.
  function grades() {
    const of = (grade, side) => game.moves.filter((move, i) => move.g === grade && whiteAt(i) === (side === 0));
    const count = (grade, side) => of(grade, side).length;
    // Labels that are not sure stand apart, unless they are to be counted. Without the engine's lines nobody knows
    // which moves were best.
    const hasLines = game.lines.some(lines => lines.some(one => one[1]));
    const figure = (grade, side) => {
      if (grade === 1 && !hasLines) return "–";
      const counted = grade < 4 ? count(grade, side) : of(grade, side).filter(skewer.counts).length, rest = count(grade, side) - counted;
      return counted + (rest ? ` + ${rest}~` : "");
    };
    const rows = GRADES.map((name, grade) => element("tr", {}, element("th", { scope: "row", class: name }, name + (MARKS[grade] && " " + MARKS[grade])),
      ...[0, 1].map(side => element("td", { class: "figure" }, element("button", {
        class: "open", disabled: count(grade, side) ? undefined : "", "aria-label": `${count(grade, side)} ${name}, ${side ? "Black" : "White"}`,
        onclick: () => {
          const places = game.moves.flatMap((move, i) => (move.g === grade && whiteAt(i) === (side === 0) ? [i + 1] : []));
          show(places.find(at => at > ply) || places[0]);
        },
      }, figure(grade, side))))));
    const accuracy = element("tr", {}, element("th", { scope: "row" }, "game accuracy"), ...[0, 1].map(side => element("td", { class: "figure" }, notation.percent(game.accuracy[side]))));
    $("grades").replaceChildren(element("table", {}, element("caption", {}, "Summary"),
      element("thead", {}, element("tr", {}, ...["moves", "White", "Black"].map((text, i) => element("th", { scope: "col", class: i ? "figure" : "" }, text)))), element("tbody", {}, accuracy, ...rows)));
  }

  // What was wrong with a weak move, as a sentence that stands beside the move.
  function sentence(move) {
    const text = move.y[0].toUpperCase() + move.y.slice(1);
    return skewer.isSure(move) ? text : `Unsure (${move.c}%). ${text}`;
  }

  // Describes the last move.
  function say() {
    const box = $("say");
    box.replaceChildren();
    if (line) {
      box.append(element("p", {}, element("b", {}, "Trying a line"), ` from ${ply ? "move " + positions[ply].number : "the start"}. Escape or the button goes back to the game.`));
      box.append(element("p", { class: "tried" }, words(positions[ply], line.slice(0, step)).join(" ")));
      if (!known() && !skewer.info.engine) box.append(element("p", { class: "dim" }, "The evaluation of this position is not known: the report has no engine."));
      box.append(element("button", { id: "leave", onclick: () => show(ply) }, "Back to the game"));
      return;
    }
    const move = game.moves[ply - 1];
    if (!move) {
      for (const text of game.o || []) box.append(element("p", { class: "own" }, text));
      box.append(element("p", {}, game.moves.length ? "Start of the game. Step with the arrow keys, choose a move, or click on the graph." : "This game has no moves."));
      return;
    }
    const grade = notation.grade(move), before = positions[ply - 1], facts = [];
    // After a mate was found, the search finishes the remaining depths at once, so its depth says nothing.
    if (move.d && typeof move.e !== "string") facts.push(`depth ${move.d}`);
    if (move.g !== undefined) facts.push(notation.certainty(move), `accuracy ${Math.round(move.a)}%`);
    facts.push(PHASES[move.p]);
    if (move.t !== undefined) facts.push(`${notation.time(move.t)} spent`);
    if (move.k !== undefined) facts.push(`clock ${notation.clock(move.k)}`);
    box.append(element("p", {}, element("b", { class: grade }, `${notation.number(before)} ${move.s}${notation.mark(move)}`), ` ${grade}, ${notation.score(move.e)}`));
    const own = [notes.glyphs(move), ...(move.o || [])].filter(Boolean).join(" ");
    if (own) box.append(element("p", { class: "own" }, element("span", { class: "dim" }, "In the file: "), own));
    if (move.g >= 4) box.append(element("p", { class: "sentence" }, sentence(move)));
    box.append(element("p", { class: "dim" }, facts.join(" · ")));
  }

  // A line of the engine whose every move is a button.
  function lineRow(from, [score, moves, win]) {
    const list = moves ? moves.split(" ") : [];
    const item = element("li", {}, element("b", { class: "score" }, notation.score(score)), " ");
    words(positions[from], list).forEach((word, i) => {
      const on = line && ply === from && step === i + 1 && line.slice(0, step).join() === list.slice(0, step).join();
      item.append(element("button", { class: "step" + (on ? " on" : ""), onclick: () => follow(from, list, i + 1, { score, win }) }, word));
    });
    return item;
  }

  function lines() {
    const box = $("lines");
    box.replaceChildren();
    const part = (title, from) => {
      const found = (game.lines[from] || []).filter(one => one[1]);
      if (found.length) box.append(element("h3", {}, title), element("ul", {}, ...found.map(one => lineRow(from, one))));
    };
    const weak = ply && game.moves[ply - 1].g >= 2;
    if (weak) part(`Instead of ${notation.number(positions[ply - 1])} ${game.moves[ply - 1].s}`, ply - 1);
    part("From here", ply);
    if (!tried.length) return;
    const rows = tried.map(one => element("li", {}, element("button", { class: "step", onclick: () => follow(one.ply, one.line, one.line.length) }, words(positions[one.ply], one.line).join(" "))));
    box.append(element("h3", {}, "Tried"), element("ul", { id: "tried" }, ...rows));
  }

  function mark() {
    let on = null;
    for (const button of $("moves").querySelectorAll(".move")) {
      const is = Number(button.dataset.ply) === ply;
      button.classList.toggle("on", is);
      if (is) { button.setAttribute("aria-current", "true"); on = button; } else button.removeAttribute("aria-current");
    }
    const box = $("moves");
    if (!on) box.scrollTop = 0;
    else {
      const top = on.offsetTop;
      if (top < box.scrollTop + 20 || top > box.scrollTop + box.clientHeight - 50) box.scrollTop = top - box.clientHeight / 2;
    }
  }

  // The next or previous weak move, of the side that is chosen.
  function weak(direction) {
    const side = $("weak-side").value, isOf = at => !side || whiteAt(at - 1) === (side === "white");
    for (let at = ply + direction; at >= 1 && at <= game.moves.length; at += direction) if (game.moves[at - 1].g >= 4 && isOf(at)) { show(at); return; }
    $("status").textContent = `No ${direction > 0 ? "further" : "earlier"} weak move${side ? ` of ${side === "white" ? "White" : "Black"}` : ""}.`;
  }

  async function copy(what, value) {
    try {
      await navigator.clipboard.writeText(value);
    } catch {
      // Local pages may lack the permission; the old way still works.
      const area = element("textarea", {}, value);
      area.value = value;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    $("status").textContent = what + " copied.";
  }

  function download() {
    pgn.save(pgn.text(game, positions), `game-${game.n}.pgn`);
    $("status").textContent = "PGN saved.";
  }

  function lichess() {
    const path = chess.fen(current()).replace(/ /g, "_");
    const variant = game.chess960 ? "chess960" : "standard";
    window.open(`https://lichess.org/analysis/${variant}/${path}`, "_blank", "noopener");
  }

  function typed(event) {
    event.preventDefault();
    const input = $("try"), found = chess.read(current(), input.value);
    if (!found.length) { $("status").textContent = `${input.value || "This"} is not a legal move here.`; return; }
    input.value = "";
    $("status").textContent = "";
    board.choose(found);
  }

  function begin() {
    board = new Board($("board"), made);
    engine.begin(engineFound, moves => made(...moves));
    const click = (id, act) => $(id).addEventListener("click", act);
    click("first", () => show(0));
    click("back", back);
    click("forward", forward);
    click("last", () => show(game.moves.length));
    click("next-weak", () => weak(1));
    click("flip", flip);
    click("previous-game", () => list.neighbour(row.place, -1));
    click("next-game", () => list.neighbour(row.place, 1));
    click("to-list", () => $("list").scrollIntoView());
    click("print-game", () => paper.print([row]));
    choices.changed(name => { if (name === "unsure" && game) { grades(); mark(); } });
    click("copy-fen", () => copy("FEN", chess.fen(current())));
    click("copy-pgn", () => copy("PGN", pgn.text(game, positions)));
    click("copy-link", () => copy("Link", location.href));
    click("save-pgn", download);
    click("play-here", () => play.from(past(), game.chess960));
    click("lichess", lichess);
    $("try-form").addEventListener("submit", typed);
    for (const id of ["threats", "best"]) $(id).addEventListener("change", refresh);
    $("moves").addEventListener("click", event => {
      const button = event.target.closest(".move");
      if (button) show(Number(button.dataset.ply));
    });
    for (const id of ["graph", "time"]) $(id).addEventListener("click", event => show(graphs.under($(id), event, game.moves.length)));
  }

  function flip() {
    board.flip();
    refresh();
  }

  // A key that was pressed outside fields; true if it meant something.
  function key(name) {
    const act = {
      ArrowLeft: back, ArrowRight: forward, Home: () => show(0), End: () => show(game.moves.length), Escape: () => { if (line) show(ply); },
      n: () => weak(1), p: () => weak(-1), j: () => list.neighbour(row.place, 1), k: () => list.neighbour(row.place, -1), f: flip, e: engine.toggle,
      t: () => { $("threats").click(); }, m: () => $("try").focus(),
    }[name];
    if (!act || !game) return false;
    act();
    return true;
  }

  return { begin, open, close, show, key, follow, sentence, element, words, get game() { return game; }, get row() { return row; }, get ply() { return ply; }, get line() { return line; }, get step() { return step; }, current };
})();
