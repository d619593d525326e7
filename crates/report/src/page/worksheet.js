// Exercises on paper: diagrams with room for an answer, and the answers on a page of their own.
const worksheet = (() => {
  // The diagram of an exercise, seen from the side that is to move.
  function diagram(task, number) {
    const now = exercises.positionOf(task), svg = shape("svg", { viewBox: "0 0 400 400", class: "diagram", role: "img", "aria-label": notation.words(now) });
    const board = new Board(svg, () => {});
    board.flipped = !now.white;
    board.show(now, { last: "", arrows: [] });
    return view.element("figure", {}, view.element("figcaption", {}, view.element("b", {}, `${number}. `), `${now.white ? "White" : "Black"} to move`), svg, view.element("div", { class: "blank" }));
  }

  function solution({ row, game, i }, number) {
    const now = exercises.positionOf({ game, i }), best = game.lines[i][0], line = view.words(now, best[1].split(" ")).slice(0, 6).join(" ");
    return view.element("li", { value: number }, view.element("b", {}, line), ` (${notation.score(best[0])}). Played: ${game.moves[i].s} (${notation.score(game.moves[i].e)}), ${row.white || "?"} – ${row.black || "?"}, game ${game.n}.`);
  }

  function article(tasks) {
    return [
      view.element("article", { class: "worksheet" }, view.element("h2", {}, "Find a better move than in the game"), view.element("p", {}, "Name: ____________________  Date: ____________"),
        view.element("div", { class: "sheet" }, ...tasks.map((task, n) => diagram(task, n + 1)))),
      view.element("article", { class: "answers" }, view.element("h2", {}, "Answers"),
        view.element("p", { class: "dim" }, `First choices of ${notation.settings(skewer.info.settings)}. Other moves may be as good.`), view.element("ol", {}, ...tasks.map((task, n) => solution(task, n + 1)))),
    ];
  }

  return { print: tasks => paper.articles(article(tasks)) };
})();
