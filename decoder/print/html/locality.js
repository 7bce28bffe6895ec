// Hits by cache size as a curve, and touched memory as a map: a row for each piece of the address space, time from left to right.
const CURVES = [ [ "hits", "one cache for the device" ], [ "hits-in-sm", "one for each SM, or CU" ] ];

/** A power of two. */
function bytesText(bytes) {
  const [divisor, unit] = SCALES.bytes.findLast(([ size ]) => size <= bytes);
  return `${bytes / divisor} ${unit}`;
}

function addCacheCurve(section, table) {
  const at = (name) => table.columns.findIndex((column) => column.name === name);
  const left = 44, right = 610, top = 8, bottom = 200, rows = table.rows, size = at("cache");
  const from = Math.log2(rows[0][size]), to = Math.max(Math.log2(rows[rows.length - 1][size]), from + 1);
  const x = (bytes) => left + (right - left) * (Math.log2(bytes) - from) / (to - from);
  const y = (percent) => bottom - (bottom - top) * Math.min(100, Math.max(0, percent)) / 100;
  const plot = svg("svg", {viewBox : "0 0 640 226", role : "img", "aria-label" : "Hits by cache size"});
  for (const percent of [ 0, 25, 50, 75, 100 ])
    plot.append(svg("line", {x1 : left, x2 : right, y1 : y(percent), y2 : y(percent)}),
                svg("text", {x : left - 6, y : y(percent) + 3, "text-anchor" : "end"}, `${percent} %`));
  const stride = Math.ceil(rows.length / 9);
  rows.forEach((row, i) => {
    if (i % stride === 0)
      plot.append(svg("text", {x : x(row[size]), y : bottom + 16, "text-anchor" : "middle"}, bytesText(row[size])));
  });
  const legend = element("p", "legend");
  CURVES.forEach(([ name, text ], number) => {
    const value = at(name), error = at(`${name}-error`), place = (row, off) => `${x(row[size])},${y(row[value] + off)}`;
    const band = [...rows.map((row) => place(row, row[error])), ...rows.map((row) => place(row, -row[error])).reverse() ];
    plot.append(svg("polygon", {class : `band curve${number}`, points : band.join(" ")}),
                svg("polyline", {class : `curve${number}`, points : rows.map((row) => place(row, 0)).join(" ")}));
    for (const row of rows) {
      const dot = svg("circle", {class : `curve${number}`, cx : x(row[size]), cy : y(row[value]), r : 3});
      dot.append(svg("title", {}, `${bytesText(row[size])}, ${text}: ${row[value].toFixed(1)} % ± ${row[error].toFixed(1)}`));
      plot.append(dot);
    }
    const entry = element("span", "", text);
    entry.prepend(element("i", `curve${number}`));
    legend.append(entry);
  });
  const figure = element("figure", "plot curve");
  figure.append(plot);
  section.append(
      element("p", "facts",
              "Of the accesses to lines of 128 bytes, those that a cache of this size would answer: fully associative, the least recently used line leaves, stores allocate."),
      legend, figure);
  addTable(section, table);
}

function addPageMap(section, table) {
  const at = (name) => table.columns.findIndex((column) => column.name === name);
  const times = table.columns.map((column, i) => /^t\d+$/.test(column.name) ? i : -1).filter((i) => i >= 0);
  const most = table.rows.reduce((a, row) => times.reduce((b, i) => Math.max(b, row[i]), a), 0);
  const row = 13, left = 108, cell = 14, map = left + times.length * cell, width = map + 240;
  const plot = svg("svg", {viewBox : `0 0 ${width} ${table.rows.length * row + 18}`, role : "img", "aria-label" : "Touched memory over time"});
  let last = null;
  table.rows.forEach((page, number) => {
    const y = number * row, address = page[at("address")], isNext = last !== null && BigInt(address) === last;
    last = BigInt(address) + BigInt(page[at("bytes")]);
    if (!isNext && number)
      plot.append(svg("line", {x1 : 0, x2 : width, y1 : y, y2 : y}));
    plot.append(svg("text", {x : left - 6, y : y + row - 3, "text-anchor" : "end"}, address),
                svg("rect", {class : "ground", x : left, y, width : times.length * cell, height : row - 1}));
    times.forEach((column, part) => {
      if (!page[column])
        return;
      const heat = svg("rect", {class : "heat", x : left + part * cell, y, width : cell, height : row - 1, "fill-opacity" : 0.1 + 0.9 * page[column] / most});
      heat.append(svg("title", {}, `${address}, ${bytesText(page[at("bytes")])}: ${Math.round(page[column])} uses in part ${part + 1} of ${times.length}\n${page[at("accesses")]}`));
      plot.append(heat);
    });
    const name = svg("text", {x : map + 8, y : y + row - 3}, cutText(page[at("accesses")].replace(/ \([^)]*:\d+\)/g, ""), 40));
    name.append(svg("title", {}, page[at("accesses")]));
    plot.append(name);
  });
  const below = table.rows.length * row + 13;
  plot.append(svg("text", {x : left, y : below}, "begin"), svg("text", {x : map, y : below, "text-anchor" : "end"}, "end of the run"));
  const figure = element("figure", "plot map"), scroll = element("div", "scroll");
  figure.append(plot);
  scroll.append(figure);
  section.append(element("p", "facts", `A row for each ${bytesText(table.rows[0][at("bytes")])} of memory that was touched; the stronger the colour, the more it was used.`), scroll);
  addTable(section, table);
}
