// One line a kernel, the refused ones first.
#include "tool/cc/KernelChanges.h"
#include "tool/cc/Messages.h"

#include "llvm/Demangle/Demangle.h"

namespace kperf::cc {
namespace {

constexpr unsigned kMostLines = 5; ///< of a build that does not ask for all

/// "work<8>" of "void work<8>(float*)".
std::string kernelName(const std::string &mangled) {
  const std::size_t begin =
      llvm::StringRef(mangled).starts_with("__nv_static_") ? mangled.find("__Z") : std::string::npos; // of a static kernel
  std::string name = llvm::demangle(begin == std::string::npos ? mangled : mangled.substr(begin + 1));
  constexpr llvm::StringLiteral kVoid = "void ";
  if (llvm::StringRef(name).starts_with(kVoid))
    name.erase(0, kVoid.size());
  if (const std::size_t end = name.rfind('('); end != std::string::npos && end > 0 && name.ends_with(")"))
    name.erase(end);
  return name;
}

void sayRefused(const plain::KernelChange &change, bool isStrict) {
  const std::string what = "'" + kernelName(change.kernel) + "' with probes: " + change.what +
                           "; that would serialise its wgmma instructions or move their accumulators to local memory";
  if (isStrict)
    sayError(what + "; put fewer regions into it, or leave out --probes=sync, or leave out --strict, which builds it without probes");
  else
    sayWarning("kernel " + what + ", so that it is built without probes; put fewer regions into it, or leave out --probes=sync");
}

} // namespace

void sayChanges(llvm::ArrayRef<plain::KernelChange> changes, bool isVerbose, bool isStrict) {
  unsigned said = 0, unsaid = 0;
  for (const plain::KernelChange &change : changes) {
    if (change.isRefused) {
      sayRefused(change, isStrict);
    } else if (isVerbose || (change.isLarge && said < kMostLines)) {
      sayNote("'" + kernelName(change.kernel) + "' with probes: " + change.what);
      ++said;
    } else {
      unsaid += change.isLarge;
    }
  }
  if (unsaid > 0)
    sayNote("probes change " + std::to_string(unsaid) + " more kernels in registers, spills or shared memory: --verbose lists them");
}

} // namespace kperf::cc
