// What the file says about a game: comments, glyphs and variations, as elements of the page.
const notes = (() => {
  const GLYPHS = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!", 7: "□", 10: "=", 13: "∞", 14: "⩲", 15: "⩱", 16: "±", 17: "∓", 18: "+−", 19: "−+", 22: "⨀", 32: "⟳", 36: "→", 40: "→", 132: "⇆", 146: "N" };

  const glyphs = move => (move.n || []).map(number => GLYPHS[number] || "$" + number).join(" ");

  // A variation in brackets. `path` are the moves that lead from the ply `ply` of the game to the variation. The
  // moves of the variation are buttons that call `follow` with `ply`, the moves of the line and how many of them to
  // play. Without `follow` they are text.
  function variation(ply, path, position, moves, follow) {
    const box = view.element("span", { class: "variation" }, "(");
    const line = [...path, ...moves.map(move => move.u)];
    moves.forEach((move, i) => {
      const broken = i && (moves[i - 1].o || moves[i - 1].v || move.b);
      for (const text of move.b || []) box.append(view.element("i", {}, text), " ");
      const number = position.white || !i || broken ? notation.number(position) + " " : "";
      const word = number + chess.san(position, move.u) + glyphs(move), at = path.length + i + 1;
      box.append(follow ? view.element("button", { class: "step", onclick: () => follow(ply, line, at) }, word) : word, " ");
      for (const text of move.o || []) box.append(view.element("i", {}, text), " ");
      for (const inner of move.v || []) box.append(variation(ply, line.slice(0, path.length + i), position, inner, follow), " ");
      position = chess.play(position, move.u);
    });
    if (box.lastChild.nodeValue === " ") box.lastChild.remove();
    box.append(")");
    return box;
  }

  // The comments on move `i` of a game, and the variations in place of it; null if the file has none.
  function of(game, positions, i, follow) {
    const move = game.moves[i], parts = [];
    for (const text of [...(move.b || []), ...(move.o || [])]) parts.push(view.element("i", {}, text), " ");
    for (const moves of move.v || []) parts.push(variation(i, [], positions[i], moves, follow), " ");
    parts.pop();
    return parts.length ? view.element("div", { class: "notes" }, ...parts) : null;
  }

  return { of, glyphs };
})();
