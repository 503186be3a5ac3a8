"""A headless Chromium on a pipe: enough of the DevTools protocol to open a page, use it, and see what it did.

Messages are JSON, each ended by a NUL byte; the browser reads them from its file descriptor 3 and writes to 4. No port
is opened and no package is needed.
"""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--no-default-browser-check",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
    "--disable-dev-shm-usage", "--hide-scrollbars", "--remote-debugging-pipe",
)  # fmt: skip
KEYS = {"Enter": 13, "Escape": 27, "ArrowDown": 40, "ArrowUp": 38, "Tab": 9, "/": 191, "+": 187, "0": 48}


def find_chromium() -> str | None:
    """The path of the first browser of the Chromium family on this machine, or None."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class PageError(AssertionError):
    """A script in the page threw, or the browser did not do what it was asked."""


class Chromium:
    """One browser with one page. `errors` is what the page complained of, `requests` every URL it asked for."""

    def __init__(self, binary: str) -> None:
        self.errors: list[str] = []
        self.requests: list[str] = []
        self._profile = tempfile.TemporaryDirectory(prefix="pgrag-chromium-", ignore_cleanup_errors=True)
        self._last_id = 0
        self._buffer = b""
        self._session: str | None = None
        self._start([binary, *FLAGS, f"--user-data-dir={self._profile.name}"])
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")

    def _start(self, command: list[str]) -> None:
        browser_reads, self._write = os.pipe()
        self._read, browser_writes = os.pipe()
        # The descriptors are named by a shell: it is between fork and exec, where Python should not run code.
        wiring = f'exec "$@" 3<&{browser_reads} 4>&{browser_writes}'
        self._process = subprocess.Popen(
            ["bash", "-c", wiring, "chromium", *command],
            pass_fds=(browser_reads, browser_writes),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(browser_reads)
        os.close(browser_writes)

    def __enter__(self) -> Chromium:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._session = None
            self.send("Browser.close")
            self._process.wait(timeout=10)
        except (OSError, PageError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        os.close(self._write)
        os.close(self._read)
        self._profile.cleanup()

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        """Do one command of the protocol; its result."""
        self._last_id += 1
        message: dict[str, Any] = {"id": self._last_id, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            reply = self._receive(timeout=60)
            if reply.get("id") == self._last_id:
                if "error" in reply:
                    raise PageError(f"{method}: {reply['error']}")
                return dict(reply["result"])
            self._note(reply)

    def _receive(self, timeout: float) -> dict[str, Any]:
        deadline = time.monotonic() + timeout
        while b"\0" not in self._buffer:
            if not select.select([self._read], [], [], max(0, deadline - time.monotonic()))[0]:
                raise PageError(f"the browser said nothing for {timeout} seconds")
            piece = os.read(self._read, 1 << 20)
            if not piece:
                raise PageError("the browser has gone")
            self._buffer += piece
        message, self._buffer = self._buffer.split(b"\0", 1)
        return dict(json.loads(message))

    def _note(self, event: dict[str, Any]) -> None:
        params = event.get("params", {})
        match event.get("method"):
            case "Runtime.exceptionThrown":
                self.errors.append(str(params["exceptionDetails"].get("exception", params)))
            case "Runtime.consoleAPICalled" if params["type"] in ("error", "warning", "assert"):
                self.errors.append(str(params["args"]))
            case "Log.entryAdded" if params["entry"]["level"] in ("error", "warning"):
                self.errors.append(params["entry"]["text"])
            case "Network.requestWillBeSent":
                self.requests.append(params["request"]["url"])

    def set_window(
        self, width: int, height: int, ratio: float = 1, is_dark: bool = False, is_touch: bool = False
    ) -> None:
        """Set size in CSS pixels, device pixels for each, colour scheme, and whether fingers are used."""
        self.send(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=ratio, mobile=is_touch
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"}
        self.send("Emulation.setEmulatedMedia", features=[scheme])
        self.send("Emulation.setTouchEmulationEnabled", enabled=is_touch)

    def open(self, page: Path, fragment: str = "") -> None:
        """Open a file, forgetting what was noted before; returns when it is loaded."""
        self.send("Page.navigate", url="about:blank")
        self.errors.clear()
        self.requests.clear()
        self.send("Page.navigate", url=page.as_uri() + fragment)
        self.wait_until("location.protocol === 'file:' && document.readyState === 'complete'")

    def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression in the page, awaited. Raises PageError when it throws."""
        reply = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in reply:
            raise PageError(str(reply["exceptionDetails"].get("exception", {}).get("description", reply)))
        return reply["result"].get("value")

    def wait_until(self, condition: str, timeout: float = 20) -> None:
        """Wait until a JavaScript expression is true."""
        deadline = time.monotonic() + timeout
        while not self.evaluate(condition):
            if time.monotonic() > deadline:
                raise PageError(f"still not so after {timeout} seconds: {condition}")
            time.sleep(0.03)

    def move(self, x: float, y: float, **more: Any) -> None:
        self.send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y, **more)

    def click(self, x: float, y: float) -> None:
        self.move(x, y)
        self.drag((x, y), (x, y))

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Press at one place, move in steps, release at the other."""
        held = {"button": "left", "buttons": 1, "clickCount": 1}
        self.send("Input.dispatchMouseEvent", type="mousePressed", x=start[0], y=start[1], **held)
        for step in (0.3, 0.6, 1.0) if start != end else ():
            self.move(start[0] + (end[0] - start[0]) * step, start[1] + (end[1] - start[1]) * step, **held)
        self.send("Input.dispatchMouseEvent", type="mouseReleased", x=end[0], y=end[1], **held)

    def wheel(self, x: float, y: float, delta: float) -> None:
        self.send("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=delta)

    def touch(self, kind: str, *points: tuple[float, float]) -> None:
        """One step of a gesture: kind is Start, Move or End, with the places of all fingers that are down."""
        self.send("Input.dispatchTouchEvent", type=f"touch{kind}", touchPoints=[{"x": x, "y": y} for x, y in points])

    def type(self, text: str) -> None:
        """Type into what has the focus."""
        self.send("Input.insertText", text=text)

    def press(self, key: str) -> None:
        """Press and release one key."""
        code = KEYS.get(key, ord(key[0]))
        text = {"text": "\r"} if key == "Enter" else {"text": key} if len(key) == 1 else {}
        for kind in ("keyDown", "keyUp"):
            self.send("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code, **text)

    def screenshot(self, path: Path) -> None:
        """Write what the window shows, as PNG."""
        path.write_bytes(base64.b64decode(self.send("Page.captureScreenshot", format="png")["data"]))
