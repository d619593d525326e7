// A game as PGN, with the evaluations and labels of the report and with what its file says.
const pgn = (() => {
  const COLUMNS = 79;

  // The words of a comment: a command such as [%eval 0.16] is one word, because other programs do not read it across a
  // line break.
  const comment = text => ["{", ...(text.replace(/}/g, ")").match(/\[%[^\]]*\]\S*|\S+/g) || []), "}"];

  function variation(position, moves) {
    const words = [];
    moves.forEach((move, i) => {
      for (const text of move.b || []) words.push(...comment(text));
      const broken = i && (moves[i - 1].o || moves[i - 1].v || move.b);
      if (position.white || !i || broken) words.push(position.number + (position.white ? "." : "..."));
      words.push(chess.san(position, move.u), ...(move.n || []).map(number => "$" + number));
      for (const text of move.o || []) words.push(...comment(text));
      for (const inner of move.v || []) words.push(...variation(position, inner));
      position = chess.play(position, move.u);
    });
    words[0] = "(" + words[0];
    words[words.length - 1] += ")";
    return words;
  }

  function moves(game, positions) {
    const words = (game.o || []).flatMap(comment);
    game.moves.forEach((move, i) => {
      const before = positions[i], label = { 4: 6, 5: 2, 6: 4 }[move.g];
      for (const text of move.b || []) words.push(...comment(text));
      words.push(before.number + (before.white ? "." : "..."), move.s);
      // One verdict on a move: the verdict of the label, or of the file.
      if (label) words.push("$" + label);
      words.push(...(move.n || []).filter(number => !label || number > 6).map(number => "$" + number));
      const value = typeof move.e === "string" ? (move.e === "#" ? "#0" : move.e) : (move.e / 100).toFixed(2);
      // A game that was played here has no evaluations.
      const said = [move.e === undefined ? "" : `[%eval ${value}]`, move.k === undefined ? "" : `[%clk ${notation.clock(move.k)}]`, (move.x || []).join(", ")].filter(Boolean);
      if (said.length) words.push(...comment(said.join(" ")));
      for (const text of move.o || []) words.push(...comment(text));
      const best = label && game.lines[i] && game.lines[i][0], own = move.v || [];
      const line = best && best[1] ? best[1].split(" ") : [];
      if (line.length && !own.some(other => other[0].u === line[0])) words.push(...variation(before, line.map(u => ({ u }))));
      for (const other of own) words.push(...variation(before, other));
    });
    return [...words, game.result];
  }

  function text(game, positions) {
    const quote = value => value.replace(/\\/g, "\\\\").replace(/"/g, '\\"');
    const tags = { Event: "?", Site: "?", Date: "????.??.??", Round: "?", White: "?", Black: "?", ...game.tags, Result: game.result };
    const lines = [...Object.entries(tags).map(([name, value]) => `[${name} "${quote(value)}"]`), ""];
    let line = "";
    for (const word of moves(game, positions)) {
      if (line && line.length + 1 + word.length > COLUMNS) { lines.push(line); line = word; } else line += (line && " ") + word;
    }
    return [...lines, line].join("\n") + "\n";
  }

  // Saves a text as a file.
  function save(text, name) {
    const url = URL.createObjectURL(new Blob([text], { type: "application/x-chess-pgn" }));
    view.element("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  }

  return { text, save };
})();
