"""Labels of positions, as ``skewer-analyse positions`` makes them."""

import json
from dataclasses import dataclass, fields
from typing import Any, Dict, Iterable, List, Optional, Sequence, Union

from skewer._skewer import DEFAULT_HASH, Board, label_fens


@dataclass
class Label:
    """A line of the engine in a position. Evaluations are from White's side."""

    #: The place of the position in the input, from 1.
    number: int
    #: Which of the best lines this is, from 1.
    rank: int
    fen: str
    #: Centipawns, or None for a mate.
    cp: Optional[int]
    #: Moves to mate, negative if Black mates; 0 is mate on the board.
    mate: Optional[int]
    #: White's expected wins, draws and losses in thousandths.
    win: int
    draw: int
    loss: int
    #: White's win chances in per cent.
    win_percent: float
    #: The best move as UCI text; None if the game is over.
    best: Optional[str]
    #: The line as UCI text, its moves separated by blanks.
    pv: str
    depth: int
    nodes: int


_NAMES = [field.name for field in fields(Label)]


def label(
    fens: Iterable[Union[str, Board]],
    *,
    nodes: Optional[int] = None,
    depth: Optional[int] = None,
    multipv: int = 1,
    hash: int = DEFAULT_HASH,
    threads: Optional[int] = None,
    evaluation: str = "default",
    engine: Optional[str] = None,
) -> List[Label]:
    """The labels of positions, one for each line of each position, in their order.

    Every position is searched by itself with an empty table, so that with a limit of nodes (100,000
    unless given) or depth the labels do not depend on the number of threads, and are the
    same as the labels of ``skewer-analyse positions``. ``engine`` is a UCI engine that searches instead, such as
    ``"/usr/games/stockfish,option.Hash=64"``.

    >>> import skewer
    >>> [found] = skewer.label(["6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"], nodes=1000)
    >>> found.best, found.mate
    ('a1a8', 1)
    """
    texts = [fen if isinstance(fen, str) else fen.fen() for fen in fens]
    lines = label_fens(
        texts,
        nodes=nodes,
        depth=depth,
        multipv=multipv,
        hash=hash,
        threads=threads,
        evaluation=evaluation,
        engine=engine,
    )
    return [_label(json.loads(line)) for line in lines]


def _label(row: Dict[str, Any]) -> Label:
    return Label(**{name: row[name] for name in _NAMES})


def label_bag(fens: Sequence[str], *, positions_per_task: int = 1000, **options: Any) -> Any:
    """The labels of positions as a Dask bag, computed by the workers of a cluster. Needs ``skewer-chess[dask]``.

    ``options`` are the arguments of :func:`label` except ``threads``: each task has one thread. With a limit of
    nodes the labels are the same as from one process, ``number`` included.
    """
    import dask
    import dask.bag

    if positions_per_task < 1:
        raise ValueError(f"positions_per_task {positions_per_task} is not positive")
    if "threads" in options:
        raise TypeError("threads is for the scheduler to choose")

    def task(start: int, part: Sequence[str]) -> List[Label]:
        labels = label(part, threads=1, **options)
        for one in labels:
            one.number += start
        return labels

    parts = range(0, len(fens), positions_per_task)
    tasks = [dask.delayed(task, pure=True)(at, fens[at : at + positions_per_task]) for at in parts]
    return dask.bag.from_delayed(tasks)


def write_labels(labels: Sequence[Label], path: str) -> None:
    """Writes labels as a Parquet file. Needs pyarrow."""
    import pyarrow
    import pyarrow.parquet

    columns = {name: [getattr(one, name) for one in labels] for name in _NAMES}
    pyarrow.parquet.write_table(pyarrow.table(columns), path)
