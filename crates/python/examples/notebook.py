"""Lines of the engine, and a picture, in a notebook."""

import skewer

board = skewer.Board("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4")
with skewer.Engine(threads=2, hash=64) as engine:
    lines = engine.analyse(board, nodes=200_000, multipv=3)
for line in lines:
    print(line["score"].white(), board.variation_san(line["pv"][:6]))

# The last expression of a cell is shown as a picture; a Board alone is one too.
arrows = [line["pv"][0] for line in lines]
picture = skewer.svg.board(board, arrows=arrows, size=390)
try:
    from IPython.display import SVG, display
    display(SVG(picture))
except ImportError:
    print(len(picture), "characters of SVG")
