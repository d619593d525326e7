"""The strict rules for what an engine says in a search: the shape of its lines, moves that are legal
to the end of a line, no line that goes on after the end of the game, mates in exactly the number of moves
that the score says, and an answer that agrees with the last line.

Kinds of failures are told apart by the word before the colon, as in `pipe.py`.
"""

import collections
import re

import chess

from pipe import Failure

# The format in docs/uci.md.
INFO = re.compile(
    r"info depth (?P<depth>\d+) seldepth (?P<seldepth>\d+) multipv (?P<multipv>\d+)"
    r" score (?P<kind>cp|mate) (?P<score>-?\d+)(?: (?P<bound>lowerbound|upperbound))?"
    r"(?: wdl (?P<win>\d+) (?P<draw>\d+) (?P<loss>\d+))?"
    r" nodes (?P<nodes>\d+) nps (?P<nps>\d+) hashfull (?P<hashfull>\d+) tbhits (?P<tbhits>\d+)"
    r" time (?P<time>\d+) pv(?P<pv>(?: [a-h][1-8][a-h][1-8][nbrq]?)+)"
)
CURRENT = re.compile(r"info currmove (?P<move>[a-h][1-8][a-h][1-8][nbrq]?) currmovenumber (?P<number>\d+)")
ANSWER = re.compile(r"bestmove (?P<move>\S+)(?: ponder (?P<ponder>\S+))?")

# The value of a mate in hundredths of a pawn.
MATE = 10_000


class Line:
    """One line of analysis."""

    def __init__(self, text):
        match = INFO.fullmatch(text)
        if not match:
            raise Failure(f"stray output: {text}")
        self.text = text
        self.pv = match["pv"].split()
        self.bound = match["bound"]
        self.mate = int(match["score"]) if match["kind"] == "mate" else None
        self.score = int(match["score"]) * (1 if match["kind"] == "cp" else MATE)
        numbers = ("depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "tbhits", "time")
        for name in numbers:
            setattr(self, name, int(match[name]))
        if self.hashfull > 1000 or self.depth < 1 or self.multipv < 1:
            raise Failure(f"stray output: {text}")


def read(output):
    """The lines of analysis of one search. The search may also print its current moves, and prints the answer
    last; any other line is an error."""
    return [Line(text) for text in output[:-1] if not CURRENT.fullmatch(text)]


def key(board):
    """The key of a position for repetitions, by an internal function of python-chess."""
    return board._transposition_key()  # pylint: disable=protected-access


def positions(board):
    """How often each position of a game has occurred, including the current one."""
    board = board.copy()
    seen = collections.Counter([key(board)])
    while board.move_stack:
        board.pop()
        seen[key(board)] += 1
    return seen


def read_move(board, text):
    try:
        return board.parse_uci(text)
    except ValueError as error:
        raise Failure(f"illegal move: {error}") from error


def is_drawn(board, times):
    """Whether the game is drawn by insufficient material, the fifty-move rule or a threefold repetition."""
    return board.is_insufficient_material() or board.halfmove_clock >= 100 or times >= 3


def check_moves(board, moves, mate, seen):
    """Checks the moves of a line, as text, from `board`: legal, none after the end of the game, and with the
    `mate` that they promise, in full moves, if any. `seen` counts the positions of the game."""
    said = f"{' '.join(moves)} in {board.fen()}"
    after = board.copy(stack=False)
    seen = seen.copy()
    for number, text in enumerate(moves, 1):
        after.push(read_move(after, text))
        seen[key(after)] += 1
        if number < len(moves) and is_drawn(after, seen[key(after)]):
            raise Failure(f"illegal line: it goes on after the end: {said}")
    if mate is not None:
        plies = 2 * mate - 1 if mate > 0 else -2 * mate
        if len(moves) != plies or not after.is_checkmate():
            raise Failure(f"illegal line: mate {mate} by {len(moves)} plies: {said}")


def check_line(board, line, seen):
    """Checks a line of analysis."""
    check_moves(board, line.pv, None if line.bound else line.mate, seen)


def check_info(board, info):
    """Checks a line as python-chess has parsed it. The stack of `board` holds the earlier moves of the game."""
    score, moves = info.get("score"), info.get("pv")
    if moves and score:
        bounded = info.get("lowerbound") or info.get("upperbound")
        mate = score.relative.mate() if score.is_mate() and not bounded else None
        check_moves(board, [move.uci() for move in moves], mate, positions(board))


def check_search(board, seen, output):
    """Checks the output of one search: the shape of all lines, and by the strict rules the last line and the
    answer. Returns the move, and its score in hundredths of a pawn for White."""
    lines = read(output)
    answer = ANSWER.fullmatch(output[-1])
    if not answer:
        raise Failure(f"stray output: {output[-1]}")
    move = read_move(board, answer["move"])
    if not lines:
        raise Failure(f"no line: before {output[-1]} in {board.fen()}")
    last = lines[-1]
    if last.pv[0] != answer["move"]:
        raise Failure(f"illegal line: {output[-1]} is not what the last line says: {last.text}")
    check_line(board, last, seen)
    if answer["ponder"]:
        check_ponder(board, move, answer["ponder"], seen)
    return move, last.score * (1 if board.turn else -1)


def check_ponder(board, move, ponder, seen):
    """Checks a move to ponder on: it is legal after the answer, and the answer has not ended the game."""
    after = board.copy(stack=False)
    after.push(move)
    read_move(after, ponder)
    if is_drawn(after, seen[key(after)] + 1):
        raise Failure(f"illegal move: to ponder on after the end: {ponder} after {after.fen()}")


def check_all(board, output):
    """Checks a search and each of its lines by the strict rules. The stack of `board` holds the earlier moves of
    the game. Returns the lines."""
    seen = positions(board)
    check_search(board, seen, output)
    lines = read(output)
    for line in lines:
        check_line(board, line, seen)
    return lines
