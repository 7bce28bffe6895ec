// Prints tables as one page that needs nothing else: style, scripts and data stand in it, and it loads nothing.
#include "decoder/io/Utf8.h"
#include "decoder/print/HtmlAssets.h"
#include "decoder/print/JsonValue.h"
#include "decoder/print/Printer.h"
#include "decoder/table/ColumnMeanings.h"

#include <fmt/format.h>

namespace kperf::decoder {
namespace {

const char *roleName(Column::Role role) {
  switch (role) {
  case Column::Role::Group:
    return "group";
  case Column::Role::Depth:
    return "depth";
  case Column::Role::Label:
    return "label";
  case Column::Role::Value:
    break;
  }
  return "value";
}

Json jsonOf(const Table &table) {
  Json out = {{"name", table.name},    {"title", table.title}, {"columns", Json::array()},
              {"rows", Json::array()}, {"notes", table.notes}, {"lead-notes", table.leadNotes}};
  for (const Column &column : table.columns)
    out["columns"].push_back({{"name", column.name},
                              {"unit", unitName(column.unit)},
                              {"role", roleName(column.role)},
                              {"priority", column.priority},
                              {"isWithPrevious", column.isWithPrevious},
                              {"isSum", column.isSum},
                              {"meaning", columnMeaning(table.name, keyOf(column))}});
  for (const std::vector<Cell> &row : table.rows) {
    Json cells = Json::array();
    for (const Cell &cell : row)
      cells.push_back(jsonValue(cell));
    out["rows"].push_back(std::move(cells));
  }
  return out;
}

/// JSON that may stand in a script element: nothing in it can end the element or begin a comment.
std::string scriptSafe(std::string_view json) {
  std::string out;
  out.reserve(json.size() + json.size() / 64);
  for (const char c : json)
    if (c == '<' || c == '>' || c == '&')
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      out += c;
  return out;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : printable(text))
    out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : c == '"' ? "&quot;" : std::string(1, c);
  return out;
}

void writeData(std::string_view id, std::string_view json, Output &out) {
  out.write(fmt::format("<script type=\"application/json\" id=\"{}\">\n", id));
  out.write(scriptSafe(json));
  out.write("\n</script>\n");
}

void writePart(std::string_view name, std::span<const Table> tables, const PrintOptions &options, Output &out) {
  if (name == "TITLE")
    out.write(escaped(options.title.empty() ? "kperf" : options.title));
  if (name == "ORIGIN" && !options.origin.empty())
    out.write(fmt::format("<p id=\"origin\">{}</p>\n", escaped(options.origin)));
  if (name == "STYLE")
    out.write(html_style_css);
  if (name == "SCRIPT")
    for (const std::string_view script :
         {html_numbers_js, html_links_js, html_tables_js, html_distribution_js, html_overlap_js, html_findings_js, html_locality_js,
          html_source_js, html_timeline_rows_js, html_timeline_picture_js, html_timeline_cursor_js, html_timeline_names_js,
          html_timeline_js, html_pipelines_js, html_range_overlap_js, html_range_js, html_occupancy_js, html_page_js})
      out.write(script);
  if (name != "DATA")
    return;
  Json json = Json::array();
  for (const Table &table : tables)
    json.push_back(jsonOf(table));
  writeData("tables", jsonText(json, /*levels=*/3), out);
  for (const PageData &data : options.data)
    writeData(data.id, data.json, out);
  if (!options.shortNames.empty())
    writeData("names", options.shortNames, out);
}

} // namespace

void htmlPrinter(std::span<const Table> tables, const PrintOptions &options, Output &out) {
  for (std::string_view left = html_page_html; !left.empty();) {
    const std::size_t at = left.find('@');
    const std::size_t end = at == std::string_view::npos ? at : left.find('@', at + 1);
    out.write(left.substr(0, at));
    if (end == std::string_view::npos)
      break;
    writePart(left.substr(at + 1, end - at - 1), tables, options, out);
    left.remove_prefix(end + 1);
  }
}

} // namespace kperf::decoder
