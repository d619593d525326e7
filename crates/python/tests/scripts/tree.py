"""A tree of moves with variations, comments and glyphs."""

import io

import chess
import chess.pgn

game = chess.pgn.read_game(io.StringIO('[White "Me"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *'))
game.headers["Annotator"] = "a script"
node = game.next().next()
node.comment = "The open game."
sicilian = game.next().add_variation(chess.Move.from_uci("c7c5"), comment="sharper", nags=[chess.pgn.NAG_GOOD_MOVE])
sicilian.add_line([chess.Move.from_uci(uci) for uci in ("g1f3", "d7d6")], comment="and so on")
game.next().add_variation(chess.Move.from_uci("e7e6"), starting_comment="Or")
game.next().promote(sicilian)
print(game, end="\n\n")
print([child.san() for child in game.next().variations], sicilian.is_main_variation(), node.is_mainline())
print(sicilian.end().board().fen(), game.end().ply(), sicilian.parent.san(), sicilian.root() is game)
game.next().remove_variation(chess.Move.from_uci("e7e6"))
print(game.accept(chess.pgn.StringExporter(headers=False, comments=False)))


def walk(node, depth=0):
    for child in node.variations:
        print("  " * depth + child.san(), *sorted(child.nags), child.comment)
        walk(child, depth + 1)


walk(game)
