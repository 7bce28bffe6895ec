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
  const section = element("section");
  section.id = id;
  section.append(element("h2", "", title));
  document.getElementById("main").append(section);
  const link = element("a", "", title);
  link.href = `#${id}`;
  document.getElementById("nav").append(link);
  return section;
}

function setTheme(name) {
  document.documentElement.dataset.theme = name;
  document.getElementById("theme").textContent = name === "dark" ? "Light" : "Dark";
  for (const picture of pictures)
    picture.draw();
}

function start() {
  document.body.append(tip);
  setTheme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  document.getElementById("theme").onclick = () =>
      setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
  const tables = dataOf("tables");
  learnPaths(tables);
  const pairs = tables.find((table) => table.name === "overlap-pairs");
  for (const table of tables) {
    if (table === pairs)
      continue;
    const section = addSection(`table-${table.name}`, TITLES[table.name] || table.title || table.name);
    if (!table.rows.length)
      addNotes(section, table.notes.length ? table.notes : [ "nothing was recorded" ]);
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
  const timeline = dataOf("timeline");
  if (timeline && timeline.warpCount) {
    addTimeline(addSection("timeline", "Timeline"), timeline);
    pictures.push(window.timeline, ...addOccupancy(addSection("occupancy", occupancyTitle(timeline.terms)), timeline));
  } else if (timeline) {
    addNotes(addSection("timeline", "Timeline"), [ timeline.leftOut || `the trace has no single ${timeline.terms.warp}s; a reduced one keeps none` ]);
  }
  document.documentElement.dataset.ready = "yes";
}

start();
