// The graphs of a game: evaluation with phases and weak moves, and the time of each move.
const graphs = (() => {
  const WIDTH = 600, LEFT = 34, RIGHT = 6, TOP = 6, BOTTOM = 20;

  // The horizontal position of the ply `ply`, which is 0 for the start.
  const across = (ply, plies) => LEFT + (WIDTH - LEFT - RIGHT) * ply / Math.max(1, plies);

  function ground(svg, height, game, ticks) {
    const plies = game.moves.length, { number, white } = chess.parse(game.fen || chess.START);
    svg.replaceChildren();
    svg.setAttribute("viewBox", `0 0 ${WIDTH} ${height}`);
    const bottom = height - BOTTOM;
    for (const { value, label } of ticks) {
      const y = TOP + (bottom - TOP) * (1 - value);
      shape("text", { x: LEFT - 4, y: y + 3, class: "tick end" }, svg, label);
    }
    // Move numbers, at most a dozen.
    const every = [1, 2, 5, 10, 20, 50, 100].find(step => plies / 2 / step <= 12) || 200;
    for (let move = Math.ceil(number / every) * every, ply; (ply = 2 * (move - number + 1) - !white) <= plies; move += every) {
      const x = across(ply, plies);
      shape("line", { x1: x, x2: x, y1: bottom, y2: bottom + 3, class: "axis" }, svg);
      shape("text", { x, y: height - 6, class: "tick middle" }, svg, String(move));
    }
    return bottom;
  }

  function evaluation(svg, game) {
    const height = 170, plies = game.moves.length;
    const bottom = ground(svg, height, game, [{ value: 0.97, label: "White" }, { value: 0.5, label: "=" }, { value: 0.03, label: "Black" }]);
    const wins = [game.first_win, ...game.moves.map(move => move.w)];
    const y = win => TOP + (bottom - TOP) * (1 - win / 100);
    shape("rect", { x: LEFT, y: TOP, width: WIDTH - LEFT - RIGHT, height: bottom - TOP, class: "for-black" }, svg);
    const points = wins.map((win, ply) => across(ply, plies).toFixed(1) + "," + y(win).toFixed(1));
    shape("polygon", { points: `${LEFT},${bottom} ${points.join(" ")} ${across(plies, plies)},${bottom}`, class: "for-white" }, svg);
    shape("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(50), y2: y(50), class: "middle-line" }, svg);
    let phase = 0;
    game.moves.forEach((move, i) => {
      if (move.p > phase) {
        phase = move.p;
        const x = across(i, plies);
        shape("line", { x1: x, x2: x, y1: TOP, y2: bottom, class: "phase" }, svg);
        shape("text", { x: x + 3, y: TOP + 9, class: "tick phase-name" }, svg, PHASES[phase]);
      }
    });
    game.moves.forEach((move, i) => {
      if (move.g >= 4) shape("circle", { cx: across(i + 1, plies), cy: y(move.w), r: 4, class: `dot ${GRADES[move.g]}${skewer.isSure(move) ? "" : " unsure"}` }, svg);
    });
    shape("line", { class: "here", y1: TOP, y2: bottom }, svg);
  }

  // Time of each move, White's upwards and Black's downwards, and both clocks as lines. False if
  // the game has no clocks.
  function time(svg, game, white) {
    const spent = game.moves.map(move => move.t);
    if (!spent.some(seconds => seconds !== undefined)) return false;
    const height = 110, plies = game.moves.length;
    const most = Math.max(1, ...spent.filter(seconds => seconds !== undefined));
    const label = most >= 100 ? Math.round(most / 60) + " min" : Math.round(most) + " s";
    const bottom = ground(svg, height, game, [{ value: 0.93, label }, { value: 0.5, label: "0" }, { value: 0.02, label }]);
    const middle = (TOP + bottom) / 2, half = (bottom - TOP) / 2, wide = Math.max(1, (WIDTH - LEFT - RIGHT) / plies * 0.7);
    spent.forEach((seconds, i) => {
      if (seconds === undefined) return;
      const whites = (i % 2 === 0) === white, tall = Math.max(0.5, half * seconds / most);
      shape("rect", { x: across(i + 1, plies) - wide / 2, y: whites ? middle - tall : middle, width: wide, height: tall, class: whites ? "time-white" : "time-black" }, svg);
    });
    const clocks = game.moves.map(move => move.k).filter(seconds => seconds !== undefined);
    const longest = Math.max(1, ...clocks);
    for (const whites of [true, false]) {
      const points = game.moves.map((move, i) => ({ move, i })).filter(({ move, i }) => move.k !== undefined && ((i % 2 === 0) === white) === whites)
        .map(({ move, i }) => across(i + 1, plies).toFixed(1) + "," + (whites ? middle - half * move.k / longest : middle + half * move.k / longest).toFixed(1));
      if (points.length > 1) shape("polyline", { points: points.join(" "), class: "clock" }, svg);
    }
    shape("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: middle, y2: middle, class: "middle-line" }, svg);
    shape("line", { class: "here", y1: TOP, y2: bottom }, svg);
    return true;
  }

  // Marks the ply `ply`.
  function mark(svg, ply, plies) {
    const line = svg.querySelector(".here");
    if (line) for (const end of ["x1", "x2"]) line.setAttribute(end, across(ply, plies));
  }

  // The ply under the pointer.
  function under(svg, event, plies) {
    const box = svg.getBoundingClientRect(), x = (event.clientX - box.left) / box.width * WIDTH;
    return Math.max(0, Math.min(plies, Math.round((x - LEFT) / (WIDTH - LEFT - RIGHT) * plies)));
  }

  return { evaluation, time, mark, under };
})();
