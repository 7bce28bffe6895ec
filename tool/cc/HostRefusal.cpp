// Looks for kernels, and for headers of CUDA's toolkit, in what the preprocessor makes of a source.
#include "tool/cc/HostRefusal.h"
#include "tool/process/Spawn.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace kperf::cc {
namespace {

/// Of preprocessed text the user's own code, without string literals: kperf's headers name kernels and launches in theirs.
std::string codeOfUser(llvm::StringRef text) {
  std::string code;
  for (bool isSystem = false; !text.empty();) {
    const auto [line, rest] = text.split('\n');
    text = rest;
    llvm::SmallVector<llvm::StringRef, 8> pieces;
    line.split(pieces, '"');
    if (line.starts_with("# ")) // # 12 "header.h" 1 3: 3 says that it is the system's
      isSystem = pieces.back().contains(" 3");
    for (std::size_t i = 0; i < pieces.size() && !isSystem; i += 2)
      code += pieces[i].str() + '\n';
  }
  return code;
}

/// The first header that is in one of the libraries that need more of the toolkit than the host target has; "" where there is none.
llvm::StringRef toolkitHeaderOf(llvm::StringRef text) {
  while (!text.empty()) {
    const auto [line, rest] = text.split('\n');
    text = rest;
    if (!line.starts_with("# "))
      continue;
    const llvm::StringRef path = line.split('"').second.rsplit('"').first;
    for (const llvm::StringRef folder : {"/thrust/", "/cub/", "/cuda/std/", "/cccl/"})
      if (path.contains(folder))
        return path;
  }
  return {};
}

} // namespace

std::string whyRefusedAsCxx(std::vector<std::string> words, const std::string &source) {
  using enum process::SpawnOptions::Stream;
  words.insert(words.end(), {"-E", "-x", "c++", source});
  const auto end = process::spawn(words.front(), words, {.input = Nowhere, .output = Captured, .error = Nowhere});
  if (!end)
    return "";
  if (const llvm::StringRef header = toolkitHeaderOf(end->output); !header.empty())
    return ("includes '" + header +
            "', which needs more of CUDA's toolkit than the host target has: put it and what needs it between #ifndef KPERF_HOST_TARGET "
            "and #endif, or build for a GPU; docs/reference/host.md lists the headers that there are")
        .str();
  const std::string code = codeOfUser(end->output); // in which those headers have kernels and launches, too
  const std::size_t launch = code.find("<<<");
  const bool hasLaunch = launch != code.npos && !llvm::StringRef(code).take_front(launch).rtrim().ends_with("operator");
  if (hasLaunch || code.find("__global__") != code.npos) // which <cuda_runtime.h> takes away
    return "has kernels or launches, but is compiled as C++, as its name says; give -x cu (HIP: -x hip) before it";
  return "";
}

} // namespace kperf::cc
