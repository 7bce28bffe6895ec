// Runs Clang's front end on one file and hands the parsed translation unit to a visitor.
#ifndef KPERF_REWRITERS_FRONTEND_H
#define KPERF_REWRITERS_FRONTEND_H

#include "rewriters/parse/Checkpoint.h"
#include "rewriters/parse/DiagnosticLog.h"
#include "rewriters/parse/Prelude.h"
#include "rewriters/parse/Preprocessing.h"
#include "rewriters/source/FileText.h"
#include "rewriters/source/SourceRepair.h"

#include "clang/AST/ASTContext.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <functional>
#include <string>
#include <vector>

namespace kperf {

struct FrontEndJob {
  std::vector<std::string> command; ///< a Clang driver command line, program name first
  std::vector<FileText> files;      ///< replace or add to what the disk holds; absolute or relative paths
  /// Function bodies outside of these files are skipped; empty: none is. Absolute paths without dots.
  std::vector<std::string> onlyBodiesIn;
  Prelude prelude;                    ///< what the command begins with
  std::vector<std::string> untouched; ///< folders whose files need no repair of inline assembly
  /// Tells by its path a header that may be edited: of other system headers, bodies are skipped of which nothing is learned
  /// (UnreadBodies.h). Empty: none is skipped.
  std::function<bool(llvm::StringRef)> isLookedInto;
  Checkpoints *checkpoints = nullptr; ///< to be filled by a parse that `isLookedInto` limits
};

/// What a visitor gets; valid during its call.
struct ParsedFile {
  clang::ASTContext &context;
  clang::Sema &sema; ///< which can instantiate what nobody has asked for yet
  const PreprocessingRecord &preprocessing;
  const OriginalTexts &originals;
  Reporter &reporter;
};

using FrontEndVisitor = llvm::function_ref<void(const ParsedFile &)>;

/// Parses as a translation unit prefix: templates are not instantiated at its end, patterns are complete. The visitor is
/// called once unless the command is wrong or Clang stopped at a fatal error. Returns the files that were opened on the
/// disk.
std::vector<FileRead> runFrontEnd(const FrontEndJob &job, DiagnosticLog &log, FrontEndVisitor visitor);

} // namespace kperf

#endif
