// One picture of the timeline, drawn from sorted columns so that a million spans stay usable: what is narrower than a pixel is
// drawn once for all that share the pixel, in the colour of what ran in its middle, and the next pixel is found by bisection.
const MAX_ARROWS = 400;

class TimelinePicture {
  constructor(view, height, scale) {
    Object.assign(this, {data : view.data, rows : view.rows, warpRow : view.warpRow, from : view.from, to : view.to, width : view.width, height});
    this.scroll = view.box.scrollTop;
    this.pixels = this.width / (this.to - this.from);
    this.wantsArrows = view.wantsArrows;
    this.arrows = [];
    this.singles = 0; // spans that have a pixel or more of their own
    const g = this.g = view.canvas.getContext("2d"), style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(name).trim();
    g.scale(scale, scale);
    g.font = ROW_FONT;
    g.textBaseline = "middle";
    this.colours = {
      ink : colour("--ink"),
      faint : colour("--faint"),
      line : colour("--line"),
      empty : colour("--empty"),
      page : colour("--page"),
      launch : `rgba(${colour("--warm")}, .8)`
    };
  }

  x(time) { return (time - this.from) * this.pixels; }
  timeAt(x) { return this.from + x / this.pixels; }

  draw() {
    const first = bisect(0, this.rows.length, (i) => this.rows[i].top + this.rows[i].height > this.scroll);
    for (let i = first; i < this.rows.length && this.rows[i].top - this.scroll < this.height; ++i)
      this.drawRow(this.rows[i], this.rows[i].top - this.scroll);
    if (this.arrows.length <= MAX_ARROWS)
      for (const arrow of this.arrows)
        this.drawArrow(arrow);
    if (this.arrows.length)
      for (let i = first; i < this.rows.length && this.rows[i].top - this.scroll < this.height; ++i)
        if (this.rows[i].head)
          this.drawHead(this.rows[i].head, this.rows[i].top - this.scroll);
    this.drawAxis();
  }

  drawRow(row, top) {
    if (row.head) {
      this.drawHead(row.head, top);
    } else if (row.launches) {
      this.drawLaunches(row.launches, top);
    } else if (row.fills) {
      this.drawSlot(row, top);
    } else {
      this.drawWarps(row, top);
    }
  }

  /** On ground of its own, which keeps it readable among arrows. */
  drawHead(text, top) {
    const g = this.g;
    g.fillStyle = this.colours.page;
    g.fillRect(3, top + 4, g.measureText(text).width + 6, HEAD - 5);
    g.fillStyle = this.colours.ink;
    g.fillText(text, 6, top + HEAD / 2 + 2);
  }

  /** A slot of a ring: filled in the colour of who fills it, then full, then drained in the colour of who drains it. */
  drawSlot({ring, fills}, top) {
    const {g, data, colours} = this, grey = "#8a93a0", colourOf = (role) => role.region === undefined ? grey : data.colour[role.region];
    const end = (time) => Math.min(time, this.to + 1 / this.pixels);
    g.fillStyle = colours.line;
    g.fillRect(0, top + ROW - 2, this.width, 1);
    this.walk(
        0, fills.length, (k) => ring.acquired[fills[k]], (k) => ring.released[fills[k]], 3,
        (k) => {
          const i = fills[k], {acquired, filled, taken, released} = ring;
          ++this.singles;
          for (const [colour, from, to, first, last] of [[ colourOf(ring.by), acquired[i], filled[i], 0.3, 1 ], [ colours.ink, filled[i], taken[i], 1, 1 ],
                                                         [ colourOf(ring.to), taken[i], released[i], 1, 0.3 ]])
            if (from < this.to && end(to) > this.from && to > from)
              this.wedge(colour, this.x(from), (end(to) - from) * this.pixels, top + 1, ROW - 4, first, last);
        },
        (_, pixel) => this.box(colours.faint, pixel, 1, top + 2, ROW - 4, 0));
  }

  /** Calls `wide` for each of [first, last) that is a pixel or more, and `narrow` with all that end in the same pixel. */
  walk(first, last, begin, end, least, wide, narrow) {
    let i = bisect(first, last, (k) => end(k) >= this.from);
    while (i < last && begin(i) < this.to) {
      const left = this.x(begin(i)), width = (end(i) - begin(i)) * this.pixels;
      if (width >= least) {
        wide(i, left, width);
        ++i;
        continue;
      }
      const pixel = Math.floor(left), next = this.timeAt(pixel + 1), middle = this.timeAt(pixel + 0.5);
      const past = seek(i + 1, last, (k) => end(k) > next), shown = seek(i, past, (k) => end(k) >= middle);
      narrow(shown < past && begin(shown) <= middle ? shown : i, pixel);
      i = past;
    }
  }

  drawWarps({warps, height}, top) {
    const g = this.g, {warpBegin, warpEnd} = this.data;
    this.walk(
        0, warps.length, (k) => warpBegin[warps[k]], (k) => warpEnd[warps[k]], 2,
        (k, left, width) => {
          const shown = Math.max(left, -1);
          g.fillStyle = this.colours.empty;
          g.fillRect(shown, top + 1, Math.min(left + width, this.width + 1) - shown, height - 2);
          this.drawTracks(warps[k], top);
          this.findArrows(warps[k]);
        },
        (k, pixel) => {
          g.fillStyle = this.colourOf(warps[k]);
          g.fillRect(pixel, top + 1, 1, height - 2);
        });
  }

  /** Of a warp that is too narrow for its spans: of the region that took most of its time itself, without the regions inside. */
  colourOf(warp) {
    const {warpBegin, warpEnd, warpColour, colour, regions} = this.data;
    if (warpColour[warp] === undefined) {
      const sums = regions.map(() => ({count : 0, total : 0, self : 0}));
      addNested(this.data, warp, warpBegin[warp], warpEnd[warp], sums);
      const most = sums.reduce((best, sum, region) => sum.self > sums[best].self ? region : best, 0);
      warpColour[warp] = sums[most]?.self > 0 ? colour[most] : this.colours.faint;
    }
    return warpColour[warp];
  }

  /** What lies outside of the selected range is paler. */
  drawRange(range) {
    if (!range)
      return;
    const g = this.g, from = this.x(range.from), to = this.x(range.to);
    g.globalAlpha = 0.7;
    g.fillStyle = this.colours.page;
    g.fillRect(0, AXIS, Math.max(from, 0), this.height);
    g.fillRect(to, AXIS, Math.max(this.width - to, 0), this.height);
    g.globalAlpha = 1;
    g.fillStyle = this.colours.ink;
    g.fillRect(from - 1, 0, 1, this.height);
    g.fillRect(to, 0, 1, this.height);
  }

  drawLaunches(launches, top) {
    const {launchBegin, launchEnd, launchKernel, kernels} = this.data;
    this.walk(
        0, launches.length, (k) => launchBegin[launches[k]], (k) => launchEnd[launches[k]], 1,
        (k, left, width) => {
          this.box(this.colours.launch, left, width, top + 2, ROW - 4, 1);
          if (width > 40)
            this.label(kernels[launchKernel[launches[k]]], left, width, top + 2, ROW - 4);
        },
        (_, pixel) => this.box(this.colours.launch, pixel, 1, top + 2, ROW - 4, 0));
  }

  drawTracks(warp, top) {
    const {trackDepth, trackFirst, warpTrack, warpBegin} = this.data;
    for (let track = warpTrack[warp]; track < warpTrack[warp + 1]; ++track) {
      const depth = trackDepth[track], inset = Math.min(depth, 3) * 3;
      let [y, height] = [ top + 1 + inset, ROW - 2 - inset ];
      if (depth === MARKS)
        [y, height] = [ top, 5 ];
      else if (depth > OVERLAPS)
        [y, height] = [ top + ROW + (Math.min(depth - OVERLAPS, MAX_STRIPS) - 1) * STRIP, STRIP - 1 ];
      const isOuter = depth + 1 < OVERLAPS && track + 1 < warpTrack[warp + 1] && trackDepth[track + 1] === depth + 1;
      this.drawSpans(warpBegin[warp], trackFirst[track], trackFirst[track + 1], y, height, isOuter ? trackFirst[track + 2] : 0);
    }
  }

  /** `inner`: the spans from `last` to there are drawn over these. */
  drawSpans(base, first, last, y, height, inner) {
    const {spanBegin, spanLength, spanRegion, colour, unitNs, labels} = this.data;
    this.walk(
        first, last, (k) => base + spanBegin[k] * unitNs, (k) => base + (spanBegin[k] + spanLength[k]) * unitNs, 1,
        (k, left, width) => {
          ++this.singles;
          this.box(colour[spanRegion[k]], left, width, y, height, 0.6);
          if (width > 40 && height > 9)
            this.label(labels[spanRegion[k]], ...this.freePart(base, left, width, last, inner), y, height);
        },
        (k, pixel) => this.box(colour[spanRegion[k]], pixel, 1, y, height, 0));
  }

  /** Where a label has room: left and width of the first part of a span that few others hide. */
  freePart(base, left, width, first, last) {
    const {spanBegin, spanLength, unitNs} = this.data;
    let from = Math.max(left, 0);
    const right = Math.min(left + width, this.width), begin = this.timeAt(from);
    let i = bisect(first, last, (n) => base + (spanBegin[n] + spanLength[n]) * unitNs > begin);
    for (const most = i + 5; i < Math.min(last, most); ++i) {
      const next = this.x(base + spanBegin[i] * unitNs);
      if (next >= right || next - from > 40)
        return [ from, Math.min(next, right) - from ];
      from = this.x(base + (spanBegin[i] + spanLength[i]) * unitNs);
    }
    return [ from, i < last ? 0 : right - from ];
  }

  /** `gap`: what wide boxes leave free on the right. */
  box(colour, left, width, y, height, gap) {
    const shown = Math.max(left, -1), right = Math.min(left + width - (width > 4 ? gap : 0), this.width + 1);
    this.g.fillStyle = colour;
    this.g.fillRect(shown, y, right - shown, height);
  }

  /** A box that is so much of its height at its left and at its right end. */
  wedge(colour, left, width, y, height, first, last) {
    const g = this.g, right = left + Math.max(width - (width > 4 ? 0.6 : 0), 1);
    g.fillStyle = colour;
    g.beginPath();
    g.moveTo(left, y + height);
    g.lineTo(left, y + height * (1 - first));
    g.lineTo(right, y + height * (1 - last));
    g.lineTo(right, y + height);
    g.fill();
  }

  label(text, left, width, y, height) {
    const g = this.g, x = Math.max(left, 0) + 3, room = Math.min(left + width, this.width) - x - 3;
    if (room < 20)
      return;
    const whole = g.measureText(text).width, most = Math.floor(text.length * room / whole) - 1;
    if (whole > room && most < 2)
      return;
    g.fillStyle = "#10141a";
    g.fillText(whole > room ? `${text.slice(0, most)}…` : text, x, y + height / 2 + 0.5);
  }

  /** Those that end in the picture, in a warp; one more than are drawn is enough to know. */
  findArrows(warp) {
    const {releaseTo, releaseToAt, releaseFrom, warpBegin, unitNs} = this.data;
    const inside = (time) => (time - warpBegin[warp]) / unitNs, from = inside(this.from), to = inside(this.to);
    const first = bisect(0, releaseTo.length, (k) => releaseTo[k] > warp || (releaseTo[k] === warp && releaseToAt[k] >= from));
    for (let k = first; k < releaseTo.length && releaseTo[k] === warp && releaseToAt[k] < to; ++k)
      if (!this.rows[this.warpRow[releaseFrom[k]]])
        continue; // from one that has no row here
      else if (this.wantsArrows && this.arrows.length <= MAX_ARROWS)
        this.arrows.push(k);
      else
        return;
  }

  drawArrow(k) {
    const g = this.g, data = this.data;
    const point = (warp, at) => {
      const row = this.rows[this.warpRow[warp]];
      return [ this.x(data.warpBegin[warp] + at * data.unitNs), row.top - this.scroll + ROW / 2 ];
    };
    const [x0, y0] = point(data.releaseFrom[k], data.releaseFromAt[k]), [x1, y1] = point(data.releaseTo[k], data.releaseToAt[k]);
    const bend = y0 === y1 ? -ROW : 0, angle = Math.atan2(y1 - y0 - bend, x1 - x0);
    g.strokeStyle = g.fillStyle = this.colours.ink;
    g.beginPath();
    g.moveTo(x0, y0);
    g.quadraticCurveTo((x0 + x1) / 2, (y0 + y1) / 2 + bend, x1, y1);
    g.stroke();
    g.beginPath();
    g.arc(x0, y0, 2, 0, 7);
    g.moveTo(x1, y1);
    for (const side of [-0.4, 0.4])
      g.lineTo(x1 - 8 * Math.cos(angle + side), y1 - 8 * Math.sin(angle + side));
    g.fill();
  }

  drawAxis() {
    const g = this.g, {from, to, width, colours} = this, least = (to - from) / Math.max(2, width / 110);
    const power = 10 ** Math.floor(Math.log10(least)), step = [ 1, 2, 5, 10 ].find((n) => n * power >= least) * power;
    g.fillStyle = colours.page;
    g.fillRect(0, 0, width, AXIS);
    for (let i = Math.ceil(from / step); i * step < to; ++i) {
      const x = this.x(i * step);
      g.fillStyle = colours.line;
      g.fillRect(x, 0, 1, AXIS);
      g.fillStyle = colours.faint;
      const text = timeText(i * step, step, Math.max(-from, to));
      if (x + 4 + g.measureText(text).width < width)
        g.fillText(text, x + 4, AXIS / 2);
    }
    g.fillStyle = colours.line;
    g.fillRect(0, AXIS - 1, width, 1);
  }
}
