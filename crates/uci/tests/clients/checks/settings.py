"""Options that clients change between searches, options of networks, Chess960."""

import struct
import tempfile
from pathlib import Path

import chess
import chess.engine

from checks.context import MIDDLEGAME, ROOT
from lines import read

NETS = ROOT / "crates" / "eval" / "nets"


def options(context):
    """The options that lichess-bot sends, and changes of Threads and Hash between searches."""
    with context.open() as engine:
        for name in ["Move Overhead", "Threads", "Hash", "UCI_ShowWDL", "SyzygyPath"]:
            assert name in engine.options, f"no option {name}"
        for threads, hash_mb in [(1, 1), (4, 8), (2, 64), (1, 16)]:
            engine.configure({"Threads": threads, "Hash": hash_mb})
            engine.play(chess.Board(), chess.engine.Limit(depth=6))


def search(engine):
    """Score, nodes and line of a search with an empty table, to compare evaluations."""
    engine.new_game()
    last = read(engine.go(f"fen {MIDDLEGAME}", "depth 8"))[-1]
    return last.score, last.nodes, last.pv


def fnv1a(data):
    """The checksum of a network file."""
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


def altered(network):
    """The bytes of a network with other biases of its outputs."""
    data = bytearray(network)
    header, payload = data[:64], data[64:]
    # The offset of the checksum depends on the version of the format.
    at = next(at for at in (48, 56) if fnv1a(header[:at] + payload) == int.from_bytes(header[at : at + 8], "little"))
    for offset in range(len(payload) - 32, len(payload), 4):
        bias = struct.unpack_from("<i", payload, offset)[0]
        struct.pack_into("<i", payload, offset, bias + 4000)
    struct.pack_into("<Q", header, at, fnv1a(header[:at] + payload))
    return bytes(header + payload)


def networks(context):
    """`EvalFile` changes the evaluation; an empty value restores the built-in network; a missing file
    changes nothing; `Use Network` false selects the hand-written evaluation."""
    built_in = (NETS / "default").read_text(encoding="ascii").strip()
    with tempfile.TemporaryDirectory() as folder, context.pipe() as engine:
        other = Path(folder) / "other.nnue"
        other.write_bytes(altered((NETS / built_in).read_bytes()))
        default = search(engine)
        assert search(engine) == default, "two searches differ"
        remarks = engine.set({"EvalFile": other})
        assert search(engine) != default, f"{other} changes nothing: {remarks}"
        engine.set({"EvalFile": ""})
        assert search(engine) == default
        remarks = engine.set({"EvalFile": NETS / "missing.nnue"})
        assert remarks and "missing.nnue" in remarks[0], remarks
        assert search(engine) == default
        engine.set({"Use Network": False})
        written = search(engine)
        assert written != default
        engine.set({"EvalFile": other})
        assert search(engine) == written, "a network is used that should not be"
        engine.set({"Use Network": True})
        assert search(engine) not in (default, written)
        engine.set({"EvalFile": ""})
        assert search(engine) == default


def chess960(context):
    """Castling is written and read as king takes rook."""
    with context.open() as engine:
        # Nothing but castling is allowed. The king goes from b1 to g1, the rook from e1 to f1.
        board = chess.Board("7k/8/8/8/8/8/8/RK2R3 w EA - 0 1", chess960=True)
        castle = chess.Move.from_uci("b1e1")
        assert board.is_kingside_castling(castle)
        result = engine.play(board, chess.engine.Limit(depth=3), root_moves=[castle])
        assert result.move == castle, result.move
        board.push(castle)
        assert engine.play(board, chess.engine.Limit(depth=3)).move in board.legal_moves
    # Castling is written as the mode says, and read in both notations.
    with context.pipe(UCI_Chess960=True) as engine:
        moves = "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6"
        output = engine.go(f"startpos moves {moves}", "depth 4 searchmoves e1h1")
        assert output[-1].split()[1] == "e1h1", output[-1]
        engine.set({"UCI_Chess960": False})
        output = engine.go(f"startpos moves {moves} e1h1 f8c5", "depth 4")
        assert output[-1].startswith("bestmove ") and "(none)" not in output[-1], output[-1]
        output = engine.go(f"startpos moves {moves}", "depth 4 searchmoves e1h1")
        assert output[-1].split()[1] == "e1g1", output[-1]
