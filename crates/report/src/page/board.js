// The board: pieces that can be moved by mouse, finger or keyboard, arrows and marks.
const NS = "http://www.w3.org/2000/svg";

function shape(name, attributes, parent, text) {
  const made = document.createElementNS(NS, name);
  for (const key in attributes) made.setAttribute(key, attributes[key]);
  if (text !== undefined) made.textContent = text;
  if (parent) parent.append(made);
  return made;
}

const SQUARE = 50;

class Board {
  // `moved` is called with each legal move that is made on the board.
  constructor(svg, moved) {
    this.svg = svg;
    this.moved = moved;
    this.flipped = false;
    // While this is true, no piece can be moved.
    this.locked = false;
    this.selected = -1;
    this.dragged = null;
    // The dialog that asked last for the piece of a promotion.
    this.picker = null;
    svg.addEventListener("pointerdown", event => this.press(event));
    // The press that opens the dialog would take the focus away from it.
    svg.addEventListener("mousedown", event => { if (this.picker?.open) event.preventDefault(); });
    svg.addEventListener("pointermove", event => this.drag(event));
    svg.addEventListener("pointerup", event => this.release(event));
    svg.addEventListener("pointercancel", () => this.select(-1));
  }

  // Shows a position. `marks`: { last: move, arrows: [{ move, kind }] }.
  show(position, marks) {
    this.picker?.close();
    this.position = position;
    this.marks = marks;
    this.selected = -1;
    this.draw();
  }

  // Replaces the arrows. A selected or dragged piece stays selected or dragged.
  point(arrows) {
    this.marks.arrows = arrows;
    for (const old of this.svg.querySelectorAll(".arrow")) old.remove();
    for (const { move, kind } of arrows) this.arrow(move, kind);
  }

  flip() {
    this.flipped = !this.flipped;
    this.draw();
  }

  // The corner of a square.
  corner(square) {
    const file = square & 7, rank = square >> 3;
    return this.flipped ? [(7 - file) * SQUARE, rank * SQUARE] : [file * SQUARE, (7 - rank) * SQUARE];
  }

  at(event) {
    const box = this.svg.getBoundingClientRect();
    let file = Math.floor((event.clientX - box.left) / box.width * 8), rank = 7 - Math.floor((event.clientY - box.top) / box.height * 8);
    if (this.flipped) { file = 7 - file; rank = 7 - rank; }
    return file < 0 || file > 7 || rank < 0 || rank > 7 ? -1 : rank * 8 + file;
  }

  draw() {
    const { svg, position, marks } = this;
    svg.replaceChildren();
    const last = marks.last ? [chess.square(marks.last.slice(0, 2)), chess.square(marks.last.slice(2, 4))] : [];
    for (let square = 0; square < 64; square++) {
      const [x, y] = this.corner(square), dark = ((square & 7) + (square >> 3)) % 2 === 0;
      shape("rect", { x, y, width: SQUARE, height: SQUARE, class: dark ? "dark" : "light" }, svg);
      if (last.includes(square)) shape("rect", { x, y, width: SQUARE, height: SQUARE, class: "last" }, svg);
      if (square === this.selected) shape("rect", { x, y, width: SQUARE, height: SQUARE, class: "selected" }, svg);
      if (y === 7 * SQUARE) shape("text", { x: x + 43, y: 397, class: dark ? "coord on-dark" : "coord" }, svg, "abcdefgh"[square & 7]);
      if (x === 0) shape("text", { x: 2, y: y + 10, class: dark ? "coord on-dark" : "coord" }, svg, String((square >> 3) + 1));
    }
    position.squares.forEach((piece, square) => {
      if (!piece) return;
      const [x, y] = this.corner(square);
      shape("use", { href: "#" + (chess.isWhite(piece) ? "w" : "b") + piece.toLowerCase(), x, y, width: SQUARE, height: SQUARE, class: "piece", "data-square": chess.name(square) }, svg);
    });
    for (const { move, kind } of marks.arrows) this.arrow(move, kind);
    if (this.selected >= 0) for (const move of chess.moves(position, this.selected)) {
      const [x, y] = this.corner(chess.square(move.slice(2, 4)));
      shape("circle", { cx: x + SQUARE / 2, cy: y + SQUARE / 2, r: 8, class: "target" }, svg);
    }
  }

  arrow(move, kind) {
    const [fromX, fromY] = this.corner(chess.square(move.slice(0, 2))), [toX, toY] = this.corner(chess.square(move.slice(2, 4)));
    const length = Math.hypot(toX - fromX, toY - fromY) || 1, x = (toX - fromX) / length, y = (toY - fromY) / length;
    const half = SQUARE / 2, tipX = toX + half, tipY = toY + half, neckX = tipX - 17 * x, neckY = tipY - 17 * y;
    const group = shape("g", { class: "arrow " + kind }, this.svg);
    shape("line", { x1: fromX + half, y1: fromY + half, x2: neckX, y2: neckY }, group);
    shape("polygon", { points: [[tipX, tipY], [neckX - 11 * y, neckY + 11 * x], [neckX + 11 * y, neckY - 11 * x]].join(" ") }, group);
  }

  select(square) {
    this.selected = square;
    this.dragged = null;
    this.draw();
  }

  press(event) {
    if (this.locked) return;
    const square = this.at(event), piece = square >= 0 && this.position.squares[square];
    if (this.selected >= 0 && this.attempt(square)) return;
    if (!piece || chess.isWhite(piece) !== this.position.white) { this.select(-1); return; }
    event.preventDefault();
    this.select(square);
    this.svg.setPointerCapture(event.pointerId);
    this.dragged = this.svg.querySelector(`[data-square="${chess.name(square)}"]`);
  }

  drag(event) {
    if (!this.dragged) return;
    const box = this.svg.getBoundingClientRect(), scale = 8 * SQUARE / box.width;
    this.dragged.setAttribute("x", (event.clientX - box.left) * scale - SQUARE / 2);
    this.dragged.setAttribute("y", (event.clientY - box.top) * scale - SQUARE / 2);
  }

  release(event) {
    if (!this.dragged) return;
    const square = this.at(event);
    this.dragged = null;
    // A press and release on one square selects it; the next press chooses the target.
    if (square === this.selected || !this.attempt(square)) this.draw();
  }

  // Moves the selected piece to a square, if that is legal.
  attempt(square) {
    const { position, selected } = this;
    const legal = chess.moves(position, selected);
    const king = position.squares[selected].toLowerCase() === "k";
    const found = legal.filter(move => {
      if (chess.square(move.slice(2, 4)) === square) return true;
      // Castling by moving the king to where it will stand, two squares or more away.
      if (!king || !chess.isCastling(position, move) || Math.abs(square - selected) < 2) return false;
      return square === (selected & 56) + (chess.square(move.slice(2, 4)) > selected ? 6 : 2);
    });
    if (!found.length) return false;
    this.selected = -1;
    this.choose(found);
    return true;
  }

  // Makes a legal move. Several moves are one promotion of a pawn to different pieces: a column of the pieces over the
  // board asks for one of them. Escape or a click beside the column makes no move.
  choose(moves) {
    if (moves.length === 1) { this.moved(moves[0]); return; }
    const box = this.svg.getBoundingClientRect(), size = box.width / 8, [x, y] = this.corner(chess.square(moves[0].slice(2, 4)));
    const buttons = moves.map(move => {
      const name = PIECE_NAMES[move[4]], picture = shape("svg", { viewBox: `0 0 ${SQUARE} ${SQUARE}`, "aria-hidden": "true" });
      shape("use", { href: "#" + (move[3] === "8" ? "w" : "b") + move[4], width: SQUARE, height: SQUARE }, picture);
      return view.element("button", { value: move, title: name, "aria-label": name }, picture);
    });
    const picker = view.element("dialog", { class: y ? "promotion up" : "promotion", "aria-label": "promote to" }, ...buttons);
    picker.style.width = `${size}px`;
    picker.style.left = `${box.left + scrollX + x / SQUARE * size}px`;
    picker.style.top = `${(y ? box.bottom - moves.length * size : box.top) + scrollY}px`;
    // The press that opens the column may end as a click on it, which chooses nothing. A click by a key has no detail.
    let pressed = false;
    picker.addEventListener("pointerdown", () => { pressed = true; });
    picker.addEventListener("click", event => {
      if (event.detail && !pressed) return;
      const button = event.target.closest("button");
      picker.close();
      if (button) this.moved(button.value);
    });
    picker.addEventListener("close", () => { picker.remove(); this.draw(); });
    document.body.append(picker);
    this.picker = picker;
    picker.showModal();
  }
}
