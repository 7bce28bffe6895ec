// The one function of glibc 2.36 that Debian's libstdc++ and LLVM ask for, so that packages run where the C library is older: random bytes
// from the kernel.
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <sys/random.h>

extern "C" __attribute__((visibility("hidden"))) std::uint32_t arc4random() noexcept {
  std::uint32_t value = 0;
  while (getrandom(&value, sizeof value, 0) != sizeof value)
    if (errno != EINTR)
      std::abort(); // whoever asked takes what comes for random
  return value;
}
