// Matches a trace's kernel names, from the compiler, with a program's, from its symbols.
#include "decoder/view/PlacedInstructions.h"
#include "decoder/totals/HostLaunches.h"
#include "decoder/trace/Namesakes.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <set>

namespace kperf::decoder {
namespace {

/// "64,true" of "[with int HeadDim = 64; bool Causal = true]": as instanceOf() gives it.
std::string argumentsIn(std::string_view with) {
  std::string out;
  std::size_t depth = 0;
  bool isValue = false;
  for (const char letter : with) {
    depth += letter == '<' || letter == '(';
    depth -= (letter == '>' || letter == ')') && depth > 0;
    if (depth == 0 && (letter == ';' || letter == ',')) {
      out += ',';
      isValue = false;
    } else if (depth == 0 && letter == '=' && !isValue) {
      isValue = true;
    } else if (isValue && letter != ' ' && letter != ']') {
      out += letter;
    }
  }
  return out;
}

/// "gemm<128,1>" of "gemm<128, 1>" and of "void gemm(const float*) [with int M = 128; int N = 1]".
std::string instanceOf(std::string_view name) {
  static constexpr std::string_view with = "[with ";
  const std::string qualified = qualifiedNameOf(name);
  if (const std::size_t at = name.find(with); at != std::string_view::npos) {
    const std::size_t end = name.find(']', at);
    return fmt::format("{}<{}>", qualified, argumentsIn(name.substr(at + with.size(), end - at - with.size())));
  }
  const std::size_t begin = name.find('<'), end = name.rfind('>');
  if (begin == std::string_view::npos || end == std::string_view::npos || !name.starts_with(qualified))
    return qualified;
  std::string arguments(name.substr(begin, end - begin + 1));
  std::erase(arguments, ' ');
  return qualified + arguments;
}

/// Leaves the rows as they are where none of them is one.
template <typename Predicate> void keepIfAny(std::vector<const PlacedInstructions *> &rows, Predicate isOne) {
  if (std::ranges::any_of(rows, isOne))
    std::erase_if(rows, std::not_fn(isOne));
}

} // namespace

Expected<std::vector<PlacedInstructions>> placedIn(std::span<const Trace> traces, std::span<const PlacedInstructions> rows) {
  std::set<std::uint32_t> regions;
  std::set<std::string, std::less<>> architectures;
  for (const Trace &trace : traces) {
    for (const format::RegionRecord &region : trace.regions())
      regions.insert(region.id);
    for (const format::DeviceRecord &device : trace.devices())
      architectures.emplace(trace.string(device.architecture));
  }
  if (std::ranges::none_of(rows, [&](const PlacedInstructions &row) { return regions.contains(row.region); }))
    return failure(
        {.message = "none of its regions is in the trace", .expected = "what kperf verify says of the program that wrote the trace"});
  const auto runs = [&](const PlacedInstructions &row) { return row.architecture.empty() || architectures.contains(row.architecture); };
  const bool doesAnyRun = std::ranges::any_of(rows, runs); // else the driver compiled it for the device
  std::vector<PlacedInstructions> out;
  std::ranges::copy_if(rows, std::back_inserter(out), [&](const PlacedInstructions &row) { return !doesAnyRun || runs(row); });
  return out;
}

std::vector<const PlacedInstructions *> placedRows(std::span<const PlacedInstructions> rows, std::string_view kernel,
                                                   std::uint32_t region) {
  std::vector<const PlacedInstructions *> all;
  const LabelledName asked = splitLabel(kernel);
  const std::string instance = instanceOf(asked.name), name = qualifiedNameOf(asked.name);
  for (const PlacedInstructions &row : rows)
    if (row.region == region && qualifiedNameOf(splitLabel(row.kernel).name) == name)
      all.push_back(&row);
  keepIfAny(all, [&](const PlacedInstructions *row) { return splitLabel(row->kernel).label == asked.label; });
  keepIfAny(all, [&](const PlacedInstructions *row) { return instanceOf(splitLabel(row->kernel).name) == instance; });
  return all;
}

std::string placedText(std::span<const PlacedInstructions> rows, std::string_view kernel, std::uint32_t region) {
  std::uint64_t inside = 0, instructions = 0;
  for (const PlacedInstructions *const row : placedRows(rows, kernel, region)) {
    inside += row->inside;
    instructions += row->instructions;
  }
  return instructions > 0 ? fmt::format("{} of {}", inside, instructions) : "";
}

} // namespace kperf::decoder
