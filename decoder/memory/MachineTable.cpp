// Writes a row in sentences for each site.
#include "decoder/memory/MachineTable.h"
#include "decoder/trace/FormatNames.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>

namespace kperf::decoder {
namespace {

using Role = Column::Role;
using format::MachineState;

constexpr std::size_t kMergedSitesNamed = 3; ///< of those whose accesses an instruction makes too

/// "a[i].y (k.cu:3:22) and b[i].y (k.cu:4:5)"
std::string mergedText(const std::vector<TracedSite> &merged) {
  std::string text;
  for (std::size_t i = 0; i < merged.size() && i < kMergedSitesNamed; ++i) {
    const bool isLast = i + 1 == merged.size();
    text += fmt::format("{}{} ({})",
                        i == 0   ? ""
                        : isLast ? " and "
                                 : ", ",
                        merged[i].text(merged[i].record->expression), merged[i].place(true));
  }
  if (merged.size() > kMergedSitesNamed)
    text += fmt::format(" and {} more", merged.size() - kMergedSitesNamed);
  return text;
}

/// "bytes 0 to 3 and 12 to 15"
std::string piecesText(std::uint32_t pieces, std::uint32_t bytes) {
  std::string text = "bytes";
  for (std::uint32_t left = pieces; left != 0;) {
    const int first = std::countr_zero(left), count = std::countr_one(left >> first);
    left &= count + first < 32 ? ~0u << (count + first) : 0;
    text += fmt::format("{} {} to {}", text == "bytes" ? "" : " and", first * bytes, (first + count) * bytes - 1);
  }
  return text;
}

/// "" where source and machine are the same.
std::string sentence(const SiteTotals &site) {
  const format::MachineAccessRecord &machine = site.machine;
  const std::uint32_t element = site.site.record->elementBytes;
  switch (machine.state) {
  case MachineState::Wide:
    if (!site.merged.empty())
      return fmt::format("one {}-byte instruction makes it and {}: counted once, here", machine.bytes, mergedText(site.merged));
    if (element != 0 && element < machine.bytes)
      return fmt::format(
          "one {}-byte instruction makes {} of its accesses, of an unrolled loop or to neighbouring members: the instruction is counted",
          machine.bytes, machine.bytes / element);
    return fmt::format("{}-byte instructions make several of its accesses each: the instructions are counted", machine.bytes);
  case MachineState::Narrow:
    return fmt::format("{} {}-byte instruction{} for {} of its {}: the instructions are counted", std::popcount(machine.pieces),
                       machine.bytes, std::popcount(machine.pieces) == 1 ? "" : "s", piecesText(machine.pieces, machine.bytes), element);
  case MachineState::Varies:
    return "other instructions, not the same everywhere it was compiled to, or moved out of a loop: the source is counted, and the "
           "machine may do less or more";
  default:
    return site.merged.empty() ? "" : fmt::format("one instruction makes it and {}: counted once, here", mergedText(site.merged));
  }
}

/// Whether the compiler may have made other instructions of the site, and none is known.
bool isOfUnknownCode(const SiteTotals &each) {
  const format::SiteKind kind = each.site.record->kind;
  return each.machine.state == MachineState::Unknown && (kind == format::SiteKind::Load || kind == format::SiteKind::Store);
}

} // namespace

Table machineTable(const MemoryTotals &totals) {
  Table table{.name = "machine", .columns = {}, .rows = {}, .notes = {}, .title = "where the machine code differs from the source"};
  table.columns = {{"source", Unit::None, Role::Label},
                   {"access", Unit::None, Role::Value, 90},
                   {"kind", Unit::None, Role::Value, 60},
                   {"function", Unit::None, Role::Value, 50},
                   {"machine", Unit::None, Role::Value, 95}};
  for (const SiteTotals &each : totals.sites()) {
    const std::string text = sentence(each);
    if (text.empty())
      continue;
    const format::SiteRecord &site = *each.site.record;
    table.places[table.rows.size()] = {each.site.text(site.file), site.line, site.column};
    const std::string at = each.site.place(true), function = each.site.text(site.function);
    table.rows.push_back({at, each.site.text(site.expression), named(site.kind), function, text});
    table.excerpts.push_back(
        {fmt::format("{}: {} in {}: {}", at, named(site.kind), function, text), each.site.text(site.source), site.column, site.width, {}});
  }
  return table;
}

std::string machineNote(const MemoryTotals &totals, format::Target target) {
  if (!totals.hasMachineCode())
    return target == format::Target::Cuda
               ? "counts are of the accesses in the source, as if each were an instruction: what the compiler made of them was "
                 "not looked at, or can't be read ('kperf-cc --verbose' says why)"
               : "counts are of the accesses in the source, as if each were an instruction: GPU compilers merge and narrow some";
  std::string note = "counts are of the instructions in the machine code of the build without probes";
  if (totals.removed() > 0)
    note +=
        fmt::format("; {} in the source {} none there", totals.removed() == 1 ? "1 access" : fmt::format("{} accesses", totals.removed()),
                    totals.removed() == 1 ? "has" : "have");
  if (const auto unknown = std::ranges::count_if(totals.sites(), isOfUnknownCode))
    note += fmt::format("; {} counted as the source has {}: the machine code could not be looked at, or does not say which instructions "
                        "are {}",
                        unknown == 1 ? "1 access is" : fmt::format("{} accesses are", unknown), unknown == 1 ? "it" : "them",
                        unknown == 1 ? "its own" : "theirs");
  return note;
}

} // namespace kperf::decoder
