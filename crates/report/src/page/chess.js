// The rules of chess, Chess960 included. A position is an object that is never changed:
//   squares    64 letters or "", a1 first, upper case for White
//   white      whether White is to move
//   rooks      the squares of the rooks that may still castle
//   enPassant  the square behind a pawn that has just made two steps, or -1
//   halfmoves, number   the counters of a FEN
// A move is a string as in UCI; castling is the king taking its own rook.
const chess = (() => {
  const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1";
  const KNIGHT = [[1, 2], [2, 1], [2, -1], [1, -2], [-1, -2], [-2, -1], [-2, 1], [-1, 2]];
  const DIAGONAL = [[1, 1], [1, -1], [-1, -1], [-1, 1]];
  const STRAIGHT = [[1, 0], [0, 1], [-1, 0], [0, -1]];
  const ALL = [...STRAIGHT, ...DIAGONAL];

  const isWhite = piece => piece >= "A" && piece <= "Z";
  const name = square => "abcdefgh"[square & 7] + ((square >> 3) + 1);
  const square = text => text.charCodeAt(0) - 97 + 8 * (text.charCodeAt(1) - 49);
  const letter = (type, white) => (white ? type.toUpperCase() : type);

  // The square that many files and ranks away, or -1 beyond the edge.
  function step(from, [files, ranks]) {
    const file = (from & 7) + files, rank = (from >> 3) + ranks;
    return file < 0 || file > 7 || rank < 0 || rank > 7 ? -1 : rank * 8 + file;
  }

  function parse(fen) {
    const [placement, turn, castling, target, halfmoves, number] = fen.split(" ");
    const squares = Array(64).fill("");
    placement.split("/").forEach((row, down) => {
      let file = 0;
      for (const c of row) {
        if (c >= "1" && c <= "8") file += Number(c);
        else squares[(7 - down) * 8 + file++] = c;
      }
    });
    const rooks = [];
    for (const c of castling === "-" ? "" : castling) {
      const white = isWhite(c), back = white ? 0 : 56, king = squares.indexOf(letter("k", white));
      let file = c.toLowerCase().charCodeAt(0) - 97;
      if ("kq".includes(c.toLowerCase())) {
        // The outermost rook on that side of the king.
        const files = c.toLowerCase() === "k" ? [7, 6, 5, 4, 3, 2, 1] : [0, 1, 2, 3, 4, 5, 6];
        file = files.find(f => squares[back + f] === letter("r", white) && (f > (king & 7)) === (c.toLowerCase() === "k"));
      }
      if (file >= 0 && file < 8) rooks.push(back + file);
    }
    return {
      squares, white: turn !== "b", rooks,
      enPassant: target && target !== "-" ? square(target) : -1,
      halfmoves: Number(halfmoves || 0), number: Number(number || 1),
    };
  }

  function fen(position) {
    const rows = [];
    for (let rank = 7; rank >= 0; rank--) {
      let row = "", empty = 0;
      for (let file = 0; file < 8; file++) {
        const piece = position.squares[rank * 8 + file];
        if (!piece) { empty++; continue; }
        row += (empty || "") + piece;
        empty = 0;
      }
      rows.push(row + (empty || ""));
    }
    return [rows.join("/"), position.white ? "w" : "b", rights(position),
      position.enPassant < 0 ? "-" : name(position.enPassant), position.halfmoves, position.number].join(" ");
  }

  // The castling field: KQkq where that is clear, file letters otherwise.
  function rights(position) {
    const sorted = [...position.rooks].sort((a, b) => (a < 8 ? 0 : 1) - (b < 8 ? 0 : 1) || b - a);
    const text = sorted.map(rook => {
      const white = rook < 8, back = white ? 0 : 56, king = position.squares.indexOf(letter("k", white));
      const right = rook > king;
      let file = right ? 7 : 0;
      while (position.squares[back + file] !== letter("r", white)) file += right ? -1 : 1;
      const symbol = back + file === rook ? (right ? "k" : "q") : "abcdefgh"[rook & 7];
      return letter(symbol, white);
    });
    return text.join("") || "-";
  }

  // The positions of a game from its FEN, or from the usual start without one: the position before the first move,
  // and the position after each move.
  function line(start, moves) {
    const positions = [parse(start || START)];
    for (const move of moves) positions.push(play(positions[positions.length - 1], move));
    return positions;
  }

  function attacked(squares, target, byWhite) {
    const is = (from, types) => from >= 0 && squares[from] && isWhite(squares[from]) === byWhite && types.includes(squares[from].toLowerCase());
    if (KNIGHT.some(d => is(step(target, d), "n")) || ALL.some(d => is(step(target, d), "k"))) return true;
    const behind = byWhite ? -1 : 1;
    if (is(step(target, [-1, behind]), "p") || is(step(target, [1, behind]), "p")) return true;
    const slides = (directions, types) => directions.some(direction => {
      let at = step(target, direction);
      while (at >= 0 && !squares[at]) at = step(at, direction);
      return is(at, types);
    });
    return slides(STRAIGHT, "rq") || slides(DIAGONAL, "bq");
  }

  function inCheck(position, white = position.white) {
    return attacked(position.squares, position.squares.indexOf(letter("k", white)), !white);
  }

  function isCastling(position, move) {
    const from = square(move.slice(0, 2)), to = square(move.slice(2, 4));
    return position.squares[from].toLowerCase() === "k" && position.squares[to] === letter("r", position.white);
  }

  // The position after a move; "" is a null move. The move has to be at least pseudo-legal.
  function play(position, move) {
    const squares = [...position.squares];
    const { white } = position;
    const next = {
      squares, white: !white, rooks: position.rooks, enPassant: -1,
      halfmoves: position.halfmoves + 1, number: position.number + (white ? 0 : 1),
    };
    if (!move) return next;
    const from = square(move.slice(0, 2)), to = square(move.slice(2, 4)), piece = squares[from];
    const type = piece.toLowerCase();
    if (isCastling(position, move)) {
      const rook = squares[to], back = white ? 0 : 56, short = to > from;
      squares[from] = squares[to] = "";
      squares[back + (short ? 6 : 2)] = piece;
      squares[back + (short ? 5 : 3)] = rook;
    } else {
      if (squares[to] || type === "p") next.halfmoves = 0;
      if (type === "p" && to === position.enPassant) squares[to + (white ? -8 : 8)] = "";
      squares[to] = move[4] ? letter(move[4], white) : piece;
      squares[from] = "";
      if (type === "p" && Math.abs(to - from) === 16) {
        // The en passant square is set only if a pawn can capture there, as FENs are written today.
        const target = (from + to) / 2;
        const capturers = [step(to, [-1, 0]), step(to, [1, 0])].filter(at => at >= 0 && squares[at] === letter("p", !white));
        if (capturers.some(at => safe({ ...next, enPassant: target }, name(at) + name(target)))) next.enPassant = target;
      }
    }
    next.rooks = position.rooks.filter(rook => rook !== from && rook !== to && !(type === "k" && (rook < 8) === white));
    return next;
  }

  // Whether the king of the side that makes this pseudo-legal move is not in check after the move.
  function safe(position, move) {
    return !inCheck(play(position, move), position.white);
  }

  function castlings(position, king) {
    const { squares, white, rooks } = position;
    if (inCheck(position)) return [];
    const back = white ? 0 : 56;
    return rooks.filter(rook => (rook < 8) === white).filter(rook => {
      const short = rook > king, kingTo = back + (short ? 6 : 2), rookTo = back + (short ? 5 : 3);
      const low = Math.min(king, rook, kingTo, rookTo), high = Math.max(king, rook, kingTo, rookTo);
      for (let at = low; at <= high; at++) if (at !== king && at !== rook && squares[at]) {
        const between = at >= Math.min(king, kingTo) && at <= Math.max(king, kingTo) || at >= Math.min(rook, rookTo) && at <= Math.max(rook, rookTo);
        if (between) return false;
      }
      const without = [...squares];
      without[king] = "";
      for (let at = Math.min(king, kingTo); at <= Math.max(king, kingTo); at++) if (attacked(without, at, !white)) return false;
      return true;
    }).map(rook => name(king) + name(rook));
  }

  // All legal moves, or the legal moves from one square.
  function moves(position, only = -1) {
    const { squares, white } = position;
    const found = [];
    for (let from = 0; from < 64; from++) {
      const piece = squares[from];
      if (!piece || isWhite(piece) !== white || (only >= 0 && only !== from)) continue;
      const type = piece.toLowerCase();
      const own = at => squares[at] && isWhite(squares[at]) === white;
      const add = to => found.push(name(from) + name(to));
      if (type === "p") {
        const up = white ? 1 : -1, last = white ? 7 : 0;
        const advance = to => {
          if ((to >> 3) === last) for (const promotion of "qrbn") found.push(name(from) + name(to) + promotion);
          else add(to);
        };
        const one = step(from, [0, up]);
        if (one >= 0 && !squares[one]) {
          advance(one);
          const two = step(one, [0, up]);
          if ((from >> 3) === (white ? 1 : 6) && !squares[two]) add(two);
        }
        for (const side of [-1, 1]) {
          const to = step(from, [side, up]);
          if (to >= 0 && ((squares[to] && !own(to)) || to === position.enPassant)) advance(to);
        }
        continue;
      }
      const directions = { n: KNIGHT, b: DIAGONAL, r: STRAIGHT, q: ALL, k: ALL }[type];
      for (const direction of directions) {
        let to = step(from, direction);
        while (to >= 0 && !own(to)) {
          add(to);
          if (squares[to] || type === "n" || type === "k") break;
          to = step(to, direction);
        }
      }
      if (type === "k") found.push(...castlings(position, from));
    }
    return found.filter(move => safe(position, move));
  }

  // Standard notation of a legal move.
  function san(position, move) {
    if (!move) return "--";
    const from = square(move.slice(0, 2)), to = square(move.slice(2, 4)), piece = position.squares[from].toLowerCase();
    const after = play(position, move);
    const check = inCheck(after) ? (moves(after).length ? "+" : "#") : "";
    if (isCastling(position, move)) return (to > from ? "O-O" : "O-O-O") + check;
    const captures = position.squares[to] || (piece === "p" && to === position.enPassant);
    if (piece === "p") {
      return (captures ? move[0] + "x" : "") + move.slice(2, 4) + (move[4] ? "=" + move[4].toUpperCase() : "") + check;
    }
    const twins = moves(position).filter(other => other !== move && other.slice(2, 4) === move.slice(2, 4)
      && position.squares[square(other.slice(0, 2))].toLowerCase() === piece && !isCastling(position, other));
    let origin = "";
    if (twins.length) {
      if (!twins.some(other => other[0] === move[0])) origin = move[0];
      else if (!twins.some(other => other[1] === move[1])) origin = move[1];
      else origin = move.slice(0, 2);
    }
    return piece.toUpperCase() + origin + (captures ? "x" : "") + move.slice(2, 4) + check;
  }

  // The legal moves that a person may mean by a text: "Nf3", "e2e4", "O-O", "e8=Q". They are several for a promotion
  // without its piece, "e8", and else at most one.
  function read(position, text) {
    const exact = written => written.trim().replace(/[+#!?]/g, "");
    const plain = written => exact(written).replace(/\s/g, "").replace(/0/g, "O").toLowerCase();
    const legal = moves(position).map(move => {
      const own = exact(san(position, move)), short = move[4] ? [own.slice(0, -2), move.slice(0, 4)] : [];
      return { move, writings: [own, own.replace("=", ""), move, ...short] };
    });
    for (const form of [exact, plain]) {
      const found = legal.filter(({ writings }) => writings.some(one => form(one) === form(text))).map(({ move }) => move);
      // In small letters the move of a bishop may look like the move of a pawn.
      if (found.length) return found.filter(move => move.slice(0, 4) === found[0].slice(0, 4));
    }
    return [];
  }

  const VALUES = { p: 1, n: 3, b: 3, r: 5, q: 9, k: 100 };

  // The moves that the other side threatens: the moves by which it would win a piece (not a pawn) or give mate if it
  // were its turn.
  function threats(position) {
    if (inCheck(position)) return [];
    const other = { ...position, white: !position.white, enPassant: -1 };
    return moves(other).filter(move => {
      if (isCastling(other, move)) return false;
      const after = play(other, move);
      if (inCheck(after) && !moves(after).length) return true;
      const target = other.squares[square(move.slice(2, 4))];
      return target && target.toLowerCase() !== "p" && exchange(other, move) >= 2;
    });
  }

  // Material that a capture wins when both sides go on capturing on its square while it pays.
  function exchange(position, move) {
    const to = square(move.slice(2, 4)), target = position.squares[to];
    if (!target) return 0;
    const after = play(position, move);
    const replies = moves(after).filter(reply => reply.slice(2, 4) === name(to));
    replies.sort((a, b) => VALUES[after.squares[square(a.slice(0, 2))].toLowerCase()] - VALUES[after.squares[square(b.slice(0, 2))].toLowerCase()]);
    return VALUES[target.toLowerCase()] - (replies.length ? Math.max(0, exchange(after, replies[0])) : 0);
  }

  // How a position came about, { fen, moves }, from which an engine knows its repetitions: the position after the last
  // null move, which UCI does not have, and the moves since. Without one, the start of the game and all its moves.
  function past(start, all) {
    const from = all.lastIndexOf("") + 1;
    return { fen: fen(line(start, all.slice(0, from)).at(-1)), moves: all.slice(from) };
  }

  // A position without its counters: positions that are reached by different move orders have the same key.
  const key = position => fen(position).split(" ").slice(0, 4).join(" ");

  return { START, parse, fen, key, line, past, play, moves, san, read, inCheck, isCastling, isWhite, name, square, threats };
})();
