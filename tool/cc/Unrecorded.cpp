// Searches what is linked for objects that register with the runtime; keeps in the cache's folder what was said of sources.
#include "tool/cc/Unrecorded.h"

#include "tool/cc/Messages.h"
#include "tool/process/WriteText.h"

#include "rewriters/IdleRequests.h"
#include "rewriters/source/ContentHash.h"
#include "rewriters/source/PreludeFolder.h"
#include "rewriters/source/StoredFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <chrono>
#include <cstdlib>

namespace kperf::cc {
namespace {

constexpr llvm::StringLiteral kNoKernel =
    "its sources have no kernel (__global__), and no annotation; build those that define kernels with "
    "kperf-cc too, for those of libraries that are built already are not recorded";

constexpr std::uint64_t kMaxBytes = std::uint64_t{256} << 20;

bool isQuiet() {
  const char *value = std::getenv("KPERF_QUIET");
  return value && llvm::StringRef(value) != "0" && *value;
}

/// Whether nothing was said of another source in this folder within the last minute. Then it is noted that it is said of this one.
bool isFirstInAWhile(llvm::StringRef source) {
  llvm::SmallString<256> here;
  const std::string cache = preludeFolder();
  if (cache.empty() || llvm::sys::fs::current_path(here))
    return true;
  const std::string path = cache + "/" + contentHash(here) + kNoteSuffix.str();
  llvm::sys::fs::file_status status;
  const bool isRecent =
      !llvm::sys::fs::status(path, status) && std::chrono::system_clock::now() - status.getLastModificationTime() < std::chrono::minutes(1);
  const auto said = llvm::MemoryBuffer::getFile(path);
  if (isRecent && said && (*said)->getBuffer() != source)
    return false;
  llvm::consumeError(process::writeText(path, source)); // where it fails, it is said again
  return true;
}

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
  const bool hasKernels = bytes.contains("cudaRegisterFunction") || bytes.contains("hipRegisterFunction") ||
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
  if (isQuiet() || llvm::any_of(sources.copies, [](const auto &copy) { return copy.second.records(); }) || mayNameMore(command))
    return;
  bool hasSources = false, hasKernels = false;
  for (const Input &input : command.inputs) {
    hasSources |= input.isDevice();
    if (input.isSource())
      continue;
    const Holds held = whatHolds(input.path);
    if (held == Holds::Records)
      return;
    hasKernels |= held == Holds::Kernels;
  }
  if (hasSources || hasKernels)
    sayNote(llvm::Twine(llvm::any_of(sources.copies, [](const auto &copy) { return copy.second.registers(); })
                            ? "of this program no more than launches is recorded: "
                            : "nothing in this program is recorded, so that it will write no trace: ") +
            (sources.isUnread                 ? llvm::Twine("clang can't read what was to be instrumented, as the warnings say")
             : !sources.whyUnrecorded.empty() ? llvm::Twine(sources.whyUnrecorded)
             : hasKernels                     ? llvm::Twine(kNothingChosen)
                                              : llvm::Twine(kNoKernel)));
}

void noteUnrecordedSource(const Options &options, const CompileCommand &command, llvm::StringRef source, const RewriteResult &result) {
  const bool isAsked = !options.selection.file.empty() || !options.selection.automatic.empty();
  if (result.whyUnrecorded.empty() || result.kernels == 0 || !options.instrument || command.links() || isAsked ||
      options.compiler == kNvrtc || isQuiet())
    return;
  if (isFirstInAWhile(source))
    sayNote("nothing in '" + source + "' is recorded: " + result.whyUnrecorded + " (said once a minute for the sources of a folder)");
}

} // namespace kperf::cc
