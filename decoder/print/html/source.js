// The source with the time of its regions in the margin, and how much memory traffic each line makes as a heat map.
function trafficCell(row, at) {
  const cell = element("td", "traffic"), traffic = row[at.traffic], ways = row[at.ways], said = [];
  if (traffic !== null) {
    cell.classList.add("heat");
    cell.style.setProperty("--part", (traffic / 100).toFixed(3));
    cell.textContent = `${traffic.toFixed(1)} %`;
    said.push(`${traffic.toFixed(1)} % of the traffic, efficiency ${row[at.efficiency].toFixed(1)} %`);
  }
  if (ways !== null) {
    cell.textContent += ` ${ways.toFixed(1)}-way`;
    said.push(`${row[at.wavefronts]} wavefronts, ${ways.toFixed(2)}-way bank conflicts`);
  }
  cell.title = said.join("\n");
  return cell;
}

/** A line of source with its share of the time; `cells` stand in front of its number. */
function sourceRow(row, columns, cells) {
  const tr = element("tr"), percent = element("td"), time = element("td"),
        number = element("td", "number", row[columns.line]);
  const {share, self, inside, selfFormat} = columns;
  if (row[share] !== null) {
    percent.textContent = `${formatted(row[share], formatFor("percent", row[share], false))} %`;
    percent.className = "bar";
    percent.style.setProperty("--part", `${Math.min(row[share], 100)}%`);
    time.textContent = row[self] === null ? "" : `${formatted(row[self], selfFormat)} ${selfFormat.unit}`;
    tr.title = row[columns.region] || "";
  }
  const code = element("td", "code", row[columns.text]);
  if (row[inside] !== null) {
    code.classList.add("within");
    tr.title = row[inside];
  }
  tr.id = lineId(row[columns.file], row[columns.line]);
  tr.append(percent, time, ...cells, number, code);
  return tr;
}

function addSource(section, table) {
  const at = (name, unit) => table.columns.findIndex((column) => column.name === name && (!unit || column.unit === unit));
  const memory = {
    traffic : at("traffic", "percent"),
    efficiency : at("efficiency"),
    wavefronts : at("wavefronts"),
    ways : at("conflict-ways")
  };
  const isMemory = (row) => row[memory.traffic] !== null || row[memory.ways] !== null;
  const columns = {
    share : at("share"),
    self : at("self"),
    line : at("line"),
    text : at("text"),
    inside : at("inside"),
    region : at("region"),
    file : at("file"),
    selfFormat : columnFormats(table)[at("self")]
  };
  if (table.rows.some((row) => row[columns.inside] !== null))
    section.append(element("p", "legend line", "Lines with a bar at the left lie in a region: a tip on them names it."));
  if (table.rows.some(isMemory)) {
    const legend = element("p", "legend line", "Before the line's number: share of the memory traffic, from none ");
    legend.append(element("span", "scale"), " to all of it; how many ways its bank conflicts have, 1 where there are none.");
    section.append(legend);
  }
  for (const rows of splitGroups(table)) {
    section.append(element("h3", "", rows[0][columns.file]));
    const out = element("table", "source"), holder = element("div", "scroll");
    const cellOf = rows.some(isMemory) ? (row) => [row ? trafficCell(row, memory) : element("td")] : () => [];
    let before = null;
    for (const row of rows) {
      if (before !== null && row[columns.line] > before + 1) {
        const gap = element("tr");
        gap.append(element("td"), element("td"), ...cellOf(null), element("td", "number", "⋮"), element("td"));
        out.append(gap);
      }
      before = row[columns.line];
      out.append(sourceRow(row, columns, cellOf(row)));
    }
    holder.append(out);
    section.append(holder);
  }
  addNotes(section, table.notes);
}
