"""Passes over games by their headers, cleans the others by a visitor, and writes them again."""

import io

import chess
import chess.pgn


class Clean(chess.pgn.GameBuilder):
    """Drops comments, and writes White's name in title case."""

    def visit_comment(self, comment):
        pass

    def visit_header(self, name, value):
        super().visit_header(name, value.strip().title() if name == "White" else value)

    def begin_variation(self):
        self.deep = True
        return super().begin_variation()

    def visit_board(self, board):
        self.last = board.fen()


class Statistics(chess.pgn.BaseVisitor):
    def begin_game(self):
        self.counts = {"moves": 0, "comments": 0, "variations": 0, "nags": 0}

    def visit_move(self, board, move):
        self.counts["moves"] += 1

    def visit_comment(self, comment):
        self.counts["comments"] += 1

    def visit_nag(self, nag):
        self.counts["nags"] += 1

    def begin_variation(self):
        self.counts["variations"] += 1

    def handle_error(self, error):
        self.counts["errors"] = type(error).__name__

    def result(self):
        return self.counts


offsets = []
with open("games.pgn", encoding="utf-8") as file:
    while True:
        offset = file.tell()
        headers = chess.pgn.read_headers(file)
        if headers is None:
            break
        if headers.get("Result") == "1-0":
            offsets.append(offset)
    print(len(offsets), "won by White")
    for offset in offsets[:3]:
        file.seek(offset)
        game = chess.pgn.read_game(file, Visitor=Clean)
        exporter = chess.pgn.StringExporter(headers=True, comments=True, variations=True, columns=60)
        print(game.accept(exporter))
    file.seek(0)
    print(chess.pgn.skip_game(file), chess.pgn.read_game(file, Visitor=Statistics))

with open("annotated.pgn", encoding="utf-8") as file:
    while (counts := chess.pgn.read_game(file, Visitor=Statistics)) is not None:
        print(counts)

game = chess.pgn.read_game(io.StringIO("1. e4 e5 (1... c5 $1 {Sicilian}) 2. Nf3 *"))
game.headers["White"] = "Me"
game.headers["ECO"] = "C40"
print(game, repr(game.headers), len(game.headers), sep="\n")
