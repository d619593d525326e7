"""Arrays of positions."""

import io

import chess
import chess.pgn
import numpy as np
import pytest
import skewer
from conftest import data, random_games
from test_rules import ours


def expected_planes(board):
    planes = np.zeros((12, 8, 8), np.uint8)
    for square, piece in board.piece_map().items():
        plane = piece.piece_type - 1 + (0 if piece.color else 6)
        planes[plane, chess.square_rank(square), chess.square_file(square)] = 1
    return planes


def test_positions_of_games(lichess):
    positions = skewer.read_positions(lichess)
    boards, moves, results, games = [], [], [], []
    with open(lichess, encoding="utf-8") as file:
        index = 0
        while game := chess.pgn.read_game(file):
            board = game.board()
            for node in game.mainline():
                boards.append(board.copy(stack=False))
                moves.append(node.move)
                results.append({"1-0": 1, "0-1": -1, "1/2-1/2": 0}[game.headers["Result"]])
                games.append(index)
                board.push(node.move)
            index += 1
    assert len(positions) == len(boards) > 800
    assert positions.results.tolist() == results
    assert positions.games.tolist() == games
    assert [m.uci() for m in skewer.decode_moves(positions.moves)] == [m.uci() for m in moves]
    assert positions.turn.tolist() == [board.turn for board in boards]
    planes = positions.planes()
    assert planes.shape == (len(boards), 12, 8, 8) and planes.dtype == np.uint8
    mover = positions.planes(perspective="mover", dtype=np.float32)
    assert mover.dtype == np.float32
    for row, board in enumerate(boards):
        assert (planes[row] == expected_planes(board)).all()
        seen = board if board.turn else board.mirror()
        assert (mover[row] == expected_planes(seen)).all()
        assert positions.fen(row) == board.fen()
        assert positions.board(row) == skewer.Board(board.fen())
    shuffled = skewer.Board.from_chess960_pos(0)
    assert skewer.to_arrays([shuffled]).board(0) == shuffled


def test_evals_belong_to_the_position_before_the_move():
    positions = skewer.read_positions(data("annotated.pgn"))
    first = positions[positions.games == 0]
    expected = [np.nan, np.nan, 25, -80, np.nan, np.nan, 99_999]
    np.testing.assert_array_equal(first.evals, np.float32(expected))
    assert first.plies.tolist() == list(range(7))
    assert (positions[positions.games == 3].results == skewer.NO_RESULT).all()
    # The positions before the error of a game are read.
    assert (positions.games == 1).sum() == 1


def test_batches(lichess):
    whole = skewer.read_positions(lichess)
    parts = list(skewer.iter_positions(lichess, batch_size=200))
    assert len(parts) > 3 and all(len(part) > 199 for part in parts[:-1])
    assert np.array_equal(np.concatenate([part.bitboards for part in parts]), whole.bitboards)
    assert np.array_equal(np.concatenate([part.games for part in parts]), whole.games)
    with pytest.raises(ValueError):
        list(skewer.iter_positions(lichess, batch_size=0))


def test_no_games(tmp_path):
    empty = tmp_path / "empty.pgn"
    empty.write_text("")
    positions = skewer.read_positions(empty)
    assert len(positions) == 0 and positions.planes().shape == (0, 12, 8, 8)
    assert list(skewer.iter_positions(empty)) == []


def test_boards_to_arrays():
    boards = [ours(board.copy()) for board in random_games(3, 400)]
    fens = [board.fen() for board in boards]
    a, b = skewer.to_arrays(boards), skewer.to_arrays(fens)
    assert np.array_equal(a.bitboards, b.bitboards) and np.array_equal(a.castling, b.castling)
    for row, board in enumerate(boards):
        mask = [int(board.pieces(kind, color)) for color in (True, False) for kind in range(1, 7)]
        assert a.bitboards[row].tolist() == mask
        assert a.ep_square[row] == (board.ep_square if board.has_legal_en_passant() else -1)
        if not board.chess960:
            assert a.fen(row) == board.fen()
    assert a[5:8].fen(0) == a.fen(5)


def test_legal_moves_in_bulk():
    boards = [ours(board.copy()) for board in random_games(4, 300)]
    boards = [board for board in boards if not board.chess960]
    moves, offsets = skewer.legal_moves_of(boards)
    assert moves.dtype == np.uint16 and len(offsets) == len(boards) + 1
    for index, board in enumerate(boards):
        mine = skewer.decode_moves(moves[offsets[index] : offsets[index + 1]])
        assert set(mine) == set(board.legal_moves)
    assert np.array_equal(skewer.encode_moves(skewer.decode_moves(moves)), moves)


def test_evaluations():
    boards = [ours(board.copy()) for board in random_games(5, 600)]
    many = skewer.evaluate_many(boards)
    assert many.dtype == np.int32
    assert many.tolist() == [skewer.evaluate(board) for board in boards]
    assert skewer.evaluate_many([board.fen() for board in boards[:9]]).tolist() == many[:9].tolist()
    assert skewer.evaluate(skewer.Board("4k3/8/8/8/8/8/8/QQ2K3 b - - 0 1")) > 500
    assert skewer.evaluate(skewer.Board("qq2k3/8/8/8/8/8/8/4K3 b - - 0 1")) < -500


def test_arrays_are_handed_over_and_not_copied():
    positions = skewer.to_arrays(["4k3/8/8/8/8/8/8/4K3 w - - 0 1"] * 10)
    for name in ("bitboards", "turn", "castling", "halfmove_clock"):
        array = getattr(positions, name)
        # The memory belongs to a Rust vector that the array keeps alive.
        assert not array.flags.owndata and array.base is not None
        assert array.flags.writeable and array.flags.c_contiguous


def test_perft():
    board = skewer.Board("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
    assert skewer.perft(board, 4) == board.perft(4) == 4_085_603
    assert skewer.perft(board, 0) == 1
    divided = skewer.perft_divide(board, 3)
    assert sum(divided.values()) == 97_862 and set(divided) == set(board.legal_moves)
    # Beyond five plies the moves of the root are counted one at a time.
    few = skewer.Board("8/8/8/8/8/4k3/p7/4K3 w - - 0 1")
    children = 0
    for move in few.legal_moves:
        few.push(move)
        children += skewer.perft(few, 5)
        few.pop()
    assert skewer.perft(few, 6) == children


def test_boards_have_no_columns_of_games():
    positions = skewer.to_arrays([skewer.Board()] * 3)
    assert positions.moves is None and positions.games is None and positions.evals is None
    assert len(positions[np.array([True, False, True])]) == 2


class WrongLength:
    """A collection for which `len` returns another number than the number of its items."""

    def __init__(self, items, length):
        self.items, self.length = items, length

    def __len__(self):
        return self.length

    def __iter__(self):
        return iter(self.items)


@pytest.mark.parametrize("length", [0, 2**45, 2**62])
def test_wrong_lengths_are_ignored(length):
    boards = WrongLength([skewer.Board()], length)
    assert len(skewer.evaluate_many(boards)) == 1
    assert len(skewer.legal_moves_of(boards)[0]) == 20
    assert len(skewer.to_arrays(boards)) == 1
    assert len(skewer.encode_moves(WrongLength([skewer.Move(12, 28)], length))) == 1


def test_planes_beyond_memory_raise_memory_error():
    for rows in (2**40, 2**55):
        one = np.zeros((1, 12), np.uint64)
        positions = skewer.Positions(np.broadcast_to(one, (rows, 12)), *[np.zeros(0)] * 5)
        with pytest.raises(MemoryError, match="rows"):
            positions.planes()


def test_wrong_arrays():
    with pytest.raises(ValueError):
        skewer.decode_moves([0xFFFF])
    with pytest.raises(ValueError):
        skewer.to_arrays(["no fen"])
    with pytest.raises(TypeError):
        skewer.to_arrays([1])
    with pytest.raises(ValueError):
        skewer.to_arrays([]).planes(perspective="black")


GAMES = """
[White "a"]
[WhiteElo "2000"]
[BlackElo "1900"]
[TimeControl "180+2"]
[Result "1-0"]

1. e4 { [%clk 0:03:00] [%eval 0.3] } e5 { [%clk 0:02:59] } 2. Nf3 { [%clk 0:02:50.5] } 1-0

[White "b"]
[WhiteElo "2400"]
[BlackElo "?"]
[TimeControl "600"]

1. d4 d5 { [%clk 0:09:00] } 2. c4 1/2-1/2
"""


def test_games_are_chosen():
    def chosen(**wanted):
        positions = skewer.read_positions(io.StringIO(GAMES), **wanted)
        return list(zip(positions.games.tolist(), positions.plies.tolist()))

    first, second = [(0, 0), (0, 1), (0, 2)], [(1, 0), (1, 1), (1, 2)]
    assert chosen() == first + second
    assert chosen(elo=(1900, 2000)) == first and chosen(elo=(1901, 3000)) == []
    assert chosen(time_controls=["blitz"]) == first
    assert chosen(time_controls=["rapid", "classical"]) == second
    assert chosen(results=["1/2-1/2"]) == second and chosen(results=["*"]) == []
    assert chosen(results=["1-0", "1/2-1/2"], time_controls=["rapid"]) == second
    assert chosen(plies=range(1, 2)) == [(0, 1), (1, 1)]
    assert chosen(plies=range(2, 2**40)) == [(0, 2), (1, 2)]
    for wrong in (dict(results=["1:0"]), dict(time_controls=["fast"]), dict(plies=range(0, 9, 2)),
                  dict(threads=0)):
        with pytest.raises(ValueError):
            chosen(**wrong)


def test_the_clocks_decide_the_unit_of_a_time_control():
    """Some programs write minutes. A game of 5+3 minutes is blitz; of 5+3 seconds it would be bullet."""
    def chosen(control, clock, speed):
        text = f'[TimeControl "{control}"]\n\n1. e4 {{[%clk {clock}]}} e5 2. d4 *\n'
        return len(skewer.read_positions(io.StringIO(text), time_controls=[speed])) > 0

    for control, clock, expected in [
        ("5+3", "0:04:58", "blitz"),
        ("5+3", "0:00:05", "bullet"),
        ("300+3", "0:04:58", "blitz"),
        ("90+30", "1:29:50", "classical"),
        # The clock agrees with neither unit.
        ("60+1", "0:05:00", None),
    ]:
        for speed in ["ultrabullet", "bullet", "blitz", "rapid", "classical"]:
            assert chosen(control, clock, speed) == (speed == expected), (control, clock, speed)


@pytest.mark.parametrize("threads", [1, 2])
def test_clocks_tags_and_parquet(tmp_path, threads):
    import pyarrow.parquet as pq

    wanted = dict(clocks=True, tags=["White", "ECO"], threads=threads)
    positions = skewer.read_positions(io.StringIO(GAMES * 1000), **wanted)
    assert len(positions) == 6000 and positions.games[-1] == 1999
    nan = np.nan
    np.testing.assert_array_equal(positions.clocks[:6], np.float32([180, 179, 170.5, nan, 540, nan]))
    assert positions.tags["White"][:6].tolist() == ["a"] * 3 + ["b"] * 3
    assert set(positions.tags["ECO"]) == {""}
    assert positions[positions.plies == 1].tags["White"][:2].tolist() == ["a", "b"]
    assert skewer.read_positions(io.StringIO(GAMES)).clocks is None

    rows = skewer.write_parquet(io.StringIO(GAMES), tmp_path / "p", fen=True, results=["1-0"], **wanted)
    table = pq.read_table(tmp_path / "p")
    assert rows == table.num_rows == 3
    assert table.column_names == [
        "fen", "moves", "results", "evals", "games", "plies", "clocks", "White", "ECO",
    ]
    assert table["fen"][0].as_py() == skewer.STARTING_FEN and table["White"][0].as_py() == "a"
    assert skewer.write_parquet(io.StringIO(GAMES), tmp_path / "p", batch_size=1, threads=threads) == 6
    table = pq.read_table(tmp_path / "p")
    assert table["bitboards"][0].as_py() == positions.bitboards[0].tolist()
    assert skewer.write_parquet(io.StringIO(""), tmp_path / "p", **wanted) == 0
    assert pq.read_table(tmp_path / "p").num_rows == 0


def test_threads_give_the_same_positions(tmp_path, lichess):
    path = tmp_path / "many.pgn"
    with open(lichess, encoding="utf-8") as file:
        path.write_text(file.read() * 60, "utf-8")
    wanted = dict(clocks=True, tags=["White"])
    one = skewer.read_positions(path, threads=1, **wanted)
    parts = list(skewer.iter_positions(path, 1000, threads=3, **wanted))
    assert all(1000 <= len(part) < 1400 for part in parts[:-1])
    for name in ("bitboards", "moves", "evals", "clocks", "games", "plies"):
        together = np.concatenate([getattr(part, name) for part in parts])
        np.testing.assert_array_equal(together, getattr(one, name))
    together = np.concatenate([part.tags["White"] for part in parts])
    assert (together == one.tags["White"]).all()
