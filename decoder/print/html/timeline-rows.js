// What a timeline shows: columns of numbers, and the rows in which warps and launches stand.
const ROW = 18, HEAD = 22, AXIS = 22, STRIP = 4, MARKS = 255, OVERLAPS = 100, MAX_STRIPS = 12, ROW_FONT = "11px system-ui, sans-serif";
const HUES = [ "#4e79a7", "#f28e2b", "#59a14f", "#e15759", "#76b7b2", "#b07aa1", "#edc948", "#9c755f" ];

function column(text, Type) {
  const characters = atob(text), bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; ++i)
    bytes[i] = characters.charCodeAt(i);
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

/** The same where it is likely to be near `low`. */
function seek(low, high, isPast) {
  let step = 1;
  while (low + step < high && !isPast(low + step - 1))
    low += step, step *= 2;
  return bisect(low, Math.min(high, low + step), isPast);
}

/** Regions by the time spent in them, most first. */
function orderOfRegions(data) {
  const total = new Float64Array(data.regions.length), isThere = new Uint8Array(data.regions.length);
  for (let i = 0; i < data.spanLength.length; ++i) {
    total[data.spanRegion[i]] += data.spanLength[i];
    isThere[data.spanRegion[i]] = 1;
  }
  return [...isThere.keys()].filter((region) => isThere[region]).sort((a, b) => total[b] - total[a]);
}

function loadTimeline(data) {
  const w = data.warps, s = data.spans, t = data.tracks, l = data.launches, r = data.releases;
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
    warpRole : column(w.role, Uint16Array),
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
    trackFirst : column(t.first, Uint32Array),
    releaseTo : column(r.to, Uint32Array),
    releaseToAt : column(r.toAt, Uint32Array),
    releaseFrom : column(r.from, Uint32Array),
    releaseFromAt : column(r.fromAt, Uint32Array),
    releaseWait : column(r.wait, Uint16Array),
    releaseBy : column(r.by, Uint16Array)
  };
  for (const name of ["warps", "spans", "tracks", "launches", "releases"])
    delete out[name]; // as text
  out.regionOrder = orderOfRegions(out);
  out.warpColour = []; // of those that were drawn in one colour
  out.colour = data.regions.map(() => "#8a93a0");
  out.regionOrder.slice(0, HUES.length).forEach((region, i) => out.colour[region] = HUES[i]);
  return out;
}

/** A region has one colour in all timelines: the first one's, as far as it is there. */
function shareColours(timelines) {
  const [first, ...others] = timelines, known = new Map(first ? first.regionOrder.slice(0, HUES.length).map((region, i) => [first.regions[region], HUES[i]]) : []);
  for (const other of others) {
    const isNew = (region) => !known.has(other.regions[region]), free = HUES.slice(known.size);
    other.regionOrder.filter(isNew).slice(0, free.length).forEach((region, i) => known.set(other.regions[region], free[i]));
    other.colour = other.regions.map((name) => known.get(name) || "#8a93a0");
    const isColoured = (region) => known.has(other.regions[region]);
    other.regionOrder = [...other.regionOrder.filter(isColoured), ...other.regionOrder.filter((region) => !isColoured(region))];
  }
}

/** Things with a beginning and an end in as few rows as keep them apart; `key` is what a row calls them. */
function inRows(things, begin, end, key) {
  const slots = [];
  for (const thing of things.sort((a, b) => begin[a] - begin[b])) {
    let slot = slots.find((entry) => entry.end <= begin[thing]);
    if (!slot)
      slots.push(slot = {[key] : [], height : ROW});
    slot.end = end[thing];
    slot[key].push(thing);
  }
  return slots;
}

function grouped(count, keyOf) {
  const groups = new Map();
  for (let i = 0; i < count; ++i) {
    if (!groups.has(keyOf(i)))
      groups.set(keyOf(i), []);
    groups.get(keyOf(i)).push(i);
  }
  return [...groups].sort(([ a ], [ b ]) => a - b);
}

/** How many strips a warp's spans that cross others need. */
function stripsOf(data, warp) {
  let strips = 0;
  for (let track = data.warpTrack[warp]; track < data.warpTrack[warp + 1]; ++track)
    if (data.trackDepth[track] !== MARKS)
      strips = Math.max(strips, data.trackDepth[track] - OVERLAPS);
  return Math.min(strips, MAX_STRIPS);
}

/** Rows: launches by stream; a head for each SM, then as many as warps were there at once. */
function makeRows(data) {
  const several = (device) => data.devices.length > 1 ? `${data.devices[device] || "GPU ?"} ` : "";
  const head = (text) => ({head : text, warps : [], height : HEAD});
  const rows = [];
  for (const [key, launches] of grouped(data.launchBegin.length, (i) => data.launchDevice[i] * 65536 + data.launchStream[i]))
    rows.push(head(several(key >>> 16) + data.streams[key % 65536]),
              ...inRows(launches, data.launchBegin, data.launchEnd, "launches"));
  for (const [key, warps] of grouped(data.warpBegin.length, (i) => data.warpDevice[i] * 65536 + data.warpSm[i]))
    rows.push(head(`${several(key >>> 16)}${data.terms.sm} ${key % 65536}`), ...inRows(warps, data.warpBegin, data.warpEnd, "warps"));
  return stackRows(data, rows);
}

/** Gives rows their places, one below the other; warpRow: by warp, its row, none for one that has no place. */
function stackRows(data, rows) {
  let top = AXIS;
  const warpRow = new Uint32Array(data.warpBegin.length).fill(rows.length);
  rows.forEach((row, i) => {
    let strips = 0;
    for (const warp of row.warps || []) {
      warpRow[warp] = i;
      strips = Math.max(strips, stripsOf(data, warp));
    }
    row.height += strips * STRIP;
    row.top = top;
    top += row.height;
  });
  return {rows, height : top, warpRow};
}
