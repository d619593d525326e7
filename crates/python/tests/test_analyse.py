"""Analysed games: equal to the records of the command-line tool, with any number of threads."""

import math

import pandas
import pytest
import skewer
from conftest import data

OPTIONS = {"nodes": 300, "hash": 1}


@pytest.fixture(scope="module")
def games():
    return list(skewer.analyse_games(data("annotated.pgn"), **OPTIONS))


def test_records(games):
    assert [game.number for game in games] == [1, 2, 3, 4]
    first, bad, third, fourth = games
    assert first.white == "One, A" and first.result == "1-0" and first.error is None
    assert first.opening and first.eco.startswith("C")
    assert [move.san for move in first.moves] == ["e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7#"]
    blunder = first.moves[5]
    assert blunder.label == "blunder" and blunder.color == "black" and blunder.mate == 1
    assert blunder.best.moves and blunder.accuracy < 50 and blunder.win > 90
    assert first.players["black"].blunders == 1
    assert first.moves[-1].mate == 0 and first.moves[1].clock == 90.0
    assert "hxg1=Q" in bad.error and bad.moves == [] and bad.line > first.line
    assert third.moves[0].uci == "e1g1" and fourth.moves[6].uci == "e1g1"
    assert all(sum(move.wdl) == 1000 for game in games for move in game.moves)


def test_threads_and_ranges_change_nothing(games):
    for threads in (1, 3):
        again = list(skewer.analyse_games(data("annotated.pgn"), threads=threads, **OPTIONS))
        assert again == games
    parts = [
        game
        for start in range(4)
        for game in skewer.analyse_games(
            [data("annotated.pgn")], start=start, stop=start + 1, threads=1, **OPTIONS
        )
    ]
    assert parts == games
    both = list(skewer.analyse_games([data("annotated.pgn")] * 2, start=3, stop=6, **OPTIONS))
    assert [game.number for game in both] == [4, 5, 6]
    assert both[1].moves == games[0].moves


def test_tables(games):
    table = skewer.analyse_games(data("annotated.pgn"), **OPTIONS).table()
    moves = sum(len(game.moves) for game in games)
    frame = table.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and len(frame) == moves
    assert frame["move"].tolist() == [move.san for game in games for move in game.moves]
    assert frame[frame.label == "blunder"].game.tolist()[0] == 1
    assert math.isnan(frame.cp[5]) and frame.mate[5] == 1
    arrow = table.to_arrow()
    assert arrow.num_rows == moves and arrow.column_names == list(table)
    import pyarrow

    assert pyarrow.table(skewer.Table(table)).num_rows == moves
    assert pyarrow.RecordBatchReader.from_stream(table).read_all().num_rows == moves


def test_null_moves_are_not_judged(tmp_path):
    """A null move has no accuracy and no loss: None in a record, not a number in a table."""
    path = tmp_path / "passes.pgn"
    path.write_text("1. e4 -- 2. d4 *\n", encoding="utf-8")
    [game] = skewer.analyse_games(str(path), **OPTIONS)
    null = game.moves[1]
    assert (null.uci, null.accuracy, null.loss, null.label) == (None, None, None, None)
    assert game.players["black"].accuracy is None
    table = skewer.Table.of([game])
    assert math.isnan(table["accuracy"][1]) and math.isnan(table["loss"][1])
    assert not math.isnan(table["loss"][0])


def test_an_analysis_can_be_abandoned():
    with skewer.analyse_games(data("lichess.pgn"), nodes=200, hash=1) as analysis:
        assert next(analysis).number == 1
    assert list(analysis) == []


def test_wrong_arguments():
    with pytest.raises(FileNotFoundError):
        skewer.analyse_games(["no/such.pgn"])
    # A second file that is missing is found before the first is analysed.
    with pytest.raises(FileNotFoundError):
        skewer.analyse_games([data("lichess.pgn"), "no/such.pgn"])
    for wrong in ({"nodes": 0}, {"depth": 0}, {"time": -1.0}, {"multipv": 0}, {"hash": 0},
                  {"threads": 0}, {"evaluation": "no/such.nnue"}):
        with pytest.raises(ValueError):
            skewer.analyse_games(data("lichess.pgn"), **wrong)
