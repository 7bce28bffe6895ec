// The keyboard's place on the timeline: arrows go from span to span and from row to row, and what is there is said.
class TimelineCursor {
  constructor(view) {
    this.view = view;
    this.row = null;
    this.time = 0;
    this.said = element("p", "cursor-text");
    this.said.setAttribute("role", "status");
  }

  /** Whether the key was one of its own. */
  take(key) {
    const steps = {ArrowLeft : () => this.step(-1), ArrowRight : () => this.step(1), ArrowUp : () => this.climb(-1), ArrowDown : () => this.climb(1)};
    if (!steps[key])
      return false;
    if (!this.row)
      this.start();
    steps[key]();
    this.show();
    return true;
  }

  start() {
    const {rows, box, from, to} = this.view;
    this.row = rows.find((row) => (row.warps || row.fills)?.length && row.top + row.height > box.scrollTop + AXIS) || null;
    this.time = Math.max(from, 0);
  }

  /** To the next span's beginning in the row, or to the last one's. */
  step(way) {
    if (!this.row)
      return;
    const data = this.view.data, begins = [];
    const look = (first, last, begin) => {
      const next = bisect(first, last, (k) => begin(k) > this.time + 1e-6), before = bisect(first, last, (k) => begin(k) >= this.time - 1e-6) - 1;
      if (way > 0 ? next < last : before >= first)
        begins.push(begin(way > 0 ? next : before));
    };
    for (const warp of this.row.warps || [])
      for (let track = data.warpTrack[warp]; track < data.warpTrack[warp + 1]; ++track)
        look(data.trackFirst[track], data.trackFirst[track + 1], (k) => data.warpBegin[warp] + data.spanBegin[k] * data.unitNs);
    if (this.row.launches)
      look(0, this.row.launches.length, (k) => data.launchBegin[this.row.launches[k]]);
    if (this.row.fills)
      for (const times of [this.row.ring.acquired, this.row.ring.filled, this.row.ring.taken, this.row.ring.released])
        look(0, this.row.fills.length, (k) => times[this.row.fills[k]]);
    if (begins.length)
      this.time = begins.reduce((a, b) => way > 0 ? Math.min(a, b) : Math.max(a, b));
  }

  climb(way) {
    const {rows} = this.view;
    let i = rows.indexOf(this.row) + way;
    while (rows[i] && rows[i].head)
      i += way;
    this.row = rows[i] || this.row;
  }

  /** Moves the picture there where it is elsewhere, and says what is there. */
  show() {
    const view = this.view, length = view.to - view.from, row = this.row;
    if (!row)
      return;
    if (this.time < view.from || this.time > view.to - 0.02 * length)
      [view.from, view.to] = [ this.time - length / 4, this.time + 3 * length / 4 ];
    if (row.top - AXIS < view.box.scrollTop)
      view.box.scrollTop = row.top - AXIS - HEAD;
    if (row.top + row.height > view.box.scrollTop + view.box.clientHeight)
      view.box.scrollTop = row.top + row.height - view.box.clientHeight;
    const text = view.textIn(row, this.time, 0);
    this.said.textContent = text.split("\n").join("; ") || `nothing at ${timeText(this.time, 1)}`;
  }

  draw(g, width) {
    if (!this.row)
      return;
    const x = this.view.x(this.time), y = this.row.top - this.view.box.scrollTop;
    g.fillRect(x - 1, Math.max(y, AXIS), 2, this.row.height);
    g.fillRect(x - 4, Math.max(y, AXIS), 8, 2);
  }
}
