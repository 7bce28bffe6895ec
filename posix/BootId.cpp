// Reads what Linux says of its boot.
#include "posix/BootId.h"

#include <charconv>
#include <fstream>
#include <string>

namespace kperf::posix {

std::array<unsigned char, 16> bootId() {
  std::array<unsigned char, 16> out{};
  std::string text;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> text;
  std::erase(text, '-');
  for (std::size_t i = 0; text.size() == 2 * out.size() && i < out.size(); ++i)
    std::from_chars(text.data() + 2 * i, text.data() + 2 * i + 2, out[i], 16);
  return out;
}

} // namespace kperf::posix
