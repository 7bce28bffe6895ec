// Builds the command line with which Clang reads a source as nvcc or hipcc would: toolkit, architecture, kperf's own headers.
#ifndef KPERF_REWRITERS_TOOLKIT_H
#define KPERF_REWRITERS_TOOLKIT_H

#include "rewriters/Rewrite.h"
#include "rewriters/parse/Prelude.h"

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace kperf {

/// A CUDA toolkit on this machine.
struct Toolkit {
  std::string path;              ///< the folder that holds include/cuda.h
  unsigned major = 0, minor = 0; ///< of CUDA_VERSION
};

/// The toolkit at `given`; without one the first of $CUDA_HOME, $CUDA_PATH, the one nvcc on PATH belongs to,
/// /usr/local/cuda. No toolkit at all, or the word "none", is a result with an empty path;
/// a wrong `given` is an error.
llvm::Expected<Toolkit> findToolkit(llvm::StringRef given);

/// The folder that holds kperf/annotate.h: ../include of an installed program, else the source tree it was built from.
std::string kperfIncludeDirectory();

/// The folder that holds hip/hip_runtime.h with HIP's names over CUDA's: for nvcc and the host target.
std::string hipOnCudaDirectory(llvm::StringRef kperfIncludeDirectory);

/// The macros of a compiler that reads HIP, for one that does not know them: nvcc, or a plain C++ compiler.
std::vector<std::string> hipMacros(Target target);

/// What Clang is called with for the request, up to but not including the input file.
struct ParseSetup {
  std::vector<std::string> command;
  std::vector<FileText> files;      ///< stand for files of Clang's own
  Prelude prelude;                  ///< the toolkit's headers and kperf's own
  std::string headers;              ///< kperf's own folder of headers, in which the command looks
  std::vector<std::string> folders; ///< of Clang, the toolkit and the system: headers that Clang reads as they are
  std::string toolkitDoubt;         ///< a sentence when the toolkit is none that Clang knows, else empty
  std::string architecture;         ///< what device code is parsed for; "host" when it is parsed as host code
};

llvm::Expected<ParseSetup> parseSetup(const RewriteRequest &request);

} // namespace kperf

#endif
