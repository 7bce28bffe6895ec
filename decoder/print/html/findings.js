// What limits the program, as cards: what to try and what it would gain, on which evidence.
function addExplanation(section, table) {
  const at = (name) => table.columns.findIndex((column) => column.name === name);
  for (const rows of splitGroups(table)) {
    section.append(element("h3", "", rows[0][at("kernel")]));
    for (const row of rows) {
      const card = element("article", "finding"), facts = element("dl");
      const place = element("p", "facts", row[at("where")] || "");
      if (row[at("where")])
        linkPlace(place, row[at("where")]);
      for (const name of ["try", "gain", "evidence"])
        facts.append(element("dt", "", name), element("dd", "", row[at(name)]));
      card.append(element("h4", "", row[at("finding")]), place, facts);
      section.append(card);
    }
  }
  addNotes(section, table.notes);
}

// Findings: each with its place, what causes it, what to change, and what that would bring.
function addFindings(section, table) {
  const at = (name) => table.columns.findIndex((column) => column.name === name);
  for (const row of table.rows) {
    const card = element("article", "finding"), facts = element("dl"), head = element("h3", "", row[at("access")]);
    const place = element("p", "facts"), source = element("b", "", shortPath(row[at("source")] || ""));
    source.title = row[at("source")] || "";
    linkPlace(source, source.title);
    place.append(source, element("span", "", `${row[at("kind")]} in ${row[at("function")]}`));
    for (const name of ["cause", "fix", "effect"])
      if (row[at(name)] !== null)
        facts.append(element("dt", "", name), element("dd", "", row[at(name)]));
    card.append(head, place, facts);
    section.append(card);
  }
  addNotes(section, table.notes);
}
