// Findings: each with its place, what causes it, what to change, and what that would bring.
function addFindings(section, table) {
  const at = (name) => table.columns.findIndex((column) => column.name === name);
  for (const row of table.rows) {
    const card = element("article", "finding"), facts = element("dl"), head = element("h3", "", row[at("access")]);
    const place = element("p", "facts"), source = element("b", "", shortPath(row[at("source")] || ""));
    source.title = row[at("source")] || "";
    place.append(source, element("span", "", `${row[at("kind")]} in ${row[at("function")]}`));
    for (const name of ["cause", "fix", "effect"])
      if (row[at(name)] !== null)
        facts.append(element("dt", "", name), element("dd", "", row[at(name)]));
    card.append(head, place, facts);
    section.append(card);
  }
  addNotes(section, table.notes);
}
