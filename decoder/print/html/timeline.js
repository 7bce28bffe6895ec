// The timeline: rows of warps by SM on a canvas, and how one moves in it.
const MAX_HEIGHT = 560; // of the canvas; rows beyond scroll

class Timeline {
  /** `what`: rows, the element's id, what it is called, and the times between which it lies. */
  constructor(section, data, what) {
    this.data = data;
    Object.assign(this, what.made);
    this.whole = {from : what.from, to : Math.max(what.to, what.from + 1)};
    this.box = element("div", "canvas");
    this.box.id = `${what.id}-box`;
    this.canvas = element("canvas");
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label",
                             `${what.label}; keys: w and s zoom, a and d move, 0 shows everything, arrows go from span ` +
                                 `to span, r takes what is shown for the tables, Escape takes all`);
    this.spacer = element("div");
    this.box.append(this.canvas, this.spacer);
    this.wantsArrows = data.releaseTo.length > 0;
    this.range = null;
    this.linked = []; // show the same stretch of time
    this.cursor = new TimelineCursor(this);
    this.names = new TimelineNames(this);
    this.frame = element("div", "frame");
    this.frame.append(this.names.canvas, this.box);
    this.fit();
    section.append(this.tools(), this.legend(), this.frame, this.cursor.said);
    this.listen();
    new ResizeObserver(() => this.draw()).observe(this.box); // draw() waits for the next frame
  }

  tools() {
    const out = element("div", "tools");
    const add = (text, title, act) => {
      const button = element("button", "", text);
      button.type = "button";
      button.title = title;
      button.onclick = () => {
        act(button);
        this.draw();
      };
      out.append(button);
      return button;
    };
    add("+", "zoom in (w)", () => this.zoom(0.5));
    add("−", "zoom out (s)", () => this.zoom(2));
    add("←", "earlier (a)", () => this.move(-0.3));
    add("→", "later (d)", () => this.move(0.3));
    add("All", "everything (0)", () => this.fit());
    add("Tables of this time", "the tables, of what is shown alone (r); Shift+drag takes a stretch of it; Escape takes all", () => this.select(this));
    if (this.wantsArrows)
      add("Arrows", "from who let a wait go on to the wait", (button) => {
        this.wantsArrows = !this.wantsArrows;
        button.setAttribute("aria-pressed", this.wantsArrows);
      }).setAttribute("aria-pressed", true);
    this.shown = element("span");
    this.use = element("span", "use");
    out.append(this.places(), this.shown, this.use);
    return out;
  }

  /** Scrolls to an SM or a stream. */
  places() {
    const out = element("select"), heads = this.rows.filter((row) => row.head);
    out.setAttribute("aria-label", "Go to a group of rows");
    out.hidden = this.height <= MAX_HEIGHT;
    out.append(element("option", "", "Go to…"), ...heads.map((row) => element("option", "", row.head)));
    out.onchange = () => {
      if (out.selectedIndex > 0)
        this.box.scrollTop = heads[out.selectedIndex - 1].top - AXIS;
      out.selectedIndex = 0;
    };
    return out;
  }

  legend() {
    const out = element("div", "legend");
    const shown = this.data.regionOrder.slice(0, HUES.length).filter((region) => this.data.colour[region] !== "#8a93a0");
    for (const region of shown) {
      const item = element("span", "", this.data.labels[region]), mark = element("i");
      mark.style.background = this.data.colour[region];
      item.prepend(mark);
      item.title = this.data.labels[region];
      out.append(item);
    }
    if (this.data.regionOrder.length > shown.length)
      out.append(element("span", "", "grey: all others"));
    return out;
  }

  fit() { [this.from, this.to] = [ this.whole.from, this.whole.to ]; }
  zoom(by, at = (this.from + this.to) / 2) {
    const least = 8, most = Math.max((this.whole.to - this.whole.from) * 1.2, least);
    const length = Math.min(most, Math.max(least, (this.to - this.from) * by));
    const from = at - (at - this.from) * length / (this.to - this.from);
    [this.from, this.to] = [ from, from + length ];
  }
  move(by) {
    const step = (this.to - this.from) * by;
    this.from += step;
    this.to += step;
  }
  x(time) { return (time - this.from) * this.width / (this.to - this.from); }
  timeAt(x) { return this.from + x * (this.to - this.from) / this.width; }

  listen() {
    this.listenToKeys();
    this.listenToWheel();
    this.listenToPointer();
    this.box.addEventListener("scroll", () => this.draw());
  }
  listenToKeys() {
    const keys = {
      w : () => this.zoom(0.7),
      s : () => this.zoom(1 / 0.7),
      a : () => this.move(-0.1),
      d : () => this.move(0.1),
      0 : () => this.fit(),
      r : () => this.select(this),
      Escape : () => this.select(null)
    };
    this.canvas.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey)
        return;
      if (keys[event.key])
        keys[event.key]();
      else if (!this.cursor.take(event.key))
        return;
      event.preventDefault();
      this.draw();
    });
  }
  listenToWheel() {
    this.canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.shiftKey)
        return; // the page and the rows scroll
      event.preventDefault();
      if (event.ctrlKey)
        this.zoom(Math.exp(event.deltaY / 300), this.timeAt(event.offsetX));
      else
        this.move((event.deltaX || event.deltaY) / this.width);
      this.draw();
    }, {passive : false});
  }
  listenToPointer() {
    const canvas = this.canvas;
    let anchor = null; // where a range begins
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      anchor = event.shiftKey ? this.timeAt(event.offsetX) : null;
    });
    canvas.addEventListener("pointerup", () => {
      if (anchor !== null && this.range)
        this.select(this.range);
      anchor = null;
    });
    canvas.addEventListener("pointermove", (event) => {
      if (anchor !== null && event.buttons & 1) {
        const here = this.timeAt(event.offsetX);
        this.range = {from : Math.min(anchor, here), to : Math.max(anchor, here)};
        this.draw();
      } else if (event.buttons & 1) {
        this.move(-event.movementX / this.width);
        this.box.scrollTop -= event.movementY;
        this.draw();
      }
      showTip(event, this.textAt(event.offsetX, event.offsetY));
    });
    canvas.addEventListener("pointerleave", (event) => showTip(event, ""));
    canvas.addEventListener("dblclick", (event) => {
      this.zoom(0.25, this.timeAt(event.offsetX));
      this.draw();
    });
  }

  /** Takes a stretch of time for the tables; null: all of it. */
  select(range) {
    this.range = range && {from : Math.max(range.from, this.whole.from), to : Math.min(range.to, this.whole.to)};
    showRange(this.data, this.range);
    for (const picture of pictures)
      picture.draw();
  }

  /** Shows the longest span of a region, by its label; gives what the keyboard goes on from. */
  showRegion(label) {
    const data = this.data;
    let best = -1, bestWarp = 0;
    for (let warp = 0; warp < data.warpBegin.length; ++warp)
      for (let i = data.trackFirst[data.warpTrack[warp]]; i < data.trackFirst[data.warpTrack[warp + 1]]; ++i)
        if (data.labels[data.spanRegion[i]] === label && (best < 0 || data.spanLength[i] > data.spanLength[best]))
          [best, bestWarp] = [ i, warp ];
    if (best < 0)
      return null;
    const length = Math.max(data.spanLength[best] * data.unitNs, 8), begin = data.warpBegin[bestWarp] + data.spanBegin[best] * data.unitNs;
    [this.from, this.to] = [ begin - length, begin + 2 * length ];
    this.cursor.row = this.rows[this.warpRow[bestWarp]];
    this.cursor.time = begin;
    this.cursor.show();
    this.draw();
    return this.canvas;
  }

  draw() {
    for (const other of this.linked)
      if (other.from !== this.from || other.to !== this.to) {
        [other.from, other.to] = [ this.from, this.to ];
        other.draw();
      }
    if (this.isPending)
      return;
    this.isPending = true;
    requestAnimationFrame(() => {
      this.isPending = false;
      this.drawNow();
    });
  }

  drawNow() {
    const began = performance.now(), scale = devicePixelRatio || 1, height = Math.min(MAX_HEIGHT, this.height);
    this.names.fit(this.frame.clientWidth);
    this.width = this.box.clientWidth;
    this.spacer.style.height = `${Math.max(0, this.height - height)}px`;
    this.canvas.width = this.width * scale;
    this.canvas.height = height * scale;
    this.canvas.style.width = `${this.width}px`;
    this.canvas.style.height = `${height}px`;
    const picture = new TimelinePicture(this, height, scale);
    picture.draw();
    picture.drawRange(this.range || this.data.own?.range);
    picture.g.fillStyle = picture.colours.ink;
    this.cursor.draw(picture.g);
    this.names.draw(height, scale);
    const arrows = picture.arrows.length > MAX_ARROWS ? "; zoom in for arrows" : "";
    this.shown.textContent =
        `${timeText(this.to - this.from)} of ${timeText(this.whole.to - this.whole.from)} shown`;
    this.use.textContent = `Ctrl+wheel zooms, drag moves, Shift+drag takes a range${arrows}`;
    this.last = {ms : performance.now() - began, singles : picture.singles, arrows : picture.arrows.length};
  }

  textAt(x, y) {
    const below = y + this.box.scrollTop, row = this.rows.find((entry) => below >= entry.top && below < entry.top + entry.height);
    return row && y >= AXIS ? this.textIn(row, this.timeAt(x), 2 * this.timeAt(1) - 2 * this.timeAt(0)) : "";
  }

  /** What is in a row at a time, or `slack` next to it. */
  textIn(row, at, slack) {
    const data = this.data;
    if (row.head)
      return "";
    if (row.launches) {
      const i = row.launches.find((k) => data.launchBegin[k] - slack <= at && at <= data.launchEnd[k] + slack);
      return i === undefined ? "" : `${data.kernels[data.launchKernel[i]]}\ngrid-id ${data.launchGrid[i]}: ${
          timeText(data.launchEnd[i] - data.launchBegin[i])} from ${timeText(data.launchBegin[i], 1)}`;
    }
    const warp = row.warps.find((w) => data.warpBegin[w] - slack <= at && at <= data.warpEnd[w] + slack);
    return warp === undefined ? "" : this.textOf(warp, at, slack / 2).join("\n");
  }

  textOf(warp, at, near) {
    const data = this.data, begin = data.warpBegin[warp];
    const lines = [
      `${data.kernels[data.warpKernel[warp]]}`,
      `grid-id ${data.warpGrid[warp]}, ${data.terms.block} ${data.warpBlock[warp]}, ${data.terms.warp} ${data.warpIndex[warp]}: ${
          timeText(data.warpEnd[warp] - begin)} from ${timeText(begin, 1)}`
    ];
    for (let track = data.warpTrack[warp]; track < data.warpTrack[warp + 1]; ++track) {
      const i = this.spanAt(track, (at - begin) / data.unitNs, near / data.unitNs);
      if (i === undefined)
        continue;
      const name = data.labels[data.spanRegion[i]], from = timeText(begin + data.spanBegin[i] * data.unitNs, 1);
      const isMark = data.trackDepth[track] === MARKS;
      lines.push(isMark ? `${name} (mark) at ${from}` : `${name}: ${timeText(data.spanLength[i] * data.unitNs)} from ${from}`);
      const release = this.releaseOf(warp, i);
      if (release !== undefined)
        lines.push(this.textOfRelease(release));
    }
    return lines;
  }

  /** The span there, or else one beginning or ending near by. */
  spanAt(track, inside, near) {
    const {trackFirst, spanBegin, spanLength} = this.data, first = trackFirst[track], last = trackFirst[track + 1];
    const there = bisect(first, last, (k) => spanBegin[k] + spanLength[k] >= inside);
    if (there < last && spanBegin[there] <= inside)
      return there;
    const i = bisect(first, last, (k) => spanBegin[k] + spanLength[k] >= inside - near);
    return i < last && spanBegin[i] <= inside + near ? i : undefined;
  }

  /** Of what let this wait go on. */
  releaseOf(warp, span) {
    const {releaseTo, releaseToAt, releaseWait, spanBegin, spanLength, spanRegion} = this.data;
    const end = spanBegin[span] + spanLength[span], least = end - 1; // begin and length are rounded apart
    let k = bisect(0, releaseTo.length, (i) => releaseTo[i] > warp || (releaseTo[i] === warp && releaseToAt[i] >= least));
    for (; k < releaseTo.length && releaseTo[k] === warp && releaseToAt[k] <= end + 1; ++k)
      if (releaseWait[k] === spanRegion[span])
        return k;
    return undefined;
  }

  textOfRelease(k) {
    const data = this.data, from = data.releaseFrom[k], at = data.warpBegin[from] + data.releaseFromAt[k] * data.unitNs;
    return `  released by ${data.regions[data.releaseBy[k]]} of ${data.terms.warp} ${data.warpIndex[from]} at ${timeText(at, 1)}`;
  }
}

/** `name`: of the trace, where there are several; they are drawn on one scale. */
function addTimeline(section, data, name, length) {
  const label = `Timeline of ${data.terms.warp}s by ${data.terms.sm}${name ? ` of ${name}` : ""}`;
  const view = data.own = new Timeline(section, data, {made : makeRows(data), id : "timeline", label, from : 0, to : length});
  if (data.leftOut)
    addNotes(section, [ data.leftOut ]);
  return view;
}
