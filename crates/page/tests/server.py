"""A server on this machine that answers in the documented formats of lichess.org and chess.com."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

GAME = """[Event "{event}"]
[Site "here"]
[Date "2026.01.0{day}"]
[White "Ann"]
[Black "Bob"]
[Result "{result}"]
[TimeControl "300+0"]

1. f3 {{ [%clk 0:05:00] }} e5 {{ [%clk 0:04:59.4] }} 2. g4 {{ [%clk 0:04:58] }} Qh4# {{ [%clk 0:04:50] }} {result}

"""


def game(event, day=1):
    return GAME.format(event=event, day=day, result="0-1")


# Games of chess.com by month, oldest first: (rules, kind, rated, day).
MONTHS = {
    "2025/12": [("chess", "blitz", True, 1), ("chess", "rapid", True, 2)],
    "2026/01": [("bughouse", "blitz", True, 3), ("chess960", "blitz", False, 4), ("chess", "daily", True, 5), ("chess", "blitz", True, 6)],
}


class Handler(BaseHTTPRequestHandler):
    """Answers as the sites do; the name of the player says what goes wrong."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        """Answers a request for any address."""
        url = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(url.query).items()}
        self.server.asked.append((url.path, query, dict(self.headers)))
        words = url.path.strip("/").split("/")
        player = words[3] if url.path.startswith("/api/games/user/") else words[2] if url.path.startswith("/pub/player/") else ""
        if player == "nobody":
            self.reply(404, "application/json", b'{"error":"Not found"}')
        elif player == "busy" and not self.server.pauses.get(player):
            self.server.pauses[player] = True
            self.reply(429, "application/json", b"{}", {"Retry-After": "1", "Access-Control-Expose-Headers": "Retry-After"})
        elif url.path.startswith("/api/games/user/"):
            most = int(query.get("max", "10"))
            text = "".join(game(f"Rated game {n}") for n in range(min(most, 3))).encode()
            if player == "cut":
                # The connection ends within the third game.
                self.reply(200, "application/x-chess-pgn", text[:-90], length=len(text))
                self.close_connection = True
            else:
                self.reply(200, "application/x-chess-pgn", text)
        elif url.path.endswith("/games/archives"):
            # Addresses of the real site, which the page must not ask.
            archives = [f"https://api.chess.com/pub/player/{player}/games/{month}" for month in MONTHS]
            self.reply(200, "application/json", json.dumps({"archives": archives}).encode())
        elif url.path.startswith("/pub/player/"):
            month = "/".join(words[-2:])
            games = [
                {"url": "x", "pgn": game(f"{month} {rules} {kind} {day}", day), "rules": rules, "time_class": kind, "rated": rated,
                 "end_time": 1764547200 + 86400 * day + (2678400 if month == "2026/01" else 0)}
                for rules, kind, rated, day in MONTHS[month]
            ]  # fmt: skip
            self.reply(200, "application/json", json.dumps({"games": games}).encode())
        else:
            self.reply(500, "text/plain", b"?")

    def reply(self, status, kind, body, more=None, length=None):
        """Sends an answer that pages of any origin may read."""
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Content-Length", str(len(body) if length is None else length))
        for name, value in (more or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Says nothing."""


class Sites:
    """The server, with what it was asked."""

    def __init__(self):
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.asked, self.server.pauses = [], {}
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def asked(self):
        """The requests so far: path, query and headers."""
        return self.server.asked
