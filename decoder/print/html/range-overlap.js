// What ran at the same time between two times: as the report's table has it for the whole run, of the spans on the timeline.

/** When a warp was in each region, by itself: [begin, end, region], of [from, to). In a range until its end, but not while the warp waits. */
function stretchesOf(data, warp, from, to, kinds) {
  const spans = [], out = [], stack = [];
  for (let track = data.warpTrack[warp]; track < data.warpTrack[warp + 1]; ++track)
    for (let i = data.trackFirst[track]; data.trackDepth[track] !== MARKS && i < data.trackFirst[track + 1]; ++i) {
      const begin = data.warpBegin[warp] + data.spanBegin[i] * data.unitNs, end = begin + data.spanLength[i] * data.unitNs;
      if (begin < to && end > from)
        spans.push({begin, end, region : data.spanRegion[i]});
    }
  spans.sort((a, b) => a.begin - b.begin || b.end - a.end);
  const waits = spans.filter((span) => kinds.waits.has(span.region));
  const emit = (begin, end, region) => {
    if (Math.max(begin, from) < Math.min(end, to))
      out.push([ Math.max(begin, from), Math.min(end, to), region ]);
  };
  let now = from;
  const leave = () => {
    const {end, region} = stack.pop();
    emit(now, end, region);
    now = Math.max(now, end);
  };
  for (const span of spans) {
    if (kinds.ranges.has(span.region)) {
      let begin = span.begin;
      for (let k = bisect(0, waits.length, (i) => waits[i].end > span.begin); k < waits.length && waits[k].begin < span.end; ++k) {
        emit(begin, Math.min(waits[k].begin, span.end), span.region);
        begin = Math.max(begin, waits[k].end);
      }
      emit(begin, span.end, span.region);
      continue;
    }
    while (stack.length && stack[stack.length - 1].end <= span.begin)
      leave();
    if (stack.length)
      emit(now, span.begin, stack[stack.length - 1].region);
    now = Math.max(now, span.begin);
    stack.push(span);
  }
  while (stack.length)
    leave();
  return out;
}

/** Adds up the times of a block in which each region ran, alone or beside others. */
function addTogether(stretches, sums, kinds) {
  const edges = stretches.flatMap(([begin, end, region]) => [[ begin, region, 1 ], [ end, region, -1 ]]).sort((a, b) => a[0] - b[0]);
  const warps = new Map();
  let before = 0;
  for (const [at, region, way] of edges) {
    const running = [...warps.keys()], work = running.filter((one) => !kinds.waits.has(one));
    for (const one of at > before ? running : []) {
      const sum = entryOf(sums, one, () => ({running : 0, exposed : 0, overlapped : 0, by : new Map()})), others = work.filter((other) => other !== one);
      sum.running += at - before;
      sum[others.length ? "overlapped" : "exposed"] += at - before;
      for (const other of others)
        sum.by.set(other, (sum.by.get(other) || 0) + at - before);
    }
    before = at;
    const count = (warps.get(region) || 0) + way;
    if (count)
      warps.set(region, count);
    else
      warps.delete(region);
  }
}

/** Tables as the report's `overlap` and `overlap-pairs`. */
function overlapOfRange(data, from, to, meanings) {
  const kinds = {waits : new Set(data.waits), ranges : new Set(data.ranges)}, inPart = kernelsInPart(data);
  const column = columnWith(meanings);
  const rows = [], pairs = [], notes = [];
  for (const [kernel, warps] of grouped(data.warpBegin.length, (i) => data.warpKernel[i])) {
    const sums = new Map(), blocks = new Map(), name = data.kernels[kernel];
    for (const warp of warps)
      entryOf(blocks, `${data.warpDevice[warp]} ${data.warpGrid[warp]} ${data.warpBlock[warp]}`, () => []).push(warp);
    if (inPart.has(name)) {
      notes.push(`of ${name} not all entries are on the timeline: what ran at the same time in a part of it is not known`);
      continue;
    }
    for (const block of blocks.values())
      addTogether(block.flatMap((warp) => stretchesOf(data, warp, from, to, kinds)), sums, kinds);
    for (const [region, {running, exposed, overlapped, by}] of [...sums].sort(([ , a ], [ , b ]) => b.exposed - a.exposed)) {
      const others = [...by].sort(([ , a ], [ , b ]) => b - a);
      rows.push([ name, data.labels[region], running, exposed, overlapped, 100 * overlapped / running, others.length ? data.labels[others[0][0]] : null ]);
      for (const [other, together] of others)
        pairs.push([ name, data.labels[region], data.labels[other], together, 100 * together / running ]);
    }
  }
  return [
    {
      name : "overlap-of-range",
      columns : [
        column("kernel", "", "group"), column("region", "", "label"), column("running", "ns", "value"), column("exposed", "ns", "value"),
        column("overlapped", "ns", "value"), column("overlapped", "percent", "value"), column("most-with", "", "value")
      ],
      rows,
      notes
    },
    {
      columns : [
        column("kernel", "", "group"), column("region", "", "label"), column("with", "", "value"), column("together", "ns", "value"),
        column("share", "percent", "value")
      ],
      rows : pairs
    }
  ];
}

function addOverlapOfRange(own, data, {from, to}) {
  const [table, pairs] = overlapOfRange(data, from, to, meaningsOf("overlap"));
  if (table.rows.length)
    addOverlap(own, table, pairs);
  else
    addNotes(own, table.notes.length ? table.notes : [ "no region runs in it" ]);
}
