// Mistakes and blunders as exercises: chosen by kind, phase and opening, judged by the lines of the report or the engine
// in the page. The browser keeps which exercises were solved.
const exercises = (() => {
  const $ = id => document.getElementById(id);
  // Points of win percentage that an inaccuracy loses.
  const INACCURACY = 5;
  // The most exercises whose results are kept.
  const KEPT = 5000;
  // `turn` grows with each move, exercise and shown answer. A judgement of an earlier turn is dropped.
  let board = null, every = [], tasks = [], at = -1, solved = false, turn = 0;

  const white = ({ game, i }) => study.start(game).white === (i % 2 === 0);
  const cost = task => study.drop(task.game, task.i, white(task));
  const positionOf = ({ game, i }) => game.moves.slice(0, i).reduce((now, move) => chess.play(now, move.u), study.start(game));
  const position = () => positionOf(tasks[at]);
  const past = () => chess.past(tasks[at].game.fen, tasks[at].game.moves.slice(0, tasks[at].i).map(move => move.u));

  // The key of a stored result: the position without counters, and the move that was played.
  const name = task => `${chess.key(positionOf(task))} ${task.game.moves[task.i].u}`;
  function progress() {
    try { return JSON.parse(choices.get("exercises", "{}")); } catch { return {}; }
  }
  function keep(task, result) {
    const kept = Object.entries(progress()).filter(([key]) => key !== name(task)).slice(-KEPT + 1);
    choices.set("exercises", JSON.stringify(Object.fromEntries([...kept, [name(task), result]])));
  }

  // The exercises of a player: weak moves with a label that is known to be sure, since an unsure label may teach a
  // wrong move, the most costly first. A move that loses less than an inaccuracy, such as a mate that is let go in a
  // won game, would be a right answer itself.
  async function collect() {
    const found = (await study.games($("exercise-player").value)).flatMap(({ row, game, side }) => game.moves.flatMap((move, i) => {
      const task = { row, game, i }, best = game.lines[i] && game.lines[i][0];
      const isSure = move.c >= skewer.info.exerciseFrom;
      return move.g >= 5 && isSure && white(task) === (side === 0) && best && best[1] && cost(task) >= INACCURACY ? [task] : [];
    }));
    return found.sort((a, b) => cost(b) - cost(a));
  }

  const KINDS = task => task.game.moves[task.i].q || ["other"];
  const FIELDS = {
    "exercise-kind": { all: "every kind", of: KINDS, text: kind => insights.MOTIFS[kind] },
    "exercise-phase": { all: "every phase", of: task => [PHASES[task.game.moves[task.i].p]], text: phase => phase },
    "exercise-opening": { all: "every opening", of: task => (task.row.opening ? [task.row.opening.slice(4).split(":")[0]] : []), text: opening => opening },
  };

  // Fills the fields with what the exercises have, and keeps what was chosen.
  function fill() {
    for (const [id, field] of Object.entries(FIELDS)) {
      const counts = new Map(), chosen = $(id).value;
      for (const task of every) for (const value of field.of(task)) counts.set(value, (counts.get(value) || 0) + 1);
      const values = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
      $(id).replaceChildren(view.element("option", { value: "" }, field.all), ...values.map(([value, count]) => view.element("option", { value }, `${field.text(value)} (${count})`)));
      $(id).value = counts.has(chosen) ? chosen : "";
    }
  }

  // Takes the exercises that the fields ask for, unsolved exercises first.
  function choose() {
    const done = progress(), is = Object.entries(FIELDS).map(([id, field]) => task => !$(id).value || field.of(task).includes($(id).value));
    const fits = every.filter(task => is.every(test => test(task)));
    tasks = [...fits.filter(task => done[name(task)] !== "solved"), ...fits.filter(task => done[name(task)] === "solved")];
    at = -1;
    turn++;
    $("exercise").hidden = $("worksheet").hidden = !tasks.length;
    const given = skewer.info.settings && skewer.info.settings.pgn_evals === "use";
    $("exercise-count").textContent = tasks.length ? ""
      : given ? "The evaluations come from the files of the games, without better moves. Write the report with --pgn-evals refine, which searches the positions of weak moves."
      : every.length ? "No exercise of this kind." : `No mistake or blunder whose label is at least ${skewer.info.exerciseFrom}% likely to stay is among the games of the list.`;
    if (tasks.length) next();
  }

  async function open() {
    await study.players($("exercise-player"), open);
    every = await collect();
    fill();
    choose();
  }

  function count() {
    const done = progress(), results = tasks.map(task => done[name(task)]), of = result => results.filter(one => one === result).length;
    $("exercise-count").textContent = `${at + 1} of ${tasks.length}; ${of("solved")} solved, ${of("shown")} shown`;
  }

  // Shows the position of the exercise with the best move or, after a right move, the position after it, in which no
  // piece can be moved.
  function draw({ best = "", right = "" } = {}) {
    const { game, i } = tasks[at], now = position();
    board.locked = Boolean(right);
    board.show(right ? chess.play(now, right) : now, { last: right || (i ? game.moves[i - 1].u : ""), arrows: best ? [{ move: best, kind: "best" }] : [] });
  }

  function next() {
    at = (at + 1) % tasks.length;
    solved = false;
    turn++;
    const { row, game, i } = tasks[at], now = position();
    if (!board) board = new Board($("exercise-board"), answer);
    board.flipped = !now.white;
    draw();
    $("exercise-words").textContent = notation.words(now);
    count();
    $("exercise-task").textContent = `${row.white || "?"} – ${row.black || "?"}: ${now.white ? "White" : "Black"} played ${notation.number(now)} ${game.moves[i].s}${MARKS[game.moves[i].g]} (${notation.certainty(game.moves[i])}). Find a better move.`;
    $("exercise-answer").textContent = "";
    $("exercise-game").href = `#${game.n}.${i}`;
  }

  // Judges a move by the lines of the report or, where they do not have it, by the engine in the page. A move is right
  // if it loses less than an inaccuracy against the best move, and is better than the played move by at least an
  // inaccuracy.
  async function answer(move) {
    const task = tasks[at], own = ++turn, { game, i } = task, now = position(), lines = game.lines[i].filter(one => one[1]), san = chess.san(now, move);
    const sign = now.white ? 1 : -1, say = text => { $("exercise-answer").textContent = text; };
    const line = lines.find(one => one[1].split(" ")[0] === move);
    draw();
    if (move === game.moves[i].u) { say(`${san} is what was played (${notation.score(game.moves[i].e)}). Try another move.`); return; }
    if (!line) say(`${san} is being looked at.`);
    const score = line ? line[0] : await engine.judge(past(), move);
    if (own !== turn) return;
    if (score === undefined) { say(`${san} is not in the report's lines, and without an engine in the page it is not known whether it is good. Try again, or see the move.`); return; }
    const win = sign * (line ? line[2] : notation.winPercent(score));
    const good = win > sign * lines[0][2] - INACCURACY && win >= sign * game.moves[i].w + INACCURACY;
    if (good) keep(task, "solved");
    solved = solved || good;
    const rest = line ? view.words(now, line[1].split(" ")).slice(1, 5).join(" ") : `The report's first choice is ${chess.san(now, lines[0][1].split(" ")[0])} (${notation.score(lines[0][0])}).`;
    say(good ? `Right: ${san} (${notation.score(score)}) ${rest}` : `${san} (${notation.score(score)}) is not good enough. Try again, or see the move.`);
    count();
    if (good) draw({ right: move });
  }

  function reveal() {
    const { game, i } = tasks[at], best = game.lines[i][0];
    turn++;
    if (!solved) keep(tasks[at], "shown");
    count();
    $("exercise-answer").textContent = `${view.words(position(), best[1].split(" ")).slice(0, 6).join(" ")} (${notation.score(best[0])})`;
    draw({ best: best[1].split(" ")[0] });
  }

  $("exercise-next").addEventListener("click", next);
  $("exercise-show").addEventListener("click", reveal);
  $("exercise-play").addEventListener("click", () => play.from(past(), tasks[at].game.chess960));
  for (const id of Object.keys(FIELDS)) $(id).addEventListener("change", choose);
  $("worksheet-print").addEventListener("click", () => worksheet.print(tasks.slice(0, Number($("worksheet-count").value))));
  $("exercise-form").addEventListener("submit", event => {
    event.preventDefault();
    const input = $("exercise-move"), found = chess.read(position(), input.value);
    if (!found.length) { $("exercise-answer").textContent = `${input.value || "This"} is not a legal move here.`; return; }
    input.value = "";
    board.choose(found);
  });

  return { open, choose, position, positionOf, answer, get tasks() { return tasks; }, get task() { return tasks[at]; }, get solved() { return solved; } };
})();
