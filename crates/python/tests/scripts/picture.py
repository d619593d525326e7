"""A picture of a position."""

import xml.etree.ElementTree as xml

import chess
import chess.svg

board = chess.Board("r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4")
arrows = [(chess.H5, chess.F7), chess.svg.Arrow(chess.C4, chess.F7, color="#0000cccc")]
text = chess.svg.board(
    board,
    arrows=arrows,
    fill={chess.E8: "#cc0000cc"},
    squares=board.attacks(chess.F7),
    lastmove=chess.Move.from_uci("h5f7"),
    check=board.king(chess.BLACK),
    orientation=chess.BLACK,
    size=350,
)
with open("board.svg", "w", encoding="utf-8") as file:
    file.write(text)
root = xml.fromstring(text)
print(root.attrib["width"], root.attrib["height"], root.attrib["viewBox"])
links = {value for element in root.iter() for name, value in element.attrib.items() if name.endswith("href")}
print(sorted(link for link in links if link.startswith("#white")), sum("arrow" in element.attrib.get("class", "") for element in root.iter()) > 1)
print(sorted({element.attrib["class"].split()[0] for element in root.iter() if "class" in element.attrib} & {"square", "lastmove", "arrow", "check"}))
