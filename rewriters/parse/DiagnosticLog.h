// Collects the diagnostics of Clang and of the rewriters as rendered text, so that the library need not print.
#ifndef KPERF_REWRITERS_DIAGNOSTICLOG_H
#define KPERF_REWRITERS_DIAGNOSTICLOG_H

#include "rewriters/parse/Diagnostic.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kperf {

/// One error or warning with the notes that follow it.
struct LoggedDiagnostic : RewriteDiagnostic {
  bool isOurs = false;            ///< reported by a rewriter, not by Clang
  bool isFatal = false;           ///< Clang stopped here, as on a file that is not found
  bool isForgotten = false;       ///< an annotation of kperf's that nothing declares
  bool breaksStructure = false;   ///< braces, comments or conditionals do not match: no function behind it can be trusted
  clang::SourceLocation location; ///< valid while the parse is
};

class DiagnosticLog : public clang::DiagnosticConsumer {
public:
  explicit DiagnosticLog(bool colour);

  void BeginSourceFile(const clang::LangOptions &options, const clang::Preprocessor *preprocessor) override;
  void EndSourceFile() override;
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &diagnostic) override;

  /// Errors and our own warnings, in order. Clang's warnings are left out: they belong to the ordinary build.
  const std::vector<LoggedDiagnostic> &entries() const { return logged; }
  /// A warning in one line about the first of kperf's annotations that Clang does not know, which nobody does without the header.
  std::optional<RewriteDiagnostic> forgottenHeader() const;
  /// Of the first error of Clang's that has one, else `otherwise`.
  std::string cure(std::string otherwise) const;

private:
  std::string rendered;
  llvm::raw_string_ostream stream;
  clang::DiagnosticOptions options;
  clang::TextDiagnosticPrinter printer;
  std::vector<LoggedDiagnostic> logged;
  clang::Preprocessor *macros = nullptr; ///< while a file is read
  bool keepsNotes = false;               ///< the last error or warning was kept, so its notes are too
};

/// Reports with Clang's caret; errors are counted.
class Reporter {
public:
  explicit Reporter(clang::DiagnosticsEngine &engine) : engine(engine) {}

  void error(clang::SourceLocation location, const llvm::Twine &message);
  void warning(clang::SourceLocation location, const llvm::Twine &message);
  void note(clang::SourceLocation location, const llvm::Twine &message);
  unsigned errorCount() const { return errors; }

private:
  clang::DiagnosticsEngine &engine;
  unsigned errors = 0;
};

} // namespace kperf

#endif
