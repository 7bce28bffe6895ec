// Places each note where its line is now; one whose line is gone is left out, and counted.
#include "tool/lsp/EditorItems.h"
#include "tool/lsp/RowPadding.h"

#include <fmt/format.h>

namespace kperf::tool {
namespace {

using decoder::Json;

// LSP 3.17, DiagnosticSeverity.
constexpr int kWarning = 2, kInformation = 3;

Json positionOf(Position position) { return {{"line", position.line}, {"character", position.character}}; }

Json rangeOf(const Document &document, std::uint32_t line, std::size_t begin, std::size_t end) {
  return {{"start", positionOf(document.at(line, begin))}, {"end", positionOf(document.at(line, end))}};
}

/// Of the expression in the line, or of all that stands in it.
Json rangeOf(const Document &document, std::uint32_t line, const std::string &expression) {
  const std::string_view text = document.lines()[line];
  if (const std::size_t begin = expression.empty() ? std::string_view::npos : text.find(expression); begin != std::string_view::npos)
    return rangeOf(document, line, begin, begin + expression.size());
  return rangeOf(document, line, std::min(text.find_first_not_of(" \t"), text.size()), text.size());
}

/// Where the line that is `number` in the trace is now.
std::optional<std::uint32_t> placeOf(const FileNotes &notes, const Document &document, std::uint32_t number) {
  const auto note = notes.lines.find(number);
  return document.find(number, note == notes.lines.end() ? "" : note->second.recorded);
}

bool contains(LineRange range, const std::optional<std::uint32_t> &line) { return line && range.first <= *line && *line <= range.last; }

Json diagnosticOf(const LineProblem &problem, const Document &document, std::uint32_t line) {
  return {{"range", rangeOf(document, line, problem.expression)},
          {"severity", kWarning},
          {"source", "kperf"},
          {"code", problem.rule},
          {"message", problem.message}};
}

} // namespace

LineRange lineRange(const Json &range) { return {range.at("start").at("line"), range.at("end").at("line")}; }

Json hintsOf(const FileNotes &notes, const Document &document, LineRange range) {
  Json out = Json::array();
  for (const auto &[number, note] : notes.lines)
    if (const auto line = document.find(number, note.recorded); !note.label.empty() && contains(range, line))
      out.push_back({{"position", positionOf(document.at(*line, std::string_view::npos))},
                     {"label", note.label},
                     {"tooltip", note.detail},
                     {"paddingLeft", true}});
  return out;
}

Json hoverOf(const FileNotes &notes, const Document &document, std::uint32_t line) {
  for (const auto &[number, note] : notes.lines)
    if (!note.label.empty() && document.find(number, note.recorded) == line)
      return {{"contents", {{"kind", "plaintext"}, {"value", note.label + "\n" + note.detail}}}};
  return nullptr;
}

Json diagnosticsOf(const FileNotes &notes, const Document &document) {
  Json out = Json::array();
  for (const LineProblem &problem : notes.problems)
    if (const auto line = placeOf(notes, document, problem.line))
      out.push_back(diagnosticOf(problem, document, *line));
  std::size_t changed = 0;
  for (const auto &[number, note] : notes.lines)
    changed += document.find(number, note.recorded) ? 0 : 1;
  if (changed > 0)
    out.push_back({{"range", rangeOf(document, 0, "")},
                   {"severity", kInformation},
                   {"source", "kperf"},
                   {"code", "changed-source"},
                   {"message", fmt::format("this is not what was compiled: {} of {} annotated lines read differently; build and run again",
                                           changed, notes.lines.size())}});
  return out;
}

Json fixesOf(const FileNotes &notes, const Document &document, const std::string &uri, LineRange range) {
  Json out = Json::array();
  for (const LineProblem &problem : notes.problems) {
    const auto line = placeOf(notes, document, problem.line);
    const auto edit = contains(range, line) ? rowPadding(document, problem.expression, problem.rowPadding) : std::nullopt;
    if (!edit)
      continue;
    const Json change = {{"range", rangeOf(document, edit->line, edit->begin, edit->end)}, {"newText", edit->text}};
    out.push_back({{"title", fmt::format("pad each row by {} bytes: [{}]", problem.rowPadding, edit->text)},
                   {"kind", "quickfix"},
                   {"diagnostics", Json::array({diagnosticOf(problem, document, *line)})},
                   {"edit", {{"changes", Json::object({{uri, Json::array({change})}})}}}});
  }
  return out;
}

} // namespace kperf::tool
