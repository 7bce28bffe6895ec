// What surrounds the kernel in every example: options, seeded inputs, device arrays, timing, and the verdict against a
// float64 reference.
#ifndef KPERF_EXAMPLES_TRIAL_H
#define KPERF_EXAMPLES_TRIAL_H

#include "gpu.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

/// Ends the program with exit code 2 when a CUDA call fails, and says which one.
#define CUDA_CHECK(call) trial::checkCuda((call), #call, __FILE__, __LINE__)

namespace trial {

inline void checkCuda(cudaError_t error, const char *call, const char *file, int line) {
  if (error == cudaSuccess)
    return;
  std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(error));
  std::exit(2);
}

/// Options written `--name=value` or `--name value`. Ask for each one, then call finish(), which rejects what nobody
/// asked for with exit code 2 and answers --help.
class Options {
public:
  Options(int argc, char **argv) : program(argv[0]), words(argv + 1, argv + argc) {}

  /// The value of --name, or `fallback`; a value that is no integer or is below `least` ends the program.
  long integer(const char *name, long fallback, long least, const char *meaning) {
    describe(name, meaning, std::to_string(fallback));
    std::string text;
    if (!take(name, &text))
      return fallback;
    char *end = nullptr;
    const long value = std::strtol(text.c_str(), &end, 10);
    if (text.empty() || *end || value < least)
      reject("--" + std::string(name) + " needs an integer of at least " + std::to_string(least) + ", found '" + text +
             "'");
    return value;
  }

  /// The value of --name, one of `choices`, or `fallback`; another word ends the program.
  std::string word(const char *name, const char *fallback, const std::vector<std::string> &choices, const char *meaning) {
    std::string listed;
    for (const std::string &choice : choices)
      listed += (listed.empty() ? "" : ", ") + choice;
    describe(name, (std::string(meaning) + ": " + listed).c_str(), fallback);
    std::string text;
    if (!take(name, &text))
      return fallback;
    if (std::find(choices.begin(), choices.end(), text) == choices.end())
      reject("--" + std::string(name) + " needs one of " + listed + ", found '" + text + "'");
    return text;
  }

  /// Whether the bare word --name was given.
  bool flag(const char *name, const char *meaning) {
    describe(name, meaning, "off");
    return take(name, nullptr);
  }

  void finish() {
    if (take("help", nullptr)) {
      std::printf("usage: %s [options]\n%s", program.c_str(), usage.c_str());
      std::exit(0);
    }
    if (!words.empty())
      reject("unknown option '" + words.front() + "', see --help");
  }

private:
  void describe(const char *name, const char *meaning, const std::string &fallback) {
    usage += "  --" + std::string(name) + ": " + meaning + " (default " + fallback + ")\n";
  }

  bool take(const std::string &name, std::string *value) {
    for (auto word = words.begin(); word != words.end(); ++word) {
      const std::string option = "--" + name;
      if (value && word->compare(0, option.size() + 1, option + "=") == 0) {
        *value = word->substr(option.size() + 1);
        words.erase(word);
        return true;
      }
      if (*word != option)
        continue;
      word = words.erase(word);
      if (value && word != words.end()) {
        *value = *word;
        words.erase(word);
      }
      return true;
    }
    return false;
  }

  [[noreturn]] void reject(const std::string &why) {
    std::fprintf(stderr, "%s: %s\n", program.c_str(), why.c_str());
    std::exit(2);
  }

  std::string program;
  std::vector<std::string> words;
  std::string usage;
};

/// The index-th value of a stream of 64-bit random numbers (SplitMix64, Steele et al., OOPSLA 2014).
inline uint64_t randomBits(uint64_t seed, uint64_t index) {
  uint64_t z = (seed + 1) * 0xd1342543de82ef95u + (index + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// `count` values, uniform in (-amplitude, amplitude), none of them zero; the same for the same seed on every machine.
template <typename T> std::vector<T> randomArray(size_t count, uint64_t seed, float amplitude = 1) {
  std::vector<T> values(count);
  for (size_t i = 0; i < count; ++i) {
    const float unit = (float(randomBits(seed, i) >> 41) + 0.5f) / float(1 << 22) - 1.0f;
    values[i] = static_cast<T>(unit * amplitude);
  }
  return values;
}

/// All of 0 … rows-1 when they are at most `limit`, else a random one out of each of `limit` equal slices.
inline std::vector<size_t> sampleRows(size_t rows, size_t limit, uint64_t seed) {
  const size_t slices = std::min(rows, limit);
  std::vector<size_t> sample;
  for (size_t i = 0; i < slices; ++i) {
    const size_t first = i * rows / slices, next = (i + 1) * rows / slices;
    sample.push_back(first + randomBits(~seed, i) % (next - first));
  }
  return sample;
}

/// Device memory that begins as NaN (every bit set), so that an element the kernel misses is a wrong element.
template <typename T> class DeviceArray {
public:
  explicit DeviceArray(size_t count) : count(count) {
    CUDA_CHECK(cudaMalloc(reinterpret_cast<void **>(&values), count * sizeof(T)));
    poison();
  }
  explicit DeviceArray(const std::vector<T> &host) : DeviceArray(host.size()) {
    CUDA_CHECK(cudaMemcpy(values, host.data(), count * sizeof(T), cudaMemcpyHostToDevice));
  }
  DeviceArray(const DeviceArray &) = delete;
  DeviceArray &operator=(const DeviceArray &) = delete;
  ~DeviceArray() { static_cast<void>(cudaFree(values)); }

  T *data() const { return values; }
  void poison() { CUDA_CHECK(cudaMemset(values, 0xff, count * sizeof(T))); }
  std::vector<T> download() const {
    std::vector<T> host(count);
    CUDA_CHECK(cudaMemcpy(host.data(), values, count * sizeof(T), cudaMemcpyDeviceToHost));
    return host;
  }

private:
  T *values = nullptr;
  size_t count;
};

/// The median time of `repeat` calls of launch(i), each of which starts one kernel on the default stream, in
/// milliseconds. All are queued behind a warm-up launch, so that the time the host takes for a launch stays out of the
/// intervals.
template <typename Launch> float medianMilliseconds(int repeat, Launch launch) {
  std::vector<cudaEvent_t> events(repeat + 1);
  for (cudaEvent_t &event : events)
    CUDA_CHECK(cudaEventCreate(&event));
  launch(0);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaEventRecord(events[0]));
  for (int i = 0; i < repeat; ++i) {
    launch(i);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaEventRecord(events[i + 1]));
  }
  CUDA_CHECK(cudaEventSynchronize(events.back()));

  std::vector<float> times(repeat);
  for (int i = 0; i < repeat; ++i)
    CUDA_CHECK(cudaEventElapsedTime(&times[i], events[i], events[i + 1]));
  for (cudaEvent_t event : events)
    CUDA_CHECK(cudaEventDestroy(event));
  std::nth_element(times.begin(), times.begin() + repeat / 2, times.end());
  return times[repeat / 2];
}

/// Prints how long a launch takes and, on a GPU, `amount` a millisecond in `unit`: what a CPU needs for a kernel says nothing of a GPU.
inline void printTime(float milliseconds, double amount, const char *unit) {
#ifdef KPERF_HOST_TARGET
  static_cast<void>(amount), static_cast<void>(unit);
  std::printf("time: %.4f ms a launch on the host target, not a GPU\n", milliseconds);
#else
  std::printf("time: %.4f ms a launch, %.4g %s\n", milliseconds, amount / milliseconds, unit);
#endif
}

/// How far a result is from its float64 reference: the norm of the difference over the norm of the reference.
class Comparison {
public:
  void add(double found, double expected) {
    difference += (found - expected) * (found - expected);
    reference += expected * expected;
  }
  double relativeError() const { return std::sqrt(difference / reference); }

private:
  double difference = 0, reference = 0;
};

/// A hash of the bits of an output (FNV-1a); two runs that agree to the last bit print the same one.
template <typename T> uint64_t checksum(const std::vector<T> &values) {
  const unsigned char *bytes = reinterpret_cast<const unsigned char *>(values.data());
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < values.size() * sizeof(T); ++i)
    hash = (hash ^ bytes[i]) * 0x100000001b3u;
  return hash;
}

/// Prints the result line; the program's exit code, 0 or 1. A NaN anywhere in what was compared is wrong.
inline int verdict(const Comparison &comparison, double tolerance, uint64_t outputChecksum) {
  const double error = comparison.relativeError();
  const bool ok = error <= tolerance;
  std::printf("result: %s, relative error %.1e, checksum 0x%016llx\n", ok ? "ok" : "wrong", error,
              static_cast<unsigned long long>(outputChecksum));
  if (!ok)
    std::printf("expected a relative error of at most %.1e\n", tolerance);
  return ok ? 0 : 1;
}

} // namespace trial

#endif
