// A histogram for each region, on one logarithmic time axis for a kernel.
const SVG = "http://www.w3.org/2000/svg";

function svg(name, attributes, text) {
  const out = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes))
    out.setAttribute(key, value);
  if (text !== undefined)
    out.textContent = text;
  return out;
}

function makePlot(name, bins, from, below, text) {
  const figure = element("figure", "plot"), caption = element("figcaption");
  const title = element("span", "", name);
  title.title = name;
  const count = bins.reduce((sum, bin) => sum + bin.count, 0);
  caption.append(title, element("span", "", `${count} ${count === 1 ? "entry" : "entries"}`));
  const plot = svg("svg", {viewBox : "0 0 300 72", preserveAspectRatio : "none", role : "img"});
  const x = (value) => 300 * Math.log(Math.max(value, from) / from) / Math.log(below / from);
  const most = bins.reduce((a, bin) => Math.max(a, bin.count), 0);
  for (const bin of bins) {
    const left = x(bin.from), height = Math.max(1, 64 * bin.count / most);
    const bar = svg(
        "rect", {class : "value", x : left, y : 66 - height, width : Math.max(1, x(bin.below) - left - 0.6), height});
    bar.append(svg("title", {}, `${text(bin.from)} to ${text(bin.below)}: ${bin.count} (${bin.share.toFixed(1)} %)`));
    plot.append(bar);
  }
  plot.append(svg("line", {x1 : 0, x2 : 300, y1 : 66.5, y2 : 66.5}));
  for (let decade = 10 ** Math.ceil(Math.log10(from)); decade < below; decade *= 10)
    plot.append(svg("line", {x1 : x(decade), x2 : x(decade), y1 : 66, y2 : 71}));
  figure.append(caption, plot, makeAxis(from, below, (value) => x(value) / 300, text));
  return figure;
}

/** Its ends, and the decades between them that have room beside what stands before them. */
function makeAxis(from, below, part, text) {
  const axis = element("div", "axis"), ends = element("div", "ends");
  ends.append(element("span", "", text(from)), element("span", "", text(below)));
  axis.append(ends);
  let before = 0.08;
  for (let decade = 10 ** Math.ceil(Math.log10(from)); part(decade) < 0.74; decade *= 10) {
    if (part(decade) < before + 0.18)
      continue;
    const label = element("span", "", text(decade));
    before = part(decade);
    label.style.left = `${(100 * before).toFixed(1)}%`;
    axis.append(label);
  }
  return axis;
}

function addDistribution(section, table) {
  const at = (name, unit) => table.columns.findIndex((column) => column.name === name && column.unit === unit);
  const isNs = table.rows.every((row) => row[at("from", "ns")] !== null), unit = isNs ? "ns" : "cycles";
  const text = (value) => {
    const [divisor, name] = SCALES[unit].findLast(([ size ]) => size <= value) || SCALES[unit][0];
    return `${Number((value / divisor).toPrecision(3))} ${name}`;
  };
  for (const rows of splitGroups(table)) {
    section.append(element("h3", "", rows[0][0]),
                   element("p", "facts", "Entries by length, on one logarithmic axis for all regions; each region's bars are scaled to its most frequent length."));
    const regions = new Map();
    for (const row of rows) {
      const bin = {
        from : row[at("from", unit)],
        below : row[at("below", unit)],
        count : row[at("count", "")],
        share : row[at("share", "percent")]
      };
      if (!regions.has(row[1]))
        regions.set(row[1], []);
      regions.get(row[1]).push(bin);
    }
    const all = [...regions.values() ].flat();
    const least = all.reduce((a, bin) => Math.min(a, bin.from || bin.below / 2), Infinity);
    const most = all.reduce((a, bin) => Math.max(a, bin.below), 0);
    const plots = element("div", "plots");
    for (const [name, bins] of regions)
      plots.append(makePlot(name, bins, least, Math.max(most, least * 1.01), text));
    section.append(plots);
  }
}
