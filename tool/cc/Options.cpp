// Reads kperf-cc's own options by a table.
#include "tool/cc/Options.h"

#include "rewriters/command/CommandLine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <functional>

namespace kperf::cc {
namespace {

enum class Value { None, Needed, Optional };

struct OptionRow {
  llvm::StringLiteral name;
  Value value;
  void (*apply)(Options &options, llvm::StringRef value);
};

void appendList(std::vector<std::string> &list, llvm::StringRef value) {
  for (llvm::StringRef element : llvm::split(value, ','))
    if (!element.trim().empty())
      list.push_back(element.trim().str());
}

constexpr OptionRow kOptions[] = {
    {"--probes", Value::Needed,
     [](Options &o, llvm::StringRef v) {
       o.probes.clear();
       appendList(o.probes, v);
     }},
    {"--auto", Value::Needed, [](Options &o, llvm::StringRef v) { appendList(o.selection.automatic, v); }},
    {"--aggregate", Value::Needed, [](Options &o, llvm::StringRef v) { appendList(o.selection.aggregate, v); }},
    {"--extremes", Value::None, [](Options &o, llvm::StringRef) { o.selection.extremes = true; }},
    {"--histogram", Value::None, [](Options &o, llvm::StringRef) { o.selection.histogram = true; }},
    {"--sample", Value::Optional, [](Options &o, llvm::StringRef v) { o.selection.sample = v.str(); }},
    {"--auto-guard", Value::Needed, [](Options &o, llvm::StringRef v) { o.selection.guard = v.str(); }},
    {"--select", Value::Needed, [](Options &o, llvm::StringRef v) { o.selection.file = v.str(); }},
    {"--save-rewritten", Value::Needed, [](Options &o, llvm::StringRef v) { o.saveRewritten = v.str(); }},
    {"--compiler", Value::Needed, [](Options &o, llvm::StringRef v) { o.hostCompiler = v.str(); }},
    {"--strict", Value::None, [](Options &o, llvm::StringRef) { o.strict = true; }},
    {"--keep", Value::None, [](Options &o, llvm::StringRef) { o.keep = true; }},
    {"--verbose", Value::None, [](Options &o, llvm::StringRef) { o.verbose = true; }},
    {"--no-machine-code", Value::None, [](Options &o, llvm::StringRef) { o.machineCode = false; }},
    {"--no-instrument", Value::None, [](Options &o, llvm::StringRef) { o.instrument = false; }},
    {"--help", Value::None, [](Options &o, llvm::StringRef) { o.help = true; }},
    {"--version", Value::None, [](Options &o, llvm::StringRef) { o.version = true; }},
};

llvm::Error unknownOption(llvm::StringRef name) {
  llvm::StringRef nearest;
  unsigned distance = 4; // farther than this is another word
  for (const OptionRow &row : kOptions)
    if (unsigned d = name.edit_distance(row.name); d < distance) {
      distance = d;
      nearest = row.name;
    }
  std::string hint = nearest.empty() ? "'kperf-cc --help' lists the options; the compiler's own follow its name"
                                     : "did you mean '" + nearest.str() + "'?";
  return llvm::createStringError("unknown option '%s'; %s", name.str().c_str(), hint.c_str());
}

bool isCompilerCache(llvm::StringRef program) {
  llvm::StringRef name = llvm::sys::path::filename(program);
  return name == "ccache" || name == "sccache";
}

} // namespace

llvm::Expected<Options> parseOptions(llvm::ArrayRef<std::string> arguments) {
  Options options;
  std::size_t next = 0;
  for (; next < arguments.size() && llvm::StringRef(arguments[next]).starts_with("-"); ++next) {
    auto [name, value] = llvm::StringRef(arguments[next]).split('=');
    const OptionRow *row = llvm::find_if(kOptions, [&](const OptionRow &o) { return o.name == name; });
    if (row == std::end(kOptions))
      return unknownOption(name);
    const bool joined = name.size() != arguments[next].size();
    if (row->value == Value::None && joined)
      return llvm::createStringError("option '%s' takes no value, found '%s'", name.str().c_str(), value.str().c_str());
    if (row->value == Value::Needed && !joined) {
      if (++next == arguments.size())
        return llvm::createStringError("option '%s' needs a value", name.str().c_str());
      value = arguments[next];
    }
    row->apply(options, value);
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
    return llvm::createStringError("'%s' stands where the compiler does; a number is part of its option, as in --sample=%s",
                                   options.compiler.c_str(), options.compiler.c_str());
  options.arguments.assign(arguments.begin() + next, arguments.end());
  if (options.compiler != "host" && !dialectOfCompiler(options.compiler))
    return llvm::createStringError("'%s' is not a compiler that kperf-cc knows; expected nvcc, hipcc, clang++, g++ or "
                                   "host, after kperf-cc's own options",
                                   options.compiler.c_str());
  return options;
}

llvm::StringRef helpText() {
  return R"(usage: kperf-cc [options] COMPILER [the compiler's own arguments]

Compiles and links CUDA, HIP and C++ as COMPILER would, with kperf's probes in
the annotated regions of the source.

COMPILER:
  nvcc, hipcc, clang++, g++
             run this compiler; it may have a path and a version ("clang++-22"),
             and a compiler cache may stand before it ("ccache nvcc")
  host       build for the CPU with a plain C++ compiler, without a GPU and a
             toolkit; takes the arguments of nvcc and of g++

options:
  --probes=NAME[,NAME]   what is inserted: region, sync, memory, or launches,
                         which leaves kernels as they are (default: region)
  --auto=KIND[,KIND]     also time kernels, functions, loops, barriers, async
  --aggregate=NAME[,NAME]  sum up these regions (globs) on the device instead of
                         recording every entry: how often, how long in all
  --extremes, --histogram  shortest and longest of these; how many were how long
  --sample[=N]           record one block in N (default: 16), and run all others
                         through a copy of their kernel without probes
  --auto-guard=N         least operations that --auto times (default: 64)
  --select=FILE.yaml     also time what the rules in FILE.yaml choose
  --no-machine-code      count memory accesses as the source has them, instead of
                         compiling it without probes too, and looking which
                         instructions make them
  --strict               stop at errors that only kperf finds in the source,
                         instead of compiling it without probes
  --keep                 leave the rewritten sources, and say where
  --save-rewritten=DIR   write copies of the rewritten sources to DIR
  --compiler=CXX         the C++ compiler behind 'host' (default:
                         $KPERF_HOST_CXX, else c++)
  --no-instrument        build without any probe
  --verbose              show what is rewritten and every command that is run
  --help                 show this text
  --version              show the version

examples:
  kperf-cc nvcc -O3 -arch=sm_90 gemm.cu -o gemm
  kperf-cc host gemm.cu -o gemm
  cmake -DCMAKE_CUDA_COMPILER_LAUNCHER=kperf-cc ...

The exit code is the compiler's, or 2 when kperf-cc itself cannot go on.
)";
}

} // namespace kperf::cc
