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

function addSource(section, table) {
  const at = (name, unit) => table.columns.findIndex((column) => column.name === name && (!unit || column.unit === unit));
  const memory = {
    traffic : at("traffic", "percent"),
    efficiency : at("efficiency"),
    wavefronts : at("wavefronts"),
    ways : at("conflict-ways")
  };
  const isMemory = (row) => row[memory.traffic] !== null || row[memory.ways] !== null;
  const share = at("share"), self = at("self"), line = at("line"), text = at("text"), inside = at("inside"),
        region = at("region");
  const selfFormat = columnFormats(table)[self];
  if (table.rows.some(isMemory)) {
    const legend = element("p", "legend", "Before the line's number: share of the memory traffic, none");
    legend.append(element("span", "scale"), "all of it; ways of bank conflicts.");
    section.append(legend);
  }
  for (const rows of splitGroups(table)) {
    section.append(element("h3", "", rows[0][at("file")]));
    const out = element("table", "source"), holder = element("div", "scroll");
    const hasMemory = rows.some(isMemory);
    let before = null;
    for (const row of rows) {
      const tr = element("tr"), percent = element("td"), time = element("td"),
            number = element("td", "number", row[line]);
      if (row[share] !== null) {
        percent.textContent = `${row[share].toFixed(1)} %`;
        percent.className = "bar";
        percent.style.setProperty("--part", `${Math.min(row[share], 100)}%`);
        time.textContent = row[self] === null ? "" : `${formatted(row[self], selfFormat)} ${selfFormat.unit}`;
        tr.title = row[region] || "";
      }
      const code = element("td", "code", row[text]);
      if (row[inside] !== null) {
        code.classList.add("within");
        tr.title = row[inside];
      }
      if (before !== null && row[line] > before + 1) {
        const gap = element("tr"), dots = element("td", "number", "⋮");
        gap.append(element("td"), element("td"), ...(hasMemory ? [ element("td") ] : []), dots, element("td"));
        out.append(gap);
      }
      before = row[line];
      tr.id = lineId(row[at("file")], row[line]);
      tr.append(percent, time, ...(hasMemory ? [ trafficCell(row, memory) ] : []), number, code);
      out.append(tr);
    }
    holder.append(out);
    section.append(holder);
  }
  addNotes(section, table.notes);
}
