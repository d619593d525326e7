// A game against the engine in the page. The engine has its own worker here, so that a level does not change what the
// analysis finds. It is also asked what the rules say: after each move whether the game is over, and for the positions of
// Chess960.
const play = (() => {
  const $ = id => document.getElementById(id);
  // Milliseconds of a move at full strength without clocks, and of a hint.
  const MOVE_TIME = 1000;
  // A level ends its search by itself, long before this number of nodes.
  const NO_LIMIT = 100000000;
  const SIDES = ["White", "Black"];
  // `turn` counts what makes an answer of the engine worthless: moves, moves that are taken back, new games.
  let opponent = null, board = null, game = null, turn = 0, asking = Promise.resolve(), thinking = false, send = null, levels = false;

  const say = text => { $("play-say").textContent = text; };
  const sideToMove = () => (position().white ? 0 : 1);
  const position = () => game.positions[game.positions.length - 1];
  const isPlayers = () => !game.over && position().white === game.white;
  const name = side => (side === (game.white ? 0 : 1) ? "You" : `Skewer (${strength()})`);
  const strength = () => (game.level === "full" ? "full strength" : `level ${game.level}`);

  async function start() {
    const own = await Skewer.start({ program: await engine.program() });
    own.listen(line => { if (line === null && opponent) opponent = null; });
    own.send("setoption name UCI_Chess960 value true");
    return own;
  }

  // Sends commands when the commands before them are answered, unless they are no longer wanted then. Returns the lines
  // up to the last one.
  function ask(commands, last = line => line === "readyok", wanted = () => true) {
    const answer = asking.then(async () => {
      if (!wanted()) return [];
      const own = await (opponent = opponent || start());
      return new Promise((resolve, reject) => {
        const lines = [];
        const leave = own.listen(line => {
          if (line !== null) lines.push(line);
          if (line !== null && !last(line)) return;
          leave();
          if (line === null) reject(new Error(lines.at(-1) || "it has ended")); else resolve(lines);
        });
        own.send(commands.join("\n"));
      });
    });
    asking = answer.catch(() => { opponent = null; });
    return answer;
  }

  const failed = error => say(`The engine has stopped: ${error.message}`);

  // Fills the list of levels with the levels that the engine has.
  async function fill() {
    if (levels) return;
    levels = true;
    try {
      const line = (await ask(["uci"], line => line === "uciok")).find(line => line.includes("name UCI_Elo "));
      const [, least, most] = / min (\d+) max (\d+)/.exec(line).map(Number), chosen = $("play-level").value, numbers = [];
      for (let level = least; level <= most; level += 100) numbers.push(level);
      $("play-level").replaceChildren(...numbers.map(level => view.element("option", {}, String(level))), view.element("option", { value: "full" }, "full strength"));
      $("play-level").value = chosen;
    } catch (error) {
      levels = false;
      failed(error);
    }
  }

  // Asks the engine about a position: { fen, result, reason }. The last two are "" while the game goes on. Throws an
  // error if the position is invalid.
  async function look(words) {
    const lines = await ask([`position ${words}`, "d", "isready"]);
    const wrong = lines.find(line => line.startsWith("info string "));
    if (wrong) throw new Error(wrong.slice(12));
    const [, result = "", reason = ""] = lines.map(line => /^Result: (\S+) \((.*)\)$/.exec(line)).find(Boolean) || [];
    return { fen: lines.find(line => line.startsWith("Fen: ")).slice(5), result, reason };
  }

  // What a `position` command takes: a FEN and moves, or the game.
  const wordsOf = (fen, moves) => `fen ${fen}${moves.length ? ` moves ${moves.join(" ")}` : ""}`;
  const words = () => wordsOf(game.fen, [...game.before, ...game.moves.map(move => move.u)]);

  // The settings of the fields: { side, level, control }, with times in milliseconds; the control is null without clocks.
  function wanted() {
    const base = 60000 * Number($("play-minutes").value), increment = 1000 * Number($("play-seconds").value);
    const control = base || increment ? { base: base || increment, increment } : null;
    return { side: $("play-side").value, level: $("play-level").value, control };
  }

  // Begins a game from what a `position` command takes. With a `past`, of which this command is made, the player has the
  // side that is to move.
  async function begin(start, isChess960, past) {
    const { side, level, control } = wanted(), own = ++turn;
    stop();
    say("loading the engine");
    $("play-problem").textContent = "";
    let found, known = past;
    try {
      await ask(["ucinewgame", "isready"]);
      found = await look(start);
      // A position that occurred three times can be played on, because nobody has to claim the draw. The moves before it
      // are dropped.
      if (found.result && known) { known = undefined; found = await look(wordsOf(found.fen, [])); }
    } catch (error) {
      if (own === turn) { say(""); $("play-problem").textContent = error.message; }
      return;
    }
    if (own !== turn) return;
    const first = chess.parse(found.fen);
    const isWhite = past ? first.white : side === "random" ? crypto.getRandomValues(new Uint8Array(1))[0] < 128 : side === "white";
    // `before` are the moves from the FEN to the first position.
    game = {
      fen: known ? known.fen : found.fen, before: known ? known.moves : [], isChess960, white: isWhite, level, control, positions: [first], moves: [], result: "*", reason: "", over: false,
      left: control && [control.base, control.base], since: performance.now(), hint: "",
    };
    $("play-move").value = "";
    $("play-setup").open = false;
    $("play-game").hidden = false;
    board = board || new Board($("play-board"), made);
    board.flipped = !isWhite;
    if (found.result) end(found.result, found.reason); else next("");
  }

  function fromFields() {
    const number = $("play-number").value || crypto.getRandomValues(new Uint16Array(1))[0] % 960;
    const start = { usual: "startpos", chess960: `chess960 ${number}`, fen: `fen ${$("play-fen").value.trim()}` }[$("play-start").value];
    begin(start, $("play-start").value === "chess960");
  }

  // Plays on from the position to which `past` leads.
  function from(past, isChess960) {
    if (location.hash !== "#play") location.hash = "#play";
    begin(wordsOf(past.fen, past.moves), Boolean(isChess960), past);
  }

  // The milliseconds that a side has left.
  function left(side) {
    const spent = !game.over && side === sideToMove() ? performance.now() - game.since : 0;
    return Math.max(0, game.left[side] - spent);
  }

  // Plays a legal move of the side to move, and asks whether the game is over.
  async function move(u) {
    // The interval that looks at the clocks is slow in a background tab.
    flag();
    if (game.over) return;
    const before = position(), side = sideToMove(), own = ++turn, san = chess.san(before, u), times = game.left && [...game.left];
    if (game.left) game.left[side] = left(side) + game.control.increment;
    game.moves.push({ u, s: san, times, ...(game.left ? { k: game.left[side] / 1000 } : {}) });
    game.positions.push(chess.play(before, u));
    game.since = performance.now();
    game.hint = "";
    show();
    try {
      const found = await look(words());
      if (own !== turn) return;
      const last = `${notation.number(before)} ${san}`;
      if (found.result) end(found.result, found.reason); else next(side === (game.white ? 0 : 1) ? "" : `Skewer plays ${last}. `);
    } catch (error) {
      if (own === turn) failed(error);
    }
  }

  // A move of the player.
  function made(u) {
    if (!isPlayers()) { show(); return; }
    stop();
    move(u);
  }

  // Waits for the player, or lets the engine move.
  function next(news) {
    show();
    if (isPlayers()) { say(`${news}Your move.`); return; }
    say("Skewer is thinking.");
    think();
  }

  const strengthOf = level => [`setoption name UCI_LimitStrength value ${level !== "full"}`, ...(level === "full" ? [] : [`setoption name UCI_Elo value ${level}`])];

  // Lets the engine search the position at a level. Returns its move, or null if it is no longer wanted.
  async function search(level, limits) {
    const own = turn;
    thinking = true;
    const lines = await ask([...strengthOf(level), `position ${words()}`, `go ${limits}`], line => line.startsWith("bestmove "), () => own === turn);
    if (own !== turn) return null;
    thinking = false;
    return lines.at(-1).split(" ")[1];
  }

  async function think() {
    const [white, black] = game.left ? [left(0), left(1)].map(time => Math.max(1, Math.round(time))) : [];
    const clocks = game.left && `wtime ${white} btime ${black} winc ${game.control.increment} binc ${game.control.increment}`;
    try {
      const found = await search(game.level, game.level === "full" ? clocks || `movetime ${MOVE_TIME}` : `nodes ${NO_LIMIT}`);
      if (found && !game.over) await move(found);
    } catch (error) {
      failed(error);
    }
  }

  // Ends a search whose answer is not wanted.
  async function stop() {
    if (!thinking) return;
    thinking = false;
    try { (await opponent)?.send("stop"); } catch { /* it has failed before */ }
  }

  async function hint() {
    if (!isPlayers() || thinking) return;
    say("Looking for a good move.");
    try {
      const found = await search("full", `movetime ${MOVE_TIME}`);
      if (!found || !isPlayers()) return;
      game.hint = found;
      say(`A good move: ${chess.san(position(), found)}.`);
      show();
    } catch (error) {
      failed(error);
    }
  }

  // Takes moves back until the player is to move before a move of their own.
  function back() {
    const own = game.moves.findLastIndex((_, i) => game.positions[i].white === game.white);
    if (own < 0) { say("There is no move of yours to take back."); return; }
    turn++;
    stop();
    if (game.left) game.left = [...game.moves[own].times];
    game.moves.length = own;
    game.positions.length = own + 1;
    Object.assign(game, { result: "*", reason: "", over: false, hint: "", since: performance.now() });
    show();
    say("Taken back. Your move.");
  }

  function end(result, reason) {
    // The clock of the side to move stops.
    if (game.left) game.left[sideToMove()] = left(sideToMove());
    turn++;
    stop();
    Object.assign(game, { result, reason, over: true, hint: "" });
    const own = { "1-0": game.white, "0-1": !game.white }[result];
    show();
    say(`${result}: ${own === undefined ? "a draw" : own ? "you win" : "Skewer wins"} (${reason}).`);
  }

  const winFor = white => (white ? "1-0" : "0-1");

  // Ends the game of a side whose time is up: a draw if the other has a bare king.
  function flag() {
    if (!game || !game.left) return;
    clocks();
    const side = sideToMove();
    if (game.over || left(side) > 0) return;
    const other = position().squares.filter(piece => piece && chess.isWhite(piece) === (side === 1));
    if (other.length === 1) end("1/2-1/2", `${SIDES[side]} ran out of time, and ${SIDES[1 - side]} cannot give mate`);
    else end(winFor(side === 1), `${SIDES[side]} ran out of time`);
  }

  function time(milliseconds) {
    if (milliseconds < 10000) return `0:0${(Math.floor(milliseconds / 100) / 10).toFixed(1)}`;
    const seconds = Math.floor(milliseconds / 1000);
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  }

  function clocks() {
    for (const [id, side] of [["play-top", board.flipped ? 0 : 1], ["play-bottom", board.flipped ? 1 : 0]]) {
      const clock = game.left ? time(left(side)) : "", box = $(id);
      if (box.children.length !== 2) box.replaceChildren(view.element("span"), view.element("span", { class: "clock-text" }));
      // Write only texts that change, because this runs ten times a second.
      [name(side), clock].forEach((text, i) => { if (box.children[i].textContent !== text) box.children[i].textContent = text; });
    }
  }

  function show() {
    const now = position(), last = game.moves.at(-1)?.u || "";
    board.locked = !isPlayers();
    board.show(now, { last, arrows: game.hint ? [{ move: game.hint, kind: "best" }] : [] });
    $("play-words").textContent = notation.words(now);
    const moves = view.words(game.positions[0], game.moves.map(move => move.u)).join(" ");
    $("play-moves").textContent = [moves, game.over ? game.result : ""].filter(Boolean).join(" ") || "No moves yet.";
    $("play-moves").scrollTop = $("play-moves").scrollHeight;
    // The fields stay enabled while the engine thinks, because a field that is disabled loses the focus.
    for (const id of ["play-move", "play-hint", "play-resign"]) $(id).disabled = game.over;
    clocks();
  }

  // The game as PGN.
  function text() {
    const first = game.positions[0], isUsual = chess.key(first) === chess.key(chess.parse(chess.START)), now = new Date(), two = value => String(value).padStart(2, "0");
    const names = ["Player", `Skewer (${strength()})`];
    const [white, black] = game.white ? names : [names[1], names[0]];
    const tags = { Event: "Casual game", Date: `${now.getFullYear()}.${two(now.getMonth() + 1)}.${two(now.getDate())}`, White: white, Black: black };
    if (game.isChess960) tags.Variant = "Chess960";
    if (!isUsual) Object.assign(tags, { SetUp: "1", FEN: chess.fen(first) });
    if (game.control) tags.TimeControl = `${game.control.base / 1000}+${game.control.increment / 1000}`;
    if (game.over) tags.Termination = game.reason;
    // Earlier positions count as occurrences, so the file has the moves that led to the start.
    const o = game.before.length ? [`Played on after ${view.words(chess.parse(game.fen), game.before).join(" ")}`] : [];
    return pgn.text({ tags, moves: game.moves, result: game.result, lines: [], o }, game.positions);
  }

  function typed(event) {
    event.preventDefault();
    if (!isPlayers()) return;
    const input = $("play-move"), found = chess.read(position(), input.value);
    if (!found.length) { say(`${input.value || "This"} is not a legal move here.`); input.select(); return; }
    input.value = "";
    board.choose(found);
  }

  // Shows the field that the start needs.
  function kind() {
    for (const [field, value] of [["play-number", "chess960"], ["play-fen", "fen"]]) {
      $(field).parentElement.hidden = $("play-start").value !== value;
      $(field).disabled = $("play-start").value !== value;
    }
  }

  const click = (id, act) => $(id).addEventListener("click", act);
  click("play-back", back);
  click("play-hint", hint);
  click("play-resign", () => end(winFor(!game.white), `${SIDES[game.white ? 0 : 1]} resigned`));
  click("play-flip", () => { board.flip(); clocks(); });
  click("play-save", () => { pgn.save(text(), "played.pgn"); });
  click("play-analyse", () => send(text()));
  $("play-form").addEventListener("submit", typed);
  $("play-setup-form").addEventListener("submit", event => { event.preventDefault(); fromFields(); });
  $("play-start").addEventListener("change", kind);
  kind();
  setInterval(flag, 100);

  // Sets the function that is given the PGN of a game to be analysed, and shows the button that calls it.
  function sends(then) {
    send = then;
    $("play-analyse").hidden = false;
  }

  return { open: fill, from, sends, text, get game() { return game; }, position };
})();
