"""Opens the page of html-browser.test in headless Chromium at two widths and in two themes, and uses it: browse.py PAGE FOLDER."""
import os
import sys

from browser import Browser

USE = r"""
(() => {
const said = [], say = (text) => said.push(text);
const $ = (selector) => document.querySelector(selector), all = (selector) => [...document.querySelectorAll(selector)];
const drawn = (canvas) => canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.some((byte) => byte);
const rows = (...columns) => all("#table-regions tbody tr").slice(0, 3).map((row) => columns.map((i) => row.cells[i].firstChild.textContent).join(" "));
const root = document.documentElement;
say(`ready: ${root.dataset.ready}, ${root.dataset.theme}`);
say(`sticks out: ${root.scrollWidth > innerWidth ? `${root.scrollWidth} of ${innerWidth}` : "no"}`);
say(`sections: ${all("h2").map((head) => head.textContent).join(", ")}`);
say(`first rows: ${rows(0).join(" | ")}`);
all("#table-regions th button").find((button) => button.textContent === "count").click();
say(`by count: ${rows(0, 1).join(" | ")}`);
const place = all("#table-regions td").find((cell) => cell.title.endsWith("k.cu:4"));
say(`place: ${place.textContent}, in full ${place.title}`);
say(`plots: ${all(".plot").length}`);
const view = window.timeline, shown = () => Math.round(view.to - view.from), before = shown();
view.drawNow();
say(`timeline: ${view.data.spanBegin.length} spans, ${drawn(view.canvas) ? "pixels drawn" : "EMPTY"}, ${view.last.arrows} arrow`);
view.canvas.dispatchEvent(new WheelEvent("wheel", { deltaY: 300 * Math.log(0.5), ctrlKey: true, cancelable: true }));
const after = shown();
view.canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "0" }));
say(`zoom: ${before} ${after} ${shown()}`);
say(`launch: ${view.rows[0].head}: ${view.textAt(view.x(500), 22 + 22 + 9).replace("\n", ", ")}`);
const tip = (ns) => view.textAt(view.x(ns), 22 + 22 + 18 + 22 + 9).split("\n");
say(`tip: ${tip(750).pop()}`);
say(`wait: ${tip(955).slice(-2).map((line) => line.trim()).join(", ")}`);
const arrows = all("#timeline button").find((button) => button.textContent === "Arrows");
arrows.click();
view.drawNow();
say(`arrows off: ${view.last.arrows}`);
for (const picture of pictures) picture.draw();
say(`occupancy: ${drawn($("#occupancy canvas")) ? "pixels drawn" : "EMPTY"}`);
const heat = all(".matrix tbody tr").flatMap((row) => [...row.querySelectorAll(".heat")].map((cell) => {
  const head = all(".matrix th")[cell.cellIndex].textContent;
  return `${row.cells[0].textContent} in ${head}: ${cell.textContent}`;
}));
say(`matrix: ${heat.filter((text) => text.startsWith("a in <")).join(", ")}`);
const line = all(".source tr").find((row) => row.querySelector(".traffic.heat"));
say(`memory: ${all("[id$=-memory] table").length} tables, traffic of line ${line.querySelector(".number").textContent}: ` +
    line.querySelector(".traffic").textContent);
say(`finding: ${all("#table-findings dt").map((name) => `${name.textContent}: ${name.nextSibling.textContent}`).join("; ")}`);
$("#theme").click();
say(`theme switched: ${root.dataset.theme}`);
return said;
})()
"""

page, folder = sys.argv[1:]
with Browser() as browser:
    for width in (1280, 400):
        for theme in ("light", "dark"):
            browser.look(width, 1000, theme)
            browser.open(page)
            print(f"{width} {theme}")
            print(*browser.run(USE), sep="\n")
            browser.picture(os.path.join(folder, f"{width}-{theme}.png"))
            print("errors:", *(browser.errors or ["none"]))
