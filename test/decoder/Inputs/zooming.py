"""Moves in the timeline of a page as a person does, with the wheel and the mouse, and compares what is seen with the page's data."""
import math
import random
import re
import time

NS = {"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9}
CTRL = 2  # of the protocol's modifiers


class View:
    def __init__(self, browser, timeline):
        self.browser, self.timeline = browser, timeline
        self.browser.run("timeline.box.scrollIntoView({block: 'start'}); timeline.fit(); timeline.drawNow()")

    def length(self):
        return self.browser.run("timeline.to - timeline.from")

    def show(self, warp):
        """Scrolls to the warp's row; returns where its middle is in the window."""
        self.browser.run(f"timeline.box.scrollTop = timeline.rows[timeline.warpRow[{warp}]].top - 200")
        self.browser.frame()
        return self.browser.run(f"""(() => {{ const box = timeline.canvas.getBoundingClientRect();
            return box.top + timeline.rows[timeline.warpRow[{warp}]].top - timeline.box.scrollTop + 9; }})()""")

    def x(self, ns):
        return self.browser.run(f"timeline.canvas.getBoundingClientRect().left + timeline.x({ns})")

    def step(self, act):
        """What a change of the picture takes: to draw, and from the input to the frame."""
        began = time.monotonic()
        act()
        self.browser.frame()
        frame = (time.monotonic() - began) * 1e3
        last = self.browser.run("({ns: timeline.to - timeline.from, ...timeline.last})")
        return {"shown_ns": round(last["ns"]), "spans_apart": last["singles"], "draw_ms": round(last["ms"], 1), "frame_ms": round(frame, 1)}

    def wheel(self, x, y, by):
        return self.step(lambda: self.browser.mouse("mouseWheel", x, y, deltaX=0, deltaY=300 * math.log(by), modifiers=CTRL))

    def drag(self, x, y, by):
        def act():
            self.browser.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1)
            self.browser.mouse("mouseMoved", x + by, y, button="left", buttons=1)
            self.browser.mouse("mouseReleased", x + by, y, button="left", clickCount=1)
        return self.step(act)

    def zoomTo(self, warp, begin, length, by=0.5):
        """Turns the wheel until a span is an eighth of the picture, or the picture is as near as it gets; the steps."""
        steps, y = [], self.show(warp)
        while self.length() > 1.01 * max(8 * length, 8):
            steps.append(self.wheel(self.x(begin + length / 2), y, max(by, max(8 * length, 8) / self.length())))
            if len(steps) > 60:
                raise RuntimeError("the wheel does not zoom")
        return steps, y

    def tip(self, x, y):
        self.browser.mouse("mouseMoved", x, y)
        return self.browser.run("document.querySelector('.tip').textContent")

    def single(self, warp, span, by=0.5):
        """Zooms to one span and asks the mouse about it; what is wrong with the answer, or nothing."""
        name, _, begin, length = span
        steps, y = self.zoomTo(warp, begin, length, by)
        text = self.tip(self.x(begin + length / 2), y)
        for line in text.split("\n"):
            found = re.fullmatch(r"(.*): ([\d.]+) (\S+) from ([\d.]+)(?: (\S+))?", line)
            if found and found[1] == name and abs(float(found[4]) * NS[found[5] or "ns"] - begin) < 0.5 and \
                    abs(float(found[2]) * NS[found[3]] - length) <= max(0.5, length / 1000):
                return "", steps
        return f"{name} of {length:.0f} ns from {begin:.0f} is not in {text!r}", steps

    def singles(self, count, by=0.5, seed=7):
        """The same for so many spans, drawn from all."""
        draw, steps, wrong = random.Random(seed), [], []
        for _ in range(count):
            warp = draw.randrange(len(self.timeline.warps["begin"]))
            spans = [span for span in self.timeline.spansOf(warp) if span[1] != self.timeline.MARK and span[3] > 0]
            self.browser.run("timeline.fit(); timeline.drawNow()")
            error, made = self.single(warp, draw.choice(spans), by)
            steps.append(made)
            if error:
                wrong.append(error)
        return wrong, steps

    def shares(self, warp):
        """Of the pixels along a warp's row, the part in the colour of each region; and the part of its time outside of others."""
        y = self.show(warp) - 7  # what is inside of others is drawn lower
        painted = self.browser.run(f"""(() => {{
            timeline.drawNow();
            const data = timeline.data, box = timeline.canvas.getBoundingClientRect(), out = {{}};
            const left = Math.max(0, Math.ceil(timeline.x(data.warpBegin[{warp}])));
            const width = Math.min(timeline.width, Math.floor(timeline.x(data.warpEnd[{warp}]))) - left;
            const copy = new OffscreenCanvas(width, 1).getContext("2d");
            copy.drawImage(timeline.canvas, left, {y} - box.top, width, 1, 0, 0, width, 1);
            const bytes = copy.getImageData(0, 0, width, 1).data;
            const hex = (i) => "#" + [0, 1, 2].map((k) => bytes[4 * i + k].toString(16).padStart(2, "0")).join("");
            for (let i = 0; i < width; ++i) {{
                const region = data.regionOrder.find((entry) => data.colour[entry] === hex(i));
                if (region !== undefined)
                    out[data.regions[region]] = (out[data.regions[region]] || 0) + 1 / width;
            }}
            return out;
        }})()""")
        low, high = self.browser.run("[timeline.from, timeline.to]")
        low, high = max(low, self.timeline.warps["begin"][warp]), min(high, self.timeline.warps["end"][warp])
        spent = {}
        for name, depth, begin, length in self.timeline.spansOf(warp):
            if depth == 0:
                spent[name] = spent.get(name, 0) + max(0, min(high, begin + length) - max(low, begin)) / (high - low)
        return painted, spent
