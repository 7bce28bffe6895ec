// Has nvcc compile kernels without probes too, into the same module, so that a launch can run either.
#ifndef KPERF_TOOL_PLAIN_COPIES_H
#define KPERF_TOOL_PLAIN_COPIES_H

#include "tool/process/Spawn.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <string>
#include <utility>
#include <vector>

namespace kperf::plain {

/// What probes changed in a kernel, as ptxas has it for one architecture.
struct KernelChange {
  enum class Kind {
    LeftOut, ///< some of its probes would have serialised wgmma or moved its accumulators, and are left out
    Refused, ///< the same, and it is built without probes
    TooLong, ///< ptxas had not assembled it after as long as it may take, and it is built without probes
    Large,   ///< not a few registers alone
    Small,
  };

  Kind kind;
  std::string kernel;            ///< mangled
  std::string what;              ///< "registers 12 -> 22"; of LeftOut: which probes, why, and what to do; of TooLong: nothing
  std::string why;               ///< of Refused, in ptxas's words; of TooLong, after how many seconds
  std::string architecture = {}; ///< "sm_90a"; empty where that is not known

  bool isRefused() const { return kind == Kind::Refused; }
  /// Whether it is not built with all of its probes.
  bool lacksProbes() const { return kind < Kind::Large; }
};

/// What becomes of a kernel that must not get its probes.
enum class OnRefusal {
  BuildWithout, ///< it is built without them
  Fail,         ///< it fails the build
  Report,       ///< changes() says so: what is built is not wanted
};

/// While it lives, nvcc that is run with -noprof starts this program in place of its device compiler and its assembler (DeviceStep.h).
class PlainCopies {
public:
  /// `command`: nvcc's, of the sources without probes. `workFolder` outlives this. Fails where nvcc can't be asked what it would do.
  /// `assemblySeconds`: after which ptxas is stopped, and kernels are built without probes; 0: no limit. `asked`: how asking ended.
  static llvm::Expected<PlainCopies> prepare(llvm::ArrayRef<std::string> command, llvm::StringRef workFolder, OnRefusal onRefusal,
                                             unsigned assemblySeconds, process::ProcessEnd &asked);
  PlainCopies(PlainCopies &&other) noexcept
      : previous(std::exchange(other.previous, {})), folder(std::move(other.folder)), plan(std::move(other.plan)) {}
  ~PlainCopies();

  /// What nvcc made of a source without probes before, with line numbers: it is not compiled again, if the command names one architecture
  /// and that is this one's. Nothing happens where names in it depend on the command. `source`: its file name.
  void offer(llvm::StringRef source, llvm::StringRef ptx) const;
  /// Before nvcc runs again, with other copies of the same sources: forgets what is known of the last run.
  llvm::Error prepareAgain(OnRefusal onRefusal);
  /// Adds to what changes() says until then: probes of this kernel are left out.
  void addLeftOut(const std::string &kernel, const std::string &what) const;

  /// Why kernels have no copy, a line each.
  std::vector<std::string> notes() const;
  /// Sorted: those with probes left out and refused ones first, then by name.
  std::vector<KernelChange> changes() const;

private:
  PlainCopies() = default;
  void set(const std::string &name, const std::string &value);
  llvm::Error writePlan(OnRefusal onRefusal);

  std::vector<std::pair<std::string, std::pair<bool, std::string>>> previous; ///< variables of the environment as they were
  std::string folder;
  llvm::json::Object plan; ///< what DeviceStep.cpp reads
};

} // namespace kperf::plain

#endif
