/* The panel of a search. */
class Panel {
  constructor(run, kind, id, first) {
    this.search = new Search(run, kind);
    this.whole = run.whole;
    this.say = element("p", { class: "say", "aria-live": first ? "polite" : "off" });
    this.view = element("div", { class: run.whole ? "scroll" : "view", tabindex: 0, role: "region", "aria-label": `tree of ${run.recipe} (${id})` });
    this.code = element("ol", { class: "code", "aria-label": `pseudocode of ${run.recipe}` }, ...this.search.code.map(([, text]) => element("li", {}, text)));
    this.counts = element("dl", { class: "counts" });
    this.extra = element("div");
    const out = element("button", { class: "svg", title: "save the drawing as an SVG file" }, "Save SVG");
    out.addEventListener("click", () => {
      const svg = this.view.querySelector("svg");
      if (svg) save(svg, `${run.recipe}-step-${this.search.at}.svg`);
    });
    this.section = element("section", { class: "panel", "aria-label": `${run.recipe} (${id})` },
      element("div", { class: "head" }, element("h3", { id }, run.recipe), out), this.say, this.view,
      element("details", { open: "" }, element("summary", {}, "pseudocode"), this.code, element("p", { class: "dim" }, fails(run.recipe))),
      element("h4", {}, "counted so far"), this.counts, this.extra);
  }
  show(step) {
    const { search } = this;
    search.go(step);
    // Not the first move of a line: e4 is no E4.
    search.said[0] = search.said[0].replace(/^(node|the root)/, word => word[0].toUpperCase() + word.slice(1));
    const done = search.at === search.run.steps.length;
    this.say.textContent = done ? `${search.said[0]} ${this.result()}` : search.said[0];
    this.say.classList.toggle("cut", search.said[1]);
    search.code.forEach(([tags], n) => {
      const lit = search.at > 0 && tags.split(" ").includes(search.tag);
      this.code.children[n].classList.toggle("lit", lit);
      if (lit) this.code.children[n].setAttribute("aria-current", "step"); else this.code.children[n].removeAttribute("aria-current");
    });
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
  result() {
    const { answer } = this.search.run;
    if (answer.asked !== undefined) return `The search ends: the value is ${answer.value >= answer.asked ? "at least" : "below"} ${number(answer.asked)}.`;
    return `The search ends with the value ${number(answer.value)}${answer.best ? `, the move ${answer.best}` : ""}.`;
  }
  lists() {
    const { search } = this;
    const parts = [];
    if (search.bestFirst) {
      const states = [...search.open].sort(([n, one], [m, other]) => other.merit - one.merit || n - m);
      parts.push(element("h4", {}, `OPEN: ${states.length} states, by merit`), element("ol", { class: "chips" },
        ...states.slice(0, 60).map(([n, state]) => element("li", { class: state.solved ? "solved" : "" }, `${search.name(n)}: ${state.solved ? "solved" : "live"} ${number(state.merit)}`)),
        states.length > 60 ? element("li", {}, `… and ${states.length - 60} more`) : null));
    } else if (search.passes.length > 1) {
      parts.push(element("h4", {}, "searches from the root"), element("ol", { class: "chips" }, ...search.passes.map(pass => {
        const [alpha, beta] = pass.window;
        const result = pass.value === undefined ? "…" : beta - alpha > 1 ? number(pass.value) : `${pass.value >= beta ? "≥" : "≤"} ${number(pass.value)}`;
        return element("li", {}, `${search.window(0, pass.window)}: ${result}`);
      })));
    }
    return parts;
  }
}

/* Searches side by side, with the buttons that step through them. */
class Stage {
  constructor(box, stage, number) {
    this.number = number;
    this.stage = stage;
    this.id = `stage-${number}`;
    const button = (name, words, title, kind = "") => element("button", { class: `${name} ${kind}`, title, ...(/^[⇤←→⇥]$/.test(words) ? { "aria-label": title } : {}) }, words);
    this.buttons = {
      first: button("first", "⇤", "to the start (Home)"), back: button("back", "←", "one step back (left arrow)"),
      play: button("play", "Play", "play or pause (space)", "main"), forward: button("forward", "→", "one step forward (right arrow)"),
      last: button("last", "⇥", "to the end (End)"), cut: button("cut", "Next cut-off", "next cut-off (c)"),
      guess: button("guess", "Guess", "guess each step before it is shown (g)"),
    };
    this.buttons.play.ariaPressed = this.buttons.guess.ariaPressed = "false";
    this.speed = element("select", { class: "speed" }, ...[[1000, "slow"], [300, "normal"], [50, "fast"]].map(([value, words]) => element("option", { value, ...(value === 300 ? { selected: "" } : {}) }, words)));
    this.slider = element("input", { class: "step", type: "range", min: 0, value: 0 });
    this.shown = element("output");
    const controls = element("div", { class: "controls", role: "group", "aria-label": `steps: ${stage.title}` }, ...Object.values(this.buttons),
      element("label", {}, "Speed ", this.speed), element("label", { class: "grow" }, "Step ", this.slider, this.shown));
    this.question = element("div", { class: "question", "aria-live": "polite" });
    this.runs = element("div", { class: "runs" });
    box.append(controls, this.question, this.runs, ...(stage.kind === "tree" ? [this.editor()] : []));
    this.timer = null;
    this.guesses = { right: 0, all: 0 };
    this.listen(box);
    this.use(stage.runs);
  }
  /* Shows other searches. */
  use(runs) {
    this.pause();
    this.panels = runs.map((run, index) => new Panel(run, this.stage.kind, `${this.id}-run-${index}`, index === 0));
    this.steps = Math.max(...this.panels.map(panel => panel.search.run.steps.length));
    this.runs.replaceChildren(...this.panels.map(panel => panel.section));
    this.slider.max = this.steps;
    this.go(0);
  }
  go(step) {
    this.at = Math.min(Math.max(step, 0), this.steps);
    this.slider.value = this.at;
    this.shown.textContent = `${this.at} of ${this.steps}`;
    this.panels.forEach(panel => panel.show(this.at));
    if (this.at === this.steps) this.pause();
    this.question.replaceChildren();
    writeAddress();
  }
  pause() {
    clearInterval(this.timer);
    this.timer = null;
    this.buttons.play.textContent = "Play";
    this.buttons.play.ariaPressed = "false";
  }
  start() {
    if (this.at === this.steps) this.go(0);
    this.timer = setInterval(() => this.go(this.at + 1), Number(this.speed.value));
    this.buttons.play.textContent = "Pause";
    this.buttons.play.ariaPressed = "true";
  }
  forward() {
    if (this.buttons.guess.ariaPressed === "true") this.ask(); else this.go(this.at + 1);
  }
  /* Asks for the next step of the first search that has one. */
  ask() {
    const panel = this.panels.find(({ search }) => search.at < search.run.steps.length);
    if (!panel || this.question.children.length) return;
    const { right, all } = panel.search.choices();
    const choose = choice => {
      this.guesses.all += 1;
      this.guesses.right += Number(choice === right);
      const { right: good, all: tried } = this.guesses;
      this.go(this.at + 1);
      this.question.replaceChildren(element("p", {}, `${choice === right ? "Right" : `No: ${right}`}. ${good} of ${tried} guessed.`));
    };
    this.question.replaceChildren(element("p", {}, `What does ${panel.search.run.recipe} do next?`), ...all.map(choice => {
      const made = element("button", { class: "choice" }, choice);
      made.addEventListener("click", () => choose(choice));
      return made;
    }));
    this.question.querySelector("button").focus();
  }
  listen(box) {
    const toggle = () => this.timer === null ? this.start() : this.pause();
    const nextCut = () => this.go(Math.min(...this.panels.flatMap(panel => panel.search.cuts.filter(cut => cut > this.at)), this.steps));
    const guess = () => {
      const on = this.buttons.guess.ariaPressed !== "true";
      this.buttons.guess.ariaPressed = String(on);
      this.guesses = { right: 0, all: 0 };
      this.question.replaceChildren();
      if (on) this.ask();
    };
    this.by = {
      first: () => this.go(0), back: () => this.go(this.at - 1), play: toggle, forward: () => { if (!this.question.querySelector("button")) this.question.replaceChildren(); this.forward(); },
      last: () => this.go(this.steps), cut: nextCut, guess,
    };
    for (const [name, action] of Object.entries(this.by)) {
      this.buttons[name].addEventListener("click", () => { if (name !== "play") this.pause(); action(); });
    }
    this.slider.addEventListener("input", () => { this.pause(); this.go(Number(this.slider.value)); });
    this.speed.addEventListener("change", () => { if (this.timer !== null) { this.pause(); this.start(); } });
    // The keys go to the stage that was touched last.
    for (const event of ["pointerdown", "focusin"]) box.addEventListener(event, () => { Stage.active = this; });
  }
  /* The form in which a tree is typed or edited, and searched in the page. */
  editor() {
    const tree = element("textarea", { rows: 2, spellcheck: "false", id: `${this.id}-tree` });
    tree.value = printTree(this.stage.runs[0].places);
    const error = element("p", { class: "error", role: "alert" });
    const used = this.stage.runs.map(run => run.recipe);
    const boxes = Object.keys(PSEUDOCODE).map(recipe => {
      const box = element("input", { type: "checkbox", value: recipe });
      box.checked = used.includes(recipe);
      return [recipe, box];
    });
    this.edit = (text, recipes) => {
      const chosen = recipes ?? boxes.filter(([, box]) => box.checked).map(([recipe]) => recipe);
      try {
        const places = parseTree(text);
        if (!chosen.length) throw new Error("choose an algorithm");
        this.edited = { tree: printTree(places), recipes: chosen };
        tree.value = this.edited.tree;
        boxes.forEach(([recipe, box]) => { box.checked = chosen.includes(recipe); });
        error.textContent = "";
        this.use(chosen.map(recipe => recordSearch(places, recipe)));
      } catch (wrong) {
        error.textContent = wrong.message;
      }
    };
    const search = element("button", { class: "search" }, "Search this tree");
    search.addEventListener("click", () => this.edit(tree.value));
    return element("details", { class: "edit" }, element("summary", {}, "Edit the tree, or choose other algorithms"),
      element("label", { for: `${this.id}-tree` }, "A bracket is a node with its moves; a number is a leaf, its value for the side at the root"), tree,
      element("fieldset", {}, element("legend", {}, "algorithms"), ...boxes.map(([recipe, box]) => element("label", {}, box, recipe))), search, error);
  }
}

/* The address has the step of each stage, and the trees that were edited: a link leads to what is shown. */
function writeAddress() {
  if (stages.length === 0) return;
  const parts = new URLSearchParams();
  for (const { number, at, edited } of stages) {
    if (edited) {
      parts.set(`tree${number}`, edited.tree);
      parts.set(`by${number}`, edited.recipes.join(" "));
    }
    if (at) parts.set(`step${number}`, at);
  }
  const text = parts.toString();
  history.replaceState(null, "", text ? `#${text}` : location.pathname);
}
function readAddress() {
  const parts = new URLSearchParams(location.hash.slice(1));
  for (const stage of stages) {
    const tree = parts.get(`tree${stage.number}`);
    const known = (parts.get(`by${stage.number}`) ?? "").split(" ").filter(recipe => recipe in PSEUDOCODE);
    if (tree && stage.edit && (tree !== stage.edited?.tree || known.join(" ") !== stage.edited?.recipes.join(" "))) stage.edit(tree, known.length ? known : undefined);
    stage.go(Number(parts.get(`step${stage.number}`)) || 0);
  }
}

const stages = [];
const built = [...document.querySelectorAll(".stage")].map((box, n) => new Stage(box, data.stages[n], n + 1));
stages.push(...built);
Stage.active = stages[0];
readAddress();
addEventListener("hashchange", readAddress);
document.addEventListener("keydown", event => {
  const { tagName, type } = event.target;
  if (event.ctrlKey || event.altKey || event.metaKey || tagName === "SELECT" || tagName === "TEXTAREA" || type === "checkbox") return;
  const keys = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", c: "cut", g: "guess", " ": "play" };
  const name = keys[event.key];
  // A button or the summary that has the focus is pressed by the space bar itself.
  if (!name || event.key === " " && ["BUTTON", "SUMMARY"].includes(tagName)) return;
  event.preventDefault();
  if (name !== "play") Stage.active.pause();
  Stage.active.by[name]();
});
