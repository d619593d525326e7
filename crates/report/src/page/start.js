// Starts the page: the address, the keys and the parts of the report.
(() => {
  const $ = id => document.getElementById(id);
  // Only pages that analyse games themselves have the part `start`.
  const PARTS = ["start", "games", "insights", "tree", "repertoire", "exercises", "play"].filter(name => $("part-" + name));

  function part(name) {
    for (const one of PARTS) {
      $("part-" + one).hidden = one !== name;
      $("tab-" + one).setAttribute("aria-pressed", String(one === name));
    }
    if (name === "insights") insights.open();
    if (name === "repertoire") study.repertoire();
    if (name === "tree") tree.open();
    if (name === "exercises") exercises.open();
    if (name === "play") play.open();
  }

  // Opens the target of the address: #GAME.PLY, #games, #insights, #tree, #repertoire, #exercises or #play.
  function visit() {
    // Close a question for the piece of a promotion, because its board is hidden.
    document.querySelector("dialog[open]")?.close();
    const isOpen = one => one !== "games" && location.hash === "#" + one && (one !== "play" || skewer.info.engine);
    // Without games, a page that analyses games begins there. The tab Games then opens an empty list.
    const isFirst = one => one === "start" && !skewer.rows.length && location.hash !== "#games";
    const name = PARTS.find(isOpen) || PARTS.find(isFirst);
    if (name) { part(name); return; }
    part("games");
    const wanted = /^#(\d+)(?:\.(\d+))?$/.exec(location.hash);
    const row = wanted && skewer.rows.find(one => one.number === Number(wanted[1]));
    if (row && view.game && view.game.n === row.number) view.show(Number(wanted[2] || 0));
    else if (row) view.open(row.place, Number(wanted[2] || 0));
    else if (location.hash === "#games") return;
    // A report in one file opens its first game. A report in a folder loads a game only when it is chosen.
    else if (skewer.rows.length && document.getElementById("data-index")) view.open(0);
  }

  function heading() {
    const { settings, settingsText, bad } = skewer.info, games = skewer.rows.length, said = [];
    // A page that analyses games has settings before the first game is done.
    if (settings && games) said.push(`${notation.count(games, "game")}, analysed by ${notation.settings(settings)}.`);
    if (bad.length) said.push(`${notation.count(bad.length, "game")} could not be read.`);
    $("settings").textContent = said.join(" ");
    $("settings").title = settingsText;
  }

  function start() {
    heading();
    skewer.grown(heading);
    // Without games, the game that is open is a game of files that were open before.
    skewer.grown(() => { if (!skewer.rows.length) view.close(); });
    $("no-engine").hidden = skewer.info.engine;
    for (const id of ["tab-play", "play-here", "exercise-play"]) $(id).hidden = !skewer.info.engine;
    if (skewer.info.engineLeftOut) $("no-engine").textContent = "This report has no engine to analyse further positions and moves: it was written with --page-engine none.";
    for (const place of document.querySelectorAll(".sure-from")) place.textContent = skewer.info.sureFrom + "%";
    $("exercise-from").textContent = skewer.info.exerciseFrom + "%";
    choices.begin();
    view.begin();
    list.begin();
    // Each part has an entry of its own in the browser's history, so that Back returns to the last one.
    const go = to => { if (location.hash !== to) location.hash = to; else visit(); };
    $("tab-games").addEventListener("click", () => { go(view.game ? `#${view.game.n}.${view.ply}` : "#games"); });
    for (const name of PARTS.filter(one => one !== "games")) $("tab-" + name).addEventListener("click", () => go("#" + name));
    addEventListener("hashchange", visit);
    document.addEventListener("keydown", event => {
      // A dialog has its keys for itself.
      if (event.ctrlKey || event.metaKey || event.altKey || $("part-games").hidden || document.querySelector("dialog[open]")) return;
      const { target } = event;
      const field = target.matches("input:not([type=checkbox]), select, textarea");
      if (event.key === "Escape" && target.id === "try") { target.blur(); return; }
      if (event.key === "/" && !field) { $("search").focus(); event.preventDefault(); return; }
      if (!field && view.key(event.key)) event.preventDefault();
    });
    visit();
  }

  skewer.begin(start);
})();
