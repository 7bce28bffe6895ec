// What the frameworks that compile kernels at run time read from the environment: where nvcc is, and where they keep what it made.
#ifndef KPERF_TOOL_FRAMEWORKS_H
#define KPERF_TOOL_FRAMEWORKS_H

namespace kperf::tool {

/// A variable that names a compiler.
struct CompilerVariable {
  const char *name;
  bool isCommand; ///< its value is split at blanks; else it is one path
};
inline constexpr CompilerVariable kCompilerVariables[] = {
    {"PYTORCH_NVCC", true},          // torch.utils.cpp_extension
    {"FLASHINFER_NVCC", false},      // flashinfer/jit/cpp_ext.py
    {"DG_JIT_NVCC_COMPILER", false}, // DeepGEMM's csrc/jit/compiler.hpp
    {"NVCC", true},                  // CuPy's cupy/cuda/compiler.py
    {"CUDACXX", false},              // CMake
};

/// A variable that names the folder of a cache: in one that others use, kernels without probes would be found.
struct CacheVariable {
  const char *name, *folder;
};
inline constexpr CacheVariable kCacheVariables[] = {
    {"TORCH_EXTENSIONS_DIR", "torch"}, {"FLASHINFER_WORKSPACE_BASE", "flashinfer"},
    {"DG_JIT_CACHE_DIR", "deepgemm"},  {"TILELANG_CACHE_DIR", "tilelang"},
    {"TVM_FFI_CACHE_DIR", "tvm-ffi"},  {"CUPY_CACHE_DIR", "cupy"},
};

} // namespace kperf::tool

#endif
