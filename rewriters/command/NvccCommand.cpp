// Reads nvcc's options by the table in NvccOptions.def.
#include "rewriters/command/CommandParser.h"
#include "rewriters/command/GpuArchitecture.h"
#include "rewriters/command/OptionFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/StringSaver.h"

namespace kperf {
namespace {

enum class Shape { Flag, Value, List };

} // namespace

/// What an option means beyond the texts of its row.
enum class NvccMeaning {
  Plain,
  Mode,
  UserDependencies,
  DependencyFileWanted,
  UserDependencyFileWanted,
  DependencyFile,
  PhonyTargets,
  DependencyTarget,
  DeviceCompile,
  Output,
  OutputDirectory,
  IncludePath,
  SystemInclude,
  HostCompiler,
  HostCompilerOptions,
  Relocatable,
  RelocatableDeviceCode,
  RelocatableLink,
  Shared,
  Language,
  ForwardUnknown,
  Architecture,
  GenerateCode,
  DefaultStream,
  OptionsFile,
};

/// One row of NvccOptions.def.
struct NvccOption {
  llvm::StringLiteral longName, shortName;
  Shape shape;
  NvccMeaning meaning;
  CompileMode mode;
  llvm::StringLiteral clang, compile, link;
};

namespace {

constexpr NvccOption kOptions[] = {
#define NVCC_MODE(Long, Short, Mode_) {Long, Short, Shape::Flag, NvccMeaning::Mode, CompileMode::Mode_, "", "", ""},
#define NVCC_OPTION(Long, Short, Shape_, Meaning_, Clang_, Compile_, Link_)                                                                \
  {Long, Short, Shape::Shape_, NvccMeaning::Meaning_, CompileMode::Link, Clang_, Compile_, Link_},
#include "rewriters/command/NvccOptions.def"
};

/// What nvcc's -Werror takes.
bool isWarningKind(llvm::StringRef kinds) {
  static constexpr llvm::StringRef known[] = {
      "all-warnings",          "cross-execution-space-call", "reorder", "deprecated-declarations", "default-stream-launch",
      "missing-launch-bounds", "ext-lambda-captures-this"};
  return llvm::all_of(llvm::split(kinds, ','), [](llvm::StringRef kind) { return llvm::is_contained(known, kind); });
}

/// The row of a word, with the value that the word itself carries.
const NvccOption *findOption(llvm::StringRef word, llvm::StringRef &value, bool &hasValue) {
  const bool isLong = word.consume_front("--");
  if (!isLong && !word.consume_front("-"))
    return nullptr;
  auto [name, rest] = word.split('=');
  hasValue = name.size() != word.size();
  value = rest;
  for (const NvccOption &option : kOptions)
    if (name == (isLong ? option.longName : option.shortName) && !name.empty() && !(hasValue && option.shape == Shape::Flag))
      return &option;
  if (isLong || word.size() < 2)
    return nullptr;
  // measured on nvcc 13.0: of the options with a value, these take it joined
  if (!llvm::StringRef("DUILlOt").contains(word.front()))
    return nullptr;
  if (word.front() == 't' && !llvm::all_of(word.drop_front(), llvm::isDigit))
    return nullptr;
  hasValue = true;
  value = word.drop_front();
  return llvm::find_if(kOptions, [&](const NvccOption &o) { return o.shortName == word.take_front(); });
}

} // namespace

/// In a host command the GNU reading wins where both know a spelling, except for forms that only nvcc has: `-std
/// c++17`, `-isystem=DIR`, `-I=DIR`, `-include a.h,b.h`, `-O 2`, `-Werror all-warnings`, and `\,`, a comma that parts no list: `-DN=1\,2`.
bool CommandParser::isGnuHere(llvm::StringRef word, llvm::StringRef shortName, bool isList) const {
  if (command.dialect != Dialect::Host || word.starts_with("--"))
    return false;
  static constexpr llvm::StringRef shared[] = {"D",   "U",  "I",  "L", "l",  "o",  "x",   "include", "isystem",
                                               "std", "MF", "MT", "M", "MM", "MD", "MP",  "E",       "c",
                                               "g",   "pg", "O",  "v", "w",  "r",  "MMD", "shared",  "Werror"};
  if (!llvm::is_contained(shared, shortName))
    return false;
  llvm::StringRef rest = word.drop_front(1 + shortName.size());
  const llvm::StringRef following = next + 1 < words.size() ? llvm::StringRef(words[next + 1].text) : "";
  if (isList && (rest.empty() ? following : rest).contains("\\,"))
    return false;
  if (rest.starts_with("="))
    return shortName == "std" || shortName == "Werror";
  if (!rest.empty())
    return true; // a joined value
  if (shortName == "O")
    return following.empty() || !llvm::all_of(following, llvm::isDigit);
  if (shortName == "Werror")
    return !isWarningKind(following);
  if (shortName == "include")
    return !following.contains(',');
  return shortName != "std";
}

llvm::Expected<bool> CommandParser::parseNvccOption() {
  const std::size_t first = next;
  const llvm::StringRef word = words[first].text;
  llvm::StringRef value;
  bool hasValue = false;
  const NvccOption *option = findOption(word, value, hasValue);
  if (!option || isGnuHere(word, option->shortName, option->shape == Shape::List))
    return false;
  ++next;
  std::size_t valueIndex = first;
  if (option->shape != Shape::Flag && !hasValue) {
    if (next == words.size())
      return llvm::createStringError("option '%s' needs a value", word.str().c_str());
    valueIndex = next;
    roles[next] = ArgumentRole::Value;
    separateValues[next] = true;
    value = words[next++].text;
  }
  if (auto error = applyNvccOption(*option, value, valueIndex))
    return error;
  return true;
}

llvm::Error CommandParser::applyNvccOption(const NvccOption &option, llvm::StringRef value, std::size_t valueIndex) {
  std::vector<std::string> values;
  if (option.shape == Shape::List) {
    auto split = splitNvccList(value);
    if (!split)
      return split.takeError();
    values = std::move(*split);
  } else if (option.shape == Shape::Value) {
    values.push_back(value.str());
  } else {
    values.emplace_back();
  }
  for (const std::string &one : values) {
    expandText(option.clang, one, command.clangArguments);
    expandText(option.compile, one, command.hostCompileArguments);
    expandText(option.link, one, command.hostLinkArguments);
  }
  if (option.meaning == NvccMeaning::IncludePath)
    roles[valueIndex] = ArgumentRole::IncludePath;
  if (option.meaning == NvccMeaning::SystemInclude)
    roles[valueIndex] = ArgumentRole::SystemInclude;
  if (option.meaning == NvccMeaning::Output)
    roles[valueIndex] = ArgumentRole::Output;
  return applyNvccMeaning(option, values);
}

/// Options about dependency rules; false when the option is another one.
bool CommandParser::applyNvccDependency(const NvccOption &option, llvm::StringRef value) {
  DependencyOptions &dependencies = command.dependencies;
  switch (option.meaning) {
  case NvccMeaning::UserDependencies:
    dependencies.systemHeaders = false;
    setMode(CompileMode::Dependencies);
    return true;
  case NvccMeaning::UserDependencyFileWanted:
    dependencies.systemHeaders = false;
    dependencies.wanted = true;
    return true;
  case NvccMeaning::DependencyFileWanted:
    dependencies.wanted = true;
    return true;
  case NvccMeaning::DependencyFile:
    dependencies.file = value.str();
    return true;
  case NvccMeaning::PhonyTargets:
    dependencies.phonyTargets = true;
    return true;
  case NvccMeaning::DependencyTarget:
    dependencies.targets = {value.str()}; // nvcc keeps the last one
    return true;
  default:
    return false;
  }
}

/// Options that say what kind of output comes out, and where; false when the option is another one.
bool CommandParser::applyNvccOutput(const NvccOption &option, llvm::StringRef value) {
  switch (option.meaning) {
  case NvccMeaning::Mode:
    if (option.mode == CompileMode::Query)
      command.mode = CompileMode::Query;
    else
      setMode(option.mode);
    return true;
  case NvccMeaning::DeviceCompile:
    setMode(CompileMode::Compile);
    command.relocatable = true;
    return true;
  case NvccMeaning::Relocatable:
    command.relocatable = true;
    return true;
  case NvccMeaning::RelocatableLink:
    command.relocatable = command.relocatableLink = true;
    return true;
  case NvccMeaning::Shared:
    command.shared = true;
    return true;
  case NvccMeaning::Output:
    command.output = value.str();
    return true;
  case NvccMeaning::OutputDirectory:
    command.outputDirectory = value.str();
    return true;
  default:
    return false;
  }
}

llvm::Error CommandParser::applyNvccMeaning(const NvccOption &option, llvm::ArrayRef<std::string> values) {
  const llvm::StringRef value = values.empty() ? llvm::StringRef() : llvm::StringRef(values.front());
  if (applyNvccDependency(option, value) || applyNvccOutput(option, value))
    return llvm::Error::success();
  switch (option.meaning) {
  case NvccMeaning::RelocatableDeviceCode:
    if (value != "true" && value != "false")
      return llvm::createStringError("option '--%s' expects true or false, found '%s'", option.longName.data(), value.str().c_str());
    command.relocatable |= value == "true";
    break;
  case NvccMeaning::HostCompiler:
    command.hostCompiler = value.str();
    break;
  case NvccMeaning::HostCompilerOptions:
    llvm::append_range(hostCompilerOptions, values);
    break;
  case NvccMeaning::Language:
    language = value.str();
    break;
  case NvccMeaning::ForwardUnknown:
    forwardUnknown = true;
    break;
  case NvccMeaning::Architecture:
    architecture = value.str();
    break;
  case NvccMeaning::GenerateCode:
    return applyGenerateCode(value);
  case NvccMeaning::DefaultStream:
    if (value == "per-thread")
      for (auto *arguments : {&command.clangArguments, &command.hostCompileArguments})
        arguments->push_back("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
    break;
  default: // the texts of the row say it all; option files were expanded before
    break;
  }
  return llvm::Error::success();
}

/// `arch=compute_90a,code=sm_90a`, `arch=compute_90,code=[sm_90,compute_90]`: the preprocessor only sees arch.
llvm::Error CommandParser::applyGenerateCode(llvm::StringRef specification) {
  llvm::StringRef rest = specification;
  std::string arch;
  while (!rest.empty()) {
    auto [key, value] = rest.split('=');
    const bool listed = value.starts_with("[") || value.starts_with("\"");
    const char close = value.starts_with("[") ? ']' : '"';
    llvm::StringRef one;
    if (listed) {
      one = value.drop_front().take_until([&](char c) { return c == close; });
      rest = value.drop_front(std::min(value.size(), one.size() + 2));
      rest.consume_front(",");
    } else {
      std::tie(one, rest) = value.split(',');
    }
    if (key == "arch")
      arch = one.str();
    else if (key != "code")
      return llvm::createStringError("'-gencode %s': expected 'arch=…,code=…', found '%s'", specification.str().c_str(), key.str().c_str());
  }
  if (arch.empty())
    return llvm::createStringError("'-gencode %s' names no arch", specification.str().c_str());
  generateCodes.push_back(std::move(arch));
  return llvm::Error::success();
}

/// Appends `text` with each % replaced by the value, cut at its one space.
void CommandParser::expandText(llvm::StringRef text, llvm::StringRef value, std::vector<std::string> &out) {
  if (text.empty())
    return;
  auto [option, separate] = text.split(' ');
  for (llvm::StringRef part : {option, separate}) {
    auto [before, after] = part.split('%');
    if (part.contains('%'))
      out.push_back((before + value + after).str());
    else if (!part.empty())
      out.push_back(part.str());
  }
}

/// The host compiler reads its options as a shell's words: nvcc joins them into a command line.
llvm::Error CommandParser::applyHostCompilerOptions() {
  if (hostCompilerOptions.empty())
    return llvm::Error::success();
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  llvm::SmallVector<const char *, 16> split;
  llvm::cl::TokenizeGNUCommandLine(llvm::join(hostCompilerOptions, " "), saver, split);
  std::vector<CommandWord> inner;
  for (const char *word : split)
    inner.push_back({word});
  CommandParser parser(Dialect::Host, std::move(inner));
  parser.fromHostCompilerOptions = true;
  while (parser.next < parser.words.size())
    if (auto error = parser.parseGnuWord())
      return error;
  // nvcc puts them before its own include paths
  auto prepend = [](std::vector<std::string> &to, const std::vector<std::string> &from) {
    to.insert(to.begin(), from.begin(), from.end());
  };
  prepend(command.clangArguments, parser.command.clangArguments);
  prepend(command.hostCompileArguments, parser.command.hostCompileArguments);
  llvm::append_range(command.hostLinkArguments, parser.command.hostLinkArguments);
  if (!command.dependencies.wanted && parser.command.dependencies.wanted)
    command.dependencies = parser.command.dependencies;
  return llvm::Error::success();
}

void CommandParser::finishNvcc() {
  if (architecture == "all")
    llvm::for_each(allNvidiaArchitectures(), [&](llvm::StringRef name) { addArchitecture(name); });
  else if (architecture == "all-major")
    llvm::for_each(majorNvidiaArchitectures(), [&](llvm::StringRef name) { addArchitecture(name); });
  else
    addArchitecture(architecture);
  llvm::for_each(generateCodes, [&](llvm::StringRef name) { addArchitecture(name); });
  if (command.architectures.empty())
    addArchitecture(kDefaultNvidiaArchitecture);
  if (!llvm::is_contained(command.architectures, "native"))
    command.clangArguments.push_back("-D__CUDA_ARCH_LIST__=" + architectureList(command.architectures));
  if (command.relocatable) {
    command.clangArguments.push_back("-fgpu-rdc");
    command.clangArguments.push_back("-D__CUDACC_RDC__");
  }
}

} // namespace kperf
