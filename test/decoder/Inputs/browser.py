"""A page in headless Chromium, driven through the pipe of the DevTools protocol: real input, real frames, real sizes."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


class Browser:
    """One Chromium with one page. Everything waits at most `limit` seconds."""

    def __init__(self, limit=60):
        self.limit, self.next, self.left = limit, 0, b""
        self.errors = []  # what the page complained of: exceptions, console errors, things that did not load
        self.home = tempfile.mkdtemp(prefix="kperf-browser-")
        toBrowser, self.write = os.pipe()
        self.read, fromBrowser = os.pipe()

        # the browser reads commands from its file 3 and writes answers to its file 4
        script = f"exec chromium 3<&{toBrowser} 4>&{fromBrowser} \"$@\""
        flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-extensions", "--remote-debugging-pipe",
                 "--disable-dev-shm-usage", "--enable-precise-memory-info", f"--user-data-dir={self.home}", "about:blank"]
        self.process = subprocess.Popen(["bash", "-c", script, "bash", *flags], pass_fds=(toBrowser, fromBrowser),
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(toBrowser)
        os.close(fromBrowser)
        self.session = None
        target = next(entry for entry in self.ask("Target.getTargets")["targetInfos"] if entry["type"] == "page")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "HeapProfiler"):
            self.ask(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.session = None
            self.ask("Browser.close")
            self.process.wait(10)
        except (OSError, RuntimeError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.write)
        os.close(self.read)
        shutil.rmtree(self.home, ignore_errors=True)

    def message(self, until):
        """The next message of the browser."""
        while b"\0" not in self.left:
            if not select.select([self.read], [], [], max(0, until - time.monotonic()))[0]:
                raise RuntimeError(f"the browser said nothing for {self.limit} s")
            got = os.read(self.read, 1 << 20)
            if not got:
                raise RuntimeError("the browser ended")
            self.left += got
        text, self.left = self.left.split(b"\0", 1)
        message = json.loads(text)
        self.listen(message.get("method"), message.get("params", {}))
        return message

    def listen(self, method, about):
        if method == "Runtime.exceptionThrown":
            details = about["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and about["type"] in ("error", "warning", "assert"):
            self.errors.append(" ".join(str(value.get("value")) for value in about["args"]))
        elif method == "Log.entryAdded" and about["entry"]["level"] in ("error", "warning"):
            self.errors.append(about["entry"]["text"])
        elif method == "Page.javascriptDialogOpening":
            self.errors.append(f"dialog: {about['message']}")
            self.send("Page.handleJavaScriptDialog", accept=True)

    def send(self, method, **parameters):
        self.next += 1
        message = {"id": self.next, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.write, data):]
        return self.next

    def ask(self, method, **parameters):
        number, until = self.send(method, **parameters), time.monotonic() + self.limit
        while True:
            message = self.message(until)
            if message.get("id") == number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']['message']}")
                return message["result"]

    def run(self, script):
        """What the script's last expression is, awaited when it is a promise."""
        result = self.ask("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", details["text"]))
        return result["result"].get("value")

    def look(self, width, height, theme):
        """The window's size and the system's theme; heed both before open()."""
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])

    def open(self, path):
        """Milliseconds from asking for the page to its first frame with everything in it."""
        began = time.monotonic()
        self.ask("Page.navigate", url="file://" + os.path.abspath(path))
        until = began + self.limit
        while self.run("document.readyState") != "complete":
            if time.monotonic() > until:
                raise RuntimeError("the page does not load")
            time.sleep(0.01)
        self.frame()
        return (time.monotonic() - began) * 1e3

    def frame(self):
        """Waits until what was asked for is on the screen."""
        self.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))")

    def heapUsage(self):
        """Bytes of JavaScript's objects (usedSize) and of its buffers (backingStorageSize) after a collection."""
        self.ask("HeapProfiler.collectGarbage")
        return self.ask("Runtime.getHeapUsage")

    def mouse(self, kind, x, y, **more):
        self.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def key(self, key):
        for kind in ("keyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key=key, text=key if kind == "keyDown" else "")

    def picture(self, path, isWhole=False):
        clip = {}
        if isWhole:
            size = self.ask("Page.getLayoutMetrics")["cssContentSize"]
            clip = {"captureBeyondViewport": True, "clip": {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}}
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.ask("Page.captureScreenshot", format="png", **clip)["data"]))
