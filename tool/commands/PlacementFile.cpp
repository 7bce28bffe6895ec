// Reads placement.json.
#include "tool/commands/PlacementFile.h"
#include "decoder/io/Json.h"
#include "decoder/io/TextFile.h"

namespace kperf::tool {
namespace {

using decoder::Expected;
using decoder::Json;
using decoder::PlacedInstructions;

constexpr std::uint64_t kMaxBytes = std::uint64_t{256} << 20;

/// Throws on what is not as kperf verify writes it.
std::vector<PlacedInstructions> readRows(const Json &root) {
  std::vector<PlacedInstructions> rows;
  for (const Json &table : root.at("tables")) {
    if (table.at("name") != "placement")
      continue;
    for (const Json &row : table.at("rows")) {
      if (row.at("inside").is_null())
        continue;
      const Json &architecture = row.at("architecture");
      rows.push_back({.kernel = row.at("kernel").get<std::string>(),
                      .architecture = architecture.is_null() ? "" : architecture.get<std::string>(),
                      .region = static_cast<std::uint32_t>(std::stoul(row.at("region-id").get<std::string>(), nullptr, 16)),
                      .instructions = row.at("instructions").get<std::uint64_t>(),
                      .inside = row.at("inside").get<std::uint64_t>()});
    }
  }
  return rows;
}

} // namespace

Expected<std::vector<PlacedInstructions>> readPlacement(const std::string &path) {
  const auto text = decoder::readTextFile(path, kMaxBytes);
  if (!text)
    return decoder::failure(text.error());
  std::vector<PlacedInstructions> rows;
  // nlohmann-json and stoul report through exceptions; they end here.
  try {
    rows = readRows(Json::parse(*text));
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
