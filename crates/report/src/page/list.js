// The list of games: searched, filtered, sorted, a page at a time.
const list = (() => {
  const PAGE = 100;
  const $ = id => document.getElementById(id);
  let shown = [], page = 0, sortBy = "number", descending = false, chosen = -1;

  const blunders = row => row.marks[0][2] + row.marks[1][2];
  const KEYS = {
    number: row => row.place, white: row => row.white.toLowerCase(), black: row => row.black.toLowerCase(), result: row => row.result,
    accuracy: row => (row.accuracy[0] === null || row.accuracy[1] === null ? -1 : Math.min(...row.accuracy)),
    blunders, moves: row => row.moves, opening: row => row.opening.toLowerCase(), date: row => row.date,
  };

  // Searches, filters and sorts again, and shows the first page unless games were added.
  function filter({ keep = false } = {}) {
    const words = $("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const result = $("f-result").value, speed = $("f-speed").value, eco = $("f-eco").value, color = $("f-color").value;
    const low = Number($("f-elo").value) || 0, from = Number($("f-from").value.replace(/-/g, "")) || 0, to = Number($("f-to").value.replace(/-/g, "")) || 99999999;
    const weak = $("f-weak").checked, player = $("f-player").value.trim().toLowerCase();
    shown = skewer.rows.filter(row => words.every(word => row.text.includes(word))
      && (!result || row.result === result) && (!speed || row.speed === speed) && (!eco || row.opening.startsWith(eco))
      && (!low || Math.max(...row.elo) >= low) && (!from && to === 99999999 || row.date >= from && row.date <= to)
      && (!weak || blunders(row) > 0)
      && (!player || color !== "black" && row.white.toLowerCase().includes(player) || color !== "white" && row.black.toLowerCase().includes(player)));
    const key = KEYS[sortBy], sign = descending ? -1 : 1;
    shown.sort((a, b) => { const x = key(a), y = key(b); return x < y ? -sign : x > y ? sign : a.place - b.place; });
    page = keep ? Math.min(page, Math.max(0, Math.ceil(shown.length / PAGE) - 1)) : 0;
    draw();
  }

  function sort(by) {
    // Blunders, moves and dates are first sorted in descending order.
    if (sortBy === by) descending = !descending;
    else { sortBy = by; descending = ["blunders", "moves", "date"].includes(by); }
    for (const button of document.querySelectorAll("#games-table th button")) {
      const on = button.dataset.sort === sortBy;
      button.parentNode.setAttribute("aria-sort", on ? (descending ? "descending" : "ascending") : "none");
    }
    filter();
  }

  // A cell. On a narrow screen, where a row has several lines, `label` says what a figure is.
  function cell(row, text, name, label) {
    const made = row.insertCell();
    if (label) made.dataset.label = label;
    made.append(text);
    if (name) made.className = name;
    return made;
  }

  function draw() {
    const body = $("rows");
    body.replaceChildren();
    for (const game of shown.slice(page * PAGE, page * PAGE + PAGE)) {
      const row = body.insertRow();
      row.dataset.place = game.place;
      row.classList.toggle("on", game.place === chosen);
      cell(row, String(game.number), "figure");
      const elo = side => (game.elo[side] ? ` (${game.elo[side]})` : "");
      const name = view.element("button", { class: "open", "aria-label": `Open game ${game.number}: ${game.white || "?"} against ${game.black || "?"}, ${game.result}` }, (game.white || "?") + elo(0));
      cell(row, name, "name");
      cell(row, (game.black || "?") + elo(1), "name");
      cell(row, game.result, "result");
      cell(row, game.accuracy.map(notation.percent).join(" / "), "figure", "accuracy");
      cell(row, `${game.marks[0][2]} / ${game.marks[1][2]}`, "figure", "??");
      cell(row, String(Math.ceil(game.moves / 2)), "figure", "moves");
      cell(row, game.opening, "opening");
      cell(row, notation.date(game.date), "date");
    }
    const first = shown.length ? page * PAGE + 1 : 0, last = Math.min(shown.length, page * PAGE + PAGE), all = skewer.rows.length;
    $("no-games").hidden = all > 0;
    for (const id of ["filters", "games-box", "pager"]) $(id).hidden = !all;
    const total = shown.length < all ? `${shown.length} (${all} in all) games` : notation.count(all, "game");
    $("count").textContent = `${first}–${last} of ${total}`;
    $("page-back").disabled = page === 0;
    $("page-forward").disabled = last >= shown.length;
  }

  function turn(by) {
    page += by;
    draw();
    $("games-box").scrollTop = 0;
  }

  // Marks the open game, and turns to its page.
  function mark(place) {
    chosen = place;
    const at = shown.findIndex(row => row.place === place);
    if (at >= 0 && Math.floor(at / PAGE) !== page) { page = Math.floor(at / PAGE); draw(); }
    for (const row of $("rows").rows) {
      const on = Number(row.dataset.place) === place;
      row.classList.toggle("on", on);
      if (!on) continue;
      const box = $("games-box"), head = $("games-table").tHead.offsetHeight;
      if (row.offsetTop < box.scrollTop + head || row.offsetTop + row.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = row.offsetTop - head;
    }
  }

  // Opens the game `by` rows further down the list.
  function neighbour(place, by) {
    const at = shown.findIndex(row => row.place === place), next = shown[at < 0 ? 0 : at + by];
    if (next) view.open(next.place);
  }

  function begin() {
    for (const id of ["search", "f-player", "f-elo"]) $(id).addEventListener("input", () => filter());
    for (const id of ["f-result", "f-speed", "f-eco", "f-color", "f-from", "f-to", "f-weak"]) $(id).addEventListener("change", () => filter());
    $("clear").addEventListener("click", () => { $("filters").reset(); filter(); $("search").focus(); });
    $("filters").addEventListener("submit", event => event.preventDefault());
    for (const button of document.querySelectorAll("#games-table th button")) button.addEventListener("click", () => sort(button.dataset.sort));
    $("page-back").addEventListener("click", () => turn(-1));
    $("page-forward").addEventListener("click", () => turn(1));
    $("print-all").addEventListener("click", () => paper.print(shown));
    $("rows").addEventListener("click", event => {
      const row = event.target.closest("tr");
      if (!row) return;
      view.open(Number(row.dataset.place));
      // The list stands below the game.
      $("view").scrollIntoView();
    });
    choices.changed(name => { if (name === "unsure") filter(); });
    skewer.grown(() => { notes(); filter({ keep: true }); });
    notes();
    filter();
  }

  // Says which games are not in the list.
  function notes() {
    const { bad, omitted } = skewer.info;
    $("notes").replaceChildren();
    if (omitted) $("notes").append(view.element("p", {}, `${notation.count(omitted, "more game")} did not fit into this page. Run with --html-folder for all of them.`));
    if (bad.length) {
      const items = bad.slice(0, 200).map(game => view.element("li", {}, `${game.number}: ${game.file}, ${game.reason}`));
      $("notes").append(view.element("details", { id: "bad" }, view.element("summary", {}, notation.count(bad.length, "game") + " could not be read"), view.element("ul", {}, ...items)));
    }
  }

  return { begin, mark, neighbour, filter, get shown() { return shown; } };
})();
