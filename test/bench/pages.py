#!/usr/bin/env python3
"""Measures pages with more than a million spans in headless Chromium: pages.py BUILD FOLDER [-o FILE].

For each generated trace: that the page has all spans and the numbers of each view's --format=json, that it loads without an
error at 1280 and 400 pixels, light and dark, that tables sort, and that the wheel leads to single spans drawn by chance. Then
how long loading, sorting, each halving of the picture down to a single span, and moving take: to draw (the page's own
clock) and from the input to the second frame after it (idle_frame_ms is what that takes when nothing is drawn). FILE is what scale.py
writes: it keeps its rows and gets the pages.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "decoder/Inputs"))
from browser import Browser  # noqa: E402
from page import VIEWS, Page, Timeline, differences  # noqa: E402
from zooming import View  # noqa: E402

MAX_SPANS, LOADS, SINGLES = 2_000_000, 3, 10


def expect(isTrue, what):
    if not isTrue:
        raise SystemExit(f"pages.py: {what}")


def byCount(browser):
    """Milliseconds until the table of regions is sorted by count, and whether it is."""
    place = browser.run("""(() => { const head = [...document.querySelectorAll("#table-regions th button")].find((b) => b.textContent === "count");
        head.scrollIntoView(); const box = head.getBoundingClientRect(); return [box.left + 5, box.top + 5]; })()""")
    began = time.monotonic()
    for kind in ("mousePressed", "mouseReleased"):
        browser.mouse(kind, *place, button="left", clickCount=1)
    counts = browser.run("[...document.querySelectorAll('#table-regions tbody tr')].map((row) => +row.cells[1].textContent)")
    return (time.monotonic() - began) * 1e3, counts == sorted(counts, reverse=True)


def use(browser, timeline, result):
    view = View(browser, timeline)
    wrong, steps = view.singles(SINGLES)
    expect(not wrong, wrong)
    result["single_spans_found"] = SINGLES
    result["zoom"] = steps[0]
    for name in ("draw_ms", "frame_ms"):
        values = sorted(step[name] for some in steps for step in some)
        result[f"median_{name}"], result[f"slowest_{name}"] = values[len(values) // 2], values[-1]
    middle = (timeline.warps["begin"][0] + timeline.warps["end"][0]) / 2
    result["idle_frame_ms"] = min(view.step(lambda: browser.mouse("mouseMoved", 5, 5))["frame_ms"] for _ in range(5))
    browser.run(f"timeline.fit(); timeline.zoom(0.02, {middle}); timeline.drawNow()")
    y = view.show(0)
    result["pan"] = max((view.drag(700, y, -60) for _ in range(5)), key=lambda step: step["frame_ms"])


def look(path, timeline, folder, result):
    with Browser() as browser:
        for width, theme in ((1280, "light"), (400, "dark"), (1280, "dark"), (400, "light")):
            browser.look(width, 1000, theme)
            loads = [browser.open(path) for _ in range(LOADS)]
            if width == 1280 and theme == "light":
                result["load_ms"] = round(min(loads))
                usage = browser.heapUsage()
                result["js_heap_mib"], result["js_buffers_mib"] = (round(usage[key] / 2**20, 1) for key in ("usedSize", "backingStorageSize"))
                result["sort_ms"], isSorted = byCount(browser)
                result["sort_ms"] = round(result["sort_ms"], 1)
                expect(isSorted, "the table is not sorted by count")
                use(browser, timeline, result)
            expect(browser.run("document.documentElement.scrollWidth <= innerWidth"), f"something sticks out at {width}")
            browser.picture(os.path.join(folder, f"page-{result['trace']}-{width}-{theme}.png"), True)
            expect(not browser.errors, browser.errors)


def measure(build, folder):
    kperf, rows = os.path.join(build, "bin/kperf"), []
    for shape in ("plain", "mixed", "waits"):
        trace, path = (os.path.join(folder, f"page-{shape}.{kind}") for kind in ("kperf", "html"))
        subprocess.run([os.path.join(build, "test/unit/generateTrace"), "1", trace] + ([shape] if shape != "plain" else []), check=True,
                       stdout=subprocess.DEVNULL)
        subprocess.run([kperf, "report", trace, "--format=html", f"--limit={MAX_SPANS}", "-o", path], check=True)
        views = [json.loads(subprocess.run([kperf, view, trace, "--format=json"], check=True, stdout=subprocess.PIPE).stdout) for view in VIEWS]
        page = Page(path)
        timeline = Timeline(page.data["timeline"])
        expect(timeline.data["leftOut"] == "", timeline.data["leftOut"])
        wrong = differences(page, views)
        expect(not wrong, wrong)
        result = {"trace": shape, "spans_and_marks": timeline.count, "arrows": len(timeline.releases["to"]),
                  "page_mb": round(os.path.getsize(path) / 1e6, 1), "same_as_json": True}
        look(path, timeline, folder, result)
        rows.append(result)
        print({key: value for key, value in result.items() if key != "zoom"}, flush=True)
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build")
    parser.add_argument("folder")
    parser.add_argument("-o", dest="output")
    arguments = parser.parse_args()
    expect(shutil.which("chromium"), "there is no chromium here")
    os.makedirs(arguments.folder, exist_ok=True)
    load = [round(value, 1) for value in os.getloadavg()]
    pages = {"command": "test/bench/pages.py build FOLDER", "date": time.strftime("%Y-%m-%d"), "load": load,
             "browser": subprocess.run(["chromium", "--version"], capture_output=True, text=True).stdout.strip(),
             "rows": measure(arguments.build, arguments.folder)}
    if arguments.output:
        result = {}
        if os.path.exists(arguments.output):
            with open(arguments.output) as file:
                result = json.load(file)
        with open(arguments.output, "w") as file:
            file.write(json.dumps({**result, "pages": pages}, indent=1) + "\n")


main()
