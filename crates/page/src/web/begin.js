// The part of the page in which games are chosen and analysed.
(() => {
  const $ = id => document.getElementById(id);
  let files = [], fetching = null, emptied = false;

  const say = (id, text) => { $(id).textContent = text; };
  const complain = error => say("problem", error ? error.message || String(error) : "");

  function time(seconds) {
    if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
    const minutes = Math.round(seconds / 60);
    return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  }

  const wanted = () => ({ nodes: Number($("nodes").value) || null, lines: Number($("line-count").value) });

  function show(error) {
    if (error) complain(error);
    const { state, run, done, failed, unread } = analysis, active = state === "running" || state === "pausing";
    $("go").disabled = active || !["ready", "paused"].includes(state);
    say("go", state === "paused" && done ? "Go on" : "Start");
    $("pause").disabled = state !== "running";
    $("stop").disabled = !active;
    for (const id of ["files", "paste-add", "fetch", "nodes", "line-count", "workers"]) $(id).disabled = active;
    for (const button of document.querySelectorAll(".save")) button.disabled = !done;
    $("bar-done").max = run?.total || 1;
    $("bar-done").value = done;
    if (!run?.total) { say("progress", ""); return; }
    const left = active && analysis.secondsLeft(), games = `${done} of ${notation.count(run.total, "game")}`;
    const words = { ready: "ready", running: left ? `${time(left)} left` : "running", pausing: "pausing: the games in progress are being finished", paused: "paused", done: "done" };
    const notDone = [[failed, "failed"], [unread, "could not be read"]].filter(([number]) => number);
    const but = notDone.map(([number, what]) => `; ${number} ${what}`).join("");
    say("progress", `${games}, ${words[state]}${but}. The analysis is kept when the page is closed.`);
    if (!storage.works) say("kept", "This browser keeps nothing for this page: the analysis is lost when the page is closed.");
  }

  // The findings so far, if they were made with the chosen settings.
  function foundSoFar() {
    const { run, found } = analysis, { nodes, lines } = wanted();
    return run?.wanted.nodes === nodes && run.wanted.lines === lines ? found : new Map();
  }

  // Opens all chosen files anew. The findings of earlier files stay, because their games keep their numbers.
  async function choose(more, found = foundSoFar()) {
    complain();
    const names = new Set(files.map(file => file.name));
    files = [...files];
    for (const file of more) {
      let { name } = file;
      for (let n = 2; names.has(name); n++) name = `${n}-${file.name}`;
      names.add(name);
      files.push({ name, bytes: file.bytes });
    }
    say("chosen", "reading…");
    try {
      if (!await analysis.open({ files, wanted: wanted() }, found)) return;
      say("chosen", `${notation.count(analysis.run.total, "game")} in ${files.map(file => file.name).join(", ")}`);
    } catch (error) {
      if (analysis.run?.files !== files) return;
      files = files.slice(0, files.length - more.length);
      analysis.end();
      say("chosen", "");
      complain(error);
      if (files.length) await choose([], found);
    }
  }

  const bytesOf = async list => Promise.all([...list].map(async file => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })));

  async function byName() {
    const since = $("since").value ? Date.parse($("since").value) : 0;
    const asked = { site: $("site").value, address: $("address").value, player: $("player").value.trim(), most: Number($("most").value), rated: $("rated").value, speed: $("speed").value, since };
    fetching = new AbortController();
    $("fetch").disabled = true;
    $("fetch-cancel").hidden = false;
    complain();
    try {
      const { text, note } = await sites.fetchGames(asked, { signal: fetching.signal, say: words => say("chosen", words) });
      await choose([{ name: `${asked.site}-${asked.player}.pgn`, bytes: new TextEncoder().encode(text) }]);
      if (note) complain(note);
    } catch (error) {
      say("chosen", "");
      complain(fetching.signal.aborted ? "Cancelled." : error);
    }
    $("fetch").disabled = false;
    $("fetch-cancel").hidden = true;
  }

  async function resume() {
    const earlier = await storage.read();
    if (!earlier || files.length || emptied) return;
    files = earlier.run.files;
    $("nodes").value = earlier.run.wanted.nodes || "";
    $("line-count").value = earlier.run.wanted.lines;
    try {
      if (!await analysis.open(earlier.run, earlier.found, true)) return;
      say("chosen", `The analysis of ${notation.count(analysis.run.total, "game")} in ${files.map(file => file.name).join(", ")} is kept: ${analysis.done} done.`);
    } catch (error) {
      complain(error);
    }
  }

  function begin() {
    analysis.listen(show);
    $("workers").value = Math.max(1, navigator.hardwareConcurrency || 1);
    $("files").addEventListener("change", async () => { await choose(await bytesOf($("files").files)); $("files").value = ""; });
    // Without this, a file that is dropped beside the box would replace the page.
    addEventListener("dragover", event => { event.preventDefault(); $("drop").classList.add("over"); });
    addEventListener("dragleave", () => $("drop").classList.remove("over"));
    addEventListener("drop", async event => {
      event.preventDefault();
      $("drop").classList.remove("over");
      if ($("files").disabled || !event.dataTransfer.files.length) return;
      location.hash = "#start";
      await choose(await bytesOf(event.dataTransfer.files));
    });
    $("paste-add").addEventListener("click", async () => {
      const text = $("paste").value;
      if (!text.trim()) { complain("Paste games first."); return; }
      await choose([{ name: "pasted.pgn", bytes: new TextEncoder().encode(text) }]);
      $("paste").value = "";
    });
    play.sends(async text => {
      location.hash = "#start";
      if ($("files").disabled) { complain("Wait until the analysis is done, or stop it, and then analyse the game."); return; }
      await choose([{ name: "played.pgn", bytes: new TextEncoder().encode(text) }]);
    });
    const address = () => { $("address").value = sites.ADDRESSES[$("site").value]; };
    $("site").addEventListener("change", address);
    address();
    $("names").addEventListener("submit", event => { event.preventDefault(); byName(); });
    $("fetch-cancel").addEventListener("click", () => fetching.abort());
    for (const id of ["nodes", "line-count"]) $(id).addEventListener("change", () => { if (files.length) choose([]); });
    $("go").addEventListener("click", () => { complain(); analysis.start(Math.max(1, Number($("workers").value) || 1)); });
    $("pause").addEventListener("click", analysis.pause);
    $("stop").addEventListener("click", analysis.stop);
    for (const button of document.querySelectorAll(".save")) button.addEventListener("click", async () => {
      say("saved", "writing…");
      try { const { name, size } = await saving.save(button.dataset.form); say("saved", `${name}, ${(size / 1e6).toFixed(1)} MB`); } catch (error) { say("saved", ""); complain(error); }
    });
    $("empty").addEventListener("click", async () => {
      analysis.end();
      files = [];
      emptied = true;
      await storage.empty();
      choices.forget();
      say("chosen", "");
      say("kept", "Nothing is kept any more.");
    });
    setInterval(() => show(), 1000);
    show();
    resume();
  }

  begin();
})();
