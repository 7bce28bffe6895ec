// The state shared by the two readers of a command line: nvcc's spellings and the GNU spellings of GCC, Clang and
// hipcc.
#ifndef KPERF_REWRITERS_COMMANDPARSER_H
#define KPERF_REWRITERS_COMMANDPARSER_H

#include "rewriters/command/CommandLine.h"

#include "llvm/Option/ArgList.h"

namespace kperf {

/// One word of the command.
struct CommandWord {
  std::string text;
  bool own = true; ///< false: from the environment, which the compiler reads itself
};

/// An input as it was found; its language depends on options that may follow.
struct FoundInput {
  Input input;
  std::optional<std::string> language; ///< the -x in force there (GNU)
};

/// Reads a whole command, word by word. Nvcc's spellings come first for the dialects Nvcc and Host, GNU's for the
/// others.
class CommandParser {
public:
  CommandParser(Dialect dialect, std::vector<CommandWord> words, bool isForHost = false);
  llvm::Expected<CompileCommand> parse();

private:
  // NvccCommand.cpp
  /// Reads the option at `next` when it is one of nvcc's; false when it is not.
  llvm::Expected<bool> parseNvccOption();
  llvm::Error applyNvccOption(const struct NvccOption &option, llvm::StringRef value, std::size_t valueIndex);
  llvm::Error applyNvccMeaning(const struct NvccOption &option, llvm::ArrayRef<std::string> values);
  bool applyNvccDependency(const struct NvccOption &option, llvm::StringRef value);
  bool applyNvccOutput(const struct NvccOption &option, llvm::StringRef value);
  llvm::Error applyGenerateCode(llvm::StringRef specification);
  llvm::Error applyHostCompilerOptions();
  bool isGnuHere(llvm::StringRef word, llvm::StringRef shortName, bool isList) const;
  static void expandText(llvm::StringRef text, llvm::StringRef value, std::vector<std::string> &out);
  void finishNvcc();

  // GnuCommand.cpp
  llvm::Error parseGnuWord();
  void replacePrecompiledHeaders();
  bool applyHipccWord(llvm::StringRef word);
  void applyGnuOption(const llvm::opt::Arg &argument, std::size_t first, std::size_t count);
  bool applyGnuMode(const llvm::opt::Arg &argument);
  bool applyGnuDependency(const llvm::opt::Arg &argument);
  bool applyGnuOffload(const llvm::opt::Arg &argument);
  void applyGnuRest(const llvm::opt::Arg &argument, std::size_t firstWord, std::size_t count);
  void assignGnuRoles(const llvm::opt::Arg &argument, std::size_t first, std::size_t count);

  // CommandLine.cpp
  void addInput(llvm::StringRef path);
  void addArchitecture(llvm::StringRef name);
  void setMode(CompileMode mode);
  void warn(std::string text);
  void finishInputs();
  void finishArguments();
  Language languageOf(const FoundInput &found) const;

  CompileCommand command;
  std::vector<CommandWord> words;
  std::vector<ArgumentRole> roles;    ///< one for each word
  std::vector<bool> separateValues;   ///< one for each word: Argument::isSeparateValue
  std::vector<const char *> pointers; ///< the words as the option library wants them
  std::optional<llvm::opt::InputArgList> gnuArguments;
  std::size_t next = 0; ///< the word being read

  std::vector<FoundInput> inputs;
  std::vector<std::string> hostCompilerOptions; ///< values of -Xcompiler, already split at commas
  std::vector<std::string> generateCodes;       ///< the arch of each -gencode
  std::optional<std::string> language;          ///< nvcc: of all inputs; GNU: of the inputs that follow
  std::string architecture;                     ///< nvcc's -arch
  bool forwardUnknown = false;
  bool fromHostCompilerOptions = false; ///< reading the contents of -Xcompiler
  bool isForHost = false;               ///< the host target takes the place of the compiler that the command is for
};

} // namespace kperf

#endif
