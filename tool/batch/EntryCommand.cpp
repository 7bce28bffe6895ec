// Finds the compiler behind launchers such as ccache.
#include "tool/batch/EntryCommand.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

namespace kperf::batch {
namespace {

constexpr llvm::StringLiteral kLaunchers[] = {"ccache", "sccache", "distcc", "icecc", "env", "time", "nice"};

bool isLauncher(llvm::StringRef word) { return llvm::is_contained(kLaunchers, llvm::sys::path::filename(word)); }

/// NAME=value before a program, as env and shells take it.
bool isAssignment(llvm::StringRef word) {
  auto [name, value] = word.split('=');
  return name.size() != word.size() && !name.empty() && !llvm::isDigit(name.front()) &&
         llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

/// Of a compiler with a name of its own: Clang when it is told so in Clang's words.
Dialect guessedDialect(llvm::ArrayRef<std::string> arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    llvm::StringRef word = arguments[i];
    const llvm::StringRef next = i + 1 < arguments.size() ? llvm::StringRef(arguments[i + 1]) : "";
    if (word.starts_with("--cuda-gpu-arch=") || word.starts_with("--offload-arch=") || word == "-xcuda" || word == "-xhip" ||
        (word == "-x" && (next == "cuda" || next == "hip")))
      return Dialect::Clang;
  }
  return Dialect::Nvcc;
}

} // namespace

EntryCommand readEntryCommand(const DatabaseEntry &entry) {
  EntryCommand command;
  llvm::ArrayRef<std::string> words = entry.arguments;
  bool isOurs = false;
  for (; words.size() > 1; words = words.drop_front()) {
    llvm::StringRef word = words.front();
    if (llvm::sys::path::filename(word) == "kperf-cc")
      isOurs = true;
    else if (isOurs && word.starts_with("-"))
      continue;
    else if (isLauncher(word) || isAssignment(word))
      command.launcher.push_back(word.str());
    else
      break;
  }
  command.compiler = words.front();
  command.arguments.assign(words.begin() + 1, words.end());
  std::optional<Dialect> dialect = dialectOfCompiler(command.compiler);
  command.isKnown = dialect.has_value();
  command.dialect = dialect ? *dialect : guessedDialect(command.arguments);
  return command;
}

} // namespace kperf::batch
