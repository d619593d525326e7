// Games on paper: moves with marks, comments and variations, diagrams every few moves, and the errors in words.
const paper = (() => {
  const $ = id => document.getElementById(id);
  // Moves of both sides between two diagrams.
  const EVERY = 8;

  function diagram(position, words) {
    const svg = shape("svg", { viewBox: "0 0 400 400", class: "diagram" });
    new Board(svg, () => {}).show(position, { last: "", arrows: [] });
    return view.element("figure", {}, svg, view.element("figcaption", {}, words));
  }

  // The moves in paragraphs, between which stand the diagrams.
  function moves(game, positions) {
    const blocks = [];
    let text = view.element("p");
    for (const own of game.o || []) text.append(view.element("i", {}, own), " ");
    game.moves.forEach((move, i) => {
      const before = positions[i], words = notes.of(game, positions, i), broken = i && text.lastChild && text.lastChild.nodeName === "SPAN";
      const number = before.white || !i || broken || !text.childNodes.length ? notation.number(before) + " " : "";
      text.append(view.element(move.g >= 4 ? "b" : "span", { class: "printed-move" }, number + move.s + notation.mark(move)), ` (${notation.score(move.e)}) `);
      if (words) text.append(view.element("span", {}, ...words.childNodes), " ");
      if ((i + 1) % (2 * EVERY) !== 0 || i + 1 === game.moves.length) return;
      blocks.push(text, diagram(positions[i + 1], `after ${notation.number(before)} ${move.s}`));
      text = view.element("p");
    });
    text.append(game.result);
    const last = game.moves[game.moves.length - 1];
    blocks.push(text);
    if (last) blocks.push(diagram(positions[game.moves.length], `at the end, after ${notation.number(positions[game.moves.length - 1])} ${last.s}`));
    return blocks;
  }

  function article(game, row) {
    const positions = chess.line(game.fen, game.moves.map(move => move.u));
    const errors = game.moves.flatMap((move, i) => (move.g >= 4 && skewer.counts(move) ? [view.element("li", {}, view.element("b", {}, `${notation.number(positions[i])} ${move.s}${notation.mark(move)}`), ` ${view.sentence(move)}`)] : []));
    const accuracy = [0, 1].map(side => `${side ? "Black" : "White"} ${notation.percent(game.accuracy[side])}`).join(", ");
    return view.element("article", {}, view.element("h2", {}, `${row.white || "?"} – ${row.black || "?"}  ${row.result}`),
      view.element("p", { class: "dim" }, [row.opening, row.event, notation.date(row.date), `game accuracy: ${accuracy}`].filter(text => text && text !== "?").join(" · ")),
      ...moves(game, positions), view.element("ul", {}, ...errors));
  }

  // Puts articles on the paper in place of the page.
  function prepare(articles) {
    $("print").replaceChildren(...articles);
    $("print").hidden = false;
    document.body.classList.add("printing");
  }

  function clear() {
    document.body.classList.remove("printing");
    $("print").hidden = true;
    $("print").replaceChildren();
  }

  // Prints the games of these rows.
  const print = async rows => articles(await Promise.all(rows.map(async row => article(await skewer.game(row.place), row))));

  // Prints these articles.
  function articles(made) {
    prepare(made);
    window.print();
    clear();
  }

  // The browser's own command prints the open game.
  addEventListener("beforeprint", () => {
    if (!document.body.classList.contains("printing") && view.game && !$("part-games").hidden) prepare([article(view.game, view.row)]);
  });
  addEventListener("afterprint", clear);

  return { print, articles };
})();
