// Reads kperf-cc's own options by a table.
#include "tool/cc/Options.h"

#include "rewriters/command/CommandLine.h"
#include "tool/options/OptionTable.h"
#include "tool/process/Spelling.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <functional>

namespace kperf::cc {
namespace {

using options::OptionRow;
using options::Program;
using options::Value;

/// What an option of the table does.
struct Action {
  const OptionRow &row;
  void (*apply)(Options &options, llvm::StringRef value);
};

consteval const OptionRow &own(std::string_view name) { return options::option(Program::Cc, name); }

void appendList(std::vector<std::string> &list, llvm::StringRef value) {
  for (llvm::StringRef element : llvm::split(value, ','))
    if (!element.trim().empty())
      list.push_back(element.trim().str());
}

/// Of a value of --sample: launches, or executions of memory accesses, not blocks.
constexpr llvm::StringLiteral kLaunches = "launches:", kAccesses = "accesses:";

constexpr unsigned kMostSeconds = 1u << 20;

/// More than kMostSeconds where it is no number.
unsigned secondsOf(llvm::StringRef value) {
  unsigned number = 0;
  return value.getAsInteger(10, number) ? ~0u : number;
}

/// The number behind what a value of --sample begins with; 0 where there is none.
unsigned numberOf(llvm::StringRef value, llvm::StringRef prefix) {
  unsigned number = 0;
  return value.consume_front(prefix) && !value.getAsInteger(10, number) ? number : 0;
}

void setSample(Options &options, llvm::StringRef value) {
  if (value.starts_with(kLaunches))
    options.launchSample = value.str();
  else if (value.starts_with(kAccesses))
    options.accessSample = value.str();
  else
    options.selection.sample = value.str();
}

constexpr Action kActions[] = {
    {own("probes"),
     [](Options &o, llvm::StringRef v) {
       o.probes.clear();
       appendList(o.probes, v);
     }},
    {own("auto"), [](Options &o, llvm::StringRef v) { appendList(o.selection.automatic, v); }},
    {own("aggregate"), [](Options &o, llvm::StringRef v) { appendList(o.selection.aggregate, v); }},
    {own("extremes"), [](Options &o, llvm::StringRef) { o.selection.extremes = true; }},
    {own("histogram"), [](Options &o, llvm::StringRef) { o.selection.histogram = true; }},
    {own("sample"), setSample},
    {own("auto-guard"), [](Options &o, llvm::StringRef v) { o.selection.guard = v.str(); }},
    {own("select"), [](Options &o, llvm::StringRef v) { o.selection.file = v.str(); }},
    {own("profile"), [](Options &o, llvm::StringRef v) { appendList(o.profile.files, v); }},
    {own("overhead-budget"), [](Options &o, llvm::StringRef v) { o.profile.budget = v.str(); }},
    {own("save-rewritten"), [](Options &o, llvm::StringRef v) { o.saveRewritten = v.str(); }},
    {own("compiler"), [](Options &o, llvm::StringRef v) { o.hostCompiler = v.str(); }},
    {own("exact"), [](Options &o, llvm::StringRef) { o.exact = true; }},
    {own("strict"), [](Options &o, llvm::StringRef) { o.strict = true; }},
    {own("keep"), [](Options &o, llvm::StringRef) { o.keep = true; }},
    {own("no-compare"), [](Options &o, llvm::StringRef) { o.plain.areMade = false; }},
    {own("assembly-seconds"), [](Options &o, llvm::StringRef v) { o.plain.assemblySeconds = secondsOf(v); }},
    {own("no-machine-code"), [](Options &o, llvm::StringRef) { o.machineCode = false; }},
    {own("verbose"), [](Options &o, llvm::StringRef) { o.verbose = true; }},
    {own("no-instrument"), [](Options &o, llvm::StringRef) { o.instrument = false; }},
    {own("help"), [](Options &o, llvm::StringRef) { o.help = true; }},
    {own("version"), [](Options &o, llvm::StringRef) { o.version = true; }},
};
static_assert(std::ranges::all_of(options::kOptions, [](const OptionRow &row) {
  return !row.isOf(Program::Cc) || std::ranges::any_of(kActions, [&](const Action &action) { return &action.row == &row; });
}));

llvm::Error unknownOption(llvm::StringRef name) {
  std::vector<std::string> names;
  for (const Action &action : kActions)
    names.push_back(std::string("--") + action.row.name);
  const std::string nearest = tool::nearestWord(name, names);
  std::string hint =
      nearest.empty() ? "'kperf-cc --help' lists the options; the compiler's own follow its name" : "did you mean '" + nearest + "'?";
  return llvm::createStringError("unknown option '%s'; %s", name.str().c_str(), hint.c_str());
}

/// An error when the compiler's arguments hold an option of kperf-cc's that no compiler has. Those that compilers have too are theirs, and
/// so is what follows an option that passes it on.
llvm::Error checkOrder(llvm::StringRef compiler, llvm::ArrayRef<std::string> arguments) {
  constexpr llvm::StringLiteral kShared[] = {"compiler", "help", "keep", "profile", "verbose", "version"};
  bool isPassedOn = false;
  for (llvm::StringRef argument : arguments) {
    llvm::StringRef name = argument.split('=').first;
    if (!isPassedOn && name.consume_front("--") && !llvm::is_contained(kShared, name) && options::findOption(Program::Cc, name))
      return llvm::createStringError("'%s' is an option of kperf-cc: it stands before the compiler, as in kperf-cc %s %s …",
                                     argument.str().c_str(), argument.str().c_str(), compiler.str().c_str());
    isPassedOn = argument.starts_with("-X");
  }
  return llvm::Error::success();
}

bool isCompilerCache(llvm::StringRef program) {
  llvm::StringRef name = llvm::sys::path::filename(program);
  return name == "ccache" || name == "sccache";
}

llvm::Error checkAssemblySeconds(const Options &options) {
  if (options.plain.assemblySeconds <= kMostSeconds)
    return llvm::Error::success();
  return llvm::createStringError("--assembly-seconds: expected a number from 1 to %u, or 0 for no limit", kMostSeconds);
}

/// That --sample=launches:N says a number, and that the build has what runs at the other launches.
llvm::Error checkLaunchSample(const Options &options) {
  if (options.launchSample.empty())
    return llvm::Error::success();
  constexpr unsigned kMax = 1u << 20;
  if (const unsigned number = launchesSampled(options); number < 1 || number > kMax)
    return llvm::createStringError("--sample=%s: expected launches: and a number from 1 to %u", options.launchSample.c_str(), kMax);
  if (options.compiler == "host" || dialectOfCompiler(options.compiler) != Dialect::Nvcc)
    return llvm::createStringError(
        "--sample=launches:N takes nvcc, which compiles kernels without probes beside those with probes; found '%s': --sample=N "
        "records one block in N with any compiler",
        options.compiler.c_str());
  if (!options.plain.areMade)
    return llvm::createStringError("--sample=launches:N runs kernels without probes, which --no-compare leaves out; give one of the two");
  return llvm::Error::success();
}

/// Whether NVIDIA's compiler makes the code of probes: only there executions of an access are sampled on a GPU.
bool isOfNvidia(llvm::StringRef compiler) {
  return compiler == kNvrtc || (compiler != "host" && dialectOfCompiler(compiler) == Dialect::Nvcc);
}

/// That --sample says nothing else in front of its number.
llvm::Error checkSampleWord(const Options &options) {
  const std::string value = options.selection.sample.value_or("");
  const llvm::StringRef word = llvm::StringRef(value).take_while(llvm::isAlpha);
  llvm::StringRef number = llvm::StringRef(value).drop_front(word.size());
  if (word.empty())
    return llvm::Error::success();
  const std::string near = tool::nearestWord(word.str() + ":", {kLaunches.str(), kAccesses.str()});
  number.consume_front(":");
  const std::string meant = near + (number.empty() ? "N" : number.str());
  return llvm::createStringError("--sample takes a number of blocks, launches:N or accesses:N, found '%s'%s", value.c_str(),
                                 near.empty() ? "" : ("; did you mean " + meant + "?").c_str());
}

/// That --sample=accesses:N says a number that can be heeded, and of what, and that --exact does not contradict it.
llvm::Error checkAccessSample(const Options &options) {
  const bool hasMemoryProbes = llvm::is_contained(options.probes, "memory");
  if (options.exact && !hasMemoryProbes)
    return llvm::createStringError("--exact counts every execution of memory accesses; --probes=memory counts them");
  if (options.exact && !options.accessSample.empty())
    return llvm::createStringError("--exact counts every execution of memory accesses, --sample=%s one in that many; give one of the two",
                                   options.accessSample.c_str());
  if (options.accessSample.empty())
    return llvm::Error::success();
  constexpr unsigned kMax = 1u << 16;
  const unsigned number = numberOf(options.accessSample, kAccesses);
  if (number < 2 || number > kMax || (number & (number - 1)) != 0)
    return llvm::createStringError("--sample=%s: expected accesses: and a power of two from 2 to %u", options.accessSample.c_str(), kMax);
  if (!hasMemoryProbes)
    return llvm::createStringError("--sample=accesses:N says how many memory accesses are counted; --probes=memory counts them");
  if (options.compiler != "host" && !isOfNvidia(options.compiler))
    return llvm::createStringError("--sample=accesses:N takes nvcc or host; found '%s', with which every access is counted",
                                   options.compiler.c_str());
  return llvm::Error::success();
}

/// An error where no value stands behind an option that needs one: nothing does, or the compiler. Another compiler is a value of
/// --compiler.
llvm::Error checkValue(const OptionRow &row, llvm::ArrayRef<std::string> behind) {
  if (behind.empty())
    return llvm::createStringError("option '--%s' needs a value", row.name);
  const std::string &value = behind.front();
  if (llvm::StringRef(row.name) != "compiler" && (value == "host" || dialectOfCompiler(value)))
    return llvm::createStringError("option '--%s' needs a value, and '%s' behind it is a compiler: write --%s=%s %s", row.name,
                                   value.c_str(), row.name, row.placeholder, value.c_str());
  return llvm::Error::success();
}

/// An option's lines of the help text.
std::string helpOf(const OptionRow &row) {
  constexpr std::size_t kHelpColumn = 25;
  std::string text = std::string("  --") + row.name;
  if (row.value != Value::None)
    text += row.value == Value::Optional ? std::string("[=") + row.placeholder + "]" : std::string("=") + row.placeholder;
  text.resize(std::max(text.size() + 1, kHelpColumn), ' ');
  text += row.help;
  if (*row.more != '\0')
    text += "\n" + std::string(kHelpColumn, ' ') + row.more;
  return text + '\n';
}

} // namespace

llvm::Expected<Options> parseOptions(llvm::ArrayRef<std::string> arguments) {
  Options options;
  std::size_t next = 0;
  for (; next < arguments.size() && llvm::StringRef(arguments[next]).starts_with("-"); ++next) {
    auto [name, value] = llvm::StringRef(arguments[next]).split('=');
    const Action *action = llvm::find_if(kActions, [&](const Action &known) { return name == std::string("--") + known.row.name; });
    if (action == std::end(kActions))
      return unknownOption(name);
    const bool joined = name.size() != arguments[next].size();
    if (action->row.value == Value::None && joined)
      return llvm::createStringError("option '%s' takes no value, found '%s'", name.str().c_str(), value.str().c_str());
    if (action->row.value == Value::Needed && !joined) {
      if (auto error = checkValue(action->row, arguments.drop_front(next + 1)))
        return error;
      value = arguments[++next];
    }
    action->apply(options, value);
    if (options.help || options.version)
      return options;
  }
  for (; next < arguments.size() && isCompilerCache(arguments[next]); ++next)
    options.launcher.push_back(arguments[next]);
  if (next == arguments.size())
    return llvm::createStringError("no compiler is named; give nvcc, hipcc, clang++ or host, then its arguments, for "
                                   "example: kperf-cc nvcc -arch=sm_90 kernel.cu -o program");
  options.compiler = arguments[next++];
  if (unsigned number; !llvm::StringRef(options.compiler).getAsInteger(10, number))
    return llvm::createStringError("'%s' stands where the compiler is expected; a number belongs to its option, as in --sample=%s",
                                   options.compiler.c_str(), options.compiler.c_str());
  if (options.compiler == "host") // which compiles without the cache
    for (; next + 1 < arguments.size() && isCompilerCache(arguments[next]) && dialectOfCompiler(arguments[next + 1]); ++next)
      options.launcher.push_back(arguments[next]);
  if (options.compiler == "host" && next < arguments.size() && dialectOfCompiler(arguments[next]))
    options.replaced = arguments[next++]; // a build system's launcher: the line goes on with the compiler that it knows
  options.arguments.assign(arguments.begin() + next, arguments.end());
  if (options.compiler != "host" && options.compiler != kNvrtc && !dialectOfCompiler(options.compiler))
    return llvm::createStringError("'%s' is not a compiler that kperf-cc knows; expected nvcc, hipcc, clang++, g++ or "
                                   "host, after kperf-cc's own options",
                                   options.compiler.c_str());
  if (auto error = checkOrder(options.compiler, options.arguments))
    return error;
  if (auto error = checkSampleWord(options))
    return error;
  if (auto error = llvm::joinErrors(checkLaunchSample(options), checkAccessSample(options)))
    return error;
  if (auto error = checkAssemblySeconds(options))
    return error;
  return options;
}

unsigned launchesSampled(const Options &options) { return numberOf(options.launchSample, kLaunches); }
unsigned accessesSampled(const Options &options) {
  constexpr unsigned kDefault = 64;
  if (!options.accessSample.empty())
    return numberOf(options.accessSample, kAccesses);
  const bool isExact = options.exact || !llvm::is_contained(options.probes, "memory");
  return !isExact && isOfNvidia(options.compiler) ? kDefault : 0;
}

std::string helpText() {
  std::string text = R"(usage: kperf-cc [options] COMPILER [the compiler's own arguments]

Compiles and links as COMPILER would, with kperf's probes in annotated regions.

COMPILER:
  nvcc, hipcc, clang++, g++   this one ("clang++-22", "ccache /opt/bin/nvcc")
  host       build for the CPU with a C++ compiler, without a GPU or toolkit;
             takes arguments of nvcc and g++, or of a compiler named behind it

options:
)";
  for (const OptionRow &row : options::kOptions)
    if (row.isOf(Program::Cc))
      text += helpOf(row);
  return text + R"(
examples:
  kperf-cc nvcc -O3 -arch=sm_90 gemm.cu -o gemm
  cmake -DCMAKE_CUDA_COMPILER_LAUNCHER=kperf-cc ...

The exit code is the compiler's, or 2 when kperf-cc itself cannot go on.
)";
}

} // namespace kperf::cc
