"""Headless Chromium over the DevTools protocol: nothing but Python and the browser is needed."""

import base64
import json
import os
import select
import subprocess
import time

# Seconds after which the browser is taken not to answer; long, for busy machines.
TIMEOUT = int(os.environ.get("SKEWER_BROWSER_TIMEOUT", "60"))


class Driver:
    """What tests do with any browser. A browser adds `open`, `value`, `press`, `click`, `hide`, `emulate`, `picture`, `close`."""

    def type(self, text):
        """Types text into the field that has the focus."""
        for key in text:
            self.press(key)

    def wait(self, expression):
        """Waits until an expression is true on the page."""
        deadline = time.monotonic() + TIMEOUT / 3
        while not self.value(expression):
            assert time.monotonic() < deadline, f"never true: {expression}"
            time.sleep(0.02)

    def box(self, selector):
        """Left, top, width and height of an element, after scrolling to it.

        Waits until the element is what a person would hit there: a part of the page that is still hidden has no place, and
        a click at its place would be lost without a word.
        """
        element = f"document.querySelector({json.dumps(selector)})"
        self.wait(
            f"(e => {{ if (!e) return false; e.scrollIntoView({{block: 'center'}}); const b = e.getBoundingClientRect();"
            " return b.width > 0 && b.height > 0"
            f" && e.contains(document.elementFromPoint(b.left + b.width / 2, b.top + b.height / 2)); }})({element})"
        )
        return self.value(f"(b => [b.left, b.top, b.width, b.height])({element}.getBoundingClientRect())")


class Browser(Driver):
    """Headless Chromium, which is sent commands and sends events through two pipes."""

    def __init__(self, path, profile):
        to_child, self.write = os.pipe()
        self.read, from_child = os.pipe()
        # Chromium reads from descriptor 3 and writes to 4.
        command = 'exec 3<&"$1" 4>&"$2"; shift 2; exec "$@"'
        options = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--hide-scrollbars", "--no-first-run", "--disable-quic", "--remote-debugging-pipe",
            "--disable-background-networking", "--disable-component-update", "--disable-sync",
            f"--user-data-dir={profile}", "about:blank",
        ]  # fmt: skip
        self.process = subprocess.Popen(
            ["bash", "-c", command, "bash", str(to_child), str(from_child), path, *options],
            pass_fds=(to_child, from_child),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_child)
        os.close(from_child)
        self.rest = b""
        self.number = 0
        self.session = None
        self.events = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self.session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def message(self):
        """The next message."""
        deadline = time.monotonic() + TIMEOUT
        while b"\0" not in self.rest:
            readable, _, _ = select.select([self.read], [], [], deadline - time.monotonic())
            data = os.read(self.read, 1 << 16) if readable else b""
            assert data, f"the browser has not answered for {TIMEOUT} s"
            self.rest += data
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        """Calls a method and waits for its result; events are kept."""
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.write, json.dumps(request).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return answer["result"]
            self.events.append(answer)

    def open(self, url):
        """Opens a page and waits until it is loaded."""
        self.events.clear()
        # A page that differs only after the # is not loaded again.
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=url)
        deadline = time.monotonic() + TIMEOUT
        while self.value("document.readyState + location.protocol") != "completefile:":
            assert time.monotonic() < deadline, f"{url} is not loaded after {TIMEOUT} s"
            time.sleep(0.02)

    def drag(self, selector, start, end):
        """Drags from one point of an element to another: (across, down), each 0 to 1 of its size."""
        left, top, width, height = self.box(selector)
        for kind, (across, down) in (("mousePressed", start), ("mouseMoved", end), ("mouseReleased", end)):
            at = {"x": left + across * width, "y": top + down * height}
            self.call("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1, **at)

    def value(self, expression):
        """The value of an expression on the page; promises are awaited."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, f"{expression}: {result['exceptionDetails']}"
        return result["result"].get("value")

    def press(self, key):
        """Presses a key, as a person does."""
        text = {"text": {"Enter": "\r", "Space": " "}.get(key, key)} if len(key) == 1 or key in ("Enter", "Space") else {}
        code = {"Tab": 9, "Enter": 13, "Escape": 27}.get(key)
        if code:
            text.update(windowsVirtualKeyCode=code, code=key)
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def click(self, selector, across=0.5, down=0.5):
        """Clicks on an element at a point, given as 0 to 1 of its size, after scrolling to it."""
        box = self.box(selector)
        at = {"x": box[0] + across * box[2], "y": box[1] + down * box[3]}
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1, **at)

    def emulate(self, width, height, scheme):
        """Sets the size of the window and the colour scheme, "light" or "dark"."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.call("Emulation.setEmulatedMedia", features=features)

    def hide(self):
        """Opens another tab in front of the page; returns a function that closes the tab."""
        session, self.session = self.session, None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = session
        return lambda: self.call("Target.closeTarget", targetId=target)

    def picture(self, path):
        """Takes a picture of the whole page."""
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(data["data"]))

    def close(self):
        """Ends the browser."""
        try:
            self.session = None
            self.call("Browser.close")
            self.process.wait(TIMEOUT)
        except (AssertionError, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
