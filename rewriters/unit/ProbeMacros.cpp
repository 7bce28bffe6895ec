// Finds kperf's names in inserted text, and asks the preprocessor which of them are macros at that place.
#include "rewriters/unit/ProbeMacros.h"

#include "clang/Lex/MacroInfo.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace kperf {
namespace {

StringRef identifierAt(StringRef text) {
  return text.take_while([](char letter) { return isAlnum(letter) || letter == '_'; });
}

/// A name of kperf's as it stands at the begin of a text: "::kperf::inlined::load", "kperf_kernel.end", of which `name` is the last part.
struct ProbeName {
  std::size_t length = 0;
  StringRef name;
};

ProbeName probeNameAt(StringRef text) {
  ProbeName found;
  if (text.starts_with("::kperf::")) {
    while (text.substr(found.length).starts_with("::")) {
      found.name = identifierAt(text.substr(found.length + 2));
      found.length += 2 + found.name.size();
    }
    return found;
  }
  const StringRef object = identifierAt(text);
  if (!object.starts_with("kperf_"))
    return {object.size(), {}};
  found.length = object.size();
  if (text.substr(found.length).starts_with(".")) {
    found.name = identifierAt(text.substr(found.length + 1));
    found.length += 1 + found.name.size();
  }
  return found;
}

} // namespace

std::string withoutMacroCalls(StringRef text, function_ref<bool(StringRef)> isReplaced) {
  std::string out;
  while (!text.empty()) {
    const ProbeName found = probeNameAt(text);
    const StringRef written = text.take_front(std::max<std::size_t>(found.length, 1));
    text = text.drop_front(written.size());
    const bool isHit = !found.name.empty() && isReplaced(found.name) && text.starts_with("(");
    out += isHit ? "(" + written.str() + ")" : written.str();
  }
  return out;
}

std::set<std::string> keepFromMacros(const TranslationUnit &unit, clang::Preprocessor &preprocessor, Plan &plan) {
  std::set<std::string> inevitable;
  plan.changeTexts([&](StringRef path, Edit &edit) {
    const clang::FileID file = unit.fileIdOf(path);
    if (file.isInvalid())
      return;
    const clang::SourceLocation place = unit.sources.getLocForStartOfFile(file).getLocWithOffset(static_cast<int>(edit.offset));
    const auto isReplaced = [&](StringRef name) {
      const clang::MacroInfo *macro = preprocessor.getMacroDefinitionAtLoc(preprocessor.getIdentifierInfo(name), place).getMacroInfo();
      if (macro && !macro->isFunctionLike())
        inevitable.insert("'" + name.str() + "' (" + macro->getDefinitionLoc().printToString(unit.sources) + ")");
      return macro && macro->isFunctionLike();
    };
    edit.before = withoutMacroCalls(edit.before, isReplaced);
    edit.after = withoutMacroCalls(edit.after, isReplaced);
  });
  return inevitable;
}

} // namespace kperf
