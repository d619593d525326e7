"""Analysis on a Dask cluster: two worker processes, one of which is killed during its task."""

import os
import signal
import threading
import time

import pytest
import skewer
import skewer.dask
from conftest import data
from distributed import Client, LocalCluster

OPTIONS = {"nodes": 400, "hash": 1}


@pytest.fixture(scope="module")
def client():
    # Dask's nanny restarts a killed worker; the scheduler assigns its tasks to other workers.
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster, Client(cluster) as client:
        yield client


def busy_worker(client):
    """Waits until a worker has a task, and returns its process id."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        processing = client.processing()
        pids = client.run(os.getpid)
        for address, tasks in processing.items():
            if tasks and address in pids:
                return pids[address]
        time.sleep(0.01)
    raise AssertionError("no worker has a task")


def test_the_tasks_of_a_killed_worker_are_repeated(client):
    expected = list(skewer.analyse_games(data("lichess.pgn"), threads=2, **OPTIONS))
    assert len(expected) == 16
    killed = []

    def kill():
        pid = busy_worker(client)
        os.kill(pid, signal.SIGKILL)
        killed.append(pid)

    games = skewer.dask.bag(data("lichess.pgn"), games_per_task=2, **OPTIONS)
    assert games.npartitions == 8
    killer = threading.Thread(target=kill)
    killer.start()
    result = games.compute()
    killer.join()
    assert len(killed) == 1
    assert result == expected


def test_dataframe(client):
    frame = skewer.dask.dataframe(data("annotated.pgn"), games_per_task=1, **OPTIONS).compute()
    table = skewer.analyse_games(data("annotated.pgn"), **OPTIONS).table().to_pandas()
    assert len(frame) == len(table) and list(frame.columns) == list(table.columns)
    assert frame["move"].tolist() == table["move"].tolist()
    assert frame["win"].tolist() == table["win"].tolist()


def test_wrong_arguments():
    with pytest.raises(ValueError):
        skewer.dask.bag(data("lichess.pgn"), games_per_task=0)
    with pytest.raises(TypeError):
        skewer.dask.bag(data("lichess.pgn"), threads=4)
