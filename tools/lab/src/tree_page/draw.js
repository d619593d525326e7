const element = (name, attributes = {}, ...inside) => {
  const svg = ["svg", "g", "rect", "circle", "line", "text", "use", "style"].includes(name);
  const made = svg ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...inside.filter(part => part !== null && part !== undefined));
  return made;
};

/* A tree that is drawn as a whole: places by leaves from left to right. */
function layout(search) {
  let leaf = 0;
  const apart = search.bestFirst ? 64 : 40;
  const spot = n => {
    const place = search.places[n];
    place.children.forEach(spot);
    place.x = place.children.length ? (search.places[place.children[0]].x + search.places[place.children.at(-1)].x) / 2 : leaf++ * apart + 28;
    place.y = place.ply * 66 + 22;
  };
  spot(0);
  return [Math.max(leaf * apart + 16, 160), Math.max(...search.places.map(place => place.y)) + 40];
}

function drawTree(search, box) {
  const [width, height] = search.size ??= layout(search);
  const line = new Set(search.bestFirst ? search.path(search.now) : search.line);
  const svg = element("svg", { class: "tree", width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `Tree of ${search.places.length} nodes. ${search.said[0]}` });
  const seenAt = n => {
    const node = search.nodes.get(n) ?? {};
    return node.visits > 0 || search.open.has(n) || node.end || node.merit !== undefined;
  };
  for (const [n, place] of search.places.entries()) {
    const node = search.nodes.get(n) ?? {};
    const seen = seenAt(n);
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
    const kinds = [n === search.now && search.at ? "now" : "", line.has(n) ? "line" : "", seenAt(n) ? "" : "unseen", search.open.has(n) ? "listed" : "", node.solved ? "solved" : ""];
    const group = element("g", { class: kinds.join(" ") });
    group.append(search.max(n)
      ? element("rect", { class: "shape", x: place.x - 16, y: place.y - 13, width: 32, height: 26 })
      : element("circle", { class: "shape", cx: place.x, cy: place.y, r: 16 }));
    group.append(element("text", { class: "inside", x: place.x, y: place.y + 4 }, search.inside(n)));
    svg.append(group);
    const below = search.below(n);
    if (below) svg.append(element("text", { class: "small", x: Math.min(Math.max(place.x, 36), width - 36), y: place.y + 28 }, below));
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
    const node = search.nodes.get(n) ?? {}, moves = search.places[n].children.filter(m => search.places[m].label !== "pass");
    return element("tr", n === search.now ? { class: "now" } : {},
      element("td", {}, search.places[n].label), element("td", {}, search.max(n) ? "MAX" : "MIN"),
      element("td", {}, node.window ? search.window(n, node.window) : "–"),
      element("td", {}, moves.length ? `${moves.filter(m => node.tried?.has(m)).length} of ${moves.length}` : "–"),
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
    element("h4", {}, `moves of ${search.name(shown)}`), element("ul", { class: "chips" }, ...chips))));
}

/* The drawing of a panel as a file of its own. The file gets the style rules of the page that it needs, with the present colours. */
function standalone(svg) {
  const copy = svg.cloneNode(true);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const colors = getComputedStyle(document.documentElement);
  const names = [...document.getElementById("style").textContent.matchAll(/var\((--[a-z-]+)\)/g)].map(([, name]) => name);
  const rules = document.getElementById("style").textContent.split("\n").filter(line => /^\.(tree|board)\b/.test(line)).join("\n");
  const css = [...new Set(names)].reduce((text, name) => text.replaceAll(`var(${name})`, colors.getPropertyValue(name).trim()), rules);
  const symbols = copy.querySelector("use") ? [...document.getElementById("symbols").children].map(one => one.cloneNode(true)) : [];
  if (!copy.hasAttribute("width")) copy.setAttribute("width", "480");
  copy.prepend(element("style", {}, `text { font-family: sans-serif; }\n${css}`), ...symbols);
  return new XMLSerializer().serializeToString(copy);
}

function save(svg, name) {
  const link = element("a", { download: name, href: URL.createObjectURL(new Blob([standalone(svg)], { type: "image/svg+xml" })) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
