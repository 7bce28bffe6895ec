// Tells whether a kernel, or what it calls, waits for its own stores, at a memory fence or at what implies one.
#ifndef KPERF_REWRITERS_KERNELFENCES_H
#define KPERF_REWRITERS_KERNELFENCES_H

#include "clang/AST/Decl.h"

namespace kperf {

struct KernelFences {
  explicit KernelFences(const clang::FunctionDecl *kernel);

  /// A fence, an arrival at an mbarrier or a release is found, in C++ or inline PTX, in the kernel's body or in the bodies of functions
  /// that it may call, as far as the syntax shows them. A missed one costs time, not truth.
  const bool areThere;
};

} // namespace kperf

#endif
