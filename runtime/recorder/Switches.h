// Selects the kernels and regions that are recorded: KPERF_KERNELS and KPERF_REGIONS.
#ifndef KPERF_RUNTIME_SWITCHES_H
#define KPERF_RUNTIME_SWITCHES_H

#include <kperf/abi/module.h>

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kperf::runtime {

/// Patterns of names, separated by commas, as a shell's; those that begin with '-' exclude. A name is wanted when one of the others,
/// or there is none, matches it, and no excluding one does. A pattern matches all of a name, or what is behind its last "::".
/// One of kernels that has template arguments, "k<float>" or "k [T = float]" as reports have them, means the template, too: probes know no
/// instances. Not one that excludes.
class NamePatterns {
public:
  explicit NamePatterns(const std::string &text, bool areOfKernels = false);
  bool wants(const std::string &name) const;
  bool isEmpty() const { return included.empty() && excluded.empty(); }
  /// Notes which patterns match the name.
  void noteName(const std::string &name);
  /// Those that matched no noted name, as 'a', 'b'; "" when each matched.
  std::string unmatched() const;

private:
  struct Pattern {
    std::string text;
    bool takesInstances;
    bool hasMatched = false;
    bool matches(const std::string &name) const;
  };
  std::vector<Pattern> included, excluded;
};

class Switches {
public:
  /// `isWindowSet`: records are to be skipped, which takes the same builds as switching regions.
  Switches(const std::string &kernels, const std::string &regions, bool isWindowSet)
      : kernels{NamePatterns(kernels, /*areOfKernels=*/true)}, regions{NamePatterns(regions)}, isWindowSet(isWindowSet) {}

  /// Whether there is anything to switch.
  bool areSet() const { return !kernels.patterns.isEmpty() || !regions.patterns.isEmpty(); }
  /// Takes the rows of a module; says once on stderr what of them cannot be switched.
  void add(const kperf_module &module);
  /// KPERF_SWITCHES bits, as probes look at them.
  std::span<const std::uint32_t> words() const { return bits; }
  /// Says once on stderr which patterns matched nothing in any module.
  void sayUnmatched();
  /// How many kernels and regions are off.
  std::uint64_t count() const { return off; }

private:
  struct Seen {
    std::uint32_t id;
    std::string name;
  };

  struct Names {
    NamePatterns patterns;
    std::set<std::string> there = {}; ///< what can be switched
  };
  void sayUnmatched(const char *variable, const char *what, const Names &names) const;

  Names kernels, regions;
  std::vector<std::uint32_t> bits = std::vector<std::uint32_t>(KPERF_SWITCHES / 32);
  std::map<std::uint32_t, Seen> seen; ///< by bit: who came first
  std::uint64_t off = 0;
  bool isWindowSet, hasSaid = false;
};

} // namespace kperf::runtime

#endif
