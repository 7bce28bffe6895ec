// Callbacks and the pragma handler that fill a PreprocessingRecord.
#include "rewriters/parse/Preprocessing.h"

#include "clang/Lex/MacroArgs.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Pragma.h"

#include <utility>

using namespace llvm;
using clang::SourceLocation;
using clang::Token;

namespace kperf {

const AnnotationExpansion *PreprocessingRecord::annotationAt(SourceLocation token) const {
  for (const AnnotationExpansion &annotation : annotations)
    if (annotation.token == token)
      return &annotation;
  return nullptr;
}

namespace {

class Callbacks : public clang::PPCallbacks {
public:
  Callbacks(clang::Preprocessor &preprocessor, PreprocessingRecord &record)
      : preprocessor(preprocessor), sources(preprocessor.getSourceManager()), record(record) {}

  void MacroExpands(const Token &name, const clang::MacroDefinition &definition, clang::SourceRange,
                    const clang::MacroArgs *arguments) override {
    const clang::IdentifierInfo *identifier = name.getIdentifierInfo();
    if (!identifier || !identifier->getName().starts_with("KPERF_") || !isAnnotationMacro(identifier->getName()))
      return;
    const clang::MacroInfo *info = definition.getMacroInfo();
    if (!arguments || !sources.getFilename(info->getDefinitionLoc()).ends_with("annotate_rewriting.h"))
      return;
    AnnotationExpansion annotation;
    annotation.token = name.getLocation();
    annotation.isImported = identifier->getName() == kImportedMacro;
    if (!annotation.isImported)
      readArguments(arguments->getUnexpArgument(0), annotation);
    record.annotations.push_back(std::move(annotation));
  }

  void InclusionDirective(SourceLocation hash, const Token &, StringRef spelling, bool isAngled, clang::CharSourceRange filename,
                          clang::OptionalFileEntryRef target, StringRef searchPath, StringRef, const clang::Module *, bool,
                          clang::SrcMgr::CharacteristicKind) override {
    record.includes.push_back({hash, filename, target, searchPath.str(), spelling.str(), isAngled});
    isEntering = true;
  }

  void FileSkipped(const clang::FileEntryRef &, const Token &, clang::SrcMgr::CharacteristicKind) override { isEntering = false; }

  void FileChanged(SourceLocation begin, FileChangeReason reason, clang::SrcMgr::CharacteristicKind, clang::FileID) override {
    if (reason == EnterFile && std::exchange(isEntering, false))
      record.includes.back().entered = sources.getFileID(begin);
    isInCommand &= reason != ExitFile || sources.getFileID(begin) != sources.getMainFileID();
  }

  void MacroDefined(const Token &name, const clang::MacroDirective *directive) override {
    if (!isInCommand)
      return;
    const SourceLocation place = directive->getMacroInfo()->getDefinitionLoc();
    const clang::OptionalFileEntryRef file = sources.getFileEntryRefForID(sources.getFileID(place));
    if (file && !sources.isInSystemHeader(place))
      record.commandMacros[name.getIdentifierInfo()->getName().str()] = file->getName().str();
  }

  void MacroUndefined(const Token &name, const clang::MacroDefinition &, const clang::MacroDirective *) override {
    if (isInCommand)
      record.commandMacros.erase(name.getIdentifierInfo()->getName().str());
  }

  void SourceRangeSkipped(clang::SourceRange range, SourceLocation) override { record.skipped.push_back(range); }

private:
  /// Everything behind the first comma, with single spaces: a payload must not bring a line break into the text.
  void readArguments(const Token *token, AnnotationExpansion &annotation) const {
    unsigned depth = 0;
    bool isPayload = false;
    for (; token->isNot(clang::tok::eof); ++token) {
      if (sources.isMacroArgExpansion(token->getLocation()))
        annotation.usesMacroParameter = true;
      if (token->is(clang::tok::l_paren))
        ++depth;
      else if (token->is(clang::tok::r_paren))
        --depth;
      if (!isPayload) {
        isPayload = token->is(clang::tok::comma) && depth == 0;
        continue;
      }
      if (!annotation.payload.empty() && (token->hasLeadingSpace() || token->isAtStartOfLine()))
        annotation.payload += ' ';
      annotation.payload += preprocessor.getSpelling(*token);
    }
  }

  clang::Preprocessor &preprocessor;
  clang::SourceManager &sources;
  PreprocessingRecord &record;
  bool isEntering = false; ///< the file of the last directive
  bool isInCommand = true; ///< nothing was read but what the command defines and includes
};

class KperfPragma : public clang::PragmaHandler {
public:
  KperfPragma(PreprocessingRecord &record, Reporter &reporter) : PragmaHandler("kperf"), record(record), reporter(reporter) {}

  void HandlePragma(clang::Preprocessor &preprocessor, clang::PragmaIntroducer introducer, Token &kperf) override {
    Token token;
    preprocessor.LexUnexpandedToken(token);
    StringRef word = token.is(clang::tok::identifier) ? token.getIdentifierInfo()->getName() : StringRef();
    if (word != "region") {
      reporter.error(token.is(clang::tok::eod) ? kperf.getLocation() : token.getLocation(),
                     "unknown '#pragma kperf" + (word.empty() ? Twine() : " " + word) + "', expected '#pragma kperf region(\"name\")'");
      return;
    }
    SourceLocation regionWord = token.getLocation();
    preprocessor.Lex(token);
    bool isWellFormed = token.is(clang::tok::l_paren);
    std::string literals;
    if (isWellFormed)
      for (preprocessor.Lex(token); token.isNot(clang::tok::eod) && token.isNot(clang::tok::r_paren); preprocessor.Lex(token))
        literals += (literals.empty() ? "" : " ") + preprocessor.getSpelling(token);
    isWellFormed = isWellFormed && token.is(clang::tok::r_paren);
    if (isWellFormed)
      preprocessor.Lex(token);
    if (!isWellFormed || token.isNot(clang::tok::eod)) {
      reporter.error(token.is(clang::tok::eod) ? regionWord : token.getLocation(),
                     "malformed '#pragma kperf region', expected '#pragma kperf region(\"name\")'");
      return;
    }
    std::optional<std::string> name = stringLiteralValue(literals);
    if (!name)
      reporter.error(regionWord,
                     "the name in #pragma kperf region is a string literal, found '" + literals + "': write the name in quotes");
    else if (name->empty())
      reporter.error(regionWord, "the name in #pragma kperf region is empty: say what the region does");
    else
      record.pragmas.push_back({introducer.Loc, std::move(*name), introducer.Kind == clang::PIK_HashPragma});
  }

private:
  PreprocessingRecord &record;
  Reporter &reporter;
};

std::vector<SearchFolder> searchFoldersOf(const clang::HeaderSearch &search) {
  std::vector<SearchFolder> folders;
  const auto add = [&](const clang::DirectoryLookup &each, bool isForQuotes) {
    if (each.isNormalDir())
      folders.push_back({each.getName().str(), clang::SrcMgr::isSystem(each.getDirCharacteristic()), isForQuotes});
  };
  for (const clang::DirectoryLookup &each : llvm::make_range(search.quoted_dir_begin(), search.quoted_dir_end()))
    add(each, true);
  for (const clang::DirectoryLookup &each : llvm::make_range(search.angled_dir_begin(), search.system_dir_end()))
    add(each, false);
  return folders;
}

} // namespace

void observePreprocessor(clang::Preprocessor &preprocessor, PreprocessingRecord &record, Reporter &reporter) {
  preprocessor.addPPCallbacks(std::make_unique<Callbacks>(preprocessor, record));
  preprocessor.addPPCallbacks(std::make_unique<MacroUseCallbacks>(preprocessor, record.macros));
  record.searchFolders = searchFoldersOf(preprocessor.getHeaderSearchInfo());
  preprocessor.AddPragmaHandler(new KperfPragma(record, reporter)); // the preprocessor owns it
}

} // namespace kperf
