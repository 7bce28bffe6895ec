// What a stretch of the timeline adds up to: the table of the regions again, of the parts of spans that lie in it.

/** Adds up one warp's spans that cross none: `sums` by region; gives the part of [from, to) that lies in none. */
function addNested(data, warp, from, to, sums) {
  const base = data.warpBegin[warp], unit = data.unitNs, parents = [];
  const clipped = (begin, end) => Math.max(0, Math.min(end, to) - Math.max(begin, from));
  let outside = clipped(base, data.warpEnd[warp]);
  for (let track = data.warpTrack[warp]; track < data.warpTrack[warp + 1]; ++track) {
    const depth = data.trackDepth[track];
    if (depth >= OVERLAPS)
      continue;
    const first = data.trackFirst[track], last = data.trackFirst[track + 1], above = parents[depth - 1];
    const mine = parents[depth] = {first, last, above, regions : data.spanRegion};
    let around = above ? above.first : 0;
    for (let i = bisect(first, last, (k) => base + (data.spanBegin[k] + data.spanLength[k]) * unit > from); i < last; ++i) {
      const begin = base + data.spanBegin[i] * unit, time = clipped(begin, begin + data.spanLength[i] * unit);
      if (begin >= to)
        break;
      const sum = sums[data.spanRegion[i]];
      sum.count += begin >= from;
      sum.self += time;
      if (above) {
        around = bisect(around, above.last, (k) => data.spanBegin[k] + data.spanLength[k] >= data.spanBegin[i] + data.spanLength[i]);
        sums[data.spanRegion[Math.min(around, above.last - 1)]].self -= time;
      } else
        outside -= time;
      sum.total += isInside(data, mine, i) ? 0 : time; // recursion counts once
    }
  }
  return outside;
}

/** Whether a span lies in another one of its region. */
function isInside(data, level, span) {
  const end = data.spanBegin[span] + data.spanLength[span];
  for (let above = level.above; above; above = above.above) {
    const i = bisect(above.first, above.last, (k) => data.spanBegin[k] + data.spanLength[k] >= end);
    if (i < above.last && data.spanBegin[i] <= data.spanBegin[span] && data.spanRegion[i] === data.spanRegion[span])
      return true;
  }
  return false;
}

/** Those that cross others: whole, for they are in none. */
function addCrossing(data, warp, from, to, sums) {
  const base = data.warpBegin[warp], unit = data.unitNs;
  for (let track = data.warpTrack[warp]; track < data.warpTrack[warp + 1]; ++track) {
    const depth = data.trackDepth[track];
    if (depth < OVERLAPS || depth === MARKS)
      continue;
    for (let i = data.trackFirst[track]; i < data.trackFirst[track + 1]; ++i) {
      const begin = base + data.spanBegin[i] * unit, end = begin + data.spanLength[i] * unit, sum = sums[data.spanRegion[i]];
      if (begin < to && end > from) {
        sum.count += begin >= from;
        sum.total += Math.min(end, to) - Math.max(begin, from);
      }
    }
  }
}

/**
 * Names of the kernels of which some records were dropped or regions summed up, by the table of the regions: at which time those ran is not
 * known, and so not what any region took itself in a part of the time, nor what lies in none.
 */
function kernelsInPart(data, table) {
  const at = (name) => table.columns.findIndex((column) => column.name === name), drawn = new Set(), found = new Set();
  for (let warp = 0; warp < data.warpBegin.length; ++warp)
    for (let i = data.trackFirst[data.warpTrack[warp]]; i < data.trackFirst[data.warpTrack[warp + 1]]; ++i)
      drawn.add(`${data.kernels[data.warpKernel[warp]]}\n${data.regions[data.spanRegion[i]]}`);
  for (const row of table.rows) {
    const kernel = row[at("kernel")], region = row[at("region")];
    if (region !== "(unattributed)" && !drawn.has(`${kernel}\n${region}`)) // "(not recorded)" among them
      found.add(kernel);
  }
  return found;
}

/** The table of the regions between two times, in ns; the columns mean what the report's mean. `inPart`: kernelsInPart(). */
function tableOfRange(data, from, to, meanings, inPart) {
  const column = (name, unit, role) => ({name, unit, role, priority : 90, meaning : meanings.get(name) || ""});
  const rows = [], notes = [];
  for (const [kernel, warps] of grouped(data.warpBegin.length, (i) => data.warpKernel[i])) {
    const sums = data.regions.map(() => ({count : 0, total : 0, self : 0}));
    let life = 0, outside = 0, there = 0;
    for (const warp of warps) {
      const time = Math.min(data.warpEnd[warp], to) - Math.max(data.warpBegin[warp], from);
      if (time <= 0)
        continue;
      ++there;
      life += time;
      outside += addNested(data, warp, from, to, sums);
      addCrossing(data, warp, from, to, sums);
    }
    const order = [...sums.keys()].filter((i) => sums[i].total > 0 || sums[i].count > 0).sort((a, b) => sums[b].self - sums[a].self);
    const group = [ data.kernels[kernel], there ], isKnown = !inPart.has(data.kernels[kernel]);
    for (const i of order) {
      const {count, total, self} = sums[i];
      rows.push([ ...group, data.regions[i], count, isKnown ? 100 * self / life : null, total, isKnown ? self : null ]);
    }
    if (there && isKnown)
      rows.push([ ...group, "(unattributed)", null, 100 * outside / life, null, outside ]);
    if (there && !isKnown)
      notes.push(`of ${data.kernels[kernel]} not all entries are on the timeline: counts and totals are of those, and what regions took themselves is not known`);
  }
  return {
    name : "range",
    columns : [
      column("kernel", "", "group"), column("warps", "", "group"), column("region", "", "label"), column("count", "", "value"),
      column("share", "percent", "value"), column("total", "ns", "value"), column("self", "ns", "value")
    ],
    rows,
    notes
  };
}

/** In place of the table of the regions while a range is selected; null for none. */
function showRange(data, range) {
  const section = document.querySelector("#table-regions details"), whole = section && section.querySelector(".whole");
  if (!whole)
    return;
  section.querySelector(".range")?.remove();
  whole.hidden = Boolean(range);
  if (!range)
    return;
  const own = element("div", "range"), head = element("p", "tools", "");
  const button = element("button", "", "All times");
  button.type = "button";
  button.onclick = () => window.timeline.select(null);
  const length = range.to - range.from;
  head.append(element("b", "", `From ${timeText(range.from, length / 1000, range.to)} to ${timeText(range.to, length / 1000)} of the timeline`),
              " count: entries that begin in it ", button);
  own.append(head);
  data.inPart ??= kernelsInPart(data, data.regionTable);
  addTable(own, tableOfRange(data, range.from, range.to, meaningsOf("regions"), data.inPart));
  if (data.leftOut)
    addNotes(own, [ data.leftOut ]);
  whole.before(own);
}
