// Reads kperf's environment variables.
#include "runtime/settings/Environment.h"
#include "runtime/settings/Log.h"

#include <kperf/rules/AccessSample.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>
#include <unistd.h>

namespace kperf::runtime {
namespace {

std::string_view variable(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

/// The variable's whole number within [low, high]; nothing (and a word on stderr) otherwise.
std::optional<std::uint64_t> number(const char *name, std::uint64_t low, std::uint64_t high) {
  const std::string_view text = variable(name);
  if (text.empty())
    return std::nullopt;
  std::uint64_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status == std::errc{} && end == text.data() + text.size() && value >= low && value <= high)
    return value;
  log("%s is '%.*s', expected a whole number from %llu to %llu; using the default", name, int(text.size()), text.data(),
      static_cast<unsigned long long>(low), static_cast<unsigned long long>(high));
  return std::nullopt;
}

/// The index of the variable's value in {first, second}; 0 when unset or (after a word on stderr) unknown.
int choice(const char *name, std::string_view first, std::string_view second) {
  const std::string_view text = variable(name);
  if (text.empty() || text == first)
    return 0;
  if (text == second)
    return 1;
  log("%s is '%.*s', expected %s or %s; using %s", name, int(text.size()), text.data(), first.data(), second.data(), first.data());
  return 0;
}

/// The variable's percentage as a share, more than none of the time and at most all of it; 0 without one (and a word on stderr).
double percentage(const char *name) {
  std::string_view text = variable(name);
  if (text.empty())
    return 0;
  const std::string_view number = text.substr(0, text.size() - text.ends_with('%'));
  double percent = 0;
  const auto [end, status] = std::from_chars(number.data(), number.data() + number.size(), percent);
  if (status == std::errc{} && end == number.data() + number.size() && percent > 0 && percent <= 100)
    return percent / 100;
  log("%s is '%.*s', expected a percentage above 0 and up to 100, such as 2%%; it is not heeded", name, int(text.size()), text.data());
  return 0;
}

/// Every variable that starts with KPERF and is read by the runtime, the host target or kperf's programs.
constexpr std::string_view kVariables[] = {
    "KPERF",          "KPERF_BUFFER_MB",       "KPERF_CACHE",           "KPERF_CONTROL",       "KPERF_HOST_CLOCK",
    "KPERF_HOST_CXX", "KPERF_HOST_SMS",        "KPERF_HOST_STACK",      "KPERF_HOST_THREADS",  "KPERF_KEEP",
    "KPERF_KERNELS",  "KPERF_LAUNCH_TIMES",    "KPERF_LINES",           "KPERF_MEMORY_SAMPLE", "KPERF_OVERHEAD_BUDGET",
    "KPERF_OUTPUT",   "KPERF_QUIET",           "KPERF_RECORDS",         "KPERF_REGIONS",       "KPERF_RUNTIME_LIBRARY",
    "KPERF_SAMPLE",   "KPERF_SAMPLE_ACCESSES", "KPERF_SAMPLE_LAUNCHES", "KPERF_SKIP",          "KPERF_START",
    "KPERF_WATCHDOG"};

/// Whether a letter more, less, another or one twice makes one word of the other.
bool isNear(std::string_view a, std::string_view b) {
  if (a.size() > b.size())
    std::swap(a, b);
  if (b.size() - a.size() > 1 || a == b)
    return false;
  std::size_t same = 0, tail = 0;
  while (same < a.size() && a[same] == b[same])
    ++same;
  while (tail < a.size() - same && a[a.size() - 1 - tail] == b[b.size() - 1 - tail])
    ++tail;
  const std::size_t left = a.size() - same - tail;
  return left <= (a.size() == b.size()) || (a.size() == b.size() && left == 2 && a[same] == b[same + 1] && a[same + 1] == b[same]);
}

/// A variable of a name that is nearly one of kperf's was meant to be that one.
void sayMisspelt() {
  for (char **entry = environ; entry && *entry; ++entry) {
    const std::string_view name = std::string_view(*entry).substr(0, std::string_view(*entry).find('='));
    if (!name.starts_with("KPERF_") || std::ranges::find(kVariables, name) != std::end(kVariables))
      continue;
    for (const std::string_view known : kVariables)
      if (isNear(name, known))
        log("%.*s is not a variable that kperf reads; did you mean %.*s?", int(name.size()), name.data(), int(known.size()), known.data());
  }
}

} // namespace

Environment Environment::read() {
  sayMisspelt();
  Environment environment;
  environment.enabled = choice("KPERF", "1", "0") == 0;
  environment.quiet = choice("KPERF_QUIET", "0", "1") == 1;
  environment.keepLast = choice("KPERF_KEEP", "first", "last") == 1;
  environment.timesLaunches = choice("KPERF_LAUNCH_TIMES", "0", "1") == 1;
  environment.startsOff = choice("KPERF_START", "on", "off") == 1;
  environment.control = variable("KPERF_CONTROL");
  environment.output = variable("KPERF_OUTPUT");
  if (const auto megabytes = number("KPERF_BUFFER_MB", 1, 1u << 20))
    environment.bufferBytes = *megabytes << 20;
  if (const auto records = number("KPERF_RECORDS", 1, 1u << 20))
    environment.recordsPerWarp = std::bit_ceil(static_cast<std::uint32_t>(*records));
  if (const auto records = number("KPERF_SKIP", 0, 1u << 30))
    environment.skip = static_cast<std::uint32_t>(*records);
  if (environment.skip > 0 && environment.keepLast) {
    log("KPERF_SKIP is not heeded under KPERF_KEEP=last; unset one of them");
    environment.skip = 0;
  }
  if (const auto records = number("KPERF_LINES", 0, 1u << 24))
    environment.lineRecords = static_cast<std::uint32_t>(*records);
  if (const auto seconds = number("KPERF_WATCHDOG", 0, 1u << 20))
    environment.watchdog = std::chrono::seconds(*seconds);
  environment.kernels = variable("KPERF_KERNELS");
  environment.regions = variable("KPERF_REGIONS");
  // KPERF_MEMORY_SAMPLE is what it was called when only memory accesses could be sampled.
  for (const char *name : {"KPERF_MEMORY_SAMPLE", "KPERF_SAMPLE"})
    if (const auto blocks = number(name, 1, 1u << 20))
      environment.sample = static_cast<std::uint32_t>(*blocks);
  if (const auto launches = number("KPERF_SAMPLE_LAUNCHES", 1, 1u << 20))
    environment.sampleLaunches = static_cast<std::uint32_t>(*launches);
  environment.overheadBudget = percentage("KPERF_OVERHEAD_BUDGET");
  if (environment.overheadBudget > 0 && environment.sampleLaunches > 0) {
    log("KPERF_OVERHEAD_BUDGET is not heeded beside KPERF_SAMPLE_LAUNCHES; unset one of them");
    environment.overheadBudget = 0;
  }
  if (const auto accesses = number("KPERF_SAMPLE_ACCESSES", 1, 1u << detail::kMaxAccessesSampledLog2))
    environment.sampleAccesses = std::bit_ceil(static_cast<std::uint32_t>(*accesses));
  return environment;
}

std::string Environment::switchesText() const {
  std::string text = kernels.empty() ? "" : "KPERF_KERNELS=" + kernels;
  if (!regions.empty())
    text += (text.empty() ? "" : " ") + ("KPERF_REGIONS=" + regions);
  return text;
}

std::string tracePath(const Environment &environment, const std::string &executable, std::uint64_t processId) {
  const std::string pid = std::to_string(processId);
  const std::string name = std::filesystem::path(executable).filename().string() + "." + pid + ".kperf";
  std::string output = environment.output;
  if (output.empty())
    return name;
  for (std::size_t at = 0; (at = output.find("%p", at)) != std::string::npos; at += pid.size())
    output.replace(at, 2, pid);
  std::error_code ignored;
  if (output.back() == '/' || std::filesystem::is_directory(output, ignored))
    return (std::filesystem::path(output) / name).string();
  return output;
}

} // namespace kperf::runtime
