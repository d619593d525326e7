"""Headless Firefox, controlled by WebDriver BiDi through a WebSocket; needs the package websocket-client."""

import base64
import json
import re
import subprocess
import time

import websocket
from devtools import TIMEOUT, Driver

# Nothing is fetched that the tests do not ask for, and the theme does not depend on the system.
PREFERENCES = {
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "layout.css.prefers-color-scheme.content-override": 1,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "remote.prefs.recommended": True,
    "toolkit.telemetry.enabled": False,
}
KEYS = {"Tab": "\ue004", "Enter": "\ue007", "Escape": "\ue00c", "Space": " "}


class Firefox(Driver):
    """Headless Firefox with a profile of its own."""

    def __init__(self, path, profile):
        profile.mkdir(parents=True, exist_ok=True)
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in PREFERENCES.items()]
        (profile / "user.js").write_text("".join(lines))
        log = profile / "log"
        with log.open("wb") as output:
            self.process = subprocess.Popen(
                [path, "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port", "0"],
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        deadline = time.monotonic() + TIMEOUT
        while not (found := re.search(r"WebDriver BiDi listening on (ws://\S+)", log.read_text(errors="replace"))):
            assert time.monotonic() < deadline and self.process.poll() is None, f"{path} does not start"
            time.sleep(0.1)
        self.socket = websocket.create_connection(f"{found[1]}/session", timeout=TIMEOUT, suppress_origin=True)
        self.number = 0
        self.call("session.new", capabilities={})
        self.context = self.call("browsingContext.getTree")["contexts"][0]["context"]

    def call(self, method, **parameters):
        """Calls a method and waits for its result; events are dropped."""
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self.socket.recv())
            if answer.get("id") == self.number:
                assert answer["type"] == "success", f"{method}: {answer}"
                return answer["result"]

    def open(self, url):
        self.call("browsingContext.navigate", context=self.context, url="about:blank", wait="complete")
        self.call("browsingContext.navigate", context=self.context, url=url, wait="complete")

    def value(self, expression):
        # As JSON, which is the same for all kinds of values.
        found = self.evaluate(f"(async () => JSON.stringify((await ({expression.strip().rstrip(';')})) ?? null))()")
        if "SyntaxError" in found.get("exceptionDetails", {}).get("text", ""):
            # Statements, whose value nobody needs.
            found = self.evaluate(f"{expression}; 'null'")
        assert found["type"] == "success", f"{expression}: {found['exceptionDetails']['text']}"
        return json.loads(found["result"]["value"])

    def evaluate(self, expression):
        return self.call(
            "script.evaluate", expression=expression, target={"context": self.context}, awaitPromise=True, userActivation=True
        )

    def press(self, key):
        key = KEYS.get(key, key)
        actions = [{"type": kind, "value": key} for kind in ("keyDown", "keyUp")]
        self.perform({"type": "key", "id": "keyboard", "actions": actions})

    def click(self, selector, across=0.5, down=0.5):
        self.drag(selector, (across, down), (across, down))

    def drag(self, selector, start, end):
        left, top, width, height = self.box(selector)
        first, last = (
            {"type": "pointerMove", "x": round(left + across * width), "y": round(top + down * height)}
            for across, down in (start, end)
        )
        actions = [first, {"type": "pointerDown", "button": 0}, last, {"type": "pointerUp", "button": 0}]
        self.perform({"type": "pointer", "id": "mouse", "actions": actions})

    def perform(self, source):
        self.call("input.performActions", context=self.context, actions=[source])

    def emulate(self, width, height, scheme):
        # The scheme is set when Firefox starts.
        if scheme == "light":
            self.call("browsingContext.setViewport", context=self.context, viewport={"width": width, "height": height})

    def hide(self):
        tab = self.call("browsingContext.create", type="tab")["context"]
        return lambda: self.call("browsingContext.close", context=tab)

    def picture(self, path):
        data = self.call("browsingContext.captureScreenshot", context=self.context, origin="document")
        path.write_bytes(base64.b64decode(data["data"]))

    def close(self):
        try:
            self.call("browser.close")
            self.process.wait(TIMEOUT)
        except (AssertionError, OSError, subprocess.TimeoutExpired, websocket.WebSocketException):
            self.process.kill()
            self.process.wait()
