// How many recorded warps each SM held over time: a row for each SM, darker where there were more.
class Occupancy {
  constructor(section, entry, name, lengthNs, terms) {
    this.entry = entry;
    this.terms = terms;
    this.steps = Math.min(entry.steps, Math.max(lengthNs, 1) / entry.stepNs); // the last one may be a part
    this.values = column(entry.values, Uint16Array);
    this.most = this.values.reduce((a, b) => Math.max(a, b), 1);
    const peak = this.most / entry.scale;
    section.append(element("p", "tools",
                           `${name}: ${entry.sms.length} ${terms.sm}s, up to ${
                               peak.toFixed(1)} ${terms.warp}s at once on one (mean over ${timeText(entry.stepNs)})`));
    const legend = element("p", "legend line", `A row for each ${terms.sm}, time from left to right; none `);
    legend.append(element("span", "scale warps"), ` ${peak.toFixed(1)} ${terms.warp}s`);
    section.append(legend);
    this.box = element("div", "canvas");
    this.canvas = element("canvas");
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", `Active ${terms.warp}s by ${terms.sm} over time`);
    this.box.append(this.canvas);
    section.append(this.box);
    this.canvas.addEventListener("pointermove", (event) => showTip(event, this.textAt(event.offsetX, event.offsetY)));
    this.canvas.addEventListener("pointerleave", (event) => showTip(event, ""));
    new ResizeObserver(() => requestAnimationFrame(() => this.draw())).observe(this.box);
  }

  row() { return Math.max(3, Math.min(16, Math.floor(420 / this.entry.sms.length))); }

  draw() {
    if (this.width === this.box.clientWidth && this.theme === document.documentElement.dataset.theme)
      return;
    this.theme = document.documentElement.dataset.theme;
    const {sms, steps : stride} = this.entry, steps = this.steps;
    const width = this.box.clientWidth, row = this.row(), height = sms.length * row + 20;
    const scale = devicePixelRatio || 1, style = getComputedStyle(document.documentElement);
    this.width = width;
    this.canvas.width = width * scale;
    this.canvas.height = height * scale;
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    const g = this.canvas.getContext("2d"), warm = style.getPropertyValue("--warm").trim();
    g.scale(scale, scale);
    g.fillStyle = style.getPropertyValue("--empty");
    g.fillRect(0, 0, width, height - 20);
    for (let i = 0; i < sms.length; ++i)
      for (let x = 0; x < width; ++x) {
        const first = Math.floor(x * steps / width), last = Math.max(first + 1, Math.ceil((x + 1) * steps / width));
        let sum = 0;
        for (let k = first; k < last; ++k)
          sum += this.values[i * stride + k];
        const part = sum / (last - first) / this.most;
        if (part <= 0)
          continue;
        g.fillStyle = `rgba(${warm}, ${(0.12 + 0.88 * part).toFixed(3)})`;
        g.fillRect(x, i * row, 1, row > 4 ? row - 1 : row);
      }
    g.fillStyle = style.getPropertyValue("--faint");
    g.font = "11px system-ui, sans-serif";
    g.textBaseline = "middle";
    g.fillText(`0, ${this.terms.sm} ${sms[0]} on top to ${this.terms.sm} ${sms[sms.length - 1]}`, 4, height - 9);
    const end = timeText(Math.round(this.entry.stepNs * steps));
    g.fillText(end, width - g.measureText(end).width - 4, height - 9);
  }

  textAt(x, y) {
    const {sms, steps, stepNs, scale} = this.entry, sm = Math.floor(y / this.row()),
                               step = Math.floor(x * this.steps / this.width);
    if (sm >= sms.length || step >= this.steps)
      return "";
    return `${this.terms.sm} ${sms[sm]} at ${timeText(step * stepNs)}: ${(this.values[sm * steps + step] / scale).toFixed(2)} ${this.terms.warp}s`;
  }
}

function occupancyTitle({warp, sm}) {
  return `${warp[0].toUpperCase()}${warp.slice(1)}s on each ${sm}`;
}

function addOccupancy(section, raw) {
  return raw.occupancy.map((entry) => new Occupancy(section, entry, raw.devices[entry.device] || "GPU ?", raw.lengthNs, raw.terms));
}
