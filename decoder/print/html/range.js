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
 * Names of the kernels of which some records were dropped or regions summed up: at which time those ran is not known, and so not what any
 * region took itself in a part of the time, nor what lies in none.
 */
function kernelsInPart(data) { return new Set(data.inPart.map((kernel) => data.kernels[kernel])); }

/** The table of the regions between two times, in ns; the columns mean what the report's mean. `inPart`: kernelsInPart(). */
function tableOfRange(data, from, to, meanings, inPart) {
  const column = columnWith(meanings);
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
      rows.push([ ...group, data.labels[i], count, isKnown ? 100 * self / life : null, total, isKnown ? self : null ]);
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
      column("share", "percent", "value"), column("total", "ns", "value", true), column("self", "ns", "value", true)
    ],
    rows,
    notes
  };
}

/** Calls `look(kernel, region, begin, end)` for each span of [from, to) that is no mark, whole. */
function forSpans(data, from, to, look) {
  for (let warp = 0; warp < data.warpBegin.length; ++warp)
    for (let track = data.warpTrack[warp]; track < data.warpTrack[warp + 1]; ++track) {
      if (data.trackDepth[track] === MARKS)
        continue;
      const base = data.warpBegin[warp], last = data.trackFirst[track + 1];
      const end = (i) => base + (data.spanBegin[i] + data.spanLength[i]) * data.unitNs;
      for (let i = bisect(data.trackFirst[track], last, (k) => end(k) > from); i < last; ++i) {
        const begin = base + data.spanBegin[i] * data.unitNs;
        if (begin >= to)
          break;
        look(data.warpKernel[warp], data.spanRegion[i], begin, end(i), warp);
      }
    }
}

function entryOf(map, key, make) {
  if (!map.has(key))
    map.set(key, make());
  return map.get(key);
}

/** How long the entries are that begin between two times: four bins in each power of two, as the report has them. */
function addDurationsOfRange(own, data, {from, to}) {
  const bins = new Map(), counts = new Map(), role = (name, unit, what) => ({name, unit, role : what, priority : 90, meaning : ""});
  forSpans(data, from, to, (kernel, region, begin, end) => {
    if (begin < from)
      return;
    const length = Math.round(end - begin), power = length < 4 ? 0 : Math.floor(Math.log2(length)) - 2, low = Math.floor(length / 2 ** power) * 2 ** power;
    const key = `${kernel} ${region}`, own = entryOf(bins, key, () => new Map());
    own.set(low, {below : low + 2 ** power, count : (own.get(low)?.count || 0) + 1});
    counts.set(key, (counts.get(key) || 0) + 1);
  });
  const rows = [];
  for (const [key, found] of [...bins].sort(([ a ], [ b ]) => counts.get(b) - counts.get(a)))
    for (const [low, {below, count}] of [...found].sort(([ a ], [ b ]) => a - b)) {
      const [kernel, region] = key.split(" ");
      rows.push([ data.kernels[kernel], data.labels[region], low, below, count, 100 * count / counts.get(key) ]);
    }
  if (!rows.length)
    return addNotes(own, [ "no entry begins in it" ]);
  addDistribution(own, {
    columns : [
      role("kernel", "", "group"), role("region", "", "label"), role("from", "ns", "value"), role("below", "ns", "value"),
      role("count", "", "value"), role("share", "percent", "value")
    ],
    rows
  });
}

/** Which waits took how long between two times, and who let most of them go on. */
function addWaitsOfRange(own, data, {from, to}) {
  const sums = new Map(), meanings = meaningsOf("waits"), isWait = new Set(data.waits);
  forSpans(data, from, to, (kernel, region, begin, end) => {
    if (!isWait.has(region))
      return;
    const sum = entryOf(sums, `${kernel} ${region}`, () => ({count : 0, time : 0, whole : 0, by : new Map()}));
    sum.time += Math.min(end, to) - Math.max(begin, from);
    if (begin < from)
      return;
    ++sum.count;
    sum.whole += end - begin;
  });
  for (let k = 0; k < data.releaseTo.length; ++k) {
    const warp = data.releaseTo[k], at = data.warpBegin[warp] + data.releaseToAt[k] * data.unitNs;
    const sum = sums.get(`${data.warpKernel[warp]} ${data.releaseWait[k]}`), by = data.regions[data.releaseBy[k]];
    if (sum && at > from && at <= to)
      sum.by.set(by, (sum.by.get(by) || 0) + 1);
  }
  const column = columnWith(meanings);
  const rows = [...sums].sort(([ , a ], [ , b ]) => b.time - a.time).map(([key, sum]) => {
    const [kernel, region] = key.split(" "), most = [...sum.by].sort(([ , a ], [ , b ]) => b - a)[0];
    return [ data.kernels[kernel], data.labels[region], sum.count, sum.time, sum.count ? sum.whole / sum.count : null, most ? most[0] : null ];
  });
  if (!rows.length)
    return addNotes(own, [ "nothing waits in it" ]);
  addTable(own, {
    name : "waits-of-range",
    columns : [
      column("kernel", "", "group"), column("wait", "", "label"), column("count", "", "value"), column("time", "ns", "value", true),
      column("mean", "ns", "value"), column("released-by", "", "value")
    ],
    rows,
    notes : [ "released-by: where who let most of them go on signalled" ]
  });
}

function addRegionsOfRange(own, data, {from, to}) {
  addTable(own, tableOfRange(data, from, to, meaningsOf("regions"), kernelsInPart(data)));
}

/** What is made anew of a range, by the table; all others are of the whole run, and say so. */
const OF_RANGE = {
  regions : addRegionsOfRange,
  distribution : addDurationsOfRange,
  overlap : addOverlapOfRange,
  waits : addWaitsOfRange
};

function headOfRange(range, data) {
  const head = element("p", "tools", ""), length = range.to - range.from, button = element("button", "", "All times");
  button.type = "button";
  button.onclick = () => data.own.select(null);
  head.append(element("b", "", `From ${timeText(range.from, length / 1000, range.to)} to ${timeText(range.to, length / 1000)} of the timeline`),
              `${data.name ? `of ${data.name}` : ""} counts: entries that begin in it `, button);
  return head;
}

/** In place of the tables while a range is selected; null for none. */
function showRange(data, range) {
  for (const old of document.querySelectorAll(".range"))
    old.remove();
  for (const other of timelines)
    if (other !== data)
      other.own.range = null;
  const place = (whole, make) => {
    whole.hidden = Boolean(range && make);
    if (!range)
      return;
    const own = element("div", "range");
    if (make) {
      own.append(headOfRange(range, data));
      make(own, data, range);
      if (data.leftOut)
        addNotes(own, [ data.leftOut ]);
    } else
      own.append(element("p", "facts", "Of the whole run, not of the selected time: what is summed up in the trace has no times, and paths go from a beginning to an end."));
    whole.before(own);
  };
  let hasRegions = false;
  for (const section of document.querySelectorAll("section[id^='table-']")) {
    const name = section.id.slice("table-".length), whole = section.querySelector("details > .whole");
    hasRegions ||= name === "regions";
    if (whole)
      place(whole, OF_RANGE[name]);
  }
  if (!hasRegions)
    place(data.below, addRegionsOfRange); // a comparison has no table of one side
  data.showRings?.(range);
}
