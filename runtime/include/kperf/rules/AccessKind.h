// The kinds of access that the hardware treats differently.
#ifndef KPERF_ACCESS_KIND_H
#define KPERF_ACCESS_KIND_H

namespace kperf {
namespace detail {

/// Loads give each lane its word at once, however many ask for it; atomics have a turn for each lane at an address.
enum class AccessKind : unsigned char { Store, Load, Atomic };

} // namespace detail
} // namespace kperf

#endif
