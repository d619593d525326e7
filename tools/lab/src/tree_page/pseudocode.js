/*
 * The algorithms in words. Each line has the steps at which it runs:
 * enter (the root), first (the first move of a node), child (another), test (a null window after the first move), again (a
 * second search), leaf, cut, end (all moves searched), known, and the steps of the techniques and of SSS*.
 */
const LOOP = [["", "  for each move of node:"]];
const RAISE = [["", "    α := max(α, value)"]];
const RECALL = [["known", "  if memory has a bound that decides: return it"], ["", "  narrow α and β to the bounds in memory"]];
const SOFT = memory => [
  ["enter", "search(node, α, β):"], ...(memory ? RECALL : []), ["leaf", "  if node is a leaf: return its value"], ["", "  best := −∞"], ...LOOP,
  ["first child test", "    best := max(best, −search(child, −β, −max(α, best)))"],
  ["cut", "    if best ≥ β: leave the loop"], ["end", `  ${memory ? "remember and " : ""}return best`],
];
const MTD = (guess, words) => [
  ["", `value := ${guess}; lower := −∞; upper := +∞`], ["", "while lower < upper:"],
  ["", "  β := value + 1 if value = lower, else value"], ["pass", "  value := search(root, β − 1, β)"],
  ["", `  if value < β: upper := value, else lower := value${words}`], ["", ""], ...SOFT(true),
];
const TESTED = (leaf, call, again) => [
  ["enter", "search(node, α, β):"], ["leaf", `  if node is a leaf: return its value${leaf}`], ...LOOP,
  ["first", "    the first move: value := −search(child, −β, −α)"], ["test child", `    another: value := −search(child, −α − 1, −α)${call}`],
  ["again", `    if α < value < β: value := −search(child, −β, ${again})`], ...RAISE, ["cut", "    if α ≥ β: leave the loop"], ["end", "  return α"],
];
const PSEUDOCODE = {
  "minimax": [["enter", "search(node):"], ["leaf", "  if node is a leaf: return its value"], ["", "  best := −∞"], ...LOOP,
    ["first child", "    best := max(best, −search(child))"], ["end", "  return best"]],
  "alpha-beta": [["enter", "search(node, α, β):"], ["leaf", "  if node is a leaf: return its value, moved between α and β"], ...LOOP,
    ["first child test", "    value := −search(child, −β, −α)"], ["cut", "    if value ≥ β: return β"], ...RAISE, ["end", "  return α"]],
  "alpha-beta-soft": SOFT(false),
  "bratko": [["enter", "alphabeta(node, α, β):"], ["leaf", "  if node is a leaf: its static value"], ["first child test", "  boundedbest: value of the next move"],
    ["cut", "  goodenough: MAX to move and value > β, or MIN and value < α"], ["", "  newbounds: MAX raises α, MIN lowers β"], ["end", "  betterof: of two equal moves the later"]],
  "scout": [["enter", "search(node):"], ["leaf", "  if node is a leaf: return its value"], ["first", "  best := −search(first move)"],
    ["", "  for each other move:"], ["test", "    TEST: is −value(child) > best?"], ["again child", "      if so: best := −search(child)"], ["cut", "  (TEST of a node stops at the first move that is enough)"], ["end", "  return best"]],
  "negascout": [["enter", "search(node, α, β):"], ["leaf", "  if node is a leaf: return its value"], ["", "  best := −∞"], ...LOOP,
    ["first", "    the first move: value := −search(child, −β, −α)"], ["test child", "    another: value := −search(child, −α − 1, −α)"],
    ["again", "    if α < value < β: value := −search(child, −β, −value)"], ["", "    best := max(best, value); α := max(α, best)"], ["cut", "    if best ≥ β: leave the loop"], ["end", "  return best"]],
  "negascout-1983": TESTED("", "", "−value), unless child is a leaf"),
  "pvs": TESTED("", "", "−α)"),
  "pvs-hard": TESTED(", moved between α and β", "", "−α)"),
  "mtd-f": MTD("the guess", ""),
  "mt-sss": MTD("+∞", ""),
  "sss": [["start", "put the root on OPEN, live, with merit +∞"], ["", "repeat:"], ["pop", "  take the state of the highest merit off OPEN, the leftmost of equals"],
    ["leaf", "  live, a leaf: it is solved; merit := min(merit, value)"], ["expand-max", "  live, MAX to move: all moves go on OPEN, live"],
    ["expand-min", "  live, MIN to move: the first move goes on OPEN, live"], ["purge", "  solved, below MAX: remove all states below the parent"],
    ["solved", "    and put the parent on OPEN, solved"], ["next", "  solved, below MIN: the next move goes on OPEN, live"], ["", "    without a next move: the parent goes on OPEN, solved"], ["", "until the root is solved"]],
};
/* The textbook searcher for chess: lines of techniques that the recipe has. */
const SEARCHER = [
  ["enter", "search(position, depth, α, β):", /./],
  ["leaf", "  if depth = 0: return quiescence(position, α, β)", /./],
  ["known", "  if the table decides: return its value", /hash-value|ordered|full/],
  ["drawn", "  if the position is drawn: return 0", /path-draws|full/],
  ["futile", "  if depth ≤ 2, quiet and not in check, and evaluation − margin ≥ β: return β", /futility(-node)?(\+|$)|full/],
  ["pass", "  value := −search(the position after a pass, depth − 1 − R, −β, −β + 1)", /null-move|full/],
  ["null-cut", "  if value ≥ β: return β", /null-move|full/],
  ["", "    unless it is to be verified: then depth := depth − 1, and nothing below is verified", /verified/],
  ["", "  for each move:", /./],
  ["skip", "    if it is futile or implausible: skip it", /futility(-parent)?(\+|$)|forward|full/],
  ["first child test again", "    value := −search(the position after it, depth − 1, −β, −α)", /./],
  ["cut", "    if value ≥ β: return β", /./],
  ["", "    α := max(α, value)", /./],
  ["", "  if this search verifies the pass and no move reached β: search again in full depth", /verified/],
  ["end over", "  return α; without moves, mate or stalemate", /./],
];
const pseudocode = recipe => PSEUDOCODE[recipe] ?? SEARCHER.filter(([, , has]) => has.test(recipe));
/* What an algorithm returns where the value lies outside its window. */
const FAILS = {
  "minimax": "No window: every value is exact.", "scout": "SCOUT has no window; TEST only answers yes or no.",
  "alpha-beta": "Fail-hard: a value outside the window is returned as the end of the window that it passed.",
  "alpha-beta-soft": "Fail-soft: a value outside the window is returned as it is. It is a bound, and may be nearer to the truth than α or β.",
  "bratko": "A value beyond a bound is returned as it is; a cut-off needs more than the bound.",
  "negascout": "Fail-soft: a value outside the window is returned as it is, a bound.",
  "negascout-1983": "Fail-hard below: a node never returns less than α. Leaves are evaluated without a window.",
  "pvs": "As printed: a node returns α at least; a leaf returns its value as it is.",
  "pvs-hard": "Fail-hard: a value outside the window is returned as the end of the window that it passed.",
  "mtd-f": "Fail-soft, with null windows alone: each search says on which side of β the value lies, and how far at least.",
  "mt-sss": "Fail-soft, with null windows that come down from +∞: every search returns an upper bound until one is exact.",
  "sss": "No window. A merit is an upper bound for the root's side on what can be reached through the state.",
};
const fails = recipe => FAILS[recipe] ?? "Fail-hard: a value outside the window is returned as the end of the window that it passed.";
