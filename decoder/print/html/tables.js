// Tables: one for each group of rows, sorted by a click on a column's head.
function splitGroups(table) {
  const isGroup = table.columns.map((column) => column.role === "group");
  const groups = new Map();
  for (const row of table.rows) {
    const key = JSON.stringify(row.filter((_, i) => isGroup[i]));
    if (!groups.has(key))
      groups.set(key, []);
    groups.get(key).push(row);
  }
  return [...groups.values() ];
}

/** Columns that have the decimals of this one, as in text: what is shown with the one before it, of one unit: first, and behind the last. */
function comparedWith(columns, i) {
  const isLikePrevious = (each) => each > 0 && columns[each]?.isWithPrevious && columns[each].unit === columns[each - 1].unit &&
                                   columns[each].unit && columns[each].unit !== "percent";
  let first = i, last = i + 1;
  while (isLikePrevious(first))
    --first;
  while (isLikePrevious(last))
    ++last;
  return [ first, last ];
}

/** The numbers in columns from one to another, that one not included. */
function numbersIn(table, first, last) { return table.rows.flatMap((row) => row.slice(first, last)).filter((value) => typeof value === "number"); }

function largestOf(numbers) { return numbers.reduce((a, b) => Math.max(a, b), 0); }

/** By the largest number of each column, as in text: times of a row are read side by side, all of one entry in one unit, all sums in one. So are bytes and cycles. */
function divisorOf(columns, largest, i) {
  const own = columns[i];
  const isAlike = ({unit, role, priority, isSum}) => unit === own.unit && !isSum === !own.isSum && role === "value" && priority > 0;
  const alike = largest.filter((value, k) => k === i || (own.role === "value" && isAlike(columns[k])));
  return divisorFor(own.unit, Math.min(...alike.filter((value) => value > 0)), largestOf(alike));
}

/** The format of each column over all rows, and whether it has anything to show. */
function columnFormats(table) {
  const largest = table.columns.map((_, i) => largestOf(numbersIn(table, i, i + 1)));
  return table.columns.map((column, i) => {
    const values = table.rows.map((row) => row[i]).filter((value) => value !== null);
    const numbers = numbersIn(table, ...comparedWith(table.columns, i)), most = largestOf(numbers);
    const isText = values.some((value) => typeof value === "string");
    const format = formatIn(column.unit, divisorOf(table.columns, largest, i), most, numbers.every(Number.isInteger));
    return {...format, isText, isEmpty : values.length === 0, most};
  });
}

function shownColumns(table, formats, isAll) {
  return table.columns.map((_, i) => i).filter((i) => {
    const {role, priority} = table.columns[i];
    if (role === "label")
      return priority > 0;
    return role === "value" && !formats[i].isEmpty && priority > (isAll ? 0 : 39);
  });
}

/** Columns of percent of which one wants all. */
const IS_GOOD = new Set([ "efficiency", "hits", "hits-in-sm", "hidden", "overlapped", "covered", "lines-touched", "sectors-touched" ]);
/** Columns of percent that are no part of a whole. */
const IS_NO_PART = /^change|-error$|^(first|last)$/;
const MAX_ROWS = 30; // that stand unfolded

function cellOf(table, formats, row, i) {
  const {role, unit} = table.columns[i], value = row[i];
  const cell = element("td", formats[i].isText ? "text" : "");
  if (role === "label")
    cell.classList.add("label");
  if (value === null)
    return cell;
  cell.textContent = typeof value === "string" ? shortPath(value) : formatted(value, formats[i]);
  if (typeof value === "string")
    cell.title = value;
  if (role !== "label" && / .{20}/.test(cell.textContent))
    cell.classList.add("long"); // prose
  if (role === "label") {
    const depth = table.columns.findIndex((column) => column.role === "depth");
    if (depth >= 0)
      cell.style.paddingLeft = `${10 + 14 * Math.min(row[depth] || 0, 20)}px`;
  }
  if (typeof value === "string")
    addLinks(cell, table, table.columns[i], value, labelOfRow(table, row));
  if (unit === "percent" && value >= 0 && formats[i].most <= 100.5 && !IS_NO_PART.test(table.columns[i].name)) {
    cell.classList.add(IS_GOOD.has(table.columns[i].name) ? "goal" : "bar");
    cell.style.setProperty("--part", `${Math.min(value, 100)}%`);
  }
  return cell;
}

const PLACE = /^(\/.*\/|[A-Za-z]:.*\\|\.\.?\/.*\/)([^\/\\]+:\d+(?::\d+)?)$/;
const pathsOf = new Map(); // by what stands after the last slash

/** Paths of two files that end alike stay whole. */
function learnPaths(tables) {
  for (const value of tables.flatMap((table) => table.rows.flat()))
    if (typeof value === "string" && PLACE.test(value)) {
      const [, folder, file] = PLACE.exec(value), name = file.split(":")[0];
      pathsOf.set(name, pathsOf.has(name) && pathsOf.get(name) !== folder ? null : folder);
    }
}

/** File and line without the folder, which the tip of the cell has; of places in brackets too. */
function shortPath(text) {
  const found = PLACE.exec(text);
  if (found)
    return pathsOf.get(found[2].split(":")[0]) ? found[2] : text;
  return text.replace(/\((\/[^()]*:\d+)\)/g, (_, place) => `(${PLACE.test(place) ? shortPath(place) : place})`);
}

function sortRows(rows, i, isDescending) {
  const sign = isDescending ? -1 : 1;
  return [...rows ].sort((a, b) => {
    if (a[i] === null || b[i] === null)
      return (a[i] === null) - (b[i] === null);
    return sign * (typeof a[i] === "string" ? String(a[i]).localeCompare(String(b[i])) : a[i] - b[i]);
  });
}

function labelOfRow(table, row) {
  const at = (name) => row[table.columns.findIndex((column) => column.name === name)];
  return labelOf(at("region"), at("source"));
}

function makeTable(table, formats, rows, isAll) {
  const shown = shownColumns(table, formats, isAll), out = element("table"), body = element("tbody");
  const region = table.columns.findIndex((column) => column.name === "region");
  const fill = (list) => body.replaceChildren(...list.map((row) => {
    const line = element("tr");
    if (region >= 0 && row[region] !== null) {
      line.dataset.region = row[region];
      line.dataset.label = labelOfRow(table, row);
    }
    line.append(...shown.map((i) => cellOf(table, formats, row, i)));
    return line;
  }));
  const head = element("tr");
  for (const i of shown) {
    const column = table.columns[i], cell = element("th", formats[i].isText ? "text" : "");
    if (column.role === "label")
      cell.classList.add("label");
    cell.scope = "col";
    const button = element("button", "", column.name);
    button.type = "button";
    button.title = column.meaning;
    button.onclick = () => {
      const isDescending = cell.getAttribute("aria-sort") === "descending" ? false
                           : formats[i].isText ? cell.getAttribute("aria-sort") === "ascending"
                                               : true;
      for (const other of head.children)
        other.removeAttribute("aria-sort");
      cell.setAttribute("aria-sort", isDescending ? "descending" : "ascending");
      fill(sortRows(rows, i, isDescending));
    };
    cell.append(button, element("small", "", formats[i].unit));
    head.append(cell);
  }
  const top = element("thead");
  top.append(head);
  fill(rows);
  out.append(top, body);
  return out;
}

/** A table of many rows shows the first ones until the others are asked for. */
function foldRows(holder, count) {
  if (count <= MAX_ROWS + 5)
    return;
  holder.classList.add("few");
  const button = element("button", "more", `All ${count} rows`);
  button.type = "button";
  button.onclick = () => button.textContent = holder.classList.toggle("few") ? `All ${count} rows` : "Fewer rows";
  holder.after(button);
}

function meaningsOf(name) { return columnsKnown.get(name) || new Map(); }

/** Makes columns of tables that the page works out itself, with the report's words for what they mean. */
function columnWith(meanings) {
  return (name, unit, role, isSum = false) => ({name, unit, role, isSum, priority : 90, meaning : meanings.get(name) || ""});
}
const columnsKnown = new Map(); // by table: what its columns mean
const shortNames = dataOf("names") || {}; // of kernels, by the whole ones; tables have short ones
const wholeNames = Object.fromEntries(Object.entries(shortNames).map(([ whole, readable ]) => [readable, whole]));

function addGroupHead(section, table, formats, row) {
  const facts = element("p", "facts");
  table.columns.forEach((column, i) => {
    if (column.role !== "group" || row[i] === null)
      return;
    if (!facts.dataset.titled) {
      facts.dataset.titled = "yes";
      const title = element("h3", "", String(row[i]));
      title.title = wholeNames[row[i]] || "";
      section.append(title);
      return;
    }
    const own = typeof row[i] === "number" ? formatFor(column.unit, row[i], Number.isInteger(row[i])) : null;
    const item = element("span", "", `${column.name} `);
    item.title = column.meaning;
    item.append(element("b", "", own ? `${formatted(row[i], own)} ${own.unit}`.trim() : row[i]));
    facts.append(item);
  });
  if (facts.children.length)
    section.append(facts);
}

function addNotes(section, notes) {
  if (!notes.length)
    return;
  const list = element("ul", "notes");
  list.append(...notes.map((note) => element("li", "", note)));
  section.append(list);
}

function addTable(section, table) {
  const formats = columnFormats(table), holders = [];
  const isGrouped = table.columns.some((column) => column.role === "group");
  for (const rows of isGrouped ? splitGroups(table) : [ table.rows ]) {
    if (isGrouped)
      addGroupHead(section, table, formats, rows[0]);
    const holder = element("div", "scroll");
    holder.append(makeTable(table, formats, rows, false));
    section.append(holder);
    foldRows(holder, rows.length);
    holders.push([ holder, rows ]);
  }
  const few = shownColumns(table, formats, false).length, all = shownColumns(table, formats, true).length;
  if (all > few) {
    const tools = element("div", "tools"), button = element("button", "", `All ${all} columns`);
    let isAll = false;
    button.onclick = () => {
      isAll = !isAll;
      button.textContent = isAll ? "Main columns" : `All ${all} columns`;
      for (const [holder, rows] of holders)
        holder.replaceChildren(makeTable(table, formats, rows, isAll));
    };
    tools.append(button);
    section.append(tools);
  }
  addNotes(section, table.notes);
}
