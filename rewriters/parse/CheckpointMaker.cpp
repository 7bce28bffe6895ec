// Watches the preprocessor return from headers to the source.
#include "rewriters/parse/CheckpointMaker.h"

#include "clang/Basic/FileManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"

using namespace llvm;

namespace kperf {

namespace {

class Watcher : public clang::PPCallbacks {
public:
  Watcher(clang::CompilerInstance &compiler, Checkpoints &checkpoints, std::function<void(const ReadBackRequest &)> isWanted)
      : compiler(compiler), preprocessor(compiler.getPreprocessor()), sources(compiler.getSourceManager()), checkpoints(checkpoints),
        isWanted(std::move(isWanted)) {}

  void FileChanged(clang::SourceLocation location, FileChangeReason reason, clang::SrcMgr::CharacteristicKind,
                   clang::FileID left) override {
    if (reason != ExitFile || checkpoints.isFull() || sources.getFileID(location) != sources.getMainFileID())
      return;
    const clang::FileID file = sources.getMainFileID();
    const clang::PreprocessorLexer *lexer = preprocessor.getCurrentFileLexer();
    const bool isSystem = left.isValid() && sources.isInSystemHeader(sources.getLocForStartOfFile(left));
    if (!lexer || lexer->getFileID() != file || openConditionals > 0 || !isSystem ||
        preprocessor.isMacroDefined("KPERF_ANNOTATE_H")) // what its macros say is other than in rewritten text
      return;
    const StringRef text = sources.getBufferData(file);
    const std::size_t here = sources.getFileOffset(location);
    const std::size_t begin = here > 0 && text[here - 1] == '\n' ? here : text.find('\n', here) + 1; // npos becomes 0
    if (begin == 0 || goesOnWithHeaders(text.drop_front(begin)))
      return;
    if (const std::optional<ReadBackRequest> request = checkpoints.add(begin))
      goOn(*request);
  }

  void If(clang::SourceLocation location, clang::SourceRange, ConditionValueKind) override { count(location, 1); }
  void Ifdef(clang::SourceLocation location, const clang::Token &, const clang::MacroDefinition &) override { count(location, 1); }
  void Ifndef(clang::SourceLocation location, const clang::Token &, const clang::MacroDefinition &) override { count(location, 1); }
  void Endif(clang::SourceLocation location, clang::SourceLocation) override { count(location, -1); }

private:
  void count(clang::SourceLocation location, int change) {
    if (sources.getFileID(location) == sources.getMainFileID())
      openConditionals += change;
  }

  /// A checkpoint behind the next header is worth more.
  static bool goesOnWithHeaders(StringRef rest) {
    for (rest = rest.ltrim(); rest.starts_with("//") || rest.starts_with("/*"); rest = rest.ltrim())
      rest = rest.substr(rest.starts_with("//") ? rest.find('\n') : rest.find("*/", 2));
    if (!rest.consume_front("#") || !(rest = rest.ltrim(" \t")).consume_front("include"))
      return false;
    rest = rest.ltrim(" \t");
    return rest.starts_with("<") && !rest.starts_with("<kperf/");
  }

  void goOn(const ReadBackRequest &request) {
    isWanted(request);
    const clang::OptionalFileEntryRef entry = compiler.getFileManager().getOptionalFileRef(request.source.path);
    if (!entry)
      checkpoints.answer(false);
    auto *lexer = static_cast<clang::Lexer *>(preprocessor.getCurrentFileLexer());
    lexer->seek(sources.getFileIDSize(sources.getMainFileID()), /*IsAtStartOfLine=*/true);
    const clang::FileID file = sources.createFileID(*entry, {}, clang::SrcMgr::C_User);
    if (preprocessor.EnterSourceFile(file, nullptr, {}))
      checkpoints.answer(false);
  }

  clang::CompilerInstance &compiler;
  clang::Preprocessor &preprocessor;
  clang::SourceManager &sources;
  Checkpoints &checkpoints;
  std::function<void(const ReadBackRequest &)> isWanted;
  int openConditionals = 0; ///< of the source: their ends are not in what a checkpoint goes on with
};

} // namespace

void makeCheckpoints(clang::CompilerInstance &compiler, Checkpoints &checkpoints, std::function<void(const ReadBackRequest &)> isWanted) {
  compiler.getPreprocessor().addPPCallbacks(std::make_unique<Watcher>(compiler, checkpoints, std::move(isWanted)));
}

} // namespace kperf
