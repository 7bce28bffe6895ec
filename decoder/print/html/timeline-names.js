// The names of a timeline's rows, left of it: whose warp, launch or slot a row shows, as much of that as has room.
const NAMES_LEAST = 100, NAMES_MOST = 230, NAMES_PART = 0.26; // pixels, and the part of the page's width
const MAX_FOLLOWING = 9; // warps in a row that goes by the first one
const MAX_COMPARED = 500; // of more the kernels are not looked at, for each picture
const MIN_KERNEL = 5; // characters of a kernel's name that still say which

class TimelineNames {
  constructor(view) {
    this.view = view;
    this.canvas = element("canvas", "row-names");
    this.canvas.setAttribute("aria-hidden", "true"); // the cursor says where it is
    this.canvas.addEventListener("pointermove", (event) => showTip(event, this.wholeAt(event.offsetY)));
    this.canvas.addEventListener("pointerleave", (event) => showTip(event, ""));
  }

  /** Kernel, "" where there may be several, and the rest: of what a row shows of the time that is shown. Null: it shows nothing. */
  partsOf(row) {
    const {data, from, to} = this.view;
    if (row.fills)
      return {kernel : "", rest : `slot ${row.slot}`};
    const [things, begin, end, kernel, what] = row.launches ? [ row.launches, data.launchBegin, data.launchEnd, data.launchKernel, "launch" ]
                                                            : [ row.warps, data.warpBegin, data.warpEnd, data.warpKernel, data.terms.warp ];
    const first = bisect(0, things.length, (k) => end[things[k]] > from), last = bisect(0, things.length, (k) => begin[things[k]] >= to);
    if (first >= last)
      return null;
    const thing = things[first], count = last - first;
    const isOne = count <= MAX_COMPARED && things.slice(first, last).every((each) => kernel[each] === kernel[thing]);
    const name = isOne || data.kernels.length === 1 ? data.kernels[kernel[thing]] : "";
    if (count > (row.launches ? 1 : MAX_FOLLOWING))
      return {kernel : name, rest : `${count} ${what}${what === "launch" ? "es" : "s"}`};
    if (row.launches)
      return {kernel : name, rest : ""};
    const block = data.warpBlock[thing], warp = data.warpIndex[thing], more = count > 1 ? ` + ${count - 1}` : "";
    const own = `${data.terms.block} ${block} · ${what} ${warp}`;
    return {kernel : name, rest : own + more, shorter : [ own, `${block} · ${warp}` ]};
  }

  /** As much as has room: of the kernel's name its arguments go first, then its end, then all of it, and then the words of the rest. */
  textOf(g, {kernel, rest, shorter = []}, room) {
    const fits = (text) => g.measureText(text).width <= room, behind = kernel && rest ? " · " : "", plain = kernel.replace(/ \[.*/, "");
    const names = [ kernel, plain === kernel ? kernel : `${plain} […]` ];
    for (let most = plain.length - 1; most >= MIN_KERNEL; --most)
      names.push(`${plain.slice(0, most)}…`);
    const name = names.find((each) => fits(each + behind + rest));
    const last = shorter.length ? shorter[shorter.length - 1] : rest;
    return name !== undefined ? name + behind + rest : [ rest, ...shorter ].find(fits) ?? last;
  }

  /** Pixels that the longest of the names takes, within what the page has for them. */
  widthIn(g, page) {
    const {rows, data} = this.view, most = Math.max(NAMES_LEAST, Math.min(NAMES_MOST, NAMES_PART * page));
    let widest = 0;
    for (const row of rows.filter((each) => !each.head).slice(0, 500)) {
      const warp = row.warps && row.warps[row.warps.length - 1];
      const text = row.fills     ? `slot ${row.slot}`
                   : row.launches ? data.kernels[data.launchKernel[row.launches[0]]]
                                  : `${data.kernels[data.warpKernel[warp]]} · ${data.terms.block} ${data.warpBlock[warp]} · ${data.terms.warp} ${data.warpIndex[warp]}`;
      widest = Math.max(widest, g.measureText(text).width);
    }
    return Math.ceil(Math.min(widest + 10, most));
  }

  fit(page) {
    const g = this.canvas.getContext("2d");
    g.font = ROW_FONT;
    if (page !== this.page)
      [this.page, this.width] = [ page, this.widthIn(g, page) ];
    this.canvas.style.width = `${this.width}px`;
  }

  draw(height, scale) {
    const {rows, box} = this.view, g = this.canvas.getContext("2d");
    this.canvas.width = this.width * scale;
    this.canvas.height = height * scale;
    this.canvas.style.height = `${height}px`;
    g.scale(scale, scale);
    g.font = ROW_FONT;
    g.textBaseline = "middle";
    g.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--faint").trim();
    this.shown = [];
    for (let i = bisect(0, rows.length, (k) => rows[k].top + rows[k].height > box.scrollTop + AXIS); i < rows.length && rows[i].top - box.scrollTop < height; ++i) {
      const parts = rows[i].head ? null : this.partsOf(rows[i]), y = rows[i].top - box.scrollTop + ROW / 2;
      if (!parts || y < AXIS + ROW / 3)
        continue;
      this.shown.push(this.textOf(g, parts, this.width - 6));
      g.fillText(this.shown[this.shown.length - 1], 0, y);
    }
  }

  wholeAt(y) {
    const {rows, box} = this.view, below = y + box.scrollTop;
    const row = rows.find((each) => below >= each.top && below < each.top + each.height), parts = row && !row.head && this.partsOf(row);
    return parts ? [ parts.kernel, parts.rest ].filter((text) => text).join("\n") : "";
  }
}
