"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const INFINITE = 1 << 30;
const [PASS, ENTER, LEAVE, SKIP, LIVE, SOLVED, POP, PURGE] = [0, 1, 2, 3, 4, 5, 6, 7];
const element = (name, attributes = {}, ...inside) => {
  const svg = ["svg", "g", "rect", "circle", "line", "text", "use"].includes(name);
  const made = svg ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...inside.filter(part => part !== null && part !== undefined));
  return made;
};
const number = value => Math.abs(value) >= INFINITE - 1 ? (value < 0 ? "−∞" : "+∞") : String(value).replace("-", "−");

/* The state of a search after some of its steps. */
class Search {
  constructor(run) {
    this.run = run;
    this.places = run.places.map(([parent, label, fen, value]) => ({ parent, label, fen, value, children: [], ply: 0 }));
    this.places.forEach((place, n) => {
      if (place.parent === null) return;
      place.ply = this.places[place.parent].ply + 1;
      this.places[place.parent].children.push(n);
    });
    this.bestFirst = run.steps.some(step => step[0] === LIVE);
    // The steps at which something is saved.
    this.reset();
    this.cuts = run.steps.flatMap(step => { this.at += 1; this.apply(step); return this.said[1] ? [this.at] : []; });
    this.reset();
  }
  reset() {
    this.at = 0;
    this.nodes = new Map();
    this.line = [];
    this.open = new Map();
    this.longest = 0;
    this.passes = [];
    this.now = 0;
    this.counts = { nulls: 0, wide: 0, skipped: 0, purged: 0, ends: data.ends.map(() => 0) };
    this.said = ["The search begins.", false];
  }
  go(step) {
    if (step < this.at) this.reset();
    while (this.at < Math.min(step, this.run.steps.length)) this.apply(this.run.steps[this.at++]);
  }
  node(n) {
    if (!this.nodes.has(n)) this.nodes.set(n, { visits: 0, tried: new Set() });
    return this.nodes.get(n);
  }
  max(n) { return this.places[n].ply % 2 === 0; }
  value(n, value) { return this.max(n) ? value : -value; }
  window(n, [alpha, beta]) {
    const ends = this.max(n) ? [alpha, beta] : [-beta, -alpha];
    return `(${number(ends[0])}, ${number(ends[1])})`;
  }
  path(n) {
    const line = [];
    for (; n !== null; n = this.places[n].parent) line.unshift(n);
    return line;
  }
  name(n) {
    const moves = this.path(n).slice(1).map(at => this.places[at].label);
    return moves.length === 0 ? "the root" : data.kind === "tree" ? `node ${moves.join(".")}` : moves.join(" ");
  }
  apply([kind, a, b, c]) {
    const name = kind === PASS ? "" : this.name(a);
    if (kind !== PASS) this.now = a;
    if (kind === PASS) {
      this.line = [];
      this.now = 0;
      this.passes.push({ window: [a, b] });
      this.said = [this.run.steps.filter(step => step[0] === PASS).length > 1
        ? `Search ${this.passes.length} from the root, with the window ${this.window(0, [a, b])}.`
        : "The search from the root begins.", false];
    } else if (kind === ENTER) {
      const node = this.node(a);
      node.visits += 1;
      Object.assign(node, { window: [b, c], open: true, end: null, tried: new Set() });
      const parent = this.places[a].parent;
      if (parent !== null) this.node(parent).tried.add(a);
      this.counts[c - b === 1 ? "nulls" : "wide"] += 1;
      if (!this.bestFirst) this.line.push(a);
      const again = node.visits > 1 ? ` It is visit ${node.visits}.` : "";
      this.said = this.bestFirst ? [this.places[a].children.length
        ? `Expand ${name}: ${this.max(a) ? "MAX may choose, so all its moves go on OPEN" : "MIN is to be answered in every case, so its first move goes on OPEN"}.`
        : `Look at ${name}.`, false] : [`Enter ${name}, ${this.max(a) ? "MAX" : "MIN"} to move, with the ${c - b === 1 ? "null " : ""}window ${this.window(a, [b, c])}.${again}`, false];
    } else if (kind === LEAVE) {
      const node = this.node(a);
      const end = data.ends[c];
      Object.assign(node, { open: false, value: b, end, evaluated: node.evaluated || end === "leaf" });
      this.counts.ends[c] += 1;
      if (!this.bestFirst) this.line.pop();
      if (this.places[a].parent === null && this.passes.length) this.passes.at(-1).value = b;
      this.said = this.explain(a, name, node, b, end);
    } else if (kind === SKIP) {
      this.node(a).skipped = true;
      this.counts.skipped += 1;
      this.said = [`${name} is not searched: the move is futile or implausible.`, true];
    } else if (kind === POP) {
      this.open.delete(a);
      this.said = [`Take ${name} off OPEN: no state has a higher merit.`, false];
    } else if (kind === PURGE) {
      this.open.delete(a);
      this.counts.purged += 1;
      this.said = [`${name} leaves OPEN: an ancestor is solved, so it is no longer needed.`, true];
    } else {
      const node = this.node(a);
      this.open.set(a, { merit: b, solved: kind === SOLVED });
      this.longest = Math.max(this.longest, this.open.size);
      if (kind === SOLVED) Object.assign(node, { value: this.value(a, b), end: "solved" });
      this.said = [`Put ${name} on OPEN, ${kind === SOLVED ? "solved" : "live"}, with merit ${number(b)}.`, false];
    }
  }
  explain(n, name, node, value, end) {
    const shown = number(this.value(n, value));
    const left = this.places[n].children.filter(child => !node.tried.has(child) && this.places[child].label !== "pass").length;
    const moves = left === 1 ? "1 move is" : `${left} moves are`;
    const beyond = this.max(n) ? `at least β` : `at most α`;
    switch (end) {
      case "leaf": return [`${name} is evaluated: ${shown}.`, false];
      case "game-over": return [`The game is over at ${name}: ${shown}.`, false];
      case "drawn": return [`${name} is a draw.`, false];
      case "known": return [`${name} is known from before: ${this.bound(n, node)}. Nothing below it is searched.`, false];
      case "futile": return [`${name} is cut by futility: its evaluation is ${beyond} by half a pawn and more. ${moves} not searched.`, true];
      case "null-move": return [`${name} is cut by the null move: even after a pass the value is ${beyond}. ${moves} not searched.`, true];
      case "cutoff": return [left
        ? `Cut-off at ${name}: the value ${shown} is ${beyond}, so the other side will not allow it. ${moves} not searched.`
        : `${name} is left with ${shown}, which is ${beyond}; no move was left to cut.`, left > 0];
      case "exact": return [`All moves of ${name} are searched: its value is ${shown}.`, false];
      case "fail-low": return [`All moves of ${name} are searched, and none is better than ${this.max(n) ? "α" : "β"}: ${this.bound(n, node)}.`, false];
      default: return [`The search stops at ${name}.`, false];
    }
  }
  /* The value with a sign for a bound. */
  bound(n, node) {
    const [alpha, beta] = node.window ?? [-INFINITE, INFINITE];
    const shown = number(this.value(n, node.value));
    if (node.end === "leaf" && node.value > alpha && node.value < beta || ["exact", "solved", "game-over", "drawn"].includes(node.end)) return shown;
    if (data.kind === "tree" && !this.places[n].children.length) return shown;
    if (node.value >= beta) return (this.max(n) ? "≥ " : "≤ ") + shown;
    if (node.value <= alpha) return (this.max(n) ? "≤ " : "≥ ") + shown;
    return shown;
  }
}

/* A tree that is drawn as a whole: places by leaves from left to right. */
function layout(search) {
  let leaf = 0;
  const spot = n => {
    const place = search.places[n];
    place.children.forEach(spot);
    place.x = place.children.length ? (search.places[place.children[0]].x + search.places[place.children.at(-1)].x) / 2 : leaf++ * 40 + 26;
    place.y = place.ply * 66 + 22;
  };
  spot(0);
  return [Math.max(leaf * 40 + 12, 120), Math.max(...search.places.map(place => place.y)) + 40];
}

function drawTree(search, box) {
  const [width, height] = search.size ??= layout(search);
  const line = new Set(search.bestFirst ? search.path(search.now) : search.line);
  const svg = element("svg", { class: "tree", width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `Tree of ${search.places.length} nodes. ${search.said[0]}` });
  for (const [n, place] of search.places.entries()) {
    const node = search.nodes.get(n) ?? {};
    const seen = node.visits > 0 || search.open.has(n) || node.end;
    if (place.parent !== null) {
      const parent = search.places[place.parent], above = search.nodes.get(place.parent) ?? {};
      const kind = `edge${line.has(n) ? " line" : seen ? "" : " unseen"}`;
      svg.append(element("line", { class: kind, x1: parent.x, y1: parent.y, x2: place.x, y2: place.y }));
      if (!seen && ["cutoff", "futile", "null-move", "solved"].includes(above.end) || node.skipped) {
        const [x, y] = [(parent.x + place.x) / 2, (parent.y + place.y) / 2];
        svg.append(element("line", { class: "cross", x1: x - 6, y1: y - 6, x2: x + 6, y2: y + 6 }), element("line", { class: "cross", x1: x - 6, y1: y + 6, x2: x + 6, y2: y - 6 }));
      }
    }
  }
  for (const [n, place] of search.places.entries()) {
    const node = search.nodes.get(n) ?? {};
    const listed = search.open.get(n);
    const seen = node.visits > 0 || listed || node.end;
    const group = element("g", { class: [n === search.now && search.at ? "now" : "", line.has(n) ? "line" : "", seen ? "" : "unseen", listed ? "listed" : ""].join(" ") });
    group.append(search.max(n)
      ? element("rect", { class: "shape", x: place.x - 16, y: place.y - 13, width: 32, height: 26 })
      : element("circle", { class: "shape", cx: place.x, cy: place.y, r: 16 }));
    const text = node.end && !node.open ? search.bound(n, node).replace(" ", "") : place.value !== null && !place.children.length ? number(place.value) : "";
    group.append(element("text", { class: "inside", x: place.x, y: place.y + 4 }, text));
    const below = listed ? `${listed.solved ? "s" : "l"} ${number(listed.merit)}` : node.open && !search.bestFirst ? search.window(n, node.window) : "";
    svg.append(group);
    if (below) svg.append(element("text", { class: "small", x: Math.min(Math.max(place.x, 34), width - 34), y: place.y + 28 }, below));
  }
  box.replaceChildren(svg);
  box.scrollLeft = search.places[search.now].x - box.clientWidth / 2;
}

function drawBoard(fen, before, box) {
  const squares = text => text.split(" ")[0].split("/").flatMap(row => [...row].flatMap(letter => /\d/.test(letter) ? Array(Number(letter)).fill("") : [letter]));
  const here = squares(fen), old = before ? squares(before) : here;
  const svg = element("svg", { class: "board", viewBox: "0 0 8 8", role: "img", "aria-label": `board: ${fen}` });
  here.forEach((letter, n) => {
    const [x, y] = [n % 8, Math.floor(n / 8)];
    svg.append(element("rect", { class: letter !== old[n] ? "last" : (x + y) % 2 ? "dark" : "light", x, y, width: 1, height: 1 }));
    if (letter) svg.append(element("use", { href: `#${letter === letter.toUpperCase() ? "w" : "b"}${letter.toLowerCase()}`, x, y, width: 1, height: 1 }));
  });
  box.replaceChildren(svg);
}

/* Games that are too large to draw: the position, the line that leads to it, and its moves. */
function drawPosition(search, box) {
  const line = search.path(search.now), place = search.places[search.now];
  const board = element("div");
  const fen = place.fen ?? search.places[place.parent]?.fen;
  if (fen) drawBoard(fen, place.parent === null ? null : search.places[place.parent].fen, board);
  const rows = line.map(n => {
    const node = search.nodes.get(n) ?? {};
    return element("tr", n === search.now ? { class: "now" } : {},
      element("td", {}, search.places[n].label), element("td", {}, search.max(n) ? "MAX" : "MIN"),
      element("td", {}, node.window ? search.window(n, node.window) : "–"),
      element("td", {}, search.places[n].children.length ? `${node.tried?.size ?? 0} of ${search.places[n].children.filter(m => search.places[m].label !== "pass").length}` : "–"),
      element("td", {}, node.end && !node.open ? search.bound(n, node) : node.skipped ? "skipped" : "…"));
  });
  const heads = ["move", "side", "window", "searched", "value"].map(head => element("th", { scope: "col" }, head));
  const shown = search.nodes.get(search.now)?.open && place.children.length ? search.now : place.parent ?? search.now;
  const chips = search.places[shown].children.map(n => {
    const node = search.nodes.get(n) ?? {};
    const kind = n === search.now ? "now" : node.skipped ? "skipped" : !node.visits && !node.end ? "unseen" : ["cutoff", "futile", "null-move"].includes(node.end) ? "cut" : "";
    const value = node.end && !node.open ? ` ${search.bound(n, node)}` : "";
    return element("li", { class: kind }, search.places[n].label + value);
  });
  box.replaceChildren(element("div", { class: "position" }, board, element("div", {},
    element("table", {}, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows)),
    element("h3", {}, `moves of ${search.name(shown)}`), element("ul", { class: "chips" }, ...chips))));
}

/* The panel of a search. */
class Panel {
  constructor(run, index) {
    this.search = new Search(run);
    this.whole = run.whole;
    this.say = element("p", { class: "say", "aria-live": index === 0 ? "polite" : "off" });
    this.view = element("div", { class: run.whole ? "scroll" : "view", tabindex: 0, role: "region", "aria-label": `tree of ${run.recipe}` });
    this.counts = element("dl", { class: "counts" });
    this.extra = element("div");
    this.section = element("section", { "aria-labelledby": `run-${index}` },
      element("h2", { id: `run-${index}` }, run.recipe), this.say, this.view, element("h3", {}, "counted so far"), this.counts, this.extra);
  }
  show(step) {
    const { search } = this;
    search.go(step);
    // Not the first move of a line: e4 is no E4.
    search.said[0] = search.said[0].replace(/^(node|the root)/, word => word[0].toUpperCase() + word.slice(1));
    const done = search.at === search.run.steps.length;
    this.say.textContent = done ? `${search.said[0]} The search ends with the value ${number(search.run.answer.value)}${search.run.answer.best ? `, the move ${search.run.answer.best}` : ""}.` : search.said[0];
    this.say.classList.toggle("cut", search.said[1]);
    if (this.whole) drawTree(search, this.view); else drawPosition(search, this.view);
    const ended = name => search.counts.ends[data.ends.indexOf(name)];
    const leaves = search.places.filter(place => !place.children.length).length;
    const items = [["leaves", this.whole ? `${[...search.nodes.values()].filter(node => node.evaluated).length} of ${leaves}` : ended("leaf")],
      ["leaf visits", ended("leaf")], ["open windows", search.counts.wide], ["null windows", search.counts.nulls], ["cut-offs", ended("cutoff")]];
    if (ended("null-move")) items.push(["by null move", ended("null-move")]);
    if (ended("futile")) items.push(["by futility", ended("futile")]);
    if (ended("known")) items.push(["from memory", ended("known")]);
    if (search.counts.skipped) items.push(["moves skipped", search.counts.skipped]);
    if (search.bestFirst) items.splice(2, 3, ["longest OPEN", search.longest], ["purged", search.counts.purged]);
    this.counts.replaceChildren(...items.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, String(value)))));
    this.extra.replaceChildren(...this.lists());
  }
  lists() {
    const { search } = this;
    const parts = [];
    if (search.bestFirst) {
      const states = [...search.open].sort(([n, one], [m, other]) => other.merit - one.merit || n - m);
      parts.push(element("h3", {}, `OPEN: ${states.length} states, by merit`), element("ol", { class: "chips" },
        ...states.slice(0, 60).map(([n, state]) => element("li", { class: state.solved ? "solved" : "" }, `${search.name(n)}: ${state.solved ? "solved" : "live"} ${number(state.merit)}`)),
        states.length > 60 ? element("li", {}, `… and ${states.length - 60} more`) : null));
    } else if (search.passes.length > 1) {
      parts.push(element("h3", {}, "searches from the root"), element("ol", { class: "chips" }, ...search.passes.map(pass => {
        const [alpha, beta] = pass.window;
        const result = pass.value === undefined ? "…" : beta - alpha > 1 ? number(pass.value) : `${pass.value >= beta ? "≥" : "≤"} ${number(pass.value)}`;
        return element("li", {}, `${search.window(0, pass.window)}: ${result}`);
      })));
    }
    return parts;
  }
}

const panels = data.runs.map((run, index) => new Panel(run, index));
const steps = Math.max(...panels.map(panel => panel.search.run.steps.length));
const [slider, play, shown] = ["step", "play", "number"].map(id => document.getElementById(id));
let at = 0, timer = null;
function go(step) {
  at = Math.min(Math.max(step, 0), steps);
  slider.value = at;
  shown.textContent = `${at} of ${steps}`;
  panels.forEach(panel => panel.show(at));
  if (at === steps) pause();
}
function pause() {
  clearInterval(timer);
  timer = null;
  play.textContent = "Play";
  play.ariaPressed = "false";
}
function start() {
  if (at === steps) go(0);
  timer = setInterval(() => go(at + 1), Number(document.getElementById("speed").value));
  play.textContent = "Pause";
  play.ariaPressed = "true";
}
const toggle = () => timer === null ? start() : pause();
const nextCut = () => go(Math.min(...panels.flatMap(panel => panel.search.cuts.filter(cut => cut > at)), steps));
const by = { first: () => go(0), back: () => go(at - 1), play: toggle, forward: () => go(at + 1), last: () => go(steps), cut: nextCut };
for (const [id, action] of Object.entries(by)) {
  document.getElementById(id).addEventListener("click", () => { if (id !== "play") pause(); action(); });
}
slider.max = steps;
slider.addEventListener("input", () => { pause(); go(Number(slider.value)); });
document.getElementById("speed").addEventListener("change", () => { if (timer !== null) { pause(); start(); } });
document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === "SELECT") return;
  const keys = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", c: "cut", " ": "play" };
  const id = keys[event.key];
  // A button or the summary that has the focus is pressed by the space bar itself.
  if (!id || event.key === " " && ["BUTTON", "SUMMARY"].includes(event.target.tagName)) return;
  event.preventDefault();
  if (id !== "play") pause();
  by[id]();
});
document.getElementById("title").textContent = data.title;
document.getElementById("runs").replaceChildren(...panels.map(panel => panel.section));
go(0);
