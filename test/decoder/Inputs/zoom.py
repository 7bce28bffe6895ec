"""A page with some ten thousand spans of known places: zoom.py make FILE; zoom.py look PAGE PAGE-WITH-A-LIMIT VIEW-IN-JSON…."""
import json
import random
import sys

from browser import Browser
from page import Page, Timeline, differences
from zooming import View

BLOCKS, WARPS, ROUNDS = 4, 3, 3000


def known():
    """For each warp its block and its spans: (region, begin, end). Each long one stands behind a short one, in the same pixel when
    much is shown."""
    draw = random.Random(1)
    for block in range(BLOCKS):
        for warp in range(WARPS):
            now, spans = 100 * warp, []
            for _ in range(ROUNDS):
                for name, least, most in (("short", 2, 9), ("long", 3000, 9000), ("other", 1000, 3000)):
                    length = draw.randint(least, most)
                    spans.append((name, now, now + length))
                    now += length + 1
            yield block, warp, spans


def make(path):
    with open(path, "w") as file:
        file.write('kperf 1.3 target=host\nprogram executable="./known"\ndevice 0 name="CPU" multiprocessors=2\nregion 0xa0 kernel "k"\n'
                   'region 0xa1 scope "short"\nregion 0xa2 scope "long"\nregion 0xa3 scope "other"\nlaunch "k" block=96\n')
        for block, warp, spans in known():
            end = spans[-1][2] + 10
            file.write(f"warp {block}.{warp} ns=0..{end} cycles=0..{end} block=96 grid={BLOCKS} sm={block % 2}\n")
            file.writelines(f"  span {name} {begin}..{end}\n" for name, begin, end in spans)


def look(path, limited, *views):
    page = Page(path)
    timeline = Timeline(page.data["timeline"])
    print("differences from the views:", *(differences(page, [json.load(open(view)) for view in views]) or ["none"]))
    rows = {(timeline.warps["block"][i], timeline.warps["index"][i]): list(timeline.spansOf(i)) for i in range(len(timeline.warps["begin"]))}
    places = {(block, warp): [(name, 0, begin, end - begin) for name, begin, end in spans] for block, warp, spans in known()}
    print("spans:", timeline.count, "as known" if rows == places else "NOT as known", timeline.data["leftOut"] or "all")
    few = Timeline(Page(limited).data["timeline"])
    print("limited:", "fewer" if 20000 < few.count <= 30000 else few.count, few.data["leftOut"])
    with Browser() as browser:
        browser.look(1280, 900, "light")
        browser.open(path)
        view = View(browser, timeline)
        for depth in (1, 0.01):  # everything, and some hundred spans
            browser.run(f"timeline.zoom({depth}, 5e6); timeline.drawNow()")
            painted, spent = view.shares(4)
            wrong = {name: (painted.get(name, 0), part) for name, part in spent.items() if abs(painted.get(name, 0) - part) > 0.07}
            print("colours:", *(wrong.items() or ["as the time"]))
        wrong, steps = view.singles(4, by=0.1)
        print("single spans:", *(wrong or ["found"]))
        print("zoom:", "each step shows less" if all(a["shown_ns"] > b["shown_ns"] for some in steps for a, b in zip(some, some[1:])) else steps)
        before = browser.run("timeline.from")
        view.drag(600, view.show(0), -100)
        print("drag:", "later" if browser.run("timeline.from") > before else "NOT moved")
        browser.run("timeline.fit(); timeline.box.style.height = '120px'; places = document.querySelector('#timeline select')")
        browser.run("places.value = 'SM 1'; places.dispatchEvent(new Event('change'))")
        browser.frame()
        seen = browser.run("timeline.textAt(timeline.x(1000), 22 + 22 + 9).split('\\n')[1] || 'nothing'")
        print("first row of SM 1:", seen.split(":")[0])
        print("errors:", *(browser.errors or ["none"]))


make(sys.argv[2]) if sys.argv[1] == "make" else look(*sys.argv[2:])
