// From a region to its line in the source, to its spans and to its accesses; each link is there where its goal is.
const goals = {lines : new Map(), regions : new Set(), accesses : new Set(), spans : new Set()};
const PLACE_PARTS = /^(.*?):(\d+)(?::\d+)?$/;

/** What the page will have; before any table is made. */
function learnGoals(tables, timeline) {
  for (const table of tables) {
    const at = (name) => table.columns.findIndex((column) => column.name === name);
    if (table.name === "lines")
      for (const row of table.rows) {
        const id = lineId(row[at("file")], row[at("line")]), short = lineId(nameOf(row[at("file")]), row[at("line")]);
        goals.lines.set(short, goals.lines.has(short) ? null : id); // of two files of that name: neither is meant
        goals.lines.set(id, id);
      }
    if (table.name === "regions")
      table.rows.forEach((row) => goals.regions.add(row[at("region")]).add(labelOf(row[at("region")], row[at("source")])));
    if (table.name === "global-memory" || table.name === "shared-memory")
      table.rows.forEach((row) => goals.accesses.add(row[at("region")]));
  }
  if (timeline)
    timeline.regionOrder.forEach((region) => goals.spans.add(timeline.labels[region]));
}

/** What a region is called where others share its name. */
function labelOf(region, source) { return source ? `${region} (${nameOf(source)})` : region; }
function nameOf(file) { return file.split("/").pop(); }
function lineId(file, line) { return `line ${file} ${line}`; }

/** Shows a part of the page that may be in a folded one, and moves the keyboard's focus there. */
function goTo(target) {
  for (let fold = target; fold; fold = fold.parentElement)
    if (fold.localName === "details")
      fold.open = true;
  target.scrollIntoView({block : "center"});
  if (target.tabIndex < 0)
    target.tabIndex = -1;
  target.focus({preventScroll : true});
}

function linkTo(text, title, find) {
  const link = element("button", "link", text);
  link.type = "button";
  link.title = title;
  link.onclick = () => {
    const target = find();
    if (target)
      goTo(target);
  };
  return link;
}

/** A cell with a place in the source, as a link where that line is shown. */
function linkPlace(cell, place) {
  const parts = PLACE_PARTS.exec(place), id = parts && goals.lines.get(lineId(parts[1], parts[2]));
  if (id)
    cell.replaceChildren(linkTo(cell.textContent, place, () => document.getElementById(id)));
}

/** Of a region's row: its spans, its accesses; of an access's row: its region. `label`: labelOf() the row. */
function addLinks(cell, table, column, value, label) {
  const add = (text, title, find) => {
    const link = linkTo(text, title, find);
    link.classList.add("goto");
    cell.append(" ", link);
  };
  const rowOf = (tables, region) => [...document.querySelectorAll(tables)].find((row) => row.dataset.region === region || row.dataset.label === region);
  if (column.name === "source" || column.name === "where")
    linkPlace(cell, value);
  else if ((table.name === "regions" || table.name === "range") && column.name === "region") {
    const shown = [ label, value ].find((name) => goals.spans.has(name));
    if (shown)
      add("spans", "the longest one on the timeline", () => window.timeline.showRegion(shown));
    if (goals.accesses.has(value))
      add("accesses", "the memory accesses in it", () => rowOf("#table-global-memory tr, #table-shared-memory tr", value));
  } else if (column.name === "region" && goals.regions.has(value))
    cell.replaceChildren(linkTo(cell.textContent, value, () => rowOf("#table-regions tr", value)));
}
