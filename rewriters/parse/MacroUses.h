// Finds the macros that a source depends on: those that its files use or test, with their definitions.
#ifndef KPERF_REWRITERS_MACRO_USES_H
#define KPERF_REWRITERS_MACRO_USES_H

#include "clang/Basic/SourceLocation.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace kperf {

/// A macro that a file which is no system header expands, or whether it is defined.
struct MacroUse {
  clang::FileID file; ///< one inclusion of that file
  std::string name;
  std::string definition;  ///< its parameters, where it has some, and its tokens with single spaces
  clang::FileID definedIn; ///< an inclusion too; invalid: the command line
};

/// Notes each such use once for each inclusion. Macros that the implementation reserves, and kperf's own, are none of a program's.
class MacroUseCallbacks : public clang::PPCallbacks {
public:
  MacroUseCallbacks(clang::Preprocessor &preprocessor, std::vector<MacroUse> &uses) : preprocessor(preprocessor), uses(uses) {}

  void MacroExpands(const clang::Token &name, const clang::MacroDefinition &definition, clang::SourceRange,
                    const clang::MacroArgs *) override {
    note(name, definition);
  }
  void Defined(const clang::Token &name, const clang::MacroDefinition &definition, clang::SourceRange) override { note(name, definition); }
  void Ifdef(clang::SourceLocation, const clang::Token &name, const clang::MacroDefinition &definition) override { note(name, definition); }
  void Ifndef(clang::SourceLocation, const clang::Token &name, const clang::MacroDefinition &definition) override {
    note(name, definition);
  }
  void Elifdef(clang::SourceLocation, const clang::Token &name, const clang::MacroDefinition &definition) override {
    note(name, definition);
  }
  void Elifndef(clang::SourceLocation, const clang::Token &name, const clang::MacroDefinition &definition) override {
    note(name, definition);
  }

private:
  void note(const clang::Token &name, const clang::MacroDefinition &definition);
  std::string textOf(const clang::MacroInfo &macro) const;

  clang::Preprocessor &preprocessor;
  std::vector<MacroUse> &uses;
  std::set<std::pair<clang::FileID, const clang::MacroInfo *>> noted;
};

} // namespace kperf

#endif
