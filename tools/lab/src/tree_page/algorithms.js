/*
 * The algorithms for a tree that is typed in the page. `tests/browser.py` compares their steps with the steps that the
 * program records, for every algorithm and many trees, so that the two cannot differ.
 */

/* The places of a typed tree as the program lists them: [parent, label, FEN, value]. Throws an error for other text. */
function parseTree(text) {
  const letters = [...text.replace(/,/g, " ")];
  let at = 0;
  const blank = () => { while (/\s/.test(letters[at] ?? "")) at += 1; };
  const wrong = words => { throw new Error(`character ${at + 1}: ${words}`); };
  let nodes = 0;
  const node = plies => {
    if (++nodes > 300 || plies > 15) wrong("a tree has at most 300 nodes and 15 plies here");
    blank();
    if (letters[at] === "(") {
      at += 1;
      const moves = [];
      for (blank(); letters[at] !== ")"; blank()) {
        if (at >= letters.length) wrong("a `)` is missing");
        moves.push(node(plies + 1));
      }
      if (!moves.length) wrong("`()` has no moves");
      at += 1;
      return moves;
    }
    const digits = letters.slice(at).join("").match(/^-?\d+/);
    if (digits && Math.abs(Number(digits[0])) > 1000000) wrong("a leaf is a whole number from -1000000 to 1000000");
    if (!digits) wrong("expected `(` or a whole number, as in ((3 5) (6 9))");
    at += digits[0].length;
    return Number(digits[0]);
  };
  const tree = node(0);
  blank();
  if (at < letters.length) wrong("the tree has ended before this character");
  const places = [[null, "root", null, null]];
  const list = (moves, place) => {
    if (typeof moves === "number") {
      places[place][3] = moves;
      return;
    }
    const first = places.length;
    moves.forEach((move, n) => places.push([place, String(n + 1), null, null]));
    moves.forEach((move, n) => list(move, first + n));
  };
  list(tree, 0);
  return places;
}

/* A tree as it is typed. */
function printTree(places) {
  const children = places.map(() => []);
  places.forEach(([parent], n) => { if (parent !== null) children[parent].push(n); });
  const print = n => children[n].length ? `(${children[n].map(print).join(" ")})` : String(places[n][3]);
  return print(0);
}

/* Searches a tree by an algorithm, and returns what the program records. */
function recordSearch(places, recipe) {
  const full = { alpha: -INFINITE, beta: INFINITE };
  const flip = (alpha, beta) => ({ alpha: 0 - beta, beta: 0 - alpha });
  const nullWindow = beta => ({ alpha: beta - 1, beta });
  const children = places.map(() => []);
  const ply = places.map(() => 0);
  places.forEach(([parent], n) => {
    if (parent === null) return;
    children[parent].push(n);
    ply[n] = ply[parent] + 1;
  });
  const maximises = n => ply[n] % 2 === 0;
  const isLeaf = n => !children[n].length;
  const steps = [];
  const end = name => data.ends.indexOf(name);
  const pass = ({ alpha, beta }) => steps.push([PASS, alpha, beta, 0]);
  const enter = (n, { alpha, beta }) => steps.push([ENTER, n, alpha, beta]);
  const leave = (n, { alpha, beta }, value) => {
    steps.push([LEAVE, n, value, end(value >= beta ? "cutoff" : value > alpha ? "exact" : "fail-low")]);
    return value;
  };
  // The memory of MTD(f) and MT-SSS*: bounds of each node.
  const known = ["mtd-f", "mt-sss"].includes(recipe) ? new Map() : null;
  const keep = (n, value, lower, upper) => {
    if (!known) return;
    const old = known.get(n) ?? { lower: -INFINITE, upper: INFINITE };
    known.set(n, { lower: lower ? Math.max(old.lower, value) : old.lower, upper: upper ? Math.min(old.upper, value) : old.upper });
  };
  const leaf = (n, window) => {
    const value = maximises(n) ? places[n][3] : 0 - places[n][3];
    enter(n, window);
    keep(n, value, true, true);
    steps.push([LEAVE, n, value, end("leaf")]);
    return value;
  };
  const recall = (n, window) => {
    const bounds = known?.get(n);
    if (!bounds) return null;
    const value = bounds.lower >= window.beta || bounds.lower === bounds.upper ? bounds.lower : bounds.upper <= window.alpha ? bounds.upper : null;
    if (value !== null) {
      enter(n, window);
      steps.push([LEAVE, n, value, end("known")]);
      return value;
    }
    window.alpha = Math.max(window.alpha, bounds.lower);
    window.beta = Math.min(window.beta, bounds.upper);
    return null;
  };
  const remember = (n, window, value) => {
    keep(n, value, value > window.alpha, value < window.beta);
    return leave(n, window, value);
  };
  const clamp = (value, { alpha, beta }) => Math.min(Math.max(value, alpha), beta);

  const minimax = n => {
    if (isLeaf(n)) return leaf(n, full);
    enter(n, full);
    let best = -INFINITE;
    for (const child of children[n]) best = Math.max(best, 0 - minimax(child));
    return leave(n, full, best);
  };
  const alphaBeta = (n, window) => {
    let { alpha, beta } = window;
    if (isLeaf(n)) return clamp(leaf(n, window), window);
    enter(n, window);
    for (const child of children[n]) {
      const value = 0 - alphaBeta(child, flip(alpha, beta));
      if (value >= beta) return leave(n, window, beta);
      alpha = Math.max(alpha, value);
    }
    return leave(n, window, alpha);
  };
  const alphaBetaSoft = (n, given) => {
    const window = { ...given };
    const value = recall(n, window);
    if (value !== null) return value;
    let { alpha, beta } = window;
    if (isLeaf(n)) return leaf(n, window);
    enter(n, window);
    let best = -INFINITE;
    for (const child of children[n]) {
      best = Math.max(best, 0 - alphaBetaSoft(child, flip(alpha, beta)));
      if (best >= beta) break;
      alpha = Math.max(alpha, best);
    }
    return remember(n, window, best);
  };
  // Bratko's two sides: values and windows are for the root's side.
  const bratko = (n, window) => {
    const sided = maximises(n) ? window : flip(window.alpha, window.beta);
    if (isLeaf(n)) {
      const value = leaf(n, full);
      return maximises(n) ? value : 0 - value;
    }
    enter(n, sided);
    const bounded = (rest, { alpha, beta }) => {
      const value = bratko(rest[0], { alpha, beta });
      if (rest.length === 1 || (maximises(n) ? value > beta : value < alpha)) return value;
      const narrowed = maximises(n) ? { alpha: Math.max(alpha, value), beta } : { alpha, beta: Math.min(beta, value) };
      const other = bounded(rest.slice(1), narrowed);
      return (maximises(n) ? value > other : value < other) ? value : other;
    };
    const value = bounded(children[n], window);
    leave(n, sided, maximises(n) ? value : 0 - value);
    return value;
  };
  const atLeast = (n, bound) => {
    const window = nullWindow(bound);
    if (isLeaf(n)) return leaf(n, window) >= bound;
    enter(n, window);
    for (const child of children[n]) {
      if (!atLeast(child, 1 - bound)) {
        leave(n, window, bound);
        return true;
      }
    }
    leave(n, window, bound - 1);
    return false;
  };
  const scout = n => {
    if (isLeaf(n)) return leaf(n, full);
    enter(n, full);
    let best = 0 - scout(children[n][0]);
    for (const child of children[n].slice(1)) if (!atLeast(child, 0 - best)) best = 0 - scout(child);
    return leave(n, full, best);
  };
  const negascout = (n, window) => {
    let { alpha, beta } = window;
    if (isLeaf(n)) return leaf(n, window);
    enter(n, window);
    let best = -INFINITE;
    for (const child of children[n]) {
      const first = best === -INFINITE;
      let value = 0 - negascout(child, flip(alpha, first ? beta : alpha + 1));
      if (!first && value > alpha && value < beta) value = 0 - negascout(child, flip(value, beta));
      best = Math.max(best, value);
      if (best >= beta) break;
      alpha = Math.max(alpha, best);
    }
    return leave(n, window, best);
  };
  const negascout1983 = (n, window) => {
    let { alpha, beta } = window;
    if (isLeaf(n)) return leaf(n, full);
    enter(n, window);
    let upper = beta;
    for (const child of children[n]) {
      let value = 0 - negascout1983(child, flip(alpha, upper));
      if (value > alpha && value < beta && child !== children[n][0] && !isLeaf(child)) value = 0 - negascout1983(child, flip(value, beta));
      alpha = Math.max(alpha, value);
      if (alpha >= beta) break;
      upper = alpha + 1;
    }
    return leave(n, window, alpha);
  };
  const pvs = (n, window, hard) => {
    let { alpha, beta } = window;
    if (isLeaf(n)) {
      const value = leaf(n, window);
      return hard ? clamp(value, window) : value;
    }
    enter(n, window);
    for (const child of children[n]) {
      let score = 0 - pvs(child, flip(alpha, child === children[n][0] ? beta : alpha + 1), hard);
      if (child !== children[n][0] && alpha < score && score < beta) score = 0 - pvs(child, flip(alpha, beta), hard);
      alpha = Math.max(alpha, score);
      if (alpha >= beta) break;
    }
    return leave(n, window, alpha);
  };
  const mtd = guess => {
    let [lower, upper, value] = [-INFINITE, INFINITE, guess];
    while (lower < upper) {
      const beta = value === lower ? value + 1 : value;
      pass(nullWindow(beta));
      value = alphaBetaSoft(0, nullWindow(beta));
      if (value < beta) upper = value; else lower = value;
    }
    return value;
  };
  const sss = () => {
    const open = new Map();
    const path = n => places[n][0] === null ? [] : [...path(places[n][0]), Number(places[n][1])];
    const before = (n, m) => {
      const [one, other] = [path(n), path(m)];
      const at = one.findIndex((move, k) => move !== other[k]);
      return at < 0 ? one.length - other.length : (one[at] - (other[at] ?? 0));
    };
    const push = (n, solved, merit) => {
      open.set(n, { solved, merit });
      steps.push([solved ? SOLVED : LIVE, n, merit, 0]);
    };
    push(0, false, INFINITE);
    for (;;) {
      const [n, { solved, merit }] = [...open].sort(([n, a], [m, b]) => b.merit - a.merit || before(n, m))[0];
      open.delete(n);
      steps.push([POP, n, 0, 0]);
      const parent = places[n][0];
      if (!solved && isLeaf(n)) {
        const value = leaf(n, full);
        push(n, true, Math.min(merit, maximises(n) ? value : 0 - value));
      } else if (!solved) {
        enter(n, full);
        for (const child of maximises(n) ? children[n] : children[n].slice(0, 1)) push(child, false, merit);
      } else if (parent === null) {
        return merit;
      } else if (maximises(parent)) {
        const below = m => m !== null && (m === parent || below(places[m][0]));
        for (const m of [...open.keys()].filter(below).sort(before)) {
          open.delete(m);
          steps.push([PURGE, m, 0, 0]);
        }
        push(parent, true, merit);
      } else {
        const next = children[parent][children[parent].indexOf(n) + 1];
        if (next === undefined) push(parent, true, merit); else push(next, false, merit);
      }
    }
  };
  if (!["mtd-f", "mt-sss"].includes(recipe)) pass(full);
  const searches = {
    "minimax": () => minimax(0), "alpha-beta": () => alphaBeta(0, full), "alpha-beta-soft": () => alphaBetaSoft(0, full),
    "bratko": () => bratko(0, full), "scout": () => scout(0), "negascout": () => negascout(0, full),
    "negascout-1983": () => negascout1983(0, full), "pvs": () => pvs(0, full, false), "pvs-hard": () => pvs(0, full, true),
    "mtd-f": () => mtd(0), "sss": sss, "mt-sss": () => mtd(INFINITE),
  };
  const value = searches[recipe]();
  const worth = n => isLeaf(n) ? places[n][3] : children[n].map(worth).reduce((a, b) => maximises(n) ? Math.max(a, b) : Math.min(a, b));
  const best = children[0].find(child => worth(child) === value);
  return { recipe, answer: { recipe, value, best: best === undefined ? null : places[best][1] }, whole: true, places, steps };
}
