// Two players or two periods side by side.
const compare = (() => {
  const $ = id => document.getElementById(id);
  const SIDES = ["a", "b"];

  const day = (id, otherwise) => Number($(id).value.replace(/-/g, "")) || otherwise;

  // The figures of one side; null without a game.
  async function scope(side) {
    const from = day(`compare-from-${side}`, 0), to = day(`compare-to-${side}`, 99999999), isLimited = from > 0 || to < 99999999;
    const rows = list.shown.filter(row => !isLimited || row.date >= from && row.date <= to);
    return insights.computed($(`compare-player-${side}`).value, rows);
  }

  function title(side) {
    const period = ["from", "to"].map(end => $(`compare-${end}-${side}`).value), name = $(`compare-player-${side}`).value || "all players";
    return name + (period[0] || period[1] ? `, ${period[0] || "…"} to ${period[1] || "…"}` : "");
  }

  // The figures that are compared: name, value, digits, and whether more is better.
  function figures({ total, conversions: c }) {
    const share = (part, whole) => (whole ? 100 * part / whole : null), hundred = count => (total.moves ? 100 * count / total.moves : null);
    return [
      ["Games", total.games, 0], ["Moves", total.moves, 0], ["Score, %", total.score_percent, 0, true], ["Move accuracy, %", total.accuracy, 1, true], ["Centipawn loss", total.average_loss, 1, false],
      ["Inaccuracies in 100 moves", hundred(total.inaccuracies), 1, false], ["Mistakes in 100 moves", hundred(total.mistakes), 1, false], ["Blunders in 100 moves", hundred(total.blunders), 1, false],
      ["Won positions that were won, %", share(c.converted, c.winning), 0, true], ["Lost positions that were saved, %", share(c.saved, c.losing), 0, true], ["Seconds a move", total.seconds, 1],
    ];
  }

  const show = (value, digits) => (value === null || value === undefined ? "–" : value.toFixed(digits));

  function row(name, a, b, digits, moreIsBetter) {
    const isKnown = [a, b].every(value => value !== null && value !== undefined), difference = isKnown ? b - a : 0, rounded = show(Math.abs(difference), digits);
    const is = !isKnown || moreIsBetter === undefined || Number(rounded) === 0 ? "" : difference > 0 === moreIsBetter ? "better" : "worse";
    const text = !isKnown ? "–" : (difference < 0 ? "−" : difference > 0 ? "+" : "") + rounded + (is && ` ${is}`);
    return view.element("tr", {}, view.element("th", { scope: "row" }, name), view.element("td", { class: "figure" }, show(a, digits)), view.element("td", { class: "figure" }, show(b, digits)), view.element("td", { class: `figure ${is}` }, text));
  }

  function table(name, rows) {
    return view.element("section", { class: "card group" }, view.element("h3", {}, name), view.element("div", { class: "scroll-x", tabindex: "0", role: "region", "aria-label": name },
      view.element("table", {}, view.element("thead", {}, view.element("tr", {}, ...["figure", `A: ${title("a")}`, `B: ${title("b")}`, "B against A"].map((text, i) => view.element("th", { scope: "col", class: i ? "figure" : "" }, text)))), view.element("tbody", {}, ...rows))));
  }

  async function draw() {
    const [a, b] = await Promise.all(SIDES.map(scope)), box = $("compared");
    if (!a || !b) { box.replaceChildren(view.element("p", {}, `${a ? "B" : "A"} has no games in the list.`)); return; }
    const other = figures(b), made = [table("Side by side", figures(a).map(([name, value, digits, more], i) => row(name, value, other[i][1], digits, more)))];
    for (const [dimension, name] of [["phase", "Move accuracy by phase, %"], ["piece", "Move accuracy by piece, %"]]) {
      const of = scope => new Map((scope.groups[dimension] || []).map(one => [one.name, one.accuracy])), mine = of(a), theirs = of(b);
      made.push(table(name, [...new Set([...mine.keys(), ...theirs.keys()])].map(one => row(one, mine.get(one), theirs.get(one), 1, true))));
    }
    const kinds = scope => new Map(scope.motifs.map(one => [one.kind, 100 * one.count / scope.total.moves])), mine = kinds(a), theirs = kinds(b);
    made.push(table("Kinds of weak moves in 100 moves", [...new Set([...mine.keys(), ...theirs.keys()])].map(kind => row(insights.MOTIFS[kind], mine.get(kind) || 0, theirs.get(kind) || 0, 1, false))));
    box.replaceChildren(...made);
  }

  async function open() {
    for (const side of SIDES) {
      await study.players($(`compare-player-${side}`), draw);
      for (const end of ["from", "to"]) $(`compare-${end}-${side}`).onchange = draw;
    }
    await draw();
  }

  $("compare").addEventListener("toggle", () => { if ($("compare").open) open(); });
  choices.changed(name => { if (name === "unsure" && $("compare").open) draw(); });

  return { open, draw };
})();
