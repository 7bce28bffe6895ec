// Intercepts dlsym, so that programs that look functions up get the hooks.
#include "runtime/preload/Hooks.h"

#include "runtime/driver/Driver.h"

#include <cstring>
#include <dlfcn.h>
#include <initializer_list>

using namespace kperf;

extern "C" {

/// The C library's, once it is known.
__attribute__((visibility("hidden"))) void *(*kperf_real_dlsym)(void *, const char *) = nullptr;

/// dlsym of names that begin like the driver's and NVRTC's, and of all before the C library's is known.
__attribute__((visibility("hidden"))) void *kperf_hooked_dlsym(void *library, const char *name) {
  void *const found = driver::librarySymbol(library, name);
  if (!found)
    return found;
  if (std::strncmp(name, "nvrtc", 5) == 0) {
    if (library != RTLD_NEXT && library != RTLD_DEFAULT)
      preload::noteNvrtc(library);
    void *const hook = preload::nvrtcHook(name);
    return hook ? hook : found;
  }
  void *const hook = std::strncmp(name, "cu", 2) == 0 ? preload::driverHook(name) : nullptr;
  return hook ? hook : found;
}

#if defined(__x86_64__)
// A jump, not a call: for RTLD_NEXT the C library looks at who called.
asm(R"(
  .text
  .globl dlsym
  .type dlsym, @function
dlsym:
  endbr64
  cmpw $0x7563, (%rsi)
  je 1f
  cmpw $0x766e, (%rsi)
  je 1f
  movq kperf_real_dlsym(%rip), %rax
  testq %rax, %rax
  je 1f
  jmp *%rax
1:
  jmp kperf_hooked_dlsym
  .size dlsym, . - dlsym
)");
#else
__attribute__((visibility("default"))) void *dlsym(void *library, const char *name) noexcept { return kperf_hooked_dlsym(library, name); }
#endif

__attribute__((constructor(101))) static void findRealLookup() {
  for (const char *version : {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17"})
    if (!kperf_real_dlsym)
      kperf_real_dlsym = reinterpret_cast<void *(*)(void *, const char *)>(dlvsym(RTLD_NEXT, "dlsym", version));
}
}
