// Makes the table of kperf verify.
#include "tool/placement/PlacementTable.h"

#include "decoder/span/KernelName.h"
#include "tool/placement/Disassembly.h"
#include "tool/placement/KernelSymbol.h"
#include "tool/placement/Placement.h"
#include "tool/placement/Program.h"
#include "tool/process/TemporaryFolder.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <set>

namespace kperf::placement {
namespace {

using decoder::Cell;
using decoder::Column;
using decoder::Unit;
using Role = Column::Role;

constexpr std::size_t kMaxLines = 4; ///< that a cell names

std::vector<Column> placementColumns() {
  return {
      {"kernel", Unit::None, Role::Group},
      {"architecture", Unit::None, Role::Group},
      {"region", Unit::None, Role::Label},
      {"region-id", Unit::None, Role::Value, 0},
      {"kind", Unit::None, Role::Value, 8},
      {"source", Unit::None, Role::Value, 50},
      {"instructions", Unit::None, Role::Value, 90},
      {"inside", Unit::None, Role::Value, 99},
      {"outside", Unit::None, Role::Value, 98},
      {"unplaced", Unit::None, Role::Value, 96},
      {"foreign", Unit::None, Role::Value, 97},
      {"outside-lines", Unit::None, Role::Value, 40, false, true},
      {"foreign-lines", Unit::None, Role::Value, 38, false, true},
      {"tensor-operations", Unit::None, Role::Value, 60},
      {"tensor-cycles", Unit::None, Role::Value, 59},
      {"tensor-instructions", Unit::None, Role::Value, 42, false, true},
      {"float-operations", Unit::None, Role::Value, 58},
      {"float-cycles", Unit::None, Role::Value, 57},
      {"float-instructions", Unit::None, Role::Value, 41, false, true},
  };
}

const char *nameOf(format::RegionKind kind) {
  using enum format::RegionKind;
  return kind == Scope ? "scope" : kind == Range ? "range" : kind == Pragma ? "pragma" : kind == Wait ? "wait" : "automatic";
}

/// "kernel.cu:12 ×3, kernel.cu:14", those with most instructions first.
std::string textOf(const LineCounts &counts) {
  std::vector<std::pair<LineCounts::key_type, std::uint64_t>> lines(counts.begin(), counts.end());
  std::ranges::stable_sort(lines, std::greater<>(), [](const auto &line) { return line.second; });
  std::string text;
  for (std::size_t index = 0; index < std::min(lines.size(), kMaxLines); ++index) {
    const auto &[place, count] = lines[index];
    text += fmt::format("{}{}:{}", index ? ", " : "", std::filesystem::path(place.first).filename().string(), place.second);
    text += count > 1 ? fmt::format(" ×{}", count) : "";
  }
  return lines.size() > kMaxLines ? fmt::format("{}, {} more lines", text, lines.size() - kMaxLines) : text;
}

/// Operations, cycles, and "HGMMA.64x160x16.F32 ×8".
void addUnit(std::vector<Cell> &cells, const UnitWork &work) {
  const std::optional<Work> each = work.instructions.empty() ? std::nullopt : work.ofEntry;
  std::string text;
  for (const auto &[name, count] : work.instructions)
    text += fmt::format("{}{}{}", text.empty() ? "" : ", ", name, count > 1 ? fmt::format(" ×{}", count) : "");
  cells.push_back(each ? Cell(static_cast<std::uint64_t>(each->operations)) : Cell());
  cells.push_back(each && each->cycles ? Cell(*each->cycles) : Cell());
  cells.emplace_back(std::move(text));
}

void addWork(std::vector<Cell> &cells, const RegionWork &work) {
  addUnit(cells, work.tensor);
  addUnit(cells, work.floats);
}

std::uint64_t instructionsOf(const RegionWork &work) {
  std::uint64_t sum = 0;
  for (const UnitWork *const each : {&work.tensor, &work.floats})
    for (const auto &[name, count] : each->instructions)
      sum += count;
  return sum;
}

class PlacementTableBuilder {
public:
  PlacementTableBuilder(const Program &program, const std::string &kernel) : program(program), kernel(kernel) {}

  void add(const Disassembly &code) {
    const Listing listing = readListing(code.text);
    hasLines |= listing.places.size() > 1;
    const std::vector<UserPlaces> places = userPlaces(listing, program.regions);
    for (const Function &function : listing.functions) {
      const std::string instance = kernelName(function.name), name = instance + namesakeLabel(function, places, program.regions);
      if (!decoder::isMeant(kernel, name, std::string_view(instance).substr(0, instance.find('<'))))
        continue;
      const KernelPlacement placed = placementIn(function, places, program.regions, code.architecture);
      if (!counted.insert(summaryOf(function.name, code.architecture, placed)).second)
        continue; // a template that several objects have instantiated
      for (const RegionPlacement &row : placed.regions)
        addRow(name, code.architecture, row);
      if (instructionsOf(placed.other) > 0 && !placed.regions.empty())
        addOther(name, code.architecture, placed.other);
    }
  }

  bool isWithoutLines() const { return !hasLines; }

  decoder::Table take() {
    if (!sharing.empty())
      table.notes.push_back(fmt::format("{}: whose clock reads are whose is not known there; put each on lines of its own", sharingText()));
    if (unclocked > 0)
      table.notes.push_back(fmt::format("{}: a probe may be in a function that is not inlined, or ptxas may have lost its line",
                                        unclocked == 1 ? "1 region has instructions, and no clock read at its begin or its end was found"
                                                       : fmt::format("{} regions have instructions, and no clock read at their begin or "
                                                                     "their end was found",
                                                                     unclocked)));
    if (unplaced > 0)
      table.notes.push_back(
          fmt::format("{}: on one path the region is open, on another one it is not, or no path is known",
                      unplaced == 1 ? "1 instruction is unplaced" : fmt::format("{} instructions are unplaced", unplaced)));
    if (mislined > 0)
      table.notes.push_back(
          fmt::format("{} of ranges {} the line of another copy of the code, as ptxas does where it unrolls a loop: instructions "
                      "that count as outside or foreign there may have it too",
                      mislined == 1 ? "1 clock read" : fmt::format("{} clock reads", mislined), mislined == 1 ? "has" : "have"));
    if (emptied > 0)
      table.notes.push_back(fmt::format("{} instructions in some copies of its code, as in an unrolled loop, and none in others: the "
                                        "compiler moved them there, and an entry's "
                                        "time is not that of its own work, only the sum is",
                                        emptied == 1 ? "1 region has" : fmt::format("Each of {} regions has", emptied)));
    return std::move(table);
  }

private:
  void addRow(const std::string &name, const std::string &architecture, const RegionPlacement &row) {
    const Region &region = *row.region;
    const auto known = [&](std::uint64_t number) { return row.isClocked ? Cell(number) : Cell(); };
    table.places[table.rows.size()] = {region.file, region.line};
    table.rows.push_back({name, architecture.empty() ? Cell() : Cell(architecture), region.name, fmt::format("{:#08x}", region.id),
                          std::string(nameOf(region.kind)), fmt::format("{}:{}", region.file, region.line), row.instructions,
                          known(row.inside), known(row.outside), known(row.unplaced()), known(row.foreign), textOf(row.outsideAt),
                          textOf(row.foreignAt)});
    addWork(table.rows.back(), row.work);
    if (const Region *const other = row.sharesLine)
      sharing.insert(fmt::format("{} and {} at {}:{}", std::min(region.name, other->name), std::max(region.name, other->name),
                                 std::filesystem::path(region.file).filename().string(),
                                 region.line == region.endLine ? region.line : other->line));
    unclocked += !row.isClocked && !row.sharesLine;
    emptied += row.emptyCopies > 0 && row.emptyCopies < row.copies;
    mislined += row.mislined;
    unplaced += row.isClocked ? row.unplaced() : 0;
  }

  /// Their operations are not known, for nobody counts how often they run.
  void addOther(const std::string &name, const std::string &architecture, const RegionWork &other) {
    table.rows.push_back({name, architecture.empty() ? Cell() : Cell(architecture), "(arithmetic, in no region)", "0x000000", Cell(),
                          Cell(), instructionsOf(other), Cell(), Cell(), Cell(), Cell(), "", ""});
    addWork(table.rows.back(), other);
  }

  /// "a and b at kernel.cu:12, c and d at kernel.cu:14 begin or end on one line".
  std::string sharingText() const {
    std::string text;
    std::size_t named = 0;
    for (const std::string &pair : sharing)
      if (named++ < kMaxLines)
        text += (text.empty() ? "" : ", ") + pair;
    return fmt::format("{}{} begin or end on one line", text,
                       named > kMaxLines ? fmt::format(" and {} more pairs", named - kMaxLines) : "");
  }

  /// All that the table says of the function.
  static std::string summaryOf(std::string_view symbol, std::string_view architecture, const KernelPlacement &placed) {
    std::string text = fmt::format("{}\n{}", symbol, architecture);
    for (const RegionPlacement &row : placed.regions)
      text += fmt::format("\n{:x} {} {} {} {} {} {}, {}, {}", row.region->id, row.isClocked, row.instructions, row.inside, row.outside,
                          row.foreign, row.mislined, textOf(row.outsideAt), textOf(row.foreignAt));
    return text;
  }

  const Program &program;
  const std::string &kernel;
  std::set<std::string> counted; ///< summaryOf() of each function
  std::set<std::string> sharing; ///< pairs of regions that begin or end on one line, and where
  bool hasLines = false;
  std::uint64_t unclocked = 0, unplaced = 0, mislined = 0, emptied = 0;
  decoder::Table table{.name = "placement", .columns = placementColumns(), .rows = {}, .notes = {}};
};

} // namespace

decoder::Expected<decoder::Table> placementTable(const std::string &path, const std::string &kernel) {
  const auto program = readProgram(path);
  if (!program)
    return decoder::failure(program.error());
  const auto folder = process::makeTemporaryFolder("verify");
  if (!folder)
    return decoder::failure(folder.error());
  const auto code = disassemble(*program, path, folder->path());
  if (!code)
    return decoder::failure(code.error());
  PlacementTableBuilder builder(*program, kernel);
  for (const Disassembly &each : *code)
    builder.add(each);
  if (builder.isWithoutLines())
    return decoder::failure({.message = "its machine code does not say which lines it comes from",
                             .expected = "a program that was built with -lineinfo",
                             .remedy = "kperf-cc nvcc -O3 -lineinfo kernel.cu -o program",
                             .file = path});
  decoder::Table table = builder.take();
  if (table.rows.empty())
    return decoder::failure({.message = kernel.empty() ? "no clock read of a region is in its machine code"
                                                       : fmt::format("no kernel with clock reads of regions matches '{}'", kernel),
                             .expected = "one that kperf-cc built for an NVIDIA GPU, with probes=region",
                             .file = path});
  return table;
}

} // namespace kperf::placement
