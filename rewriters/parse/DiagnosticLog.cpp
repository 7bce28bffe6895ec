// Renders diagnostics and collects them.
#include "rewriters/parse/DiagnosticLog.h"
#include "rewriters/parse/Annotation.h"

#include "clang/Basic/DiagnosticIDs.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/SemaDiagnostic.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"

using namespace llvm;

namespace kperf {

DiagnosticLog::DiagnosticLog(bool colour) : stream(rendered), printer(stream, options) {
  options.ShowColors = colour;
  stream.enable_colors(colour); // one in memory has none
  options.ShowPresumedLoc = true;
}

void DiagnosticLog::BeginSourceFile(const clang::LangOptions &languageOptions, const clang::Preprocessor *preprocessor) {
  printer.BeginSourceFile(languageOptions, preprocessor);
  macros = const_cast<clang::Preprocessor *>(preprocessor); // a look-up may read a prelude
}

void DiagnosticLog::EndSourceFile() {
  printer.EndSourceFile();
  macros = nullptr;
}

static bool mismatches(StringRef message) {
  return message.starts_with("expected '}'") || message.starts_with("extraneous closing brace") || message.starts_with("unterminated");
}

/// nvcc takes a __shared__ object with a constructor, such as cuda::barrier, and runs no constructor. In the host target's headers, where
/// all device functions are the host's as well, they may have shared memory.
static bool isAcceptedByNvcc(unsigned id, bool isForHost) {
  return id == clang::diag::err_shared_var_init || (id == clang::diag::err_cuda_host_shared && isForHost);
}

/// The first name that a message of Clang's is about.
static StringRef quotedIn(StringRef message) {
  return message.split('\'').second.take_until([](char c) { return c == '\''; });
}

/// Whether a header is of CUDA's toolkit and needs more of it than the host target has. libcu++'s have no ending.
static bool needsToolkit(StringRef header) {
  for (const StringRef folder : {"cub/", "thrust/", "nv/"})
    if (header.starts_with(folder))
      return true;
  for (const StringRef start : {"cuda_fp4.", "cuda_fp6.", "cuda_fp8.", "curand", "cublas", "cufft", "cusparse", "cusolver", "nvrtc"})
    if (header.starts_with(start) && header.contains(".h"))
      return true;
  return header.starts_with("cuda/") && !header.contains('.');
}

/// What to do about an error of Clang's with that message.
static std::string cureOf(StringRef message, bool isForHost) {
  const StringRef name = quotedIn(message);
  if (message.contains("file not found") && isForHost && needsToolkit(name))
    return "the host target does not have this header of CUDA's, and can't use the toolkit's: put it and what needs it between #ifndef "
           "KPERF_HOST_TARGET and #endif, or build for a GPU; docs/reference/host.md lists the headers that there are";
  if (message.contains("file not found"))
    return name.starts_with("kperf/") ? "sources include <kperf/annotate.h>, or <kperf/control.h> to start and stop recording"
                                      : ("give the folder of " + name + " by -I").str();
  if (message.contains("undeclared") && annotationNamed(name))
    return "#include <kperf/annotate.h> declares it";
  for (const auto &[start, header] : {std::pair("__pipeline_", "cuda_pipeline.h"), std::pair("__mbarrier_", "cuda_awbarrier_primitives.h")})
    if ((message.contains("undeclared") || message.contains("unknown type")) && name.starts_with(start))
      return std::string("#include <") + header + "> declares it";
  return "";
}

/// nvcc reads a #pragma that a macro writes.
static bool isPragmaOfMacro(const clang::Diagnostic &diagnostic) {
  const clang::SourceLocation place = diagnostic.getLocation();
  if (!place.isMacroID() || !diagnostic.hasSourceManager())
    return false;
  StringRef text = diagnostic.getSourceManager().getCharacterData(diagnostic.getSourceManager().getSpellingLoc(place));
  return text.consume_front("#") && text.ltrim(" \t").starts_with("pragma");
}

void DiagnosticLog::HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &diagnostic) {
  using Level = clang::DiagnosticsEngine::Level;
  DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
  bool isOurs = clang::DiagnosticIDs::IsCustomDiag(diagnostic.getID());
  bool isNote = level == Level::Note || level == Level::Remark;
  if (!isNote)
    keepsNotes = level >= Level::Error || isOurs;
  const bool isForHost = macros && macros->isMacroDefined("KPERF_HOST_TARGET");
  if (isAcceptedByNvcc(diagnostic.getID(), isForHost))
    keepsNotes = false;
  if (!keepsNotes || (isNote && logged.empty()))
    return;

  rendered.clear();
  printer.HandleDiagnostic(level, diagnostic);
  if (isNote) {
    logged.back().rendered += rendered;
    return;
  }
  SmallString<128> message;
  diagnostic.FormatDiagnostic(message);
  LoggedDiagnostic entry;
  entry.severity = level >= Level::Error ? Severity::Error : Severity::Warning;
  entry.message = message.str().str();
  entry.rendered = rendered;
  entry.isOurs = isOurs;
  entry.isFatal = level == Level::Fatal;
  entry.breaksStructure = !isOurs && mismatches(entry.message);
  entry.location = diagnostic.getLocation();
  if (entry.location.isValid() && diagnostic.hasSourceManager()) {
    clang::PresumedLoc place = diagnostic.getSourceManager().getPresumedLoc(entry.location);
    if (place.isValid()) {
      entry.file = place.getFilename();
      entry.line = place.getLine();
      entry.column = place.getColumn();
    }
  }
  entry.cure = isPragmaOfMacro(diagnostic) ? "a macro can't hold a #pragma in C++, but _Pragma(\"…\")" : cureOf(entry.message, isForHost);
  entry.isForgotten = !isOurs && StringRef(entry.message).contains("undeclared") && annotationNamed(quotedIn(entry.message)).has_value();
  logged.push_back(std::move(entry));
}

std::optional<RewriteDiagnostic> DiagnosticLog::forgottenHeader() const {
  const auto entry = find_if(logged, [](const LoggedDiagnostic &each) { return each.isForgotten; });
  if (entry == logged.end())
    return std::nullopt;
  RewriteDiagnostic warning = *entry;
  warning.severity = Severity::Warning;
  warning.isMistake = true;
  warning.message = (quotedIn(entry->message) + " is not declared: #include <kperf/annotate.h>").str();
  warning.rendered =
      (warning.file + Twine(":") + Twine(warning.line) + ":" + Twine(warning.column) + ": warning: " + warning.message + "\n").str();
  return warning;
}

std::string DiagnosticLog::cure(std::string otherwise) const {
  const auto known = find_if(logged, [](const LoggedDiagnostic &entry) { return !entry.isOurs && !entry.cure.empty(); });
  return known == logged.end() ? otherwise : known->cure;
}

void Reporter::error(clang::SourceLocation location, const Twine &message) {
  ++errors;
  engine.Report(location, engine.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0")) << message.str();
}

void Reporter::warning(clang::SourceLocation location, const Twine &message) {
  const bool hidesSystem = engine.getSuppressSystemWarnings();
  engine.setSuppressSystemWarnings(false);
  engine.Report(location, engine.getCustomDiagID(clang::DiagnosticsEngine::Warning, "%0")) << message.str();
  engine.setSuppressSystemWarnings(hidesSystem);
}

void Reporter::note(clang::SourceLocation location, const Twine &message) {
  engine.Report(location, engine.getCustomDiagID(clang::DiagnosticsEngine::Note, "%0")) << message.str();
}

} // namespace kperf
