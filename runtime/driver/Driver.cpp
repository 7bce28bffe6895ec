// Looks up the driver's functions.
#include "runtime/driver/Driver.h"

#include <dlfcn.h>
#include <initializer_list>

namespace kperf::driver {
namespace {

using Lookup = void *(*)(void *, const char *);

Lookup findLookup() {
  for (const char *version : {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17"})
    if (void *found = dlvsym(RTLD_NEXT, "dlsym", version))
      return reinterpret_cast<Lookup>(found);
  return nullptr;
}

/// Stands for a function that this driver does not have.
template <typename... Arguments> int isMissing(Arguments...) { return kNotSupported; }

template <typename... Arguments> void find(int (*&function)(Arguments...), const char *symbol) {
  void *found = driverSymbol(symbol);
  function = found ? reinterpret_cast<int (*)(Arguments...)>(found) : &isMissing<Arguments...>;
}

} // namespace

void *librarySymbol(void *library, const char *name) {
  static const Lookup lookup = findLookup();
  return lookup ? lookup(library, name) : nullptr;
}

void *driverSymbol(const char *name) {
  static void *const library = dlopen("libcuda.so.1", RTLD_LAZY);
  return library ? librarySymbol(library, name) : nullptr;
}

const Driver &driver() {
  static const Driver table = [] {
    Driver made{};
#define KPERF_DRIVER(member, symbol, arguments) find(made.member, symbol);
#include "runtime/driver/Functions.def"
#undef KPERF_DRIVER
    return made;
  }();
  return table;
}

} // namespace kperf::driver
