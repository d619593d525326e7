"""Labels of positions."""

from pathlib import Path

import pyarrow.parquet
import pytest

import skewer

START = skewer.Board().fen()
MATE = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"


def test_each_position_has_a_label_with_any_number_of_threads() -> None:
    fens = [START, MATE, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"]
    one, many = (skewer.label(fens, nodes=500, threads=threads) for threads in (1, 3))
    assert one == many
    start, mate, stalemate = one
    assert start.cp is not None and start.nodes >= 500 and start.best is not None
    assert (mate.mate, mate.best) == (1, "a1a8")
    assert (stalemate.draw, stalemate.best) == (1000, None)
    assert skewer.label([skewer.Board(MATE)], nodes=500)[0].mate == 1


def test_lines_are_ranked() -> None:
    labels = skewer.label([START], nodes=2000, multipv=3)
    assert [label.rank for label in labels] == [1, 2, 3]
    assert {label.number for label in labels} == {1}


def test_wrong_input_is_refused() -> None:
    with pytest.raises(ValueError, match="is not a position"):
        skewer.label(["nonsense"])
    with pytest.raises(ValueError, match="at least 1"):
        skewer.label([MATE], nodes=0)
    with pytest.raises(ValueError, match="threads 0"):
        skewer.label([MATE], threads=0)
    with pytest.raises(ValueError, match="could not be started"):
        skewer.label([MATE], engine="/no/such/engine")


def test_a_bag_has_the_labels_of_one_process() -> None:
    fens = [START, MATE, START]
    bag = skewer.label_bag(fens, positions_per_task=2, nodes=300)
    assert bag.compute(scheduler="sync") == skewer.label(fens, nodes=300)


def test_parquet(tmp_path: Path) -> None:
    path = tmp_path / "labels.parquet"
    skewer.write_labels(skewer.label([MATE], nodes=500), str(path))
    assert pyarrow.parquet.read_table(path).to_pylist()[0]["best"] == "a1a8"
