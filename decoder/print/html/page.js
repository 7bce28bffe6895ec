// Puts the page together from the data that stands in it.
const TITLES = {
  explanation : "What limits this program",
  regions : "Regions",
  distribution : "Durations",
  overlap : "Overlap",
  waits : "Waits",
  "critical-path" : "Critical path",
  "in-flight" : "Asynchronous work",
  "global-memory" : "Global memory",
  "shared-memory" : "Shared memory",
  reuse : "Cache lines",
  "cache-hits" : "Hits by cache size",
  pages : "Touched memory",
  findings : "Findings",
  lines : "Source",
  diff : "Comparison",
  "diff-sites" : "Memory accesses",
  budgets : "Budgets"
};
const pictures = [];
const timelines = []; // of the traces that have single warps

function addSection(id, title) {
  const section = element("section"), fold = element("details"), head = element("summary");
  section.id = id;
  fold.open = true;
  head.append(element("h2", "", title));
  fold.append(head);
  section.append(fold);
  document.getElementById("main").append(section);
  const link = element("a", "", title);
  link.href = `#${id}`;
  link.onclick = () => fold.open = true;
  document.getElementById("nav").append(link);
  return fold;
}

function setTheme(name) {
  document.documentElement.dataset.theme = name;
  document.getElementById("theme").textContent = name === "dark" ? "Light" : "Dark";
  for (const picture of pictures)
    picture.draw();
}

/** The timelines of the traces, on one scale, so that what takes longer is longer; and the pipelines in them. */
function addTimelines(raws) {
  const length = Math.max(...raws.map((raw) => raw.lengthNs), 1);
  const sectionOf = (raw, id, title) => {
    const [suffix, name] = raws.length > 1 ? [ raw === raws[0] ? "" : `-${raws.indexOf(raw) + 1}`, ` of ${raw.name}` ] : [ "", "" ];
    return addSection(id + suffix, title + name);
  };
  for (const raw of raws) {
    const section = sectionOf(raw, "timeline", "Timeline"), data = raw.loaded;
    if (!data) {
      addNotes(section, [ raw.leftOut || `the trace has no single ${raw.terms.warp}s; a reduced one keeps none` ]);
      continue;
    }
    data.name = raws.length > 1 ? raw.name : "";
    pictures.push(addTimeline(section, data, data.name, length));
    if (data === timelines[0])
      window.timeline = data.own; // what links go to
    data.below = element("div");
    section.append(data.below);
  }
  for (const {own} of timelines)
    own.linked = timelines.map((other) => other.own).filter((other) => other !== own);
  for (const raw of raws)
    if (raw.loaded && raw.rings.length)
      pictures.push(addPipelines(sectionOf(raw, "pipelines", "Pipelines"), raw, raw.loaded));
  return () => {
    for (const raw of raws)
      if (raw.loaded)
        pictures.push(...addOccupancy(sectionOf(raw, "occupancy", occupancyTitle(raw.terms)), raw));
  };
}

/** Above all: of which program, device and time. */
function addRun(table) {
  for (const row of table.rows) {
    const facts = element("p", "facts run");
    table.columns.forEach(({name}, i) => {
      if (row[i] === null)
        return;
      const item = element("span", "", `${name} `);
      item.append(element("b", "", row[i]));
      facts.append(item, " ");
    });
    document.querySelector("header").append(facts);
  }
}

/** Paper is light, and waits for no frame. */
function printLight() {
  const root = document.documentElement;
  let before = root.dataset.theme;
  const show = (theme) => {
    root.dataset.theme = theme;
    for (const picture of pictures)
      (picture.drawNow || picture.draw).call(picture);
  };
  addEventListener("beforeprint", () => {
    before = root.dataset.theme;
    show("light");
  });
  addEventListener("afterprint", () => show(before));
}

function start() {
  document.body.append(tip);
  setTheme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  document.getElementById("theme").onclick = () =>
      setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
  printLight();
  const tables = dataOf("tables");
  const raws = [ "timeline", "timeline-2", "timeline-3", "timeline-4" ].map(dataOf).filter((raw) => raw);
  for (const raw of raws) {
    raw.kernels = raw.kernels.map((name) => shortNames[name] || name);
    if (raw.warpCount)
      timelines.push(raw.loaded = loadTimeline(raw));
  }
  shareColours(timelines);
  addRun(tables.find((table) => table.name === "run") || {rows : []});
  learnPaths(tables);
  learnGoals(tables, timelines[0] || null);
  const pairs = tables.find((table) => table.name === "overlap-pairs");
  let addLast = null;
  for (const table of tables) {
    if (table === pairs || table.name === "run")
      continue;
    columnsKnown.set(table.name, new Map(table.columns.map((column) => [column.name, column.meaning])));
    const fold = addSection(`table-${table.name}`, TITLES[table.name] || table.title || table.name), section = element("div", "whole");
    fold.append(section);
    addNotes(section, table.rows.length ? table.notes.splice(0, table["lead-notes"]) : []);
    if (!table.rows.length)
      addNotes(section, table.notes.length ? table.notes : [ "nothing was recorded" ]);
    else if (table.name === "explanation")
      addExplanation(section, table);
    else if (table.name === "distribution")
      addDistribution(section, table);
    else if (table.name === "overlap" && pairs)
      addOverlap(section, table, pairs);
    else if (table.name === "findings")
      addFindings(section, table);
    else if (table.name === "cache-hits")
      addCacheCurve(section, table);
    else if (table.name === "pages")
      addPageMap(section, table);
    else if (table.name === "lines")
      addSource(section, table);
    else
      addTable(section, table);
    if (table.name === "regions")
      addLast = addTimelines(raws);
  }
  addLast ??= addTimelines(raws);
  addLast();
  document.documentElement.dataset.ready = "yes";
}

start();
