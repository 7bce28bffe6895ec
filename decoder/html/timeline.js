// The timeline: rows of warps by SM on a canvas, drawn from sorted columns so that a million spans stay usable: what is
// narrower than a pixel is drawn once for all that share the pixel, and the next pixel is found by bisection.
const ROW = 18, HEAD = 22, AXIS = 22, MARKS = 255, OVERLAPS = 100;
const HUES = [ "#4e79a7", "#f28e2b", "#59a14f", "#e15759", "#76b7b2", "#b07aa1", "#edc948", "#9c755f" ];

function column(text, Type) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  return new Type(bytes.buffer);
}

/** First index in [low, high) for which `isPast` holds; it holds from there on. */
function bisect(low, high, isPast) {
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isPast(middle))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

function loadTimeline(data) {
  const w = data.warps, s = data.spans, t = data.tracks, l = data.launches;
  const out = {
    ...data,
    warpBegin : column(w.begin, Float64Array),
    warpEnd : column(w.end, Float64Array),
    warpDevice : column(w.device, Uint16Array),
    warpSm : column(w.sm, Uint16Array),
    warpKernel : column(w.kernel, Uint16Array),
    warpBlock : column(w.block, Uint32Array),
    warpIndex : column(w.index, Uint16Array),
    warpGrid : column(w.grid, Float64Array),
    warpTrack : column(w.track, Uint32Array),
    launchBegin : column(l.begin, Float64Array),
    launchEnd : column(l.end, Float64Array),
    launchGrid : column(l.grid, Float64Array),
    launchDevice : column(l.device, Uint16Array),
    launchKernel : column(l.kernel, Uint16Array),
    launchStream : column(l.stream, Uint16Array),
    spanBegin : column(s.begin, Uint32Array),
    spanLength : column(s.length, Uint32Array),
    spanRegion : column(s.region, Uint16Array),
    trackDepth : column(t.depth, Uint8Array),
    trackFirst : column(t.first, Uint32Array)
  };
  const total = new Map();
  for (let i = 0; i < out.spanLength.length; ++i)
    total.set(out.spanRegion[i], (total.get(out.spanRegion[i]) || 0) + out.spanLength[i]);
  out.regionOrder = [...total ].sort((a, b) => b[1] - a[1]).map(([ region ]) => region);
  out.colour = data.regions.map((_, region) => HUES[out.regionOrder.indexOf(region)] || "#8a93a0");
  return out;
}

/** Things with a beginning and an end in as few rows as keep them apart; `key` is what a row calls them. */
function inRows(things, begin, end, key) {
  const slots = [];
  for (const thing of things.sort((a, b) => begin[a] - begin[b])) {
    let slot = slots.find((entry) => entry.end <= begin[thing]);
    if (!slot)
      slots.push(slot = {[key] : []});
    slot.end = end[thing];
    slot[key].push(thing);
  }
  return slots;
}

/** Rows of launches, a head for each stream. */
function launchRows(data, several) {
  const groups = new Map();
  for (let i = 0; i < data.launchBegin.length; ++i) {
    const key = data.launchDevice[i] * 65536 + data.launchStream[i];
    if (!groups.has(key))
      groups.set(key, []);
    groups.get(key).push(i);
  }
  return [...groups.keys()].sort((a, b) => a - b).flatMap((key) => [
    {head : several(key >>> 16) + data.streams[key % 65536], warps : []},
    ...inRows(groups.get(key), data.launchBegin, data.launchEnd, "launches")
  ]);
}

/** Rows: launches by stream; a head for each SM, then as many as warps were there at once. */
function makeRows(data) {
  const groups = new Map();
  for (let i = 0; i < data.warpBegin.length; ++i) {
    const key = data.warpDevice[i] * 65536 + data.warpSm[i];
    if (!groups.has(key))
      groups.set(key, []);
    groups.get(key).push(i);
  }
  const several = (device) => data.devices.length > 1 ? `${data.devices[device] || "GPU ?"} ` : "";
  const rows = launchRows(data, several);
  for (const key of [...groups.keys()].sort((a, b) => a - b))
    rows.push({head : `${several(key >>> 16)}SM ${key % 65536}`, warps : []},
              ...inRows(groups.get(key), data.warpBegin, data.warpEnd, "warps"));
  let top = AXIS;
  for (const row of rows) {
    row.top = top;
    top += row.head ? HEAD : ROW;
  }
  return {rows, height : top};
}

class Timeline {
  constructor(section, data) {
    this.data = data;
    Object.assign(this, makeRows(data));
    this.box = element("div", "canvas");
    this.box.id = "timeline-box";
    this.canvas = element("canvas");
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label",
                             "Timeline of warps by SM; keys: w and s zoom, a and d move, 0 shows everything");
    this.spacer = element("div");
    this.box.append(this.canvas, this.spacer);
    this.fit();
    section.append(this.tools(), this.legend(), this.box);
    this.listen();
    new ResizeObserver(() => this.draw()).observe(this.box); // draw() waits for the next frame
  }

  tools() {
    const out = element("div", "tools");
    const add = (text, title, act) => {
      const button = element("button", "", text);
      button.title = title;
      button.onclick = () => {
        act();
        this.draw();
      };
      out.append(button);
    };
    add("+", "zoom in (w)", () => this.zoom(0.5));
    add("−", "zoom out (s)", () => this.zoom(2));
    add("←", "earlier (a)", () => this.move(-0.3));
    add("→", "later (d)", () => this.move(0.3));
    add("All", "everything (0)", () => this.fit());
    this.shown = element("span");
    out.append(this.shown);
    return out;
  }

  legend() {
    const out = element("div", "legend");
    for (const region of this.data.regionOrder.slice(0, HUES.length)) {
      const item = element("span", "", this.data.regions[region]), mark = element("i");
      mark.style.background = this.data.colour[region];
      item.prepend(mark);
      item.title = this.data.regions[region];
      out.append(item);
    }
    if (this.data.regionOrder.length > HUES.length)
      out.append(element("span", "", "grey: all others"));
    return out;
  }

  fit() { [this.from, this.to] = [ 0, Math.max(this.data.lengthNs, 1) ]; }
  zoom(by, at = (this.from + this.to) / 2) {
    const least = 8, most = Math.max(this.data.lengthNs * 1.2, least);
    const length = Math.min(most, Math.max(least, (this.to - this.from) * by));
    const from = at - (at - this.from) * length / (this.to - this.from);
    [this.from, this.to] = [ from, from + length ];
  }
  move(by) {
    const step = (this.to - this.from) * by;
    this.from += step;
    this.to += step;
  }
  timeAt(x) { return this.from + x * (this.to - this.from) / this.width; }

  listen() {
    const canvas = this.canvas, keys = {
      w : () => this.zoom(0.7),
      s : () => this.zoom(1 / 0.7),
      a : () => this.move(-0.1),
      d : () => this.move(0.1),
      0 : () => this.fit()
    };
    canvas.addEventListener("keydown", (event) => {
      if (!keys[event.key] || event.ctrlKey || event.metaKey)
        return;
      keys[event.key]();
      this.draw();
    });
    canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.shiftKey)
        return; // the page and the rows scroll
      event.preventDefault();
      if (event.ctrlKey)
        this.zoom(Math.exp(event.deltaY / 300), this.timeAt(event.offsetX));
      else
        this.move((event.deltaX || event.deltaY) / this.width);
      this.draw();
    }, {passive : false});
    canvas.addEventListener("pointermove", (event) => {
      if (event.buttons & 1) {
        this.move(-event.movementX / this.width);
        this.draw();
      }
      showTip(event, this.textAt(event.offsetX, event.offsetY));
    });
    canvas.addEventListener("pointerleave", (event) => showTip(event, ""));
    canvas.addEventListener("dblclick", (event) => {
      this.zoom(0.25, this.timeAt(event.offsetX));
      this.draw();
    });
    this.box.addEventListener("scroll", () => this.draw());
  }

  draw() {
    if (this.isPending)
      return;
    this.isPending = true;
    requestAnimationFrame(() => {
      this.isPending = false;
      this.drawNow();
    });
  }

  drawNow() {
    const began = performance.now(), scale = devicePixelRatio || 1;
    this.width = this.box.clientWidth;
    const height = Math.min(560, this.height);
    this.spacer.style.height = `${Math.max(0, this.height - height)}px`;
    this.canvas.width = this.width * scale;
    this.canvas.height = height * scale;
    this.canvas.style.width = `${this.width}px`;
    this.canvas.style.height = `${height}px`;
    const g = this.g = this.canvas.getContext("2d"), style = getComputedStyle(document.documentElement);
    g.scale(scale, scale);
    g.font = "11px system-ui, sans-serif";
    g.textBaseline = "middle";
    const colours = {
      ink : style.getPropertyValue("--ink"),
      faint : style.getPropertyValue("--faint"),
      line : style.getPropertyValue("--line"),
      empty : style.getPropertyValue("--empty"),
      page : style.getPropertyValue("--page"),
      launch : `rgba(${style.getPropertyValue("--warm").trim()}, .8)`
    };
    const scroll = this.box.scrollTop;
    this.pixels = this.width / (this.to - this.from);
    const first = bisect(0, this.rows.length, (i) => this.rows[i].top + HEAD > scroll);
    for (let i = first; i < this.rows.length && this.rows[i].top - scroll < height; ++i)
      this.drawRow(this.rows[i], this.rows[i].top - scroll, colours);
    this.drawAxis(colours);
    this.shown.textContent =
        `${timeText(this.to - this.from)} of ${timeText(this.data.lengthNs)} shown; Ctrl+wheel zooms, drag moves`;
    this.canvas.dataset.drawMs = (performance.now() - began).toFixed(1);
  }

  drawRow(row, top, colours) {
    const g = this.g, data = this.data;
    if (row.head) {
      g.fillStyle = colours.ink;
      g.fillText(row.head, 6, top + HEAD / 2 + 2);
      return;
    }
    if (row.launches)
      return this.drawLaunches(row.launches, top, colours);
    const warps = row.warps;
    let i = bisect(0, warps.length, (k) => data.warpEnd[warps[k]] > this.from);
    while (i < warps.length && data.warpBegin[warps[i]] < this.to) {
      const left = this.x(data.warpBegin[warps[i]]), right = this.x(data.warpEnd[warps[i]]);
      g.fillStyle = colours.empty;
      g.fillRect(left, top + 1, Math.max(1, right - left), ROW - 2);
      if (right - left >= 2) {
        this.drawWarp(warps[i], top);
        ++i;
      } else { // all warps of this pixel at once
        g.fillStyle = colours.faint;
        g.fillRect(left, top + 1, 1, ROW - 2);
        const next = this.timeAt(Math.max(left, 0) + 1);
        i = Math.max(i + 1, bisect(i, warps.length, (k) => data.warpBegin[warps[k]] >= next));
      }
    }
  }

  drawLaunches(launches, top, colours) {
    const g = this.g, {launchBegin, launchEnd, launchKernel, kernels} = this.data;
    let i = bisect(0, launches.length, (k) => launchEnd[launches[k]] > this.from);
    while (i < launches.length && launchBegin[launches[i]] < this.to) {
      const left = this.x(launchBegin[launches[i]]), width = this.x(launchEnd[launches[i]]) - left;
      g.fillStyle = colours.launch;
      g.fillRect(Math.max(left, -1), top + 2, Math.max(1, Math.min(width, this.width + 2) - (width > 4 ? 1 : 0)), ROW - 4);
      if (width > 40)
        this.label(kernels[launchKernel[launches[i]]], left, width, top + 2, ROW - 4);
      const next = this.timeAt(Math.max(left, 0) + 1);
      i = width >= 1 ? i + 1 : Math.max(i + 1, bisect(i, launches.length, (k) => launchBegin[launches[k]] >= next));
    }
  }

  drawWarp(warp, top) {
    const {trackDepth, trackFirst} = this.data;
    for (let track = this.data.warpTrack[warp]; track < this.data.warpTrack[warp + 1]; ++track) {
      const depth = trackDepth[track], end = trackFirst[track + 1];
      const isStrip = depth >= OVERLAPS;
      const y = isStrip ? top + ROW - 4 : top + 1 + Math.min(depth, 3) * 3,
            height = isStrip ? 3 : ROW - 2 - Math.min(depth, 3) * 3;
      this.drawSpans(this.data.warpBegin[warp], trackFirst[track], end, depth === MARKS ? top : y,
                     depth === MARKS ? 5 : height);
    }
  }

  drawSpans(base, first, end, y, height) {
    const {spanBegin, spanLength, spanRegion, colour, unitNs} = this.data, g = this.g;
    const from = (this.from - base) / unitNs, to = (this.to - base) / unitNs, perPixel = 1 / (this.pixels * unitNs);
    let i = bisect(first, end, (k) => spanBegin[k] + spanLength[k] >= from);
    while (i < end && spanBegin[i] < to) {
      const left = this.x(base + spanBegin[i] * unitNs), width = spanLength[i] / perPixel;
      g.fillStyle = colour[spanRegion[i]];
      if (width >= 1) {
        g.fillRect(Math.max(left, -1), y, Math.min(width, this.width + 2) - (width > 4 ? 0.6 : 0), height);
        if (width > 40 && height > 9)
          this.label(this.data.regions[spanRegion[i]], left, width, y, height);
        ++i;
      } else {
        g.fillRect(left, y, 1, height);
        const next = spanBegin[i] + perPixel;
        i = Math.max(i + 1, bisect(i, end, (k) => spanBegin[k] >= next));
      }
    }
  }

  label(text, left, width, y, height) {
    const g = this.g, x = Math.max(left, 0) + 3, room = Math.min(left + width, this.width) - x - 3;
    if (room < 20)
      return;
    let shown = text;
    while (shown && g.measureText(shown).width > room)
      shown = shown.slice(0, Math.floor(shown.length * 0.8) - 1);
    if (!shown)
      return;
    g.fillStyle = "#10141a";
    g.fillText(shown, x, y + height / 2 + 0.5);
  }

  x(time) { return (time - this.from) * this.pixels; }

  drawAxis(colours) {
    const g = this.g, least = (this.to - this.from) / Math.max(2, this.width / 110);
    const power = 10 ** Math.floor(Math.log10(least)), step = [ 1, 2, 5, 10 ].find((n) => n * power >= least) * power;
    g.fillStyle = colours.page;
    g.fillRect(0, 0, this.width, AXIS);
    for (let time = Math.ceil(this.from / step) * step; time < this.to; time += step) {
      const x = this.x(time);
      g.fillStyle = colours.line;
      g.fillRect(x, 0, 1, AXIS);
      g.fillStyle = colours.faint;
      g.fillText(timeText(time), x + 4, AXIS / 2);
    }
    g.fillStyle = colours.line;
    g.fillRect(0, AXIS - 1, this.width, 1);
  }

  textAt(x, y) {
    const data = this.data, at = this.timeAt(x), below = y + this.box.scrollTop;
    const row = this.rows.find((entry) => below >= entry.top && below < entry.top + (entry.head ? HEAD : ROW));
    if (!row || row.head || y < AXIS)
      return "";
    const slack = 2 / this.pixels;
    if (row.launches) {
      const i = row.launches.find((k) => data.launchBegin[k] - slack <= at && at <= data.launchEnd[k] + slack);
      return i === undefined ? "" : `${data.kernels[data.launchKernel[i]]}\nlaunch ${data.launchGrid[i]}: ${
          timeText(data.launchEnd[i] - data.launchBegin[i])} from ${timeText(data.launchBegin[i])}`;
    }
    const warp = row.warps.find((w) => data.warpBegin[w] - slack <= at && at <= data.warpEnd[w] + slack);
    if (warp === undefined)
      return "";
    const lines = [
      `${data.kernels[data.warpKernel[warp]]}`,
      `launch ${data.warpGrid[warp]}, block ${data.warpBlock[warp]}, warp ` +
          `${data.warpIndex[warp]}: ${timeText(data.warpEnd[warp] - data.warpBegin[warp])} from ${
              timeText(data.warpBegin[warp])}`
    ];
    const inside = (at - data.warpBegin[warp]) / data.unitNs, near = slack / data.unitNs / 2;
    for (let track = data.warpTrack[warp]; track < data.warpTrack[warp + 1]; ++track) {
      const end = data.trackFirst[track + 1];
      const i = bisect(data.trackFirst[track], end, (k) => data.spanBegin[k] + data.spanLength[k] >= inside - near);
      if (i < end && data.spanBegin[i] <= inside + near)
        lines.push(`${data.regions[data.spanRegion[i]]}${
            data.trackDepth[track] === MARKS ? " (mark)" : `: ${timeText(data.spanLength[i] * data.unitNs)}`}`);
    }
    return lines.join("\n");
  }
}

function addTimeline(section, raw) {
  if (!raw.warpCount)
    return;
  const data = loadTimeline(raw);
  window.timeline = new Timeline(section, data);
  if (raw.leftOut)
    addNotes(section, [ raw.leftOut ]);
}
