// Pipelines of warps: who fills and who drains the slots of a ring, and which of them is empty when; drawn from waits and signals.
const MAX_OF_A_ROLE = 4; // warps that are drawn
const NEVER = 0xffffffff;
const SLOT_STATES = [ "empty", "filling", "full", "draining" ];

function loadRings(raw, timeline) {
  return raw.rings.map((ring) => {
    const base = timeline.warpBegin[ring.fillers[0]];
    const times = (text) => Float64Array.from(column(text, Uint32Array), (time) => time === NEVER ? Infinity : base + time * timeline.unitNs);
    const slot = column(ring.slot, Uint32Array), fills = [...slot.keys()];
    return {
      ...ring,
      acquired : times(ring.acquired),
      filled : times(ring.filled),
      taken : times(ring.taken),
      released : times(ring.released),
      ofSlot : Array.from({length : ring.slots}, (_, s) => fills.filter((i) => slot[i] === s)),
      by : roleOf(timeline, ring.fillers),
      to : roleOf(timeline, ring.drainers)
    };
  });
}

/** What most of some warps do: a region's number, and what to call them. */
function roleOf(data, warps) {
  const regions = warps.map((warp) => data.warpRole[warp]), region = regions.find((one) => one < data.regions.length);
  const {warp : word} = data.terms, indices = warps.map((warp) => data.warpIndex[warp]);
  const isRow = indices.every((index, i) => index === indices[0] + i);
  const list = indices.length === 1 ? `${word} ${indices[0]}`
               : isRow              ? `${word}s ${indices[0]} to ${indices[indices.length - 1]}`
                                    : `${word}s ${indices.join(", ")}`;
  return {region, name : region === undefined ? list : data.regions[region], list};
}

/** A role of a ring by its name; with its warps, where the other one is called the same. */
function nameIn(ring, role) { return ring.by.name === ring.to.name && role.name !== role.list ? `${role.name} (${role.list})` : role.name; }

/** Parts of [from, to) in which each state holds, by slot and of the ring: none empty, none full. */
function timesOfRing(ring, from, to) {
  const inside = (begin, end) => Math.max(0, Math.min(end, to) - Math.max(begin, from));
  const sums = {empty : 0, filling : 0, full : 0, draining : 0}, steps = [];
  for (const fills of ring.ofSlot) {
    let free = from;
    for (const i of fills) {
      sums.empty += inside(free, ring.acquired[i]);
      sums.filling += inside(ring.acquired[i], ring.filled[i]);
      sums.full += inside(ring.filled[i], ring.taken[i]);
      sums.draining += inside(ring.taken[i], ring.released[i]);
      steps.push([ ring.filled[i], 1 ], [ ring.released[i], -1 ]);
      free = ring.released[i];
    }
    sums.empty += inside(free, to);
  }
  let used = 0, last = from, nowhere = 0, nothing = 0;
  for (const [time, way] of [...steps.sort((a, b) => a[0] - b[0] || b[1] - a[1]), [ Infinity, 0 ]]) {
    nowhere += used === ring.slots ? inside(last, time) : 0;
    nothing += used === 0 ? inside(last, time) : 0;
    used += way;
    last = time;
  }
  return {...sums, nowhere, nothing};
}

/** The time in which a ring was in use. */
function lifeOf(data, ring) {
  const warps = [...ring.fillers, ...ring.drainers], last = Math.max(...warps.map((warp) => data.warpEnd[warp]));
  const ends = ring.released.filter((time) => time < Infinity);
  const isWhole = ring.released.length === ends.length && ends.length > 0;
  return {from : Math.min(...ring.acquired), to : isWhole ? ends.reduce((a, b) => Math.max(a, b)) : last};
}

function ringTable(data, rings, range) {
  const value = (name, meaning, unit = "percent") => ({name, unit, role : "value", priority : 90, meaning});
  const rows = [], notes = [];
  for (const ring of rings) {
    const life = lifeOf(data, ring), from = Math.max(life.from, range ? range.from : 0), to = Math.min(life.to, range ? range.to : Infinity);
    if (to <= from)
      continue;
    const times = timesOfRing(ring, from, to), part = (time, count = 1) => 100 * time / (to - from) / count;
    const nowhere = part(times.nowhere), nothing = part(times.nothing);
    rows.push([
      `${nameIn(ring, ring.by)} to ${nameIn(ring, ring.to)}`, ring.slots, ring.acquired.filter((time) => time >= from && time < to).length,
      ...SLOT_STATES.map((state) => part(times[state], ring.slots)), nowhere, nothing
    ]);
    const late = nothing > nowhere ? ring.by : ring.to;
    notes.push(`${ring.by.name} (${ring.by.list}) had no slot to fill for ${nowhere.toFixed(1)} % of the time, ` +
               `${ring.to.name} (${ring.to.list}) nothing to drain for ${nothing.toFixed(1)} %` +
               (Math.abs(nothing - nowhere) < 10 ? "" : `: the ring waits for ${nameIn(ring, late)}`) +
               (ring.sidesKnown ? "" : "; no asynchronous copy says which of them fills: it is taken to be who signals first"));
  }
  return {
    name : "rings",
    columns : [
      {name : "ring", unit : "", role : "label", priority : 100, meaning : "who fills the slots, and who drains them: by the region in which they spend most of their time"},
      value("slots", "that the ring has", ""), value("fills", "of slots that begin in the time", ""),
      value("empty", "of the slots' time: given back by who drains them, and not yet taken by who fills them"),
      value("filling", "of the slots' time: taken by who fills them, and not yet full"),
      value("full", "of the slots' time: full, and not yet taken by who drains them"),
      value("draining", "of the slots' time: taken by who drains them, and not yet given back"),
      value("no-slot-to-fill", "of the time: every slot was full or being drained"),
      value("nothing-to-drain", "of the time: no slot was full or being drained")
    ],
    rows,
    notes
  };
}

/** Rows of a block: warps that fill, slots, warps that drain; those that drain one ring and fill the next stand between the two. */
function rowsOfRings(data, rings) {
  const rows = [], seen = new Set();
  const addWarps = (role, warps, what) => {
    const left = warps.filter((warp) => !seen.has(warp));
    if (!left.length)
      return;
    const shown = left.slice(0, MAX_OF_A_ROLE), more = left.length - shown.length;
    left.forEach((warp) => seen.add(warp));
    rows.push({head : `${role.name === role.list ? "" : `${role.name}, `}${role.list} ${what}${more ? `; ${shown.length} of ${left.length} are shown` : ""}`, height : HEAD},
              ...shown.map((warp) => ({warps : [ warp ], height : ROW})));
  };
  rings.forEach((ring, i) => {
    const isNext = rings.some((other, k) => k < i && other.drainers.includes(ring.fillers[0]));
    if (!isNext)
      addWarps(ring.by, ring.fillers, ring.by.list === ring.to.list ? "fill and drain" : ring.fillers.length > 1 ? "fill" : "fills");
    rows.push({head : `${ring.slots} ${ring.slots === 1 ? "slot" : "slots"}, filled by ${nameIn(ring, ring.by)}, drained by ${nameIn(ring, ring.to)}`, height : HEAD},
              ...ring.ofSlot.map((fills, slot) => ({ring, slot, fills, height : ROW})));
    const fillsToo = rings.some((other, k) => k > i && other.fillers.includes(ring.drainers[0]));
    addWarps(ring.to, ring.drainers, `${ring.drainers.length > 1 ? "drain" : "drains"}${fillsToo ? (ring.drainers.length > 1 ? " and fill" : " and fills") : ""}`);
  });
  return stackRows(data, rows);
}

class Pipelines extends Timeline {
  constructor(section, data, rings) {
    super(section, data, {
      made : rowsOfRings(data, rings),
      id : "pipelines",
      label : `Pipeline of ${data.terms.warp}s: who fills and who drains each slot`,
      from : Math.min(...rings.map((ring) => lifeOf(data, ring).from)),
      to : Math.max(...rings.map((ring) => lifeOf(data, ring).to))
    });
    const most = rings.reduce((a, ring) => ring.acquired.length > a.acquired.length ? ring : a);
    const order = [...most.acquired ].sort((a, b) => a - b);
    if (order.length > 40)
      this.to = order[32]; // the first rounds can be read; All shows all of them
  }

  fit() { [this.from, this.to] = [ this.whole.from, Math.max(this.whole.to, this.whole.from + 1) ]; }

  legend() {
    const out = super.legend();
    for (const [state, text] of [[ "empty", "slot empty" ], [ "filling", "filling, in the colour of who fills" ], [ "full", "full" ],
                                 [ "draining", "draining, in the colour of who drains" ]]) {
      const item = element("span", "slots", text), mark = element("i", `slot ${state}`);
      item.prepend(mark);
      out.append(item);
    }
    return out;
  }

  select(range) {
    this.range = null; // the timeline's is drawn
    this.data.own.select(range && {from : Math.max(range.from, this.whole.from), to : Math.min(range.to, this.whole.to)});
  }

  textIn(row, at, slack) {
    if (!row.fills)
      return super.textIn(row, at, slack);
    const {ring} = row, k = bisect(0, row.fills.length, (n) => ring.acquired[row.fills[n]] > at + slack / 2) - 1, i = row.fills[k];
    const name = `slot ${row.slot} of ${nameIn(ring, ring.by)} to ${nameIn(ring, ring.to)}`;
    const next = k + 1 < row.fills.length ? ring.acquired[row.fills[k + 1]] : Infinity;
    if (i === undefined || at >= ring.released[i])
      return `${name}\nempty${i === undefined ? "" : ` from ${timeText(ring.released[i], 1)}`}${next < Infinity ? ` to ${timeText(next, 1)}` : ""}`;
    const [state, from, to] = at < ring.filled[i] ? [ "filling", ring.acquired[i], ring.filled[i] ]
                              : at < ring.taken[i] ? [ "full", ring.filled[i], ring.taken[i] ]
                                                   : [ "draining", ring.taken[i], ring.released[i] ];
    const who = state === "filling" ? `, by ${ring.by.list}` : state === "draining" ? `, by ${ring.to.list}` : "";
    const length = to < Infinity ? `: ${timeText(to - from)}` : "";
    return `${name}\n${state}${length} from ${timeText(from, 1)}${who}\nround ${k + 1} of the slot`;
  }
}

/** A section with the pipelines of one block, and a choice among blocks. */
function addPipelines(section, raw, data) {
  const rings = loadRings(raw, data), blocks = grouped(rings.length, (i) => {
    const warp = rings[i].fillers[0];
    return data.warpGrid[warp] * 4294967296 + data.warpBlock[warp];
  });
  const tools = element("div", "tools"), choice = element("select"), holder = element("div"), numbers = element("div");
  const nameOfBlock = (i) => {
    const warp = rings[i].fillers[0];
    return `${data.kernels[data.warpKernel[warp]]}, grid-id ${data.warpGrid[warp]}, ${data.terms.block} ${data.warpBlock[warp]}`;
  };
  choice.setAttribute("aria-label", `${data.terms.block} whose pipeline is drawn`);
  choice.append(...blocks.map(([, of]) => element("option", "", nameOfBlock(of[0]))));
  tools.append(choice);
  if (raw.ringCount > rings.length)
    tools.append(element("span", "", `the first ${rings.length} of ${raw.ringCount} rings; kperf report --kernel and --limit choose others`));
  let view = null, chosen = [];
  data.showRings = (range) => {
    numbers.replaceChildren();
    addTable(numbers, ringTable(data, chosen, range));
  };
  const head = element("h3");
  const show = () => {
    head.textContent = nameOfBlock(blocks[choice.selectedIndex][1][0]);
    chosen = blocks[choice.selectedIndex][1].map((i) => rings[i]);
    holder.replaceChildren();
    view = new Pipelines(holder, data, chosen);
    data.showRings(data.own.range);
  };
  choice.onchange = show;
  choice.selectedIndex = 0;
  choice.hidden = blocks.length === 1;
  head.className = choice.hidden ? "" : "paper"; // which has no choice
  section.append(tools, head, numbers, holder);
  show();
  return {draw : () => view.draw(), drawNow : () => view.drawNow(), view : () => view};
}
