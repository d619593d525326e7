// Evaluations, clocks, grades and positions as text.
const GRADES = ["book", "best", "excellent", "good", "inaccuracy", "mistake", "blunder"];
const MARKS = ["", "", "", "", "?!", "?", "??"];
const PHASES = ["opening", "middlegame", "endgame"];
const SPEEDS = ["", "ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence"];
const PIECE_NAMES = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };

const notation = {
  // An evaluation: a number of centipawns, "#3", or "#" for mate on the board.
  score(value) {
    if (typeof value === "string") return ["#", "#0", "#-0"].includes(value) ? "mate" : value;
    return (value > 0 ? "+" : "") + (value / 100).toFixed(2);
  },
  // The grade of a move. A null move has none, because no player has chosen it.
  grade: move => (move.g === undefined ? "pass" : GRADES[move.g]),
  // The mark of a move's label, with the sign of doubt if the label is not sure.
  mark: move => (MARKS[move.g] || "") + (move.g >= 4 && !skewer.isSure(move) ? "~" : ""),
  // How sure the label of a move, or its absence, is.
  certainty(move) {
    const what = move.g >= 4 ? "label" : "no label";
    if (move.c === undefined) return `${what}: how sure is not known`;
    if (skewer.isSure(move)) return `${what}: ${move.c}% likely to stay`;
    return move.g >= 4 ? `label unsure: ${move.c}% likely to stay in a longer search` : `no label, unsure: ${move.c}% likely to stay so`;
  },
  percent: value => (value === null || value === undefined ? "–" : Math.round(value) + "%"),
  clock(seconds) {
    const whole = Math.floor(seconds), two = value => String(value).padStart(2, "0");
    return Math.floor(whole / 3600) + ":" + two(Math.floor(whole / 60) % 60) + ":" + two(whole % 60);
  },
  time: seconds => (seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)) + " s",
  // A date as a number, 20250501, with zeros for what is unknown.
  date(value) {
    if (!value) return "";
    const text = String(value), part = (from, to) => text.slice(from, to);
    return part(0, 4) + (part(4, 6) === "00" ? "" : "-" + part(4, 6)) + (part(6, 8) === "00" ? "" : "-" + part(6, 8));
  },
  number: position => position.number + (position.white ? "." : "…"),
  // A number of things: "1 game", "2 games".
  count: (number, thing) => `${number} ${thing}${number === 1 ? "" : "s"}`,
  // The squares of the pieces, for screen readers.
  words(position) {
    const side = white => {
      const list = [];
      for (const type of "kqrbnp") {
        const places = [];
        position.squares.forEach((piece, at) => {
          if (piece && piece.toLowerCase() === type && chess.isWhite(piece) === white) places.push(chess.name(at));
        });
        if (places.length) list.push(PIECE_NAMES[type] + (places.length > 1 ? "s " : " ") + places.join(" "));
      }
      return (white ? "White: " : "Black: ") + list.join(", ") + ".";
    };
    const check = chess.inCheck(position) ? " Check." : "";
    return side(true) + " " + side(false) + (position.white ? " White" : " Black") + " to move." + check;
  },
  // The settings of the run in words.
  settings({ version, pgn_evals: evals, search }) {
    const program = `Skewer ${version}`, number = value => value.toLocaleString("en");
    if (!search) return `${program} from the evaluations in the games`;
    const parts = [];
    if (search.nodes) parts.push(`${number(search.nodes)} nodes a position`);
    if (search.depth) parts.push(`${search.depth} plies`);
    if (search.time) parts.push(`${number(search.time)} ms a position`);
    if (evals === "refine") parts.push("where a label depends on it");
    if (search.confidence) {
      const most = search.confidence.mean_nodes;
      parts.push("more where a label was in doubt" + (most ? `, up to ${number(most)} on average` : ""));
    }
    const { engine } = search.searcher;
    return (engine ? `${engine.name} through ${program}` : program) + ": " + parts.join(", ");
  },
  // White's win percentage by lichess's formula, from an evaluation of the engine in the page, which is on another scale.
  // The report has the percentages of its own evaluations.
  winPercent(value) {
    let cp = typeof value === "string" ? (value.startsWith("#-") ? -1000 : 1000) : 0;
    if (typeof value === "number") {
      const points = skewer.info.scale, own = Math.abs(value), above = points.findIndex(([x]) => own < x);
      const at = above < 0 ? points.length - 1 : above, [[x0, y0], [x1, y1]] = [points[at - 1], points[at]];
      cp = Math.sign(value) * Math.min(1000, y0 + (y1 - y0) * (own - x0) / (x1 - x0));
    }
    return 100 / (1 + Math.exp(-0.00368208 * cp));
  },
};
