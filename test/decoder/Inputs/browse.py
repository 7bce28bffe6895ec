"""Opens a page in a frame of some width in headless Chromium and uses it: browse.py PAGE FOLDER WIDTH light|dark."""
import os
import re
import subprocess
import sys

page, folder, width, theme = sys.argv[1:5]
USE = r"""
<script>
{
const said = [], say = (text) => said.push(text);
window.alert = () => say("alerts: SOME");
const $ = (selector) => document.querySelector(selector), all = (selector) => [...document.querySelectorAll(selector)];
const drawn = (canvas) => canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.some((byte) => byte);
const rows = (...columns) => all("#table-regions tbody tr").slice(0, 3).map((row) => columns.map((i) => row.cells[i].textContent).join(" "));
function use() { // frames come when they like in a headless browser: pictures are drawn at once instead
  const root = document.documentElement;
  say(`ready: ${root.dataset.ready}`);
  say(`theme: ${root.dataset.theme} ${root.dataset.theme === "THEME" ? "as asked" : "NOT as asked"}`);
  say(`sticks out: ${root.scrollWidth > innerWidth ? `${root.scrollWidth} of ${innerWidth}` : "no"}`);
  say(`first rows: ${rows(0).join(" | ")}`);
  all("#table-regions th button").find((button) => button.textContent === "count").click();
  say(`by count: ${rows(0, 1).join(" | ")}`);
  say(`plots: ${all(".plot").length}`);
  const view = window.timeline, shown = () => Math.round(view.to - view.from), before = shown();
  view.drawNow();
  say(`timeline: ${view.data.spanBegin.length} spans, ${drawn(view.canvas) ? "pixels drawn" : "EMPTY"}`);
  view.canvas.dispatchEvent(new WheelEvent("wheel", { deltaY: 300 * Math.log(0.5), ctrlKey: true, cancelable: true }));
  const after = shown();
  view.canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "0" }));
  say(`zoom: ${before} ${after} ${shown()}`);
  say(`launch: ${view.rows[0].head}: ${view.textAt(view.x(500), 22 + 22 + 9).replace("\n", ", ")}`);
  say(`tip: ${view.textAt(view.x(750), 22 + 22 + 18 + 22 + 9).split("\n").pop()}`);
  for (const picture of pictures) picture.draw();
  say(`occupancy: ${drawn($("#occupancy canvas")) ? "pixels drawn" : "EMPTY"}`);
  const heat = all(".matrix tbody tr").flatMap((row) => [...row.querySelectorAll(".heat")].map((cell) => {
    const head = all(".matrix th")[cell.cellIndex].textContent;
    return `${row.cells[0].textContent} in ${head}: ${cell.textContent}`;
  }));
  say(`matrix: ${heat.filter((text) => text.startsWith("a ")).join(", ")}`);
  const line = all(".source tr").find((row) => row.querySelector(".traffic.heat"));
  say(`memory: ${all("[id$=-memory] table").length} tables, traffic of line ${line.querySelector(".number").textContent}: ` +
      line.querySelector(".traffic").textContent);
  if (!said.includes("alerts: SOME")) say("alerts: none");
  for (const line of said) console.log(`said: ${line}`);
}
setTimeout(use, 300);
}
</script>
"""
text = open(page).read().replace("script-src 'unsafe-inline'", "script-src 'unsafe-inline'", 1)
open(os.path.join(folder, "used.html"), "w").write(text.replace("</body>", USE.replace("THEME", theme) + "</body>"))
FRAME = """<body><iframe src="used.html" style="border:0" width="WIDTH" height="900"></iframe></body>"""
frame = os.path.join(folder, "frame.html")
open(frame, "w").write(FRAME.replace("WIDTH", width))
command = ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--virtual-time-budget=10000",
           f"--user-data-dir={os.path.join(folder, 'profile-' + width)}", "--no-first-run", "--disable-extensions",
           f"--window-size={int(width) + 40},1000", f"--blink-settings=preferredColorScheme={0 if theme == 'dark' else 1}",
           f"--screenshot={os.path.join(folder, width + '.png')}", "file://" + os.path.abspath(frame)]
run = subprocess.run(command, capture_output=True, text=True, timeout=120)
said, errors = [], []
for line in run.stderr.splitlines():
    if match := re.search(r'CONSOLE:\d+\] "(.*)", source: ', line):
        (said if match[1].startswith("said: ") else errors).append(match[1].removeprefix("said: "))
print("errors:", *(errors or ["none"]))
print(*(said or ["the page said nothing", run.stderr[-3000:]]), sep="\n")
