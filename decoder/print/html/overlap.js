// What ran at the same time: a matrix for each kernel, a row for each region, darker where more of its time overlaps.
function addOverlap(section, table, pairs) {
  addTable(section, {...table, notes : []});
  const at = (name, unit) => pairs.columns.findIndex((column) => column.name === name && column.unit === unit);
  const row = at("region", ""), other = at("with", ""), share = at("share", "percent"), ns = at("together", "ns"),
        cycles = at("together", "cycles");
  const name = table.columns.findIndex((column) => column.name === "region");
  for (const own of splitGroups(table)) {
    const kernel = own[0][0], names = own.map((cells) => cells[name]);
    const found = pairs.rows.filter((cells) => cells[0] === kernel);
    if (names.length < 2 || !found.length)
      continue;
    const by = new Map(found.map((cells) => [JSON.stringify([ cells[row], cells[other] ]), cells]));
    section.append(element("h3", "", kernel),
                   element("p", "facts", "Of each region's time (row), the part during which another one (column) ran, in %."));
    const out = element("table", "matrix"), head = element("tr"), holder = element("div", "scroll");
    head.append(element("th", "label text", "region"));
    for (const column of names) {
      const cell = element("th", "", column);
      cell.title = column;
      head.append(cell);
    }
    const top = element("thead"), body = element("tbody");
    top.append(head);
    for (const line of names) {
      const tr = element("tr"), label = element("td", "label text", line);
      label.title = line;
      tr.append(label);
      for (const column of names) {
        const cells = by.get(JSON.stringify([ line, column ])), cell = element("td", line === column ? "same" : "");
        if (cells) {
          cell.textContent = cells[share].toFixed(1);
          cell.style.setProperty("--part", (Math.min(cells[share], 100) / 100).toFixed(3));
          cell.className = "heat";
          cell.title = `${line} and ${column} together for ${
              cells[ns] === null ? `${cells[cycles]} cycles` : timeText(cells[ns])}`;
        }
        tr.append(cell);
      }
      body.append(tr);
    }
    out.append(top, body);
    holder.append(out);
    section.append(holder);
  }
  addNotes(section, table.notes);
}
