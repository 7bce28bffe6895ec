// Tells one boot of one machine from every other.
#ifndef KPERF_POSIX_BOOT_ID_H
#define KPERF_POSIX_BOOT_ID_H

#include <array>

namespace kperf::posix {

/// The system's name for this boot of this machine, which containers on it share; zeros where it has none.
std::array<unsigned char, 16> bootId();

} // namespace kperf::posix

#endif
