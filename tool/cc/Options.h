// kperf-cc's own options, which come before the compiler's name.
#ifndef KPERF_TOOL_CC_OPTIONS_H
#define KPERF_TOOL_CC_OPTIONS_H

#include "tool/profile/Steering.h"

#include "rewriters/pattern/Selection.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace kperf::cc {

/// What earlier traces are to decide.
struct ProfileOptions {
  std::vector<std::string> files;         ///< of --profile or KPERF_PROFILE
  std::string budget;                     ///< of --overhead-budget or KPERF_OVERHEAD_BUDGET, a percentage; empty: not given
  std::optional<tool::Steering> steering; ///< what the files decide
  unsigned launchBudget = 0;              ///< millionths of the launches' time, which the runtime keeps to; 0: it records all of them
};

/// Of kernels without probes beside those with (nvcc).
struct PlainOptions {
  bool areMade = true;            ///< unset by --no-compare
  unsigned assemblySeconds = 900; ///< after which they stand for those with probes, if ptxas still works at these; 0: no limit
};

struct Options {
  std::vector<std::string> probes = {"region"};
  SelectionOptions selection;
  std::string accessSample; ///< of --sample=accesses:N, all of the value; empty: accessesSampled() says
  std::string launchSample; ///< of --sample=launches:N, all of the value; empty: every launch is recorded
  ProfileOptions profile;
  std::string saveRewritten; ///< a folder that gets copies of what was compiled; empty: none
  std::string hostCompiler;  ///< --compiler: overrides KPERF_HOST_CXX
  bool exact = false;        ///< every execution of a memory access is counted
  bool strict = false;
  bool keep = false;
  PlainOptions plain;
  bool verbose = false;
  bool machineCode = true; ///< look at that of the plain build, to count what it executes
  bool instrument = true;
  bool help = false;
  bool version = false;

  std::string compiler;               ///< "nvcc", "/opt/bin/clang++", "host"; empty with --help and --version
  std::string replaced;               ///< of host: the compiler that the arguments are for, "/usr/local/cuda/bin/nvcc"; empty: not said
  std::vector<std::string> launcher;  ///< a compiler cache in front of it: "ccache"
  std::vector<std::string> arguments; ///< the compiler's own
};

/// The compiler's name of a source that kperf run takes from NVRTC.
inline constexpr llvm::StringLiteral kNvrtc = "nvrtc";

/// Reads the arguments that follow the program's name. Fails on an option that does not exist (naming the nearest one),
/// a missing value, and when no compiler is named.
llvm::Expected<Options> parseOptions(llvm::ArrayRef<std::string> arguments);

/// The N of --sample=launches:N; 0 without it.
unsigned launchesSampled(const Options &options);

/// One in how many executions of a memory access is counted; 0: each. With nvcc it is one in 64, unless the options say how much is
/// counted:
/// --exact, or any --sample of accesses or of blocks. What a first run then costs is in docs/memory-overhead.md.
unsigned accessesSampled(const Options &options);
/// Before that number, what the compiler tells the probes of it.
inline constexpr llvm::StringLiteral kAccessesSampled = "-DKPERF_ACCESSES_SAMPLED=";

/// What --help prints.
std::string helpText();

} // namespace kperf::cc

#endif
