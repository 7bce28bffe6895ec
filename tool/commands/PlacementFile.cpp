// Reads JSON as the YAML that it is.
#include "tool/commands/PlacementFile.h"
#include "decoder/io/TextFile.h"

#include <yaml-cpp/yaml.h>

namespace kperf::tool {
namespace {

using decoder::Expected;
using decoder::PlacedInstructions;

constexpr std::uint64_t kMostBytes = std::uint64_t{256} << 20;

std::vector<PlacedInstructions> readRows(const YAML::Node &root) {
  std::vector<PlacedInstructions> rows;
  for (const YAML::Node &table : root["tables"]) {
    if (table["name"].Scalar() != "placement")
      continue;
    for (const YAML::Node &row : table["rows"]) {
      if (row["inside"].IsNull())
        continue;
      const YAML::Node architecture = row["architecture"];
      rows.push_back({.kernel = row["kernel"].as<std::string>(),
                      .architecture = architecture.IsNull() ? "" : architecture.as<std::string>(),
                      .region = static_cast<std::uint32_t>(std::stoul(row["region-id"].as<std::string>(), nullptr, 16)),
                      .instructions = row["instructions"].as<std::uint64_t>(),
                      .inside = row["inside"].as<std::uint64_t>()});
    }
  }
  return rows;
}

} // namespace

Expected<std::vector<PlacedInstructions>> readPlacement(const std::string &path) {
  const auto text = decoder::readTextFile(path, kMostBytes);
  if (!text)
    return decoder::failure(text.error());
  std::vector<PlacedInstructions> rows;
  // yaml-cpp and stoul report through exceptions; they end here.
  try {
    rows = readRows(YAML::Load(*text));
  } catch (const std::exception &) {
    rows.clear();
  }
  if (rows.empty())
    return decoder::failure({.message = "not a placement of instructions",
                             .expected = "what kperf verify writes of a program with regions",
                             .remedy = "kperf verify PROGRAM --format=json -o placement.json",
                             .file = path});
  return rows;
}

} // namespace kperf::tool
