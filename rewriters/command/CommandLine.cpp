// Reads a compiler's command line into roles and inputs, and translates it for other compilers.
#include "rewriters/command/CommandLine.h"

#include "rewriters/command/CommandParser.h"
#include "rewriters/command/GpuArchitecture.h"
#include "rewriters/command/OptionFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"

#include <cstdlib>

namespace kperf {

bool CompileCommand::generatesCode() const {
  return mode != CompileMode::Preprocess && mode != CompileMode::Dependencies && mode != CompileMode::SyntaxOnly &&
         mode != CompileMode::DeviceLink && mode != CompileMode::Query;
}

bool CompileCommand::hasSource() const {
  return llvm::any_of(inputs, [](const Input &i) { return i.isSource(); });
}

bool CompileCommand::hasDeviceSource() const {
  return llvm::any_of(inputs, [](const Input &i) { return i.isDevice(); });
}

TranslateContext TranslateContext::fromEnvironment() {
  TranslateContext context;
  if (const char *flags = std::getenv("NVCC_PREPEND_FLAGS"))
    context.prependFlags = flags;
  if (const char *flags = std::getenv("NVCC_APPEND_FLAGS"))
    context.appendFlags = flags;
  if (const char *flags = std::getenv("HIPCC_COMPILE_FLAGS_APPEND"))
    context.hipccFlags = flags;
  return context;
}

CommandParser::CommandParser(Dialect dialect, std::vector<CommandWord> given, bool isForHost)
    : words(std::move(given)), roles(words.size(), ArgumentRole::Option), separateValues(words.size()), isForHost(isForHost) {
  command.dialect = dialect;
  for (const CommandWord &word : words)
    pointers.push_back(word.text.c_str());
  gnuArguments.emplace(pointers.data(), pointers.data() + pointers.size());
}

llvm::Expected<CompileCommand> CommandParser::parse() {
  const bool nvccFirst = command.dialect == Dialect::Nvcc || command.dialect == Dialect::Host;
  while (next < words.size()) {
    if (nvccFirst) {
      auto understood = parseNvccOption();
      if (!understood)
        return understood.takeError();
      if (*understood)
        continue;
    }
    if (auto error = parseGnuWord())
      return error;
  }
  if (auto error = applyHostCompilerOptions())
    return error;
  finishInputs();
  finishArguments();
  return std::move(command);
}

void CommandParser::addInput(llvm::StringRef path) {
  FoundInput found;
  found.input.path = path.str();
  found.input.argument = next;
  found.input.hostLinkArgument = command.hostLinkArguments.size();
  found.language = language;
  command.hostLinkArguments.push_back(path.str());
  roles[next] = ArgumentRole::Input;
  inputs.push_back(std::move(found));
}

void CommandParser::addArchitecture(llvm::StringRef name) {
  std::string known = clangArchitecture(name);
  if (!known.empty() && !llvm::is_contained(command.architectures, known))
    command.architectures.push_back(std::move(known));
}

void CommandParser::setMode(CompileMode mode) {
  // a question stays a question: `nvcc --dryrun -c` compiles nothing
  if (command.mode != CompileMode::Query)
    command.mode = mode;
}

void CommandParser::warn(std::string text) {
  if (!llvm::is_contained(command.warnings, text))
    command.warnings.push_back(std::move(text));
}

/// What a -x or a file name's end says; hipcc takes every C++ file for HIP.
Language CommandParser::languageOf(const FoundInput &found) const {
  const Language cxx = command.dialect == Dialect::Hipcc ? Language::Hip : Language::Cxx;
  const Language cuda = command.dialect == Dialect::Hipcc ? Language::Hip : Language::Cuda;
  const Language byName = llvm::StringSwitch<Language>(llvm::sys::path::extension(found.input.path))
                              .Cases({".cu", ".cui", ".cup"}, cuda)
                              .Cases({".hip", ".hipi"}, Language::Hip)
                              .Cases({".cpp", ".cxx", ".cc", ".C", ".c++", ".cp", ".CPP"}, cxx)
                              .Case(".c", Language::C)
                              .Default(Language::Object);
  if (!found.language)
    return byName;
  // nvcc's -x is about sources; an object among them stays one
  const bool linkable = llvm::StringSwitch<bool>(llvm::sys::path::extension(found.input.path))
                            .Cases({".o", ".a", ".so", ".obj", ".lib", ".cubin", ".fatbin", ".ptx", ".ltoir"}, true)
                            .Default(false);
  if (command.dialect == Dialect::Nvcc && linkable)
    return Language::Object;
  return llvm::StringSwitch<Language>(*found.language)
      .Cases({"cu", "cuda", "cuda-cpp-output"}, Language::Cuda)
      .Cases({"hip", "hip-cpp-output"}, Language::Hip)
      .Case("c++", Language::Cxx)
      .Case("c", Language::C)
      .Case("none", byName)
      .Default(Language::Object);
}

void CommandParser::finishInputs() {
  for (FoundInput &found : inputs) {
    if (command.dialect == Dialect::Nvcc)
      found.language = language;
    found.input.language = languageOf(found);
    if (found.input.isSource() && !words[found.input.argument].own) {
      warn("'" + found.input.path +
           "', which an environment variable adds, is compiled as it is; give it on the command line to "
           "have it instrumented");
      found.input.language = Language::Object;
    }
    if (found.input.isStandardInput() && !found.input.isSource())
      warn("what standard input holds is not said, so it is compiled as it is; with -x cu or -x hip it is instrumented");
    command.inputs.push_back(std::move(found.input));
  }
}

/// Leaves out the words that the compiler finds in its environment, keeps the inputs' indices true, and completes what
/// depends on the whole command.
void CommandParser::finishArguments() {
  std::vector<std::size_t> indexOf(words.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    indexOf[i] = command.arguments.size();
    if (words[i].own)
      command.arguments.push_back({words[i].text, roles[i], separateValues[i]});
  }
  for (Input &input : command.inputs)
    input.argument = words[input.argument].own ? indexOf[input.argument] : Input::kNotAnArgument;
  if (command.dialect == Dialect::Nvcc && !isForHost) // which neither has architectures nor defines nvcc's macros
    finishNvcc();
  if (isForHost)
    command.dialect = Dialect::Host;
  replacePrecompiledHeaders();
  const bool hasStandard =
      llvm::any_of(command.clangArguments, [](llvm::StringRef a) { return a.starts_with("-std=") || a.starts_with("--std="); });
  if (!hasStandard && (command.hasDeviceSource() || command.dialect == Dialect::Nvcc))
    command.clangArguments.push_back(command.dialect == Dialect::Host ? "-std=c++20" : "-std=gnu++17");
}

/// Whether a folder of an include path holds a toolkit's own headers.
static bool holdsToolkit(llvm::StringRef folder, const TranslateContext &context) {
  constexpr llvm::StringLiteral kHeaders[] = {"crt/host_config.h", "hip/amd_detail/host_defines.h"};
  return llvm::any_of(kHeaders, [&](llvm::StringRef header) {
    llvm::SmallString<256> path(folder);
    llvm::sys::path::append(path, header);
    if (!context.directory.empty())
      llvm::sys::path::make_absolute(context.directory, path);
    return context.files->exists(path);
  });
}

/// A toolkit's folders, which build systems name, are searched last: the host target has headers in place of many that are there.
static void searchToolkitsLast(std::vector<std::string> &arguments, const TranslateContext &context) {
  constexpr llvm::StringLiteral kOptions[] = {"-isystem", "-I"};
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto *option = llvm::find_if(kOptions, [&](llvm::StringRef each) { return llvm::StringRef(arguments[i]).starts_with(each); });
    if (option == std::end(kOptions))
      continue;
    const llvm::StringRef joined = llvm::StringRef(arguments[i]).drop_front(option->size());
    if (joined.empty() ? i + 1 < arguments.size() && holdsToolkit(arguments[i + 1], context) : holdsToolkit(joined, context))
      arguments[i] = "-idirafter" + joined.str();
    i += joined.empty();
  }
}

static llvm::Expected<CompileCommand> translate(Dialect dialect, llvm::ArrayRef<std::string> arguments, bool isForHost,
                                                const TranslateContext &context) {
  OptionFileSpellings spellings;
  spellings.nvcc = dialect == Dialect::Nvcc || dialect == Dialect::Host;
  spellings.at = dialect != Dialect::Nvcc;
  std::vector<CommandWord> words;
  auto add = [&](llvm::ArrayRef<std::string> some, bool own) -> llvm::Error {
    auto expanded = expandOptionFiles(some, spellings, context.directory, *context.files);
    if (!expanded)
      return expanded.takeError();
    for (std::string &word : *expanded)
      words.push_back({std::move(word), own});
    return llvm::Error::success();
  };
  auto addFlags = [&](Dialect whose, const std::optional<std::string> &flags) -> llvm::Error {
    if (!flags || dialect != whose)
      return llvm::Error::success();
    auto split = splitNvccOptions(*flags);
    if (!split)
      return split.takeError();
    return add(*split, /*own=*/false);
  };
  if (auto error = addFlags(Dialect::Nvcc, context.prependFlags))
    return error;
  if (auto error = add(arguments, /*own=*/true))
    return error;
  if (auto error = addFlags(Dialect::Nvcc, context.appendFlags))
    return error;
  if (auto error = addFlags(Dialect::Hipcc, context.hipccFlags))
    return error;
  auto command = CommandParser(dialect, std::move(words), isForHost).parse();
  if (command && command->dialect == Dialect::Host)
    for (auto *arguments : {&command->clangArguments, &command->hostCompileArguments})
      searchToolkitsLast(*arguments, context);
  return command;
}

llvm::Expected<CompileCommand> translateCommand(Dialect dialect, llvm::ArrayRef<std::string> arguments, const TranslateContext &context) {
  return translate(dialect, arguments, /*isForHost=*/false, context);
}

llvm::Expected<CompileCommand> translateForHost(Dialect written, llvm::ArrayRef<std::string> arguments, const TranslateContext &context) {
  return translate(written, arguments, /*isForHost=*/true, context);
}

std::optional<Dialect> dialectOfCompiler(llvm::StringRef program) {
  llvm::StringRef name = llvm::sys::path::filename(program);
  name.consume_back(".exe");
  // a version or nothing may follow: "clang++-22", "g++-12.2"
  auto is = [&](llvm::StringRef stem) {
    llvm::StringRef rest = name;
    if (!rest.consume_front(stem))
      return false;
    return rest.empty() || (rest.consume_front("-") && !rest.empty() && llvm::isDigit(rest.front()));
  };
  if (is("nvcc"))
    return Dialect::Nvcc;
  if (is("hipcc") || is("amdclang++"))
    return Dialect::Hipcc;
  if (is("clang++") || is("clang"))
    return Dialect::Clang;
  // a target may come before: "x86_64-linux-gnu-g++"
  if (std::size_t dash = name.rfind("-g"); dash != llvm::StringRef::npos && dash > 0)
    name = name.drop_front(dash + 1);
  if (is("g++") || is("gcc") || is("c++") || is("cc"))
    return Dialect::Host;
  return std::nullopt;
}

std::vector<std::string> definedMacros(llvm::ArrayRef<std::string> clangArguments) {
  std::vector<std::string> names;
  for (std::size_t index = 0; index < clangArguments.size(); ++index) {
    llvm::StringRef word = clangArguments[index];
    if (!word.consume_front("-D"))
      continue;
    if (word.empty() && index + 1 < clangArguments.size())
      word = clangArguments[++index];
    llvm::StringRef name = word.take_while([](char letter) { return llvm::isAlnum(letter) || letter == '_'; });
    if (!name.empty() && !llvm::is_contained(names, name))
      names.push_back(name.str());
  }
  return names;
}

std::vector<std::string> macrosAmongNames(std::vector<std::string> macros) {
  constexpr std::size_t kMaxLetters = 2; // of a template's parameter, and of no macro that a header asks for
  llvm::erase_if(macros, [](llvm::StringRef name) {
    return (name.size() > kMaxLetters && llvm::none_of(name, llvm::isLower)) || name.starts_with("_");
  });
  return macros;
}

std::string withoutMacros(llvm::StringRef lines, llvm::ArrayRef<std::string> macros) {
  std::string hide, show;
  for (const std::string &macro : macros) {
    hide += "#pragma push_macro(\"" + macro + "\")\n#undef " + macro + "\n";
    show += "#pragma pop_macro(\"" + macro + "\")\n";
  }
  return hide + lines.str() + show;
}

} // namespace kperf
