// Fuzzes the translation of command lines of nvcc, hipcc, clang++ and host compilers. Input: a letter for whose command
// it is, then a word a line; after a line "=== NAME", the text of the option file NAME, or of the environment variables
// "prepend", "append" and "hipcc". No file of the disk is read.
#include "Limits.h"
#include "rewriters/command/CommandLine.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>

using namespace kperf;

namespace {

void stopWhen(bool isWrong, const char *what, llvm::StringRef which) {
  if (!isWrong)
    return;
  std::fprintf(stderr, "%s: %s\n", what, which.str().c_str());
  std::abort();
}

Dialect dialectOf(char letter) {
  static constexpr Dialect dialects[] = {Dialect::Nvcc, Dialect::Hipcc, Dialect::Clang, Dialect::Host};
  return dialects[static_cast<unsigned char>(letter) % std::size(dialects)];
}

TranslateContext contextOf(llvm::StringRef rest) {
  auto files = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  TranslateContext context;
  context.directory = "/";
  while (!rest.empty()) {
    auto [part, others] = rest.split("\n=== ");
    auto [name, text] = part.split('\n');
    if (name == "prepend")
      context.prependFlags = text.str();
    else if (name == "append")
      context.appendFlags = text.str();
    else if (name == "hipcc")
      context.hipccFlags = text.str();
    else if (!name.empty() && !name.contains('/'))
      files->addFile("/" + name, 0, llvm::MemoryBuffer::getMemBufferCopy(text));
    rest = others;
  }
  context.files = files;
  return context;
}

/// What a wrapper relies on when it puts a copy in the place of a source.
void checkInputs(const CompileCommand &command) {
  for (const Input &input : command.inputs) {
    stopWhen(input.hostLinkArgument >= command.hostLinkArguments.size() || command.hostLinkArguments[input.hostLinkArgument] != input.path,
             "an input is not where the link has it", input.path);
    if (input.argument == Input::kNotAnArgument) {
      stopWhen(input.isSource(), "no copy can take the place of a source of the environment", input.path);
      continue;
    }
    stopWhen(input.argument >= command.arguments.size() || command.arguments[input.argument].text != input.path ||
                 command.arguments[input.argument].role != ArgumentRole::Input,
             "an input is not where the command has it", input.path);
  }
}

void run(llvm::StringRef text) {
  text = text.split('\0').first; // no argument and no variable has a zero byte
  auto [command, files] = text.split("\n=== ");
  const Dialect dialect = dialectOf(command.empty() ? 'x' : command.front());
  std::vector<std::string> words;
  for (llvm::StringRef word : llvm::split(command.drop_front(std::min<std::size_t>(command.size(), 1)), '\n'))
    words.push_back(word.str());
  auto translated = translateCommand(dialect, words, contextOf(files));
  if (!translated) {
    stopWhen(llvm::toString(translated.takeError()).empty(), "a refusal says nothing", text);
    return;
  }
  checkInputs(*translated);
  (void)primaryArchitecture(translated->architectures);
  for (const std::string &word : words)
    (void)dialectOfCompiler(word);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  // Clang's table of options is made once, and stays.
  static const bool hasOptions = (run("c\n-c\na.cu"), true);
  const test::Limits limit(hasOptions ? size : 0);
  run({reinterpret_cast<const char *>(data), size});
  return 0;
}
