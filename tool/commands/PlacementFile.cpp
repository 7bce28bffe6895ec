// Reads placement.json, or asks the program itself.
#include "tool/commands/PlacementFile.h"
#include "decoder/io/Json.h"
#include "decoder/io/TextFile.h"
#include "decoder/print/JsonValue.h"
#include "tool/placement/PlacementTable.h"

namespace kperf::tool {
namespace {

using decoder::Expected;
using decoder::Json;
using decoder::PlacedInstructions;

constexpr std::uint64_t kMaxBytes = std::uint64_t{256} << 20;

/// The columns of one kind of units. Throws as readRows() does.
struct UnitColumns {
  UnitColumns(const Json &row, const std::string &unit)
      : operations(row.at(unit + "-operations")), cycles(row.at(unit + "-cycles")),
        instructions(row.at(unit + "-instructions").get<std::string>()) {}

  /// Nothing where it is not known. `Out` has operations and cycles.
  template <typename Out> std::optional<Out> read() const {
    if (instructions.empty())
      return Out{.operations = 0, .cycles = 0};
    if (operations.is_null())
      return {};
    return Out{.operations = operations.get<double>(), .cycles = cycles.is_null() ? std::nullopt : std::optional(cycles.get<double>())};
  }

  const Json &operations, &cycles;
  std::string instructions;
};

/// Nothing where a kperf wrote it that did not look.
std::optional<decoder::TensorProducts> productsOf(const Json &row) {
  if (!row.contains("tensor-instructions"))
    return {};
  const UnitColumns columns(row, "tensor");
  auto products = columns.read<decoder::TensorProducts>();
  if (products)
    products->isAsynchronous = columns.instructions.find("GMMA") != std::string::npos;
  return products;
}

/// Likewise.
std::optional<decoder::FloatOperations> floatsOf(const Json &row) {
  if (!row.contains("float-instructions"))
    return {};
  return UnitColumns(row, "float").read<decoder::FloatOperations>();
}

/// The row's region, if it is known where its instructions are, or what is in none. Throws on what is not as kperf verify writes it.
std::optional<PlacedInstructions> readRow(const Json &row) {
  const auto region = static_cast<std::uint32_t>(std::stoul(row.at("region-id").get<std::string>(), nullptr, 16));
  if (row.at("inside").is_null() && region != 0)
    return {};
  const Json &architecture = row.at("architecture");
  const bool isOlder = !row.contains("float-instructions"); // then the row of no region does not name the products that it is of
  return PlacedInstructions{.kernel = row.at("kernel").get<std::string>(),
                            .architecture = architecture.is_null() ? "" : architecture.get<std::string>(),
                            .region = region,
                            .instructions = row.at("instructions").get<std::uint64_t>(),
                            .inside = region != 0 ? row.at("inside").get<std::uint64_t>() : 0,
                            .products = region == 0 && isOlder ? std::nullopt : productsOf(row),
                            .floats = floatsOf(row)};
}

/// Throws on what is not as kperf verify writes it.
std::vector<PlacedInstructions> readRows(const Json &root) {
  std::vector<PlacedInstructions> rows;
  for (const Json &table : root.at("tables")) {
    if (table.at("name") != "placement")
      continue;
    for (const Json &row : table.at("rows"))
      if (auto read = readRow(row))
        rows.push_back(std::move(*read));
  }
  return rows;
}

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
                             .expected = "a program that kperf-cc built, or what kperf verify writes of one",
                             .remedy = "kperf verify PROGRAM --format=json -o placement.json",
                             .file = path});
  return rows;
}

Expected<std::vector<PlacedInstructions>> placementOf(const std::string &program) {
  const auto table = placement::placementTable(program, "");
  if (!table)
    return decoder::failure(table.error());
  std::vector<PlacedInstructions> rows;
  for (const auto &cells : table->rows) {
    Json row;
    for (std::size_t column = 0; column < cells.size(); ++column)
      row[decoder::keyOf(table->columns[column])] = decoder::jsonValue(cells[column]);
    if (auto read = readRow(row))
      rows.push_back(std::move(*read));
  }
  return rows;
}

bool isProgram(const std::string &path) {
  static constexpr std::string_view magic = "\x7f"
                                            "ELF";
  return decoder::startOfFile(path, magic.size()) == magic;
}

} // namespace

Expected<std::vector<PlacedInstructions>> readPlacementOf(std::span<const decoder::Trace> traces, const std::string &path) {
  if (path.empty())
    return {};
  const auto rows = isProgram(path) ? placementOf(path) : readPlacement(path);
  if (!rows)
    return decoder::failure(rows.error());
  auto placed = decoder::placedIn(traces, *rows);
  if (!placed)
    placed.error().file = path;
  return placed;
}

} // namespace kperf::tool
