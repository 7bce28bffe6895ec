"""Looks at the pipelines, the ranges and the two timelines of pages: rings.py PIPELINE-PAGE STAGES-PAGE DIFF-PAGE OVERLAP-PAGE OVERLAP-IN-JSON."""
import json
import sys

from browser import Browser

ROWS = "[...document.querySelectorAll('{} tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent.trim()).join(' | '))"
LINES = "[...document.querySelectorAll('{}')].map((line) => line.textContent.trim())"


def told(browser, *selectors):
    for pattern, selector in selectors:
        print(*browser.run(pattern.format(selector)), sep="\n")


def pipelines(browser):
    told(browser, (ROWS, "#pipelines"), (LINES, "#pipelines .notes li"))
    print("rows:", browser.run("pictures[1].view().rows.map((row) => row.head || (row.fills ? `slot ${row.slot}` : 'warp')).join(', ')"))
    for slot, time in ((0, 50), (0, 105), (0, 395), (1, 300), (1, 500), (1, 2)):
        print(browser.run(f"(() => {{ const view = pictures[1].view(), row = view.rows.find((one) => one.fills && one.slot === {slot}); return view.textIn(row, {time}, 0).split('\\n').join(', '); }})()"))
    browser.run("pictures[1].drawNow()")
    print("colours:", browser.run("""(() => {
      const view = pictures[1].view(), g = view.canvas.getContext("2d"), row = view.rows.find((one) => one.fills);
      const bytes = g.getImageData(0, row.top + 13, view.canvas.width, 1).data;
      const at = (time) => "#" + [...bytes.slice(4 * Math.floor(view.x(time) + 1))].slice(0, 3).map((byte) => byte.toString(16).padStart(2, "0")).join("");
      const of = (name) => view.data.colour[view.data.regions.indexOf(name)];
      return [at(50) === of("load"), at(200) === of("use"), at(600) === "#1b1f24"].join();
    })()"""))


def ranges(browser):
    browser.run("timeline.select({from: 400, to: 700})")
    print("range:", *browser.run(ROWS.format(".range")), *browser.run(ROWS.format("#pipelines")), sep="\n")
    print("durations:", browser.run("[...document.querySelectorAll('#table-distribution .range figcaption:first-child')].map((head) => [...head.children].map((part) => part.textContent).join(' ')).join(', ')"))
    print("whole run:", browser.run("[...document.querySelectorAll('.range')].filter((one) => one.textContent.startsWith('Of the whole run')).map((one) => one.parentElement.querySelector('h2').textContent).join(', ')"))
    browser.run("timeline.select(null)")
    print("back:", browser.run("document.querySelectorAll('.range').length"), browser.run("[...document.querySelectorAll('.whole')].every((one) => !one.hidden)"))


def overlap(browser, page, view):
    """Whether a range that is all of the timeline has the report's numbers."""
    browser.open(page)
    found = browser.run("overlapOfRange(timeline.data, 0, timeline.data.lengthNs, new Map()).map((table) => table.rows)")
    rows = [{(row["kernel"], row["region"]) if "running_ns" in row else (row["kernel"], row["region"], row["with"]): row for row in table["rows"]} for table in json.load(open(view))["tables"][:2]]
    assert len(rows[0]) > 3 and rows[1], rows
    mine = {(kernel, region): numbers for kernel, region, *numbers in found[0]}, {(kernel, region, other): numbers for kernel, region, other, *numbers in found[1]}
    theirs = [{key: [row["running_ns"], row["exposed_ns"], row["overlapped_ns"]] for key, row in rows[0].items()}, {key: [row["together_ns"]] for key, row in rows[1].items()}]
    print("overlap of all as the report:", [{key: numbers[: len(theirs[i][key])] if key in theirs[i] else numbers for key, numbers in mine[i].items()} == theirs[i] for i in (0, 1)])


def sides(browser):
    print("facts:", browser.run("[...document.querySelectorAll('.run')].map((one) => one.textContent.trim()).join(' | ')"))
    print("bars:", browser.run("document.querySelectorAll('#table-diff .bar').length"), "in a table without shares")
    print("sections:", *browser.run(LINES.format("h2")), sep="\n")
    print("lengths:", browser.run("timelines.map((one) => one.own.to).join()"))
    browser.run("timeline.zoom(0.5); timeline.drawNow(); timeline.draw()")
    browser.frame()
    print("linked:", browser.run("timelines.every(({own}) => own.from === timeline.from && own.to === timeline.to)"))
    print("colours:", browser.run("timelines.map((one) => one.colour[one.regions.indexOf('use')]).every((colour, _, all) => colour === all[0])"))
    browser.run("timelines[1].own.select({from: 0, to: 500})")
    print("range of b:", *browser.run(ROWS.format("#timeline-2 .range")), sep="\n")
    print(browser.run("document.querySelectorAll('#timeline .range').length"), "of a")


with Browser() as browser:
    browser.look(1280, 900, "light")
    browser.open(sys.argv[1])
    pipelines(browser)
    ranges(browser)
    browser.open(sys.argv[2])
    told(browser, (ROWS, "#pipelines"))
    overlap(browser, *sys.argv[4:6])
    browser.open(sys.argv[3])
    sides(browser)
    browser.look(400, 900, "dark")
    for page in sys.argv[1:4]:
        browser.open(page)
        print("sticks out:", browser.run("document.documentElement.scrollWidth > innerWidth"))
    print("errors:", *(browser.errors or ["none"]))
