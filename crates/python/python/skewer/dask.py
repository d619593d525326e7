"""Games analysed by the workers of a Dask cluster. Needs ``pip install skewer-chess[dask]``.

The scheduler shares the games out, and gives the games of a lost worker to another worker. Every
worker must be able to read the files under the same paths, as always with Dask.
"""

from typing import Any, Dict, Iterator, List, Tuple

import dask
import dask.bag

from skewer._analyse import COLUMNS, AnalysedGame, Paths, _paths, analyse_games, rows
from skewer._skewer import count_games


def _analyse(paths: List[str], start: int, stop: int, options: Dict[str, Any]) -> List[AnalysedGame]:
    """One task: analyses the games from ``start`` to ``stop`` on one thread."""
    return list(analyse_games(paths, start=start, stop=stop, threads=1, **options))


def parts(paths: Paths, games_per_task: int) -> Iterator[Tuple[int, int]]:
    """The ranges of games that make one task each."""
    if games_per_task < 1:
        raise ValueError(f"games_per_task {games_per_task} is not positive")
    games = sum(count_games(path) for path in _paths(paths))
    for start in range(0, games, games_per_task):
        yield start, min(start + games_per_task, games)


def bag(paths: Paths, *, games_per_task: int = 16, **options: Any) -> "dask.bag.Bag":
    """The analysed games of PGN files as a Dask bag of :class:`skewer.AnalysedGame` records.

    ``options`` are the arguments of :func:`skewer.analyse_games` except ``threads``, ``start`` and
    ``stop``: give each worker process one thread. With a node limit the records are the same as from
    one process, whatever the cluster does.
    """
    for name in ("threads", "start", "stop"):
        if name in options:
            raise TypeError(f"{name} is for the scheduler to choose")
    names = _paths(paths)
    task = dask.delayed(_analyse, pure=True)
    return dask.bag.from_delayed(
        [task(names, start, stop, options) for start, stop in parts(names, games_per_task)]
    )


def dataframe(paths: Paths, *, games_per_task: int = 16, **options: Any) -> Any:
    """The moves of the analysed games as a Dask dataframe, one row for each move.

    The columns are the columns of :class:`skewer.Table`. Needs pandas as well.
    """
    import pandas
    from dask import dataframe as frames

    types = {name: "object" if kind == "str" else kind for name, kind in COLUMNS.items()}
    meta = pandas.DataFrame({name: pandas.Series(dtype=kind) for name, kind in types.items()})
    games = bag(paths, games_per_task=games_per_task, **options)
    tables = [dask.delayed(_table)(part, types) for part in games.to_delayed()]
    return frames.from_delayed(tables, meta=meta)


def _table(games: List[AnalysedGame], types: Dict[str, str]) -> Any:
    import pandas

    return pandas.DataFrame(list(rows(games)), columns=list(types)).astype(types)


__all__: List[str] = ["bag", "dataframe", "parts"]
