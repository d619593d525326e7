"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const INFINITE = 1 << 30;
const [PASS, ENTER, LEAVE, SKIP, LIVE, SOLVED, POP, PURGE] = [0, 1, 2, 3, 4, 5, 6, 7];
/* The text of a value. Infinity and the number next to it are written with ∞. */
const number = value => {
  const size = Math.abs(value), sign = value < 0 ? "−" : "+";
  if (size === INFINITE) return `${sign}∞`;
  if (size === INFINITE - 1) return value < 0 ? "−∞ + 1" : "+∞ − 1";
  return String(value).replace("-", "−");
};

/* The state of a search after some of its steps. */
class Search {
  constructor(run, kind) {
    this.run = run;
    this.kind = kind;
    this.places = run.places.map(([parent, label, fen, value]) => ({ parent, label, fen, value, children: [], ply: 0 }));
    this.places.forEach((place, n) => {
      if (place.parent === null) return;
      place.ply = this.places[place.parent].ply + 1;
      this.places[place.parent].children.push(n);
    });
    this.bestFirst = run.steps.some(step => step[0] === LIVE);
    this.code = pseudocode(run.recipe);
    this.hard = ["alpha-beta", "pvs-hard"].includes(run.recipe);
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
    this.tag = "";
    this.last = null;
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
  value(n, value) { return this.max(n) ? value : 0 - value; }
  window(n, [alpha, beta]) {
    const ends = this.max(n) ? [alpha, beta] : [0 - beta, 0 - alpha];
    return `(${number(ends[0])}, ${number(ends[1])})`;
  }
  path(n) {
    const line = [];
    for (; n !== null; n = this.places[n].parent) line.unshift(n);
    return line;
  }
  name(n) {
    const moves = this.path(n).slice(1).map(at => this.places[at].label);
    return moves.length === 0 ? "the root" : this.kind === "tree" ? `node ${moves.join(".")}` : moves.join(" ");
  }
  /* The line of the pseudocode that runs at a step. */
  tagOf([kind, n, b, c]) {
    const parent = kind === PASS ? null : this.places[n].parent;
    switch (kind) {
      case PASS: return this.bestFirst ? "start" : this.code.some(([tags]) => tags === "pass") && this.kind === "tree" ? "pass" : "enter";
      case ENTER: {
        if (this.bestFirst) return this.places[n].children.length ? this.max(n) ? "expand-max" : "expand-min" : "leaf";
        if (parent === null) return "enter";
        if (this.places[n].label === "pass") return "pass";
        const above = this.node(parent);
        if (above.tried.has(n)) return "again";
        if (above.tried.size === 0) return "first";
        const [alpha, beta] = above.window ?? [0, 0];
        return c - b === 1 && beta - alpha > 1 ? "test" : "child";
      }
      case LEAVE: return { "leaf": "leaf", "cutoff": "cut", "known": "known", "futile": "futile", "null-move": "null-cut", "game-over": "over", "drawn": "drawn" }[data.ends[c]] ?? "end";
      case SKIP: return "skip";
      case POP: return "pop";
      case PURGE: return "purge";
      case SOLVED: return this.last?.[0] === LEAVE ? "leaf" : "solved";
      default: return this.last?.[0] === POP ? "next" : this.tag;
    }
  }
  /* A step in a few words, for a guess. */
  action([kind, n, , c]) {
    const name = kind === PASS ? "" : this.name(n);
    switch (kind) {
      case PASS: return "a search from the root begins";
      case ENTER: return this.places[n].children.length || this.kind !== "tree" ? `enter ${name}` : `look at the leaf ${name}`;
      case LEAVE: switch (data.ends[c]) {
        case "leaf": return `evaluate ${name}`;
        case "cutoff": return `cut-off at ${name}`;
        case "null-move": return `cut-off at ${name} by the null move`;
        case "futile": return `cut-off at ${name} by futility`;
        case "known": return `take ${name} from memory`;
        default: return `leave ${name}: all its moves are searched`;
      }
      case SKIP: return `skip ${name}`;
      case POP: return `take ${name} off OPEN`;
      case PURGE: return `remove ${name} from OPEN`;
      case SOLVED: return `put ${name} on OPEN, solved`;
      default: return `put ${name} on OPEN, live`;
    }
  }
  /* The next step in a few words among others that could be meant, in an order that does not reveal it. */
  choices() {
    const right = this.action(this.run.steps[this.at]);
    const others = [];
    const offer = (...step) => others.push(this.action(step));
    const end = name => data.ends.indexOf(name);
    if (this.bestFirst) {
      for (const n of this.open.keys()) offer(POP, n);
      for (const n of this.places[this.now].children) offer(LIVE, n);
      if (this.places[this.now].parent !== null) offer(SOLVED, this.places[this.now].parent);
    } else {
      const top = this.line.at(-1) ?? 0;
      const { children } = this.places[top];
      const tried = this.node(top).tried;
      const next = children.find(child => !tried.has(child) && this.places[child].label !== "pass");
      if (next !== undefined) offer(ENTER, next);
      if (children.length) {
        offer(LEAVE, top, 0, end("cutoff"));
        offer(LEAVE, top, 0, end("exact"));
      } else {
        offer(LEAVE, top, 0, end("leaf"));
      }
      const { parent } = this.places[top];
      if (parent !== null) {
        offer(LEAVE, parent, 0, end("cutoff"));
        const sibling = this.places[parent].children.find(child => child > top);
        if (sibling !== undefined) offer(ENTER, sibling);
      }
    }
    const wrong = [...new Set(others)].filter(other => other !== right).slice(0, 3);
    return { right, all: [right, ...wrong].sort() };
  }
  apply(step) {
    const [kind, a, b, c] = step;
    this.tag = this.tagOf(step);
    const name = kind === PASS ? "" : this.name(a);
    if (kind !== PASS) this.now = a;
    if (kind === PASS) {
      this.line = [];
      this.now = 0;
      this.passes.push({ window: [a, b] });
      this.said = [this.run.steps.filter(other => other[0] === PASS).length > 1
        ? `Search ${this.passes.length} from the root, with the ${b - a === 1 ? "null " : ""}window ${this.window(0, [a, b])}.`
        : b - a === 1 ? `The search begins with the null window ${this.window(0, [a, b])}: is the value at least ${number(b)}?` : "The search from the root begins.", false];
    } else if (kind === ENTER) {
      const node = this.node(a);
      node.visits += 1;
      Object.assign(node, { window: [b, c], open: true, end: null, tried: new Set() });
      const parent = this.places[a].parent;
      if (parent !== null) this.node(parent).tried.add(a);
      this.counts[c - b === 1 ? "nulls" : "wide"] += 1;
      if (!this.bestFirst) this.line.push(a);
      const again = node.visits > 1 ? ` It is visit ${node.visits}.` : "";
      const side = this.max(a) ? "MAX" : "MIN";
      if (this.bestFirst) {
        this.said = [this.places[a].children.length
          ? `Expand ${name}: ${this.max(a) ? "MAX may choose, so all its moves go on OPEN" : "MIN is to be answered in every case, so its first move goes on OPEN"}.`
          : `Look at ${name}.`, false];
      } else if (this.places[a].label === "pass") {
        this.said = [`Null move: the side passes, and ${side} is to move. The null window ${this.window(a, [b, c])} asks only whether the pass is enough.`, false];
      } else {
        this.said = [`Enter ${name}, ${side} to move, with the ${c - b === 1 ? "null " : ""}window ${this.window(a, [b, c])}.${again}`, false];
      }
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
      const state = this.open.get(a);
      this.open.delete(a);
      this.said = [`Take ${name} off OPEN, ${state?.solved ? "solved" : "live"}: no state has a higher merit than ${number(state?.merit ?? 0)}.`, false];
    } else if (kind === PURGE) {
      this.open.delete(a);
      this.counts.purged += 1;
      this.said = [`${name} leaves OPEN: an ancestor is solved, so it is no longer needed.`, true];
    } else {
      this.push(a, name, b, kind === SOLVED);
    }
    this.last = step;
  }
  /* Puts a state of SSS* on OPEN. Merits are for the root's side. */
  push(n, name, merit, solved) {
    const node = this.node(n);
    this.open.set(n, { merit, solved });
    this.longest = Math.max(this.longest, this.open.size);
    Object.assign(node, { merit, solved });
    const own = this.places[n].value ?? (node.evaluated ? this.value(n, node.value) : null);
    const lowered = this.last?.[0] === LEAVE && own !== null && own !== merit
      ? ` The leaf's own value is ${number(own)}; the merit is the smaller of it and the bound ${number(merit)} that it was reached with.` : "";
    if (solved) node.end = "solved";
    this.said = [solved ? `${this.places[n].children.length ? `${name} is solved` : `Put ${name} on OPEN, solved`}, with merit ${number(merit)}.${lowered}`
      : `Put ${name} on OPEN, live, with merit ${number(merit)}.`, false];
  }
  explain(n, name, node, value, end) {
    const shown = number(this.value(n, value));
    const left = this.places[n].children.filter(child => !node.tried.has(child) && this.places[child].label !== "pass").length;
    // A node that is cut before its moves are generated has none in the recording.
    const moves = left === 0 ? "No move is searched" : left === 1 ? "1 move is not searched" : `${left} moves are not searched`;
    const beyond = this.max(n) ? `at least β` : `at most α`;
    // Bratko's program does not cut at the bound itself.
    const crossed = this.run.recipe !== "bratko" ? beyond : this.max(n) ? `more than β` : `less than α`;
    switch (end) {
      case "leaf": return [`${name} is evaluated: ${shown}.${this.clipped(n, node, value)}`, false];
      case "game-over": return [`The game is over at ${name}: ${shown}.`, false];
      case "drawn": return [`${name} is a draw.`, false];
      case "known": return [`${name} is known from before: ${this.bound(n, node)}. Nothing below it is searched.`, false];
      case "futile": return [`${name} is cut by futility: its evaluation is ${beyond} by half a pawn and more. ${moves}.`, true];
      case "null-move": return [`${name} is cut by the null move: even after a pass the value is ${beyond}. ${moves}.`, true];
      case "cutoff": return [left
        ? `Cut-off at ${name}: ${this.hard ? `a move reaches the bound ${shown}, which fail-hard returns` : `the value ${shown} is ${crossed}`}, so the other side will not allow it. ${moves}.`
        : `${name} is left with ${shown}, which is ${beyond}; no move was left to cut.`, left > 0];
      case "exact": return [`All moves of ${name} are searched: its value is ${shown}.`, false];
      case "fail-low": return [`All moves of ${name} are searched, and none is better than ${this.max(n) ? "α" : "β"}: ${this.bound(n, node)}.`, false];
      default: return [`The search stops at ${name}.`, false];
    }
  }
  /* What fail-hard makes of the value of a leaf outside the window. */
  clipped(n, node, value) {
    const [alpha, beta] = node.window;
    if (!this.hard || (value >= alpha && value <= beta)) return "";
    const returned = number(this.value(n, value > beta ? beta : alpha));
    return ` That is outside the window, so that it returns ${returned} (fail-hard).`;
  }
  /* The value with a sign for a bound. */
  bound(n, node) {
    const [alpha, beta] = node.window ?? [-INFINITE, INFINITE];
    const shown = number(this.value(n, node.value));
    if (node.end === "leaf" && node.value > alpha && node.value < beta || ["exact", "game-over", "drawn"].includes(node.end)) return shown;
    if (this.kind === "tree" && !this.places[n].children.length) return shown;
    if (node.value >= beta) return (this.max(n) ? "≥ " : "≤ ") + shown;
    if (node.value <= alpha) return (this.max(n) ? "≤ " : "≥ ") + shown;
    return shown;
  }
  /* What stands in a node of a drawn tree. */
  inside(n) {
    const node = this.nodes.get(n) ?? {}, place = this.places[n];
    if (!place.children.length) return place.value === null ? "" : number(place.value);
    if (this.bestFirst) return node.solved ? number(node.merit) : "";
    return node.end && !node.open ? this.bound(n, node).replace(" ", "") : "";
  }
  /* What stands below a node: a merit, or the window of a node that is being searched. */
  below(n) {
    const node = this.nodes.get(n) ?? {};
    if (this.bestFirst) return node.merit === undefined ? "" : `${node.solved ? "solved" : "live"} ${number(node.merit)}`;
    return node.open ? this.window(n, node.window) : "";
  }
}
