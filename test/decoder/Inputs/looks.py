"""Looks at a page as a reader does, in three widths and on paper: names stay whole, nothing lies over anything, nothing claims what it is
not: looks.py REPORT DIFF."""
import base64
import re
import sys

from browser import Browser

LOOK = r"""
(() => {
const all = (selector) => [...document.querySelectorAll(selector)], box = (one) => one.getBoundingClientRect(), said = [];
const cut = all(".plot figcaption span, .legend span, .matrix th, td.label").filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth);
said.push(`cut: ${cut.map((one) => one.textContent).join(", ") || "none"}`);
const hidden = all("td.label .link").filter((link) => box(link).right > box(link.closest("td")).right + 1);
said.push(`links beyond their cell: ${hidden.length}`);
const over = all(".axis").filter((axis) => {
  const boxes = [...axis.querySelectorAll("span")].map(box).sort((a, b) => a.left - b.left);
  return boxes.some((one, i) => i && one.left < boxes[i - 1].right + 2);
});
said.push(`axes whose labels lie over each other: ${over.length} of ${all(".axis").length}`);
said.push(`axis: ${[...all(".axis")[0].querySelectorAll("span")].map((one) => one.textContent).join(", ")}`);
const theme = box(document.getElementById("theme")), nav = box(document.getElementById("nav"));
said.push(`theme beside the title: ${theme.bottom <= nav.top + 1}`);
said.push(`rows of prose: ${Math.max(...all("td.long").map((cell) => Math.round(box(cell).height / 20)))} lines at most`);
const lines = (selector) => Math.max(...all(selector).map((one) => Math.round(box(one).height / 20)));
said.push(`heads of the matrix: ${lines(".matrix th")} lines at most; labels: ${lines("td.label")}`);
const columns = all("#table-pages th").map((head) => head.querySelector("button").textContent), page = document.querySelector("#table-pages tbody tr");
said.push(`bars: ${columns.filter((_, i) => page.cells[i].matches(".bar, .goal")).join(", ")}`);
said.push(`pages: ${page.querySelector(".long").textContent}`, all("#table-pages p.facts").map((one) => one.textContent).join());
const names = window.timeline.names, nameBox = box(names.canvas);
said.push(`rows: ${names.shown[0]}; ${names.shown[1]}; beside the picture: ${nameBox.right <= box(window.timeline.box).left && nameBox.width >= names.width}`);
window.timeline.rows.filter((row) => row.warps?.length).slice(0, 1).forEach((row) => said.push(`whole: ${names.wholeAt(row.top + 3 - window.timeline.box.scrollTop).replace("\n", ", ")}`));
const cutTo = (room) => names.textOf({measureText : (text) => ({width : text.length})}, {kernel : "layerNorm [T = float]", rest : "block 3 · warp 1 + 1", shorter : ["block 3 · warp 1", "3 · 1"]}, room);
said.push(`cut: ${[60, 42, 35, 31, 28, 19, 9].map(cutTo).join(", ")}`);
const view = window.timeline, head = view.rows.findLast((row) => row.head === "SM 1"), copy = document.createElement("canvas");
view.from = 265000 - 1800; // the first arrow stands where the head's text does
view.to = view.from + 100 * view.width;
const pixels = () => {
  view.drawNow();
  const g = copy.getContext("2d", {willReadFrequently : true});
  g.clearRect(0, 0, 40, 14);
  g.drawImage(view.canvas, 5, head.top + 6, 30, 14, 0, 0, 30, 14);
  return [...g.getImageData(0, 0, 30, 14).data].join();
};
const before = pixels(), arrows = view.last.arrows;
view.wantsArrows = false;
said.push(`head among ${arrows} arrows: ${pixels() === before ? "as without" : "crossed"}`);
return said;
})()
"""

with Browser() as browser:
    for width in (1280, 800, 400):
        browser.look(width, 1000, "dark")
        browser.open(sys.argv[1])
        print(f"{width}:", *browser.run(LOOK), sep="\n")
    paper = base64.b64decode(browser.ask("Page.printToPDF", printBackground=True)["data"])
    print("sheets:", "few" if 1 < len(re.findall(rb"/Type\s*/Page\b", paper)) < 10 else len(re.findall(rb"/Type\s*/Page\b", paper)))
    browser.open(sys.argv[2])
    print("units:", browser.run("""(() => {
      const column = (name, isSum) => ({name, unit : "ns", role : "value", priority : 50, isSum});
      const columns = [column("total", true), column("self", true), column("mean"), column("p50"), column("max")];
      const units = (...row) => columnFormats({columns, rows : [row]}).map(({unit}) => unit).join(" ");
      return [units(2e9, 9999, 9999, 12, 999999), units(2e9, 1e4, 9999, 12, 1e6), units(1, 2, 0, null, 1e4)].join(", ");
    })()"""))
    print("compared:", browser.run("""(() => {
      const table = document.querySelector("#table-diff table"), heads = [...table.querySelectorAll("th")];
      const [a, b] = ["a", "b"].map((name) => heads.findIndex((head) => head.querySelector("button").textContent === name));
      const rows = [...table.querySelectorAll("tbody tr")].map((row) => [0, a, b].map((i) => row.cells[i].textContent).join(" "));
      return `${rows.join("; ")} in ${heads[a].querySelector("small").textContent}, ${heads[b].querySelector("small").textContent}`;
    })()"""))
    print("errors:", *(browser.errors or ["none"]))
