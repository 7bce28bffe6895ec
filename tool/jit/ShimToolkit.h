// A CUDA toolkit whose nvcc is kperf-cc: for programs that look for nvcc in a toolkit's folder.
#ifndef KPERF_TOOL_SHIM_TOOLKIT_H
#define KPERF_TOOL_SHIM_TOOLKIT_H

#include "decoder/io/Error.h"

#include <string>
#include <vector>

namespace kperf::tool {

/// Makes `path`, a script that runs kperf-cc (`compiler`: its path and options) with `nvcc`.
decoder::Status writeNvccShim(const std::string &path, const std::vector<std::string> &compiler, const std::string &nvcc);

/// Makes `folder` look like `toolkit` by symbolic links, but for bin/nvcc, which becomes such a script.
decoder::Status writeShimToolkit(const std::string &folder, const std::string &toolkit, const std::vector<std::string> &compiler);

/// The folder that an nvcc belongs to, where it has what programs look for there: include/cuda.h and nvvm. Empty in Debian's layout.
std::string toolkitAround(const std::string &nvcc);

} // namespace kperf::tool

#endif
