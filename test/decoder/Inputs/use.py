"""Uses a page as a reader does, by mouse and by keyboard alone: use.py PAGE REPORT-IN-JSON SHORT-WARPS-PAGE DROPPED-RECORDS-PAGE
NAMESAKES-PAGE."""
import json
import sys

from browser import Browser

ROWS = "[...document.querySelectorAll('{} tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent.trim()).join(' | '))"
FOCUS = "(() => { const at = document.activeElement; return at.id || at.getAttribute('aria-label')?.split(';')[0] || at.dataset.region || at.textContent.trim(); })()"
KEYS = {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Escape": 27, "Tab": 9, "Enter": 13, "r": 82}


def press(browser, *keys):
    for key in keys:
        text = {"text": "\r"} if key == "Enter" else {"text": key} if len(key) == 1 else {}
        for kind in ("keyDown", "keyUp"):
            browser.ask("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=KEYS[key], **(text if kind == "keyDown" else {}))
    browser.frame()


def tab(browser, wanted):
    """Goes on with Tab until something has the focus; whether it came."""
    for _ in range(200):
        press(browser, "Tab")
        if browser.run(FOCUS) == wanted:
            return True
    return False


def spot(browser, selector):
    browser.run(f"document.querySelector(`{selector}`).scrollIntoView({{block: 'center'}})")
    browser.frame()
    return browser.run(f"(() => {{ const box = document.querySelector(`{selector}`).getBoundingClientRect(); return [box.left, box.top, box.width, box.height]; }})()")


def drag(browser, x, y, to, modifiers):
    browser.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1, modifiers=modifiers)
    for step in range(1, 6):
        browser.mouse("mouseMoved", x + (to - x) * step / 5, y, button="left", buttons=1, modifiers=modifiers)
    browser.mouse("mouseReleased", to, y, button="left", clickCount=1, modifiers=modifiers)
    browser.frame()


def whole(browser, report):
    """Whether all of the timeline adds up to the report."""
    browser.run("timeline.select({from: 0, to: timeline.data.lengthNs})")
    found = browser.run("tableOfRange(timeline.data, 0, timeline.data.lengthNs, new Map(), new Set()).rows")
    rows = {row["region"]: row for row in json.load(open(report))["tables"][0]["rows"]}
    assert rows.pop("(unattributed)")["self_ns"] == found.pop()[6]
    return {row[2]: (row[3], row[5], row[6]) for row in found} == {name: (row["count"], row["total_ns"], row["self_ns"]) for name, row in rows.items()}


def use(browser, report):
    print("facts:", browser.run("document.querySelector('.run').textContent.trim()"))
    print("first:", browser.run("document.querySelector('h2').textContent"))
    print("bars:", browser.run("[...document.querySelectorAll('#table-global-memory td.bar, #table-global-memory td.goal')].map((cell) => cell.className).join(', ')"))
    browser.run("document.querySelector('#table-regions summary').click()")
    print("folded:", browser.run("document.querySelector('#table-regions table').checkVisibility()"))
    browser.run("document.querySelector('nav a[href=\"#table-regions\"]').click()")
    print("unfolded:", browser.run("document.querySelector('#table-regions table').checkVisibility()"))

    print("the whole as the report:", whole(browser, report))
    browser.run("timeline.select({from: 250, to: 500})")
    print(*browser.run(ROWS.format('#table-regions .range')), sep="\n")
    browser.run("timeline.select(null)")
    left, top, width, height = spot(browser, "#timeline-box canvas")
    drag(browser, left + width * 0.6, top + height - 4, left + width * 0.7, 8)
    print("Shift+drag:", browser.run("[timeline.range.from, timeline.range.to].map((time) => Math.round(time / 100) * 100).join(' to ')"),
          *browser.run(ROWS.format('#table-regions .range')), sep="\n")
    browser.run("timeline.select(null)")
    print("whole again:", browser.run("!document.querySelector('.range') && document.querySelector('.whole').checkVisibility()"))

    print("tab to the timeline:", tab(browser, "Timeline of warps by SM"))
    for keys in (["ArrowRight"], ["ArrowRight"], ["ArrowRight"], ["ArrowLeft"], ["ArrowUp"]):
        press(browser, *keys)
        print(*keys, browser.run("document.querySelector('.cursor-text').textContent"), sep=": ")
    press(browser, "r")
    print("r:", len(browser.run(ROWS.format('#table-regions .range'))), "rows")
    press(browser, "Escape")
    print("Escape:", len(browser.run(ROWS.format('#table-regions .range'))), "rows")
    browser.run("document.querySelector('#table-regions summary').focus()")
    print("tab to the spans:", tab(browser, "spans") and tab(browser, "spans"))  # outer's, then inner's
    press(browser, "Enter")
    print("spans of inner:", browser.run(FOCUS), browser.run("[timeline.from, timeline.to].join(' to ')"))
    for link in ("accesses", "k.cu:5"):
        browser.run("document.querySelector('#table-regions summary').focus()")
        tab(browser, link)
        press(browser, "Enter")
        print(f"{link}:", browser.run(FOCUS))
    browser.run("document.documentElement.dataset.theme = 'dark'; dispatchEvent(new Event('beforeprint'))")
    print("paper:", browser.run("document.documentElement.dataset.theme"), browser.run("[...timeline.canvas.getContext('2d').getImageData(1, 1, 1, 1).data].join()"))
    browser.run("dispatchEvent(new Event('afterprint'))")
    print("screen:", browser.run("document.documentElement.dataset.theme"))
    browser.ask("Emulation.setEmulatedMedia", media="print")
    print("printed:", browser.run("['nav', '#timeline button', 'table', 'canvas'].map((name) => `${name} ${document.querySelector(name).checkVisibility()}`).join(', ')"))
    print("pages:", len(browser.ask("Page.printToPDF")["data"]) > 10000)
    browser.ask("Emulation.setEmulatedMedia", media="")


def part(browser):
    """Of a trace with dropped records a range has no times of their own."""
    browser.run("timeline.select({from: 0, to: 1000})")
    print("of a part:", *browser.run(ROWS.format('#table-regions .range')), browser.run("document.querySelector('#table-regions .range .notes').textContent.trim()"), sep="\n")


def namesakes(browser):
    texts = "[...document.querySelectorAll('{}')].map((one) => one.textContent).join(', ')"
    print("legend:", browser.run(texts.format("#timeline .legend span")))
    print("overlap:", browser.run(texts.format("#table-overlap td.label")))
    print("durations:", browser.run(texts.format("#table-distribution figcaption:first-child span:first-child")))
    print("range:", browser.run("tableOfRange(timeline.data, 0, 1000, new Map(), new Set()).rows.map((row) => row[2]).join(', ')"))
    for place in ("k.cu:7", "k.cu:5"):
        browser.run(f"[...document.querySelectorAll('#table-regions tr')].find((row) => row.textContent.includes('{place}')).querySelector('.goto').click()")
        print(f"spans of {place}:", browser.run("[timeline.from, timeline.to].join(' to ')"))
    browser.run("[...document.querySelectorAll('#table-overlap .link')].find((link) => link.textContent === 'wait (k.cu:5)').click()")
    print("wait (k.cu:5) leads to:", browser.run("(() => { const row = document.activeElement; return `${row.dataset.region} ${row.cells[3].textContent}`; })()"))


page, report, short, dropped, same = sys.argv[1:]
with Browser() as browser:
    browser.look(1280, 900, "light")
    browser.open(page)
    use(browser, report)
    browser.open(dropped)
    part(browser)
    browser.open(short)
    browser.run("timeline.drawNow()")
    print("colours of 5000 warps:", browser.run("""(() => {
      const canvas = timeline.canvas, g = canvas.getContext("2d"), row = timeline.rows.find((entry) => entry.warps && entry.warps.length);
      const bytes = g.getImageData(0, row.top + 9, canvas.width, 1).data, seen = new Map();
      for (let i = 0; i < bytes.length; i += 4) {
        const colour = "#" + [...bytes.slice(i, i + 3)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
        const region = timeline.data.regions[timeline.data.colour.indexOf(colour)] || colour;
        seen.set(region, (seen.get(region) || 0) + 1);
      }
      return [...seen].filter(([ , pixels ]) => pixels > 50).map(([ region ]) => region).sort().join(", ");
    })()"""))
    browser.open(same)
    namesakes(browser)
    print("errors:", *(browser.errors or ["none"]))
