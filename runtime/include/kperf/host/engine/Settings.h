// The host target's settings from the environment, read once: KPERF_HOST_THREADS, _STACK, _CLOCK and _SMS.
#ifndef KPERF_HOST_SETTINGS_H
#define KPERF_HOST_SETTINGS_H

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <kperf/host/engine/Outlined.h>
#include <thread>

namespace kperf::host {

struct Settings {
  unsigned threads;             ///< operating system threads that run blocks, the launching one included
  std::size_t stackBytes;       ///< of each CUDA thread
  unsigned multiprocessors;     ///< that the device says it has
  bool areMultiprocessorsGiven; ///< by the user, as of a certain GPU
  bool isVirtual;               ///< the virtual clock: time is what the kernel does, not what the machine takes
};

/// The number in the environment, or `otherwise` when there is none or it is not a number in [least, most].
inline unsigned long environmentNumber(const char *name, unsigned long otherwise, unsigned long least, unsigned long most) {
  const char *text = std::getenv(name);
  if (!text || !*text)
    return otherwise;
  char *end = nullptr;
  const unsigned long value = std::strtoul(text, &end, 10);
  if (*end || *text == '-' || value < least || value > most) {
    std::fprintf(stderr, "kperf: %s=%s is not a number from %lu to %lu; %lu is used\n", name, text, least, most, otherwise);
    return otherwise;
  }
  return value;
}

inline bool environmentWantsVirtualClock() {
  const char *clock = std::getenv("KPERF_HOST_CLOCK");
  if (!clock || !*clock || !std::strcmp(clock, "wall"))
    return false;
  if (!std::strcmp(clock, "virtual"))
    return true;
  std::fprintf(stderr, "kperf: KPERF_HOST_CLOCK=%s is neither wall nor virtual; wall is used\n", clock);
  return false;
}

inline Settings readSettings() {
  Settings settings{};
  const unsigned machine = std::max(1u, std::thread::hardware_concurrency());
  settings.isVirtual = environmentWantsVirtualClock();
  settings.threads = static_cast<unsigned>(environmentNumber("KPERF_HOST_THREADS", machine, 1, 1024));
  settings.stackBytes = environmentNumber("KPERF_HOST_STACK", 64u << 10, 8u << 10, 1ul << 30);
  const unsigned long multiprocessors = settings.isVirtual ? 4 : settings.threads;
  settings.multiprocessors = static_cast<unsigned>(environmentNumber("KPERF_HOST_SMS", multiprocessors, 1, 65535));
  const char *given = std::getenv("KPERF_HOST_SMS");
  settings.areMultiprocessorsGiven = given && *given;
  return settings;
}

KPERF_HOST_OUTLINED inline const Settings &settings() {
  static const Settings once = readSettings();
  return once;
}

} // namespace kperf::host

#endif
