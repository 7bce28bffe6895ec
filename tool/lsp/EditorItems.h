// What traces say of a document, in the protocol's own forms (LSP 3.17: InlayHint, Hover, Diagnostic, CodeAction).
#ifndef KPERF_TOOL_EDITOR_ITEMS_H
#define KPERF_TOOL_EDITOR_ITEMS_H

#include "tool/lsp/Document.h"
#include "tool/lsp/TraceNotes.h"

#include <nlohmann/json.hpp>

namespace kperf::tool {

/// Of a range that an editor asks for: its lines, from 0, both included.
struct LineRange {
  std::uint32_t first, last;
};
LineRange lineRange(const nlohmann::json &range);

nlohmann::json hintsOf(const FileNotes &notes, const Document &document, LineRange range);
/// Null where nothing is known of the line.
nlohmann::json hoverOf(const FileNotes &notes, const Document &document, std::uint32_t line);
/// What is wrong, and whether the document is what was compiled.
nlohmann::json diagnosticsOf(const FileNotes &notes, const Document &document);
nlohmann::json fixesOf(const FileNotes &notes, const Document &document, const std::string &uri, LineRange range);

} // namespace kperf::tool

#endif
