// Says why a source can't be compiled as C++ for the host target.
#ifndef KPERF_TOOL_CC_HOST_REFUSAL_H
#define KPERF_TOOL_CC_HOST_REFUSAL_H

#include <string>
#include <vector>

namespace kperf::cc {

/// What a source that the compiler refuses as C++ has, or a header of it, that is not for it, and what to do: "has kernels …"; "" where
/// neither kernels nor headers of CUDA's toolkit are found. `words`: the compiler and its options, without what it makes.
std::string whyRefusedAsCxx(std::vector<std::string> words, const std::string &source);

} // namespace kperf::cc

#endif
