"""PGN files, with python-chess as oracle."""

import bz2
import gzip
import io
import pathlib

import chess
import chess.pgn
import pytest
import skewer
import zstandard
from conftest import data

FILES = ["lichess.pgn", "annotated.pgn"]


def theirs(name):
    with open(data(name), encoding="utf-8") as file:
        while game := chess.pgn.read_game(file):
            yield game


@pytest.mark.parametrize("name", FILES)
def test_games_equal_the_games_of_python_chess(name):
    expected = list(theirs(name))
    games = list(skewer.read_pgn(data(name)))
    assert len(games) == len(expected) == skewer.count_games(data(name))
    for game, their in zip(games, expected):
        assert bool(game.errors) == bool(their.errors)
        moves = list(their.mainline_moves())
        assert [move.uci() for move in game.moves] == [move.uci() for move in moves]
        if not game.errors:
            # (Some games end otherwise than their tag says.)
            assert dict(their.headers).items() <= game.headers.items()
        assert game.board().fen() == their.board().fen()
        assert game.end_board().fen() == their.end().board().fen()
        assert game.comment == their.comment.strip()
        sans = [node.san() for node in their.mainline()]
        assert game.sans() == sans
        for node, other in zip(game.mainline(), their.mainline()):
            assert node.san() == other.san() and node.uci() == other.uci()
            assert node.move.uci() == other.move.uci()
            assert node.ply() == other.ply() and node.turn() == other.turn()
            assert node.nags == other.nags
            assert node.clock() == other.clock()
            assert node.emt() == other.emt()
            assert node.comment.split() == other.comment.split()
            ours, their_eval = node.eval(), other.eval()
            assert (ours is None) == (their_eval is None)
            if ours is not None and not (their_eval.is_mate() and their_eval.relative.mate() == 0):
                assert repr(ours.white()) == repr(their_eval.white())
                assert node.eval_depth() == other.eval_depth()
            assert node.board().fen() == other.board().fen()


def test_written_games_read_back():
    for name in FILES:
        for game in skewer.read_pgn(data(name)):
            if game.errors:
                continue
            again = skewer.parse_pgn(str(game))
            assert again.moves == game.moves and again.sans() == game.sans()
            # Castling rights of Chess960 are written as files of rooks.
            assert again.board() == game.board()
            assert {**again.headers, "FEN": ""} == {**game.headers, "FEN": ""}
            theirs = chess.pgn.read_game(io.StringIO(str(game)))
            assert not theirs.errors
            assert [m.uci() for m in theirs.mainline_moves()] == [m.uci() for m in game.moves]


def test_sources(tmp_path, lichess):
    plain = open(lichess, "rb").read()
    count = skewer.count_games(lichess)
    assert count == 16
    texts = [str(game) for game in skewer.read_pgn(lichess)]
    for suffix, pack in (
        (".gz", gzip.compress),
        (".bz2", bz2.compress),
        (".zst", zstandard.compress),
        # Frames one after another, as parallel compressors write them.
        (".zst", lambda text: zstandard.compress(text[:9_000]) + zstandard.compress(text[9_000:])),
    ):
        path = tmp_path / ("games.pgn" + suffix)
        path.write_bytes(pack(plain))
        assert [str(game) for game in skewer.read_pgn(path)] == texts
    assert sum(1 for _ in skewer.read_pgn(io.BytesIO(plain))) == count
    assert sum(1 for _ in skewer.read_pgn(io.StringIO(plain.decode()))) == count
    with skewer.read_pgn(lichess) as reader:
        assert reader.skip()
        assert next(reader).number == 2
        reader.close()
        assert list(reader) == []


def test_damaged_compressed_files(tmp_path, lichess):
    packed = zstandard.compress(open(lichess, "rb").read())
    path = tmp_path / "games.pgn.zst"
    path.write_bytes(packed[: len(packed) // 2])
    with pytest.raises(OSError, match="games.pgn.zst|incomplete"):
        list(skewer.read_pgn(path))


def test_bad_games():
    games = list(skewer.read_pgn(data("annotated.pgn")))
    bad = games[1]
    assert len(bad.errors) == 1 and "hxg1=Q" in bad.errors[0]
    assert bad.sans() == ["O-O-O"] and bad.number == 2
    with pytest.raises(skewer.PgnError, match="game 2 .*hxg1=Q"):
        list(skewer.read_pgn(data("annotated.pgn"), strict=True))
    with pytest.raises(skewer.PgnError):
        skewer.parse_pgn("")
    with pytest.raises(skewer.PgnError):
        skewer.parse_pgn("1. e5 *")
    with pytest.raises(FileNotFoundError):
        skewer.read_pgn("no/such/file.pgn")
    with pytest.raises(TypeError):
        skewer.read_pgn(42)

    class Broken:
        def read(self, size):
            raise RuntimeError("the disk is gone")

    with pytest.raises(RuntimeError, match="the disk is gone"):
        next(skewer.read_pgn(Broken()))


def test_navigation():
    game = next(skewer.read_pgn(data("annotated.pgn")))
    assert len(game) == 7 and game.result == "1-0"
    last = game.end()
    assert last.san() == "Qxf7#" and last.next() is None
    assert last.parent.san() == "Nf6" and last.parent.next().san() == "Qxf7#"
    assert last.board().is_checkmate() and len(last.board().move_stack) == 7
    assert game.mainline()[0].parent is None
    assert repr(last) == "<GameNode 4. Qxf7#>"
    assert "One, A - Two, B" in repr(game)


def test_threads_give_the_same_games(tmp_path, lichess):
    """The file has comments between the games, games without an end, and tags in another order."""
    text = pathlib.Path(lichess).read_text("utf-8")
    odd = (
        '\n[Event "no moves"]\n\n[Event "open comment"]\n\n1. e4 {' + "long " * 60 + '\n\n[Event "next"]\n\n'
        '1. d4 (1. c4 c5\n\n[Event "in a variation"]\r\n\r\n1. Ke4 *\r\n\r\n[Site "first"]\n[Event "second"]\n\n1. e4 *\n'
    )
    path = tmp_path / "many.pgn"
    path.write_text((text + odd) * 60, "utf-8")
    assert path.stat().st_size > 3 * 2**19

    def all_of(file, **options):
        return [
            (game.number, game.line, game.sans(), game.headers, game.errors)
            for game in skewer.read_pgn(file, **options)
        ]

    expected = all_of(path)
    assert len(expected) > 60 * 20
    packed = tmp_path / "many.pgn.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    for threads in (2, 3, None):
        assert all_of(path, threads=threads) == expected
    assert all_of(packed, threads=2) == expected
    with open(packed, "rb") as file:
        assert all_of(file, threads=2) == expected
    reader = skewer.read_pgn(path, threads=2)
    assert next(reader).number == 1 and reader.skip() and next(reader).number == 3
    with pytest.raises(ValueError):
        skewer.read_pgn(path, threads=0)


def test_threads_of_a_file_without_a_place_to_cut(tmp_path):
    path = tmp_path / "bare.pgn"
    path.write_text("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n" * 600_000)
    assert path.stat().st_size > 32 * 2**19
    reader = skewer.read_pgn(path, threads=2)
    assert [next(reader).number for _ in range(5)] == [1, 2, 3, 4, 5]
    first = next(skewer.iter_positions(path, batch_size=600))
    assert len(first) == 600 and first.games[-1] == 99


def test_an_error_of_a_file_object_comes_after_the_games_before_it(lichess):
    class Broken(io.StringIO):
        def read(self, size=-1):
            text = super().read(size)
            if not text:
                raise OSError("the disk is gone")
            return text

    text = pathlib.Path(lichess).read_text("utf-8")
    for threads in (1, 2):
        read = []
        with pytest.raises(OSError, match="the disk is gone"):
            for game in skewer.read_pgn(Broken(text * 60), threads=threads):
                read.append(game.number)
        assert read == list(range(1, len(read) + 1)) and len(read) >= 60 * 16 - 1


@pytest.mark.parametrize("threads", [1, 2])
def test_errors_name_their_place(threads):
    """Errors name the line and the column of the whole file, also if other threads read the lines before."""
    text = "1. e4 e5 {fine} *\n\n" * 4_000 + "1. e4 $ \n  e5 2. Ke3 *\n"
    *_, bad = skewer.read_pgn(io.StringIO(text), threads=threads)
    glyph, move = bad.errors
    assert glyph == "line 8001, column 7: the number of a glyph is missing or too large"
    assert move.startswith("line 8002, column 9: move 2. Ke3 is not legal")


#: Games that contradict themselves, what is named, and the moves and the result that count.
CONTRADICTIONS = [
    ('[White "A"]\n[White "B"]\n\n1. e4 *', ["line 1, column 1: the tag White stands twice, with two values"], "e4", "*"),
    ('[White "A"]\n[White "?"]\n\n1. e4 *', [], "e4", "*"),
    ("1. e4 e5 3. Nf3 *", ['line 1, column 10: the number "3." stands where "2." is due'], "e4 e5 Nf3", "*"),
    ("1. e4 e5 (1... c5 7. Nf3) 2. Nf3 *", [], "e4 e5 Nf3", "*"),
    (
        '[Result "1-0"]\n\n1. e4 0-1',
        ["line 3, column 7: the moves end with 0-1, and the tag Result says 1-0"],
        "e4",
        "0-1",
    ),
    (
        "1. f3 e5 2. g4 Qh4# 1-0",
        ["line 1, column 21: the result is 1-0, and the last position is checkmate: 0-1"],
        "f3 e5 g4 Qh4#",
        "1-0",
    ),
    (
        '[Result "1-0"]\n\n1. f3 e5 2. g4 Qh4#',
        ["line 1, column 1: the result is 1-0, and the last position is checkmate: 0-1"],
        "f3 e5 g4 Qh4#",
        "1-0",
    ),
    ('[SetUp "1"]\n\n1. e4 *', ["line 1, column 1: the tag SetUp says 1, and there is no FEN"], "e4", "*"),
]


@pytest.mark.parametrize("threads", [1, 2])
def test_contradictions_are_named_and_passed_over(threads):
    """Each game is read to its end, `problems` names what contradicts it, and `strict` does not refuse it."""
    for text, problems, sans, result in CONTRADICTIONS:
        (game,) = skewer.read_pgn(io.StringIO(text), strict=True, threads=threads)
        assert (game.problems, game.errors) == (problems, []), text
        assert (" ".join(game.sans()), game.result) == (sans, result), text
    before = "1. e4 e5 {fine} *\n\n" * 4_000
    *_, last = skewer.read_pgn(io.StringIO(before + "1. e4 3. e5 *\n"), threads=threads)
    assert last.problems == ['line 8001, column 7: the number "3." stands where "1..." is due']


def test_files_as_people_have_them():
    """Figurines, UTF-16, CR alone, a bad variation, a cut game, two-part clocks, an archive."""
    text = '[TimeControl "5400+30"]\r\r1. ♘f3 {[%clk 01:30]} (1. Ke5) 1... ♞f6 {[%clk 01:29]} *\r'
    for encoding in ["utf-8", "utf-16-le", "utf-16-be"]:
        (game,) = skewer.read_pgn(io.BytesIO(("\ufeff" + text).encode(encoding)))
        assert game.sans() == ["Nf3", "Nf6"] and game.errors == []
        assert [node.clock() for node in game.mainline()] == [5400.0, 5340.0]
    cut, whole = skewer.read_pgn(io.StringIO('1. e4 {cut\n\n[Event "y"]\n\n1. d4 {ok} d5 *'))
    assert cut.errors == ["line 1, column 7: a comment has no closing brace"] and whole.sans() == ["d4", "d5"]
    with pytest.raises(OSError, match="ZIP archive; unzip it"):
        list(skewer.read_pgn(io.BytesIO(b"PK\x03\x04")))


def test_mate_in_0_is_an_evaluation_of_checkmate_only():
    game = skewer.parse_pgn("1. f3 {[%eval #0]} e5 {[%eval #3]} 2. g4 Qh4# {[%eval #0]} 0-1")
    assert [node.eval() is not None for node in game.mainline()] == [False, True, False, True]


def test_a_star_keeps_the_result_of_the_tag():
    assert skewer.parse_pgn('[Result "1-0"]\n\n1. e4 *\n').result == "1-0"
