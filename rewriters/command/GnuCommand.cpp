// Reads the options of GCC, Clang and hipcc with Clang's own option table.
#include "rewriters/command/CommandParser.h"

#include "clang/Options/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/Option.h"

namespace kperf {
namespace options = clang::options;
using llvm::opt::Arg;

namespace {

bool belongsTo(const Arg &argument, std::initializer_list<unsigned> ids) {
  return llvm::any_of(ids, [&](unsigned id) { return argument.getOption().matches(id); });
}

/// Options of the -f and -m families that change code or reports only, or that need libraries a parse has no use for.
bool isBackEndOnly(llvm::StringRef spelling) {
  static constexpr llvm::StringRef prefixes[] = {
      "-fsanitize", "-flto",   "-fprofile", "-fcoverage", "-fuse-ld", "-ftime",   "-fdiagnostic", "-fplugin", "-fpass-",  "-fdebug",
      "-fstack-",   "-fsave-", "-fcrash-",  "-fdump",     "-fcolor",  "-fmodule", "-fno-color",   "-fsyntax", "-frecord", "-fmessage"};
  return llvm::any_of(prefixes, [&](llvm::StringRef prefix) { return spelling.starts_with(prefix); });
}

enum class HipccMeaning { Plain, Architectures, DeviceCode, Query };

/// One row of HipccOptions.def.
struct HipccOption {
  llvm::StringLiteral spelling;
  HipccMeaning meaning;
  llvm::StringLiteral clang;
};

constexpr HipccOption kHipccOptions[] = {
#define HIPCC_OPTION(Spelling, Meaning_, Clang) {Spelling, HipccMeaning::Meaning_, Clang},
#include "rewriters/command/HipccOptions.def"
};

/// Options about code for a GPU alone.
bool isDeviceOnly(llvm::StringRef spelling) {
  static constexpr llvm::StringLiteral prefixes[] = {
#define HIP_DEVICE_OPTION(Prefix) Prefix,
#include "rewriters/command/HipccOptions.def"
  };
  return llvm::any_of(prefixes, [&](llvm::StringRef prefix) { return spelling.starts_with(prefix); });
}

} // namespace

/// Another compiler's precompiled header is of no use to this Clang; the header itself is.
void CommandParser::replacePrecompiledHeaders() {
  std::vector<std::string> kept;
  const std::vector<std::string> &given = command.clangArguments;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i] == "-Xclang" && i + 3 < given.size() && given[i + 1] == "-include-pch") {
      i += 3; // as CMake writes it, -include follows
      continue;
    }
    llvm::StringRef header = i + 1 < given.size() ? llvm::StringRef(given[i + 1]) : "";
    if (given[i] != "-include-pch") {
      kept.push_back(given[i]);
      continue;
    }
    ++i;
    if (header.consume_back(".pch") || header.consume_back(".gch"))
      kept.insert(kept.end(), {"-include", header.str()});
  }
  command.clangArguments = std::move(kept);
}

/// Options of hipcc itself, by the table in HipccOptions.def; false when the word is another one.
bool CommandParser::applyHipccWord(llvm::StringRef word) {
  if (command.dialect != Dialect::Hipcc)
    return false;
  const HipccOption *option = llvm::find_if(kHipccOptions, [&](const HipccOption &each) {
    return each.spelling.ends_with("=") ? word.starts_with(each.spelling) : word == each.spelling;
  });
  if (option == std::end(kHipccOptions))
    return false;
  switch (option->meaning) {
  case HipccMeaning::Architectures:
    for (llvm::StringRef name : llvm::split(word.drop_front(option->spelling.size()), ','))
      addArchitecture(name);
    break;
  case HipccMeaning::DeviceCode:
    setMode(CompileMode::Fatbin);
    break;
  case HipccMeaning::Query:
    command.mode = CompileMode::Query;
    break;
  case HipccMeaning::Plain:
    break;
  }
  if (!option->clang.empty())
    command.clangArguments.push_back(option->clang.str());
  return true;
}

llvm::Error CommandParser::parseGnuWord() {
  const std::size_t first = next;
  const llvm::StringRef word = words[first].text;
  if (command.dialect == Dialect::Nvcc) {
    if (!word.starts_with("-") || word == "-")
      addInput(word);
    else if (!forwardUnknown && !isForHost) // whose compiler judges them
      warn("option '" + word.str() + "' is not known; it is passed on to the compiler as it is");
    else
      hostCompilerOptions.push_back(word.str());
    ++next;
    return llvm::Error::success();
  }
  if (applyHipccWord(word)) {
    ++next;
    return llvm::Error::success();
  }
  unsigned index = first;
  std::unique_ptr<Arg> argument = clang::getDriverOptTable().ParseOneArg(*gnuArguments, index, llvm::opt::Visibility(options::ClangOption));
  if (!argument || index > words.size())
    return llvm::createStringError("option '%s' needs a value", word.str().c_str());
  assignGnuRoles(*argument, first, index - first);
  applyGnuOption(*argument, first, index - first);
  next = index;
  return llvm::Error::success();
}

/// Include paths keep a role of their own; other separate values are Values.
void CommandParser::assignGnuRoles(const Arg &argument, std::size_t first, std::size_t count) {
  for (std::size_t i = first + 1; i < first + count; ++i) {
    roles[i] = ArgumentRole::Value;
    separateValues[i] = true;
  }
  const std::size_t last = first + count - 1;
  if (argument.getOption().matches(options::OPT_I))
    roles[last] = ArgumentRole::IncludePath;
  else if (argument.getOption().matches(options::OPT_isystem))
    roles[last] = ArgumentRole::SystemInclude;
  else if (argument.getOption().matches(options::OPT_iquote))
    roles[last] = ArgumentRole::QuoteInclude;
  else if (argument.getOption().matches(options::OPT_o))
    roles[last] = ArgumentRole::Output;
}

void CommandParser::applyGnuOption(const Arg &argument, std::size_t first, std::size_t count) {
  if (argument.getOption().matches(options::OPT_INPUT))
    addInput(argument.getValue());
  else if (!applyGnuMode(argument) && !applyGnuDependency(argument) && !applyGnuOffload(argument))
    applyGnuRest(argument, first, count);
}

bool CommandParser::applyGnuMode(const Arg &argument) {
  switch (argument.getOption().getID()) {
  case options::OPT_c:
    setMode(CompileMode::Compile);
    return true;
  case options::OPT_S:
    setMode(CompileMode::Assemble);
    return true;
  case options::OPT_E:
    setMode(CompileMode::Preprocess);
    return true;
  case options::OPT_fsyntax_only:
    setMode(CompileMode::SyntaxOnly);
    return true;
  case options::OPT__HASH_HASH_HASH:
  case options::OPT__version:
  case options::OPT_help:
  case options::OPT_dumpversion:
  case options::OPT_dumpmachine:
    command.mode = CompileMode::Query;
    return true;
  case options::OPT_o:
    command.output = argument.getValue();
    return true;
  case options::OPT_x:
    language = argument.getValue();
    return true;
  default:
    return false;
  }
}

bool CommandParser::applyGnuDependency(const Arg &argument) {
  DependencyOptions &dependencies = command.dependencies;
  switch (argument.getOption().getID()) {
  case options::OPT_MM:
    dependencies.systemHeaders = false;
    [[fallthrough]];
  case options::OPT_M:
    setMode(CompileMode::Dependencies);
    return true;
  case options::OPT_MMD:
    dependencies.systemHeaders = false;
    [[fallthrough]];
  case options::OPT_MD:
    dependencies.wanted = true;
    return true;
  case options::OPT_MF:
    dependencies.file = argument.getValue();
    return true;
  case options::OPT_MP:
    dependencies.phonyTargets = true;
    return true;
  case options::OPT_MT:
  case options::OPT_MQ:
    dependencies.targets.push_back(argument.getValue());
    return true;
  case options::OPT_MG:
  case options::OPT_MV:
  case options::OPT_MJ:
    return true;
  default:
    return false;
  }
}

/// Architectures and what else Clang's driver is told about devices.
bool CommandParser::applyGnuOffload(const Arg &argument) {
  const llvm::opt::Option &option = argument.getOption();
  if (option.matches(options::OPT_offload_arch_EQ)) {
    for (llvm::StringRef values : argument.getValues())
      for (llvm::StringRef name : llvm::split(values, ','))
        addArchitecture(name);
    return true;
  }
  if (option.matches(options::OPT_no_offload_arch_EQ)) {
    for (llvm::StringRef name : argument.getValues())
      llvm::erase_if(command.architectures, [&](const std::string &a) { return name == "all" || a == name; });
    return true;
  }
  if (option.matches(options::OPT_fgpu_rdc)) {
    command.relocatable = true;
    command.clangArguments.push_back("-fgpu-rdc");
    return true;
  }
  switch (option.getID()) {
  case options::OPT_offload_device_only:
  case options::OPT_offload_host_only:
  case options::OPT_offload_host_device:
  case options::OPT_offload_EQ:
  case options::OPT_offload_link:
  case options::OPT_no_offload_new_driver:
  case options::OPT_offload_new_driver:
    return true;
  default:
    return false;
  }
}

/// Sorts everything else by who has a use for it.
void CommandParser::applyGnuRest(const Arg &argument, std::size_t firstWord, std::size_t count) {
  const llvm::opt::Option &option = argument.getOption();
  std::vector<std::string> spelling; // as it was written: GCC and Clang have different ideas of what an alias stands for
  for (std::size_t i = firstWord; i < firstWord + count; ++i)
    spelling.push_back(words[i].text);
  const llvm::StringRef first = spelling.front();
  command.shared |= option.matches(options::OPT_shared);
  command.relocatableLink |= option.matches(options::OPT_r);

  const bool unknown = option.matches(options::OPT_UNKNOWN);
  if (unknown && !fromHostCompilerOptions && !first.starts_with("-f") && !first.starts_with("-m") && !first.starts_with("-W"))
    warn("option '" + first.str() + "' is not known; it is passed on to the compiler as it is");

  if (option.matches(options::OPT_cuda_path_EQ)) {
    command.toolkit = argument.getValue();
    return;
  }
  const bool toolkit = belongsTo(argument, {options::OPT_rocm_path_EQ, options::OPT_hip_path_EQ, options::OPT_rocm_device_lib_path_EQ});
  const bool preprocesses =
      belongsTo(argument, {options::OPT_Preprocessor_Group, options::OPT_I_Group, options::OPT_clang_i_Group, options::OPT_std_EQ,
                           options::OPT_ansi, options::OPT_pthread, options::OPT_isysroot, options::OPT__sysroot_EQ, options::OPT_stdlib_EQ,
                           options::OPT_nostdinc, options::OPT_nostdincxx, options::OPT_D, options::OPT_U, options::OPT_O_Group});
  const bool codeFamily = belongsTo(argument, {options::OPT_f_Group, options::OPT_m_Group}) && !isBackEndOnly(first);
  const bool clangOnly = command.dialect != Dialect::Host && belongsTo(argument, {options::OPT_Xclang});
  if (!unknown && (toolkit || preprocesses || codeFamily || clangOnly))
    llvm::append_range(command.clangArguments, spelling);
  if (toolkit || ((isForHost || command.dialect == Dialect::Host) && isDeviceOnly(first)))
    return;

  const bool linkOnly = belongsTo(argument, {options::OPT_Link_Group, options::OPT_l, options::OPT_L}) ||
                        option.hasFlag(options::LinkerInput) || option.hasFlag(options::LinkOption);
  if (!linkOnly)
    llvm::append_range(command.hostCompileArguments, spelling);
  if (linkOnly || !preprocesses || belongsTo(argument, {options::OPT_O_Group, options::OPT_pthread}))
    llvm::append_range(command.hostLinkArguments, spelling);
}

} // namespace kperf
