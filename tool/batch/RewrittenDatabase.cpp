// Edits the commands of a compilation database.
#include "tool/batch/RewrittenDatabase.h"

#include "tool/cc/Build.h"

#include "rewriters/command/ProbeStandard.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

#include <cstdlib>

namespace kperf::batch {
namespace {

/// The result of a command that does not name one: "kernel.o" for "src/kernel.cu"; empty when there is none.
std::string derivedOutput(const CompileCommand &command, const Input &input) {
  llvm::SmallString<128> name(llvm::sys::path::filename(input.path));
  switch (command.mode) {
  case CompileMode::Link:
    return "a.out";
  case CompileMode::Compile:
    llvm::sys::path::replace_extension(name, "o");
    break;
  case CompileMode::Ptx:
    llvm::sys::path::replace_extension(name, "ptx");
    break;
  case CompileMode::Cubin:
    llvm::sys::path::replace_extension(name, "cubin");
    break;
  case CompileMode::Fatbin:
    llvm::sys::path::replace_extension(name, "fatbin");
    break;
  default:
    return {};
  }
  return name.str().str();
}

const Input *sourceOf(const CompileCommand &command, const DatabaseEntry &entry) {
  const std::string file = absolutePath(entry.directory, entry.file);
  const Input *chosen = nullptr;
  for (const Input &input : command.inputs)
    if (input.isSource() && (!chosen || absolutePath(entry.directory, input.path) == file))
      chosen = &input;
  return chosen;
}

} // namespace

std::string RewrittenDatabase::redirected(llvm::StringRef path, llvm::StringRef directory) {
  const std::string absolute = absolutePath(directory, path);
  if (llvm::StringRef(absolute).starts_with("/dev/") || path == "-")
    return path.str();
  llvm::StringRef rest = absolute;
  if (!rest.consume_front(database.folder() + "/"))
    rest.consume_front("/");
  const std::string result = objects + "/" + rest.str();
  const std::string folder = llvm::sys::path::parent_path(result).str();
  if (!llvm::is_contained(outputFolders, folder))
    outputFolders.push_back(folder);
  return result;
}

/// -o and -MF in every form that nvcc, GCC and Clang know.
void RewrittenDatabase::redirectOutputs(std::vector<std::string> &words, const DatabaseEntry &entry) {
  static constexpr llvm::StringLiteral names[] = {"-o", "--output-file", "-MF", "--dependency-output"};
  for (std::size_t i = 0; i < words.size(); ++i) {
    llvm::StringRef word = words[i];
    for (llvm::StringRef name : names) {
      if (word == name && i + 1 < words.size()) {
        words[i + 1] = redirected(words[i + 1], entry.directory);
        ++i;
        break;
      }
      llvm::StringRef value = word;
      if (!value.consume_front(name) || value.empty())
        continue;
      const bool joined = value.consume_front("=");
      if (!joined && (name != "-MF")) // "-opt-info", "-objtemp"
        continue;
      words[i] = (name + (joined ? "=" : "")).str() + redirected(value, entry.directory);
      break;
    }
  }
}

void RewrittenDatabase::replaceForcedIncludesOf(const DatabaseEntry &entry, std::vector<std::string> &words, Dialect dialect,
                                                const EntryCopies &copies) {
  for (const std::string &warning : replaceForcedIncludes(words, dialect, copies.forcedIncludes))
    textOfWarnings.push_back("'" + entry.file + "': " + warning);
}

std::vector<std::string> RewrittenDatabase::hostWordsFor(const DatabaseEntry &entry, const CompileCommand &command, const Input &input,
                                                         const std::optional<EntryCopies> &copies, std::string &output) {
  const char *fromEnvironment = std::getenv("KPERF_HOST_CXX");
  std::vector<std::string> words = {fromEnvironment && *fromEnvironment ? fromEnvironment : "c++"};
  llvm::append_range(words, cc::hostCompileOptions(command, input, installation));
  if (copies)
    replaceForcedIncludesOf(entry, words, Dialect::Host, *copies);
  else if (input.isDevice())
    words.insert(words.end(), {"-include", "cuda_runtime.h"});
  output = command.output;
  if (output.empty() || command.links()) {
    llvm::SmallString<128> object(output.empty() ? llvm::sys::path::filename(input.path) : llvm::StringRef(output));
    llvm::sys::path::replace_extension(object, "o");
    output = object.str().str();
  }
  output = redirected(output, entry.directory);
  words.insert(words.end(), {"-x", input.language == Language::C ? "c" : "c++", "-c", copies ? copies->source : input.path, "-o", output});
  return words;
}

std::vector<std::string> RewrittenDatabase::wordsFor(const DatabaseEntry &entry, const EntryCommand &command,
                                                     const std::optional<EntryCopies> &copies, std::string &output) {
  std::vector<std::string> words = command.launcher, arguments = command.arguments;
  words.push_back(command.compiler);
  TranslateContext context = TranslateContext::fromEnvironment();
  context.directory = entry.directory;
  auto translated = translateCommand(isHost ? Dialect::Host : command.dialect, command.arguments, context);
  const Input *input = translated ? sourceOf(*translated, entry) : nullptr;
  if (!input) {
    llvm::consumeError(translated.takeError());
    redirectOutputs(arguments, entry);
    llvm::append_range(words, arguments);
    return words;
  }
  if (isHost)
    return hostWordsFor(entry, *translated, *input, copies, output);
  arguments.clear();
  for (const Argument &argument : translated->arguments)
    arguments.push_back(argument.text);
  if (copies) {
    if (const std::string older = olderStandard(arguments); !older.empty())
      textOfWarnings.push_back("'" + entry.file + "': the probes are C++17, so it is compiled as that instead of " + older);
    arguments = withProbeStandard(std::move(arguments));
    arguments[input->argument] = copies->source;
    replaceForcedIncludesOf(entry, arguments, translated->dialect, *copies);
  }
  redirectOutputs(arguments, entry);
  output = translated->output;
  if (std::string derived = derivedOutput(*translated, *input); output.empty() && !derived.empty()) {
    output = derived;
    arguments.insert(arguments.end(), {"-o", redirected(derived, entry.directory)});
  }
  if (!output.empty())
    output = redirected(output, entry.directory);
  if (input->isDevice())
    llvm::append_range(arguments, cc::includeOptions(installation));
  if (translated->links() && !translated->shared && !translated->relocatableLink)
    llvm::append_range(arguments, cc::runtimeOptions(*translated, command.compiler, installation, linkerOptions));
  llvm::append_range(words, arguments);
  return words;
}

void RewrittenDatabase::add(const DatabaseEntry &entry, const EntryCommand &command, const std::optional<EntryCopies> &copies) {
  DatabaseEntry twin = entry;
  if (copies)
    twin.file = copies->source;
  twin.output.clear();
  twin.arguments = wordsFor(entry, command, copies, twin.output);
  entries.push_back(std::move(twin));
}

std::string RewrittenDatabase::text() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream json(stream, /*IndentSize=*/2);
  json.array([&] {
    for (const DatabaseEntry &entry : entries)
      json.object([&] {
        json.attribute("directory", llvm::json::fixUTF8(entry.directory));
        json.attribute("file", llvm::json::fixUTF8(entry.file));
        json.attributeArray("arguments", [&] {
          for (const std::string &word : entry.arguments)
            json.value(llvm::json::fixUTF8(word));
        });
        if (!entry.output.empty())
          json.attribute("output", llvm::json::fixUTF8(entry.output));
      });
  });
  stream << '\n';
  return text;
}

} // namespace kperf::batch
