// Notes which macros a source uses.
#include "rewriters/parse/MacroUses.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/MacroInfo.h"

using namespace llvm;

namespace kperf {

void MacroUseCallbacks::note(const clang::Token &token, const clang::MacroDefinition &definition) {
  const clang::IdentifierInfo *identifier = token.getIdentifierInfo();
  const clang::MacroInfo *macro = definition.getMacroInfo();
  if (!identifier || !macro || macro->isBuiltinMacro())
    return;
  const StringRef name = identifier->getName();
  if (name.starts_with("__") || name.starts_with("KPERF_"))
    return;
  const clang::SourceManager &sources = preprocessor.getSourceManager();
  const clang::SourceLocation place = sources.getExpansionLoc(token.getLocation());
  const clang::FileID file = sources.getFileID(place);
  if (!noted.emplace(file, macro).second || sources.isInSystemHeader(place) || !sources.getFileEntryRefForID(file))
    return;
  const clang::SourceLocation defined = macro->getDefinitionLoc();
  if (defined.isInvalid() || sources.isInSystemHeader(defined) || sources.isWrittenInBuiltinFile(defined))
    return;
  const bool isGiven = sources.isWrittenInCommandLineFile(defined);
  uses.push_back({file, name.str(), textOf(*macro), isGiven ? clang::FileID() : sources.getFileID(defined)});
}

std::string MacroUseCallbacks::textOf(const clang::MacroInfo &macro) const {
  std::string text;
  if (macro.isFunctionLike()) {
    for (const clang::IdentifierInfo *parameter : macro.params())
      text += (text.empty() ? "" : ",") + parameter->getName().str();
    text = "(" + text + (macro.isVariadic() ? "..." : "") + ") ";
  }
  for (const clang::Token &token : macro.tokens()) {
    if (&token != macro.tokens_begin() && token.hasLeadingSpace())
      text += ' ';
    text += preprocessor.getSpelling(token);
  }
  return text;
}

} // namespace kperf
