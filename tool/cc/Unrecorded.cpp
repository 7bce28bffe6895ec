// Searches what is linked for objects that register with the runtime.
#include "tool/cc/Unrecorded.h"

#include "tool/cc/Messages.h"

#include "rewriters/source/StoredFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

namespace kperf::cc {
namespace {

constexpr std::uint64_t kMaxBytes = std::uint64_t{256} << 20;

/// Libraries of the toolkits and of the system, which hold no code that kperf instrumented.
bool isKnownLibrary(llvm::StringRef name) {
  static constexpr llvm::StringRef names[] = {
      "c",     "m",      "dl",       "rt",    "pthread", "stdc++",   "cuda",     "cudart", "cudart_static", "cudadevrt",
      "nvrtc", "cublas", "cublasLt", "cufft", "curand",  "cusparse", "cusolver", "nccl",   "nvToolsExt",    "amdhip64"};
  return llvm::is_contained(names, name);
}

enum class Holds { Nothing, Kernels, Records };

/// By the names in its symbol table, of an object or an archive. What registers with the runtime brings its own configureModule
/// (registration.h).
Holds whatHolds(llvm::StringRef path) {
  auto buffer = readStoredFile(path, kMaxBytes);
  if (!buffer) {
    llvm::consumeError(buffer.takeError());
    return Holds::Records; // for all that is known
  }
  const llvm::StringRef bytes = (*buffer)->getBuffer();
  if (bytes.contains("kperf6detailL15configureModule") || !(bytes.starts_with("\x7f"
                                                                              "ELF") ||
                                                            bytes.starts_with("!<arch>\n")))
    return Holds::Records;
  const bool hasKernels = bytes.contains("cudaRegisterFatBinary") || bytes.contains("hipRegisterFatBinary") ||
                          bytes.contains("kperf4host6Engine"); // which launches on the host target need
  return hasKernels ? Holds::Kernels : Holds::Nothing;
}

bool mayNameMore(const CompileCommand &command) {
  return llvm::any_of(command.arguments, [](const Argument &argument) {
    const llvm::StringRef text = argument.text;
    return (text.starts_with("-l") && !isKnownLibrary(text.drop_front(2))) || text == "-Xlinker" || text.starts_with("-Wl,") ||
           text.starts_with("@") || text == "--library" || text.starts_with("--library=");
  });
}

} // namespace

void noteUnrecordedProgram(const CompileCommand &command, const Instrumented &sources) {
  if (llvm::any_of(sources.copies, [](const auto &copy) { return copy.second.records(); }) || mayNameMore(command))
    return;
  bool hasKernels = false;
  for (const Input &input : command.inputs) {
    hasKernels |= input.isDevice();
    if (input.isSource())
      continue;
    const Holds held = whatHolds(input.path);
    if (held == Holds::Records)
      return;
    hasKernels |= held == Holds::Kernels;
  }
  if (hasKernels)
    sayNote(llvm::Twine("nothing in this program is recorded, so that it will write no trace: ") +
            (sources.isUnread ? "clang can't read what was to be instrumented, as the warnings say"
                              : "its kernels have no annotation such as KPERF_SCOPE(\"name\"), and nothing is selected; --auto=kernels "
                                "times kernels as they are"));
}

} // namespace kperf::cc
