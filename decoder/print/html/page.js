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

/** The timeline stands below the table that a range of it makes anew. */
function addRegions(section, table, raw, timeline) {
  const whole = element("div", "whole");
  section.append(whole);
  addTable(whole, table);
  if (timeline) {
    timeline.regionTable = table;
    addTimeline(addSection("timeline", "Timeline"), timeline);
    pictures.push(window.timeline);
  } else if (raw)
    addNotes(addSection("timeline", "Timeline"), [ raw.leftOut || `the trace has no single ${raw.terms.warp}s; a reduced one keeps none` ]);
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
  const raw = dataOf("timeline"), timeline = raw && raw.warpCount ? loadTimeline(raw) : null;
  addRun(tables.find((table) => table.name === "run") || {rows : []});
  learnPaths(tables);
  learnGoals(tables, timeline);
  const pairs = tables.find((table) => table.name === "overlap-pairs");
  for (const table of tables) {
    if (table === pairs || table.name === "run")
      continue;
    columnsKnown.set(table.name, new Map(table.columns.map((column) => [column.name, column.meaning])));
    const section = addSection(`table-${table.name}`, TITLES[table.name] || table.title || table.name);
    if (!table.rows.length)
      addNotes(section, table.notes.length ? table.notes : [ "nothing was recorded" ]);
    else if (table.name === "explanation")
      addExplanation(section, table);
    else if (table.name === "regions")
      addRegions(section, table, raw, timeline);
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
  }
  if (timeline)
    pictures.push(...addOccupancy(addSection("occupancy", occupancyTitle(raw.terms)), raw));
  document.documentElement.dataset.ready = "yes";
}

start();
