// The source with the time of its regions in the margin.
function addSource(section, table) {
  const at = (name) => table.columns.findIndex((column) => column.name === name);
  const share = at("share"), self = at("self"), line = at("line"), text = at("text"), inside = at("inside"),
        region = at("region");
  const selfFormat = columnFormats(table)[self];
  for (const rows of splitGroups(table)) {
    section.append(element("h3", "", rows[0][at("file")]));
    const out = element("table", "source"), holder = element("div", "scroll");
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
        gap.append(element("td"), element("td"), dots, element("td"));
        out.append(gap);
      }
      before = row[line];
      tr.append(percent, time, number, code);
      out.append(tr);
    }
    holder.append(out);
    section.append(holder);
  }
  addNotes(section, table.notes);
}
