// Writes the report by path as stacks.
#include "decoder/timeline/Stacks.h"
#include "decoder/io/Json.h"
#include "decoder/io/Utf8.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <utility>

namespace kperf::decoder {
namespace {

std::size_t columnOf(const Table &table, std::string_view name, Unit unit = Unit::None) {
  const auto found = std::ranges::find_if(table.columns, [&](const Column &column) { return column.name == name && column.unit == unit; });
  return static_cast<std::size_t>(found - table.columns.begin());
}

double numberOf(const Cell &cell) {
  const auto *whole = std::get_if<std::uint64_t>(&cell);
  const auto *real = std::get_if<double>(&cell);
  return whole ? static_cast<double>(*whole) : real ? *real : 0;
}

std::string frameText(std::string_view name) {
  std::string out = printable(name);
  std::ranges::replace(out, ';', ':');
  return out;
}

} // namespace

Stacks stacksOf(const Table &report) {
  const std::size_t kernel = columnOf(report, "kernel"), depth = columnOf(report, "depth"), region = columnOf(report, "region"),
                    ns = columnOf(report, "self", Unit::Nanoseconds), cycles = columnOf(report, "self", Unit::Cycles);
  Stacks out;
  for (const std::vector<Cell> &row : report.rows)
    if (numberOf(row[cycles]) > 0 && std::holds_alternative<std::monostate>(row[ns]))
      out.unit = Unit::Cycles;
  std::vector<std::string> path;
  std::map<std::pair<std::string, std::vector<std::string>>, std::size_t> numbers;
  for (const std::vector<Cell> &row : report.rows) {
    path.resize(std::min(path.size(), static_cast<std::size_t>(numberOf(row[depth]))));
    path.push_back(std::get<std::string>(row[region]));
    const double self = numberOf(row[out.unit == Unit::Cycles ? cycles : ns]);
    if (self <= 0)
      continue;
    const std::string &name = std::get<std::string>(row[kernel]);
    const auto [entry, isNew] = numbers.try_emplace({name, path}, out.list.size());
    if (isNew)
      out.list.push_back({name, path, self});
    else
      out.list[entry->second].self += self;
  }
  return out;
}

void writeFolded(const Stacks &stacks, Output &out) {
  for (const Stack &stack : stacks.list) {
    std::string line = frameText(stack.kernel);
    for (const std::string &frame : stack.frames)
      line += ";" + frameText(frame);
    out.write(fmt::format("{} {:.0f}\n", line, std::round(stack.self)));
  }
}

void writeSpeedscope(const Stacks &stacks, const std::string &name, Output &out) {
  std::map<std::string, std::size_t> numbers;
  std::vector<std::string> frames;
  const auto numberOf = [&](const std::string &frame) {
    const auto [entry, isNew] = numbers.try_emplace(frame, frames.size());
    if (isNew)
      frames.push_back(frame);
    return entry->second;
  };
  Json profiles = Json::array();
  for (std::size_t first = 0; first < stacks.list.size();) {
    const std::string &kernel = stacks.list[first].kernel;
    Json samples = Json::array(), weights = Json::array();
    double total = 0;
    for (; first < stacks.list.size() && stacks.list[first].kernel == kernel; ++first) {
      const Stack &stack = stacks.list[first];
      Json sample = Json::array({numberOf(kernel)});
      for (const std::string &frame : stack.frames)
        sample.push_back(numberOf(frame));
      samples.push_back(std::move(sample));
      weights.push_back(jsonNumber(stack.self));
      total += stack.self;
    }
    profiles.push_back({{"type", "sampled"},
                        {"name", kernel},
                        {"unit", stacks.unit == Unit::Cycles ? "none" : "nanoseconds"},
                        {"startValue", 0},
                        {"endValue", jsonNumber(total)},
                        {"samples", std::move(samples)},
                        {"weights", std::move(weights)}});
  }
  Json list = Json::array();
  for (const std::string &frame : frames)
    list.push_back({{"name", frame}});
  const Json root = {{"$schema", "https://www.speedscope.app/file-format-schema.json"},
                     {"exporter", "kperf"},
                     {"name", name},
                     {"shared", {{"frames", std::move(list)}}},
                     {"profiles", std::move(profiles)}};
  out.write(jsonText(root, /*levels=*/3) + "\n");
}

} // namespace kperf::decoder
