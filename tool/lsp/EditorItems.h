// Converts what traces say of a document to the protocol's forms (LSP 3.17: InlayHint, Hover, Diagnostic, CodeAction).
#ifndef KPERF_TOOL_EDITOR_ITEMS_H
#define KPERF_TOOL_EDITOR_ITEMS_H

#include "decoder/io/Json.h"
#include "tool/lsp/Document.h"
#include "tool/lsp/TraceNotes.h"

namespace kperf::tool {

/// Of a range that an editor asks for: its lines, from 0, both included.
struct LineRange {
  std::uint32_t first, last;
};
LineRange lineRange(const decoder::Json &range);

decoder::Json hintsOf(const FileNotes &notes, const Document &document, LineRange range);
/// Null where nothing is known of the line.
decoder::Json hoverOf(const FileNotes &notes, const Document &document, std::uint32_t line);
/// What is wrong, and whether the document is what was compiled.
decoder::Json diagnosticsOf(const FileNotes &notes, const Document &document);
decoder::Json fixesOf(const FileNotes &notes, const Document &document, const std::string &uri, LineRange range);

} // namespace kperf::tool

#endif
