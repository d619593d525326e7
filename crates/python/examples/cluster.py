"""Games analysed on a cluster, by Dask."""

from distributed import Client, LocalCluster
import skewer.dask

if __name__ == "__main__":
    # On SLURM: from dask_jobqueue import SLURMCluster
    #           cluster = SLURMCluster(cores=1, processes=1, memory="2GB"); cluster.scale(64)
    cluster = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    with cluster, Client(cluster):
        games = skewer.dask.bag("games.pgn", nodes=2_000, games_per_task=16)
        losses = games.map(lambda game: game.players["white"].average_loss).mean().compute()
        print(f"White lost {losses:.1f} centipawns a move")

        frame = skewer.dask.dataframe("games.pgn", nodes=2_000, games_per_task=16)
        print(frame[frame.label == "blunder"].groupby("white").size().compute())
