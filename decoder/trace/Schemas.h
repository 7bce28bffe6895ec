// The fields of each row of a trace: the one list that the text form, checks, merging and writing are made from.
#ifndef KPERF_DECODER_SCHEMAS_H
#define KPERF_DECODER_SCHEMAS_H

#include "decoder/trace/Fields.h"
#include "decoder/trace/FlagWords.h"
#include "decoder/trace/FormatNames.h"

#include <kperf/format_references.h>
#include <kperf/format_summary.h>

#include <tuple>

namespace kperf::decoder {

/// Of each kind of row: `fields` in the order of the text, the `usual` row that a text starts from. Most have a `section` that holds
/// nothing else, the `verb` of their line, `one` of them in messages; where words without a name must be there, what is `missing`
/// without, and what is `expected`.
template <typename Row> struct Schema;

template <typename Counter> std::string counterName(unsigned index) { return name(static_cast<Counter>(index)); }

template <> struct Schema<format::FileHeader> {
  using Row = format::FileHeader;
  static constexpr const char *missing = "not the text form of a trace", *expected = "'kperf 1.0' first";
  static constexpr auto fields =
      std::tuple(field::Pair{&Row::versionMajor, &Row::versionMinor}, field::Word{"target", &Row::target, "unknown target"},
                 field::Number{"created", &Row::createdUnixNs}, field::Number{"build", &Row::buildId, field::Digits::Hexadecimal});
};

template <> struct Schema<format::ProgramRecord> {
  using Row = format::ProgramRecord;
  static constexpr auto section = format::SectionKind::Program;
  static constexpr const char *verb = "program";
  static constexpr Row usual{};
  static constexpr auto fields = std::tuple(field::Text{"executable", &Row::executable, "the program's path"},
                                            field::Text{"command", &Row::commandLine, "the command line"},
                                            field::Text{"runtime", &Row::runtimeVersion, "the runtime's version"},
                                            field::Text{"host", &Row::hostName, "the host's name"}, field::Number{"pid", &Row::processId});
};

template <> struct Schema<format::DeviceRecord> {
  using Row = format::DeviceRecord;
  static constexpr auto section = format::SectionKind::Devices;
  static constexpr const char *verb = "device";
  static constexpr Row usual{.warpLanes = 32};
  static constexpr auto fields =
      std::tuple(field::Number{"", &Row::device}, field::Text{"name", &Row::name, "a device's name"},
                 field::Text{"architecture", &Row::architecture, "a device's architecture"},
                 field::Text{"driver", &Row::driver, "a device's driver"}, field::Number{"multiprocessors", &Row::multiprocessors},
                 field::Number{"lanes", &Row::warpLanes}, field::Number{"khz", &Row::clockKhz}, field::Number{"tick", &Row::timerTickNs},
                 field::Number{"memory", &Row::memoryBytes}, field::Bytes{"uuid", &Row::uuid});
};

template <> struct Schema<format::DeviceLimitsRecord> {
  using Row = format::DeviceLimitsRecord;
  static constexpr auto section = format::SectionKind::DeviceLimits;
  static constexpr const char *verb = "limits";
  static constexpr Row usual{};
  static constexpr auto fields =
      std::tuple(field::Ordinal{"device", &Row::device}, field::Number{"warps", &Row::residentWarps},
                 field::Number{"memory-bytes-per-second", &Row::memoryBytesPerSecond}, field::Number{"l2", &Row::l2Bytes});
};

template <> struct Schema<format::ClockRecord> {
  using Row = format::ClockRecord;
  static constexpr auto section = format::SectionKind::Clocks;
  static constexpr const char *verb = "clock", *one = "a reading of a clock";
  static constexpr Row usual{};
  static constexpr auto fields =
      std::tuple(field::Ordinal{"device", &Row::device}, field::Number{"ns", &Row::deviceNs, field::Digits::Decimal, field::Shown::Always},
                 field::Range{"host", &Row::hostFromNs, &Row::hostToNs}, field::Bytes{"boot", &Row::boot},
                 field::Number{"reserved", &Row::reserved, field::Digits::Decimal, field::Shown::Unusual, field::kNever});
};

template <> struct Schema<format::HostRangeRecord> {
  using Row = format::HostRangeRecord;
  static constexpr auto section = format::SectionKind::HostRanges;
  static constexpr const char *verb = "host-range";
  static constexpr const char *missing = "a range of the host needs a kind and a name",
                              *expected = "host-range pushed \"step\" ns=100..900";
  static constexpr Row usual{};
  static constexpr auto fields =
      std::tuple(field::Word{"", &Row::kind, "unknown kind of host range"}, field::Text{"", &Row::name, "a host range's name"},
                 field::Range{"ns", &Row::beginNs, &Row::endNs}, field::Text{"domain", &Row::domain, "a host range's domain"},
                 field::Number{"process", &Row::process}, field::Number{"thread", &Row::thread},
                 field::Number{"color", &Row::color, field::Digits::Hexadecimal});
};

template <> struct Schema<format::RegionRecord> {
  using Row = format::RegionRecord;
  static constexpr auto section = format::SectionKind::Regions;
  static constexpr const char *verb = "region";
  static constexpr const char *missing = "a region needs an id, a kind and a name", *expected = "region 0x1 scope \"load\"";
  static constexpr Row usual{};
  static constexpr auto fields =
      std::tuple(field::Number{"", &Row::id, field::Digits::Hexadecimal}, field::Word{"", &Row::kind, "unknown kind of region"},
                 field::Text{"", &Row::name, "a region's name"}, field::Text{"function", &Row::function, "a region's function"},
                 field::Text{"file", &Row::file, "a region's file"}, field::Number{"line", &Row::line},
                 field::Number{"column", &Row::column}, field::Like{"endLine", &Row::endLine, &Row::line}, field::SyncOrNext{},
                 field::Text{"source", &Row::source, "a region's source line"});
};

template <> struct Schema<format::SiteRecord> {
  using Row = format::SiteRecord;
  static constexpr auto section = format::SectionKind::Sites;
  static constexpr const char *verb = "site";
  static constexpr const char *missing = "a site needs an id, a kind and an expression", *expected = "site 0x1 load \"a[i]\"";
  static constexpr Row usual{};
  static constexpr auto fields =
      std::tuple(field::Number{"", &Row::id, field::Digits::Hexadecimal}, field::Word{"", &Row::kind, "unknown kind of site"},
                 field::Text{"", &Row::expression, "a site's expression"}, field::RegionId{"region", &Row::region},
                 field::Text{"function", &Row::function, "a site's function"}, field::Text{"file", &Row::file, "a site's file"},
                 field::Number{"line", &Row::line}, field::Number{"column", &Row::column}, field::Number{"width", &Row::width},
                 field::Number{"bytes", &Row::elementBytes}, field::Text{"reason", &Row::reason, "a site's reason"},
                 field::Text{"source", &Row::source, "a site's source line"});
};

template <> struct Schema<format::MachineAccessRecord> {
  using Row = format::MachineAccessRecord;
  static constexpr auto section = format::SectionKind::MachineAccesses;
  static constexpr const char *verb = "machine";
  static constexpr const char *missing = "an access in machine code needs a site and a state", *expected = "machine 0x1 same";
  static constexpr Row usual{};
  static constexpr auto fields = std::tuple(
      field::Number{"", &Row::site, field::Digits::Hexadecimal}, field::Word{"", &Row::state, "unknown state of an access in machine code"},
      field::Number{"leader", &Row::leader, field::Digits::Hexadecimal}, field::Number{"bytes", &Row::bytes},
      field::Number{"pieces", &Row::pieces, field::Digits::Hexadecimal});
};

template <> struct Schema<format::SiteCounterRecord> {
  using Row = format::SiteCounterRecord;
  static constexpr auto section = format::SectionKind::SiteCounters;
  static constexpr const char *verb = "counters";
  static constexpr const char *missing = "counters need a site", *expected = "counters 0x1 accesses=1";
  static constexpr Row usual{.sampled = 1};
  static constexpr auto fields =
      std::tuple(field::Number{"", &Row::site, field::Digits::Hexadecimal}, field::Ordinal{"device", &Row::device},
                 field::Number{"sampled", &Row::sampled}, field::Number{"group", &Row::group},
                 field::Bits{"groups", &Row::groups, 0, format::kGroupsMask},
                 field::Bits{"executions-log2", &Row::groups, format::kExecutionsShift, 0x1f},
                 field::Counters{&Row::counts, counterName<format::SiteCounter>});
};

template <> struct Schema<format::ReferencesHeader> {
  using Row = format::ReferencesHeader;
  static constexpr Row usual{.sampled = 1};
  static constexpr auto fields =
      std::tuple(field::Ordinal{"device", &Row::device}, field::Number{"incomplete", &Row::incomplete, field::Digits::Hexadecimal},
                 field::Number{"sampled", &Row::sampled}, field::Number{"run", &Row::run});
};

template <> struct Schema<format::ReferenceRecord> {
  using Row = format::ReferenceRecord;
  static constexpr auto section = format::SectionKind::References; ///< behind a ReferencesHeader
  static constexpr const char *one = "a reference";
  static constexpr const char *missing = "not a reference", *expected = "reference 0x7f00 site=0x1 sectors=0xf order=3";
  static constexpr Row usual{.tag = 1u << format::kReferenceSectorShift, .iteration = format::kNoIteration};
  static constexpr auto fields =
      std::tuple(field::Bits{"", &Row::line, 0, format::kReferenceLineMask, field::Digits::Hexadecimal},
                 field::Bits{"site", &Row::tag, 0, format::kIdMask, field::Digits::Hexadecimal, field::Shown::Always},
                 field::Bits{"sectors", &Row::tag, format::kReferenceSectorShift, 0xff, field::Digits::Hexadecimal, field::Shown::Always},
                 field::Bits{"class", &Row::line, format::kReferenceClassShift, 0x1f}, field::Number{"order", &Row::order},
                 field::Bits{"sm", &Row::line, format::kReferenceSmShift, format::kReferenceSmMask},
                 field::Bits{"iteration", &Row::iteration, 0, 0xffffffff},
                 field::Number{"reserved", &Row::reserved, field::Digits::Decimal, field::Shown::Unusual, field::kNever});
};

template <> struct Schema<format::LaunchRecord> {
  using Row = format::LaunchRecord;
  static constexpr auto section = format::SectionKind::Launches;
  static constexpr const char *verb = "launch";
  static constexpr Row usual{.grid = {1, 1, 1}, .block = {32, 1, 1}};
  static constexpr auto fields =
      std::tuple(field::Text{"", &Row::kernel, "a launch's kernel"}, field::Ordinal{"device", &Row::device},
                 field::Number{"time", &Row::hostNs}, field::Number{"stream", &Row::stream, field::Digits::Hexadecimal},
                 field::ExtentArray{"grid", &Row::grid}, field::ExtentArray{"block", &Row::block},
                 field::Number{"shared", &Row::dynamicSharedBytes}, field::Number{"flags", &Row::flags, field::Digits::Hexadecimal});
};

template <> struct Schema<format::KernelRecord> {
  using Row = format::KernelRecord;
  static constexpr auto section = format::SectionKind::Kernels;
  static constexpr const char *verb = "needs";
  static constexpr const char *missing = "needs without a kernel", *expected = "needs \"kernel(float *)\" registers=32";
  static constexpr Row usual{.blockThreads = 32};
  static constexpr auto fields =
      std::tuple(field::Text{"", &Row::kernel, "the name of a kernel with needs"}, field::Ordinal{"device", &Row::device},
                 field::Number{"threads", &Row::blockThreads}, field::Number{"shared", &Row::dynamicSharedBytes},
                 field::Number{"registers", &Row::registers}, field::Number{"local", &Row::localBytes},
                 field::Number{"static", &Row::staticSharedBytes}, field::Number{"max-threads", &Row::maxThreads},
                 field::Number{"resident", &Row::residentBlocks}, field::Number{"launches", &Row::launches},
                 field::Number{"total", &Row::totalNs}, field::Number{"min", &Row::minNs}, field::Number{"median", &Row::medianNs});
};

template <> struct Schema<format::LaunchTimesRecord> {
  using Row = format::LaunchTimesRecord;
  static constexpr auto section = format::SectionKind::LaunchTimes;
  static constexpr const char *verb = "times";
  static constexpr const char *one = "launches' times";
  static constexpr const char *missing = "times without a kernel", *expected = "times \"kernel(float *)\" launches=8 middle=1000";
  static constexpr Row usual{.grid = {1, 1, 1}, .block = {32, 1, 1}};
  static constexpr auto fields = std::tuple(
      field::Text{"", &Row::kernel, "the kernel of launches' times"}, field::Ordinal{"device", &Row::device},
      field::ExtentArray{"grid", &Row::grid}, field::ExtentArray{"block", &Row::block}, field::Number{"shared", &Row::dynamicSharedBytes},
      field::Flags{"flags", &Row::flags, std::span<const field::FlagWord<std::uint32_t>>(kLaunchTimesFlagWords)},
      field::Number{"run", &Row::run}, field::Number{"launches", &Row::launches}, field::Number{"total", &Row::totalNs},
      field::Number{"middle", &Row::middleNs}, field::Number{"error", &Row::errorNs},
      field::Number{"reserved", &Row::reserved, field::Digits::Decimal, field::Shown::Unusual, field::kNever});
};

template <> struct Schema<format::LossRecord> {
  using Row = format::LossRecord;
  static constexpr auto section = format::SectionKind::Losses;
  static constexpr const char *verb = "loss";
  static constexpr const char *missing = "a loss needs a kind", *expected = "loss warps-without-buffer count=1";
  static constexpr Row usual{};
  static constexpr auto fields =
      std::tuple(field::Word{"", &Row::kind, "unknown kind of loss"}, field::Ordinal{"device", &Row::device},
                 field::Number{"count", &Row::count}, field::Text{"reason", &Row::reason, "the reason of a loss"});
};

template <> struct Schema<format::WarpsHeader> {
  using Row = format::WarpsHeader;
  static constexpr Row usual{};
  static constexpr auto fields =
      std::tuple(field::Ordinal{"device", &Row::device}, field::Word{"keep", &Row::policy, "unknown policy of keeping records"});
};

/// What is usual depends on the records of a warp: TextDefaults.h.
template <> struct Schema<format::WarpHeader> {
  using Row = format::WarpHeader;
  static constexpr const char *one = "a warp";
  static constexpr auto fields = std::tuple(
      field::Pair{&Row::block, &Row::warp, false}, field::Number{"gridId", &Row::gridId}, field::Number{"sm", &Row::sm},
      field::Range{"ns", &Row::startNs, &Row::endNs}, field::Range{"cycles", &Row::startCycles, &Row::endCycles},
      field::RegionId{"kernel", &Row::kernel}, field::Text{"name", &Row::nameAddress, "the name of a warp's kernel"},
      field::Extent{"grid", &Row::gridX, &Row::gridY, &Row::gridZ}, field::Extent{"block", &Row::blockX, &Row::blockY, &Row::blockZ},
      field::Number{"produced", &Row::produced}, field::Number{"capacity", &Row::capacity},
      field::Number{"sampled", &Row::sampled, field::Digits::Decimal, field::Shown::Unusual, 4},
      field::Number{"skipped", &Row::skipped, field::Digits::Decimal, field::Shown::Unusual, 5},
      field::Flags{"flags", &Row::flags, std::span<const field::FlagWord<std::uint16_t>>(kWarpFlagWords)});
};

/// Without `rows`, which are counted. Which kernel is usual depends on the regions.
template <> struct Schema<format::SummaryRecord> {
  using Row = format::SummaryRecord;
  static constexpr const char *one = "a summary";
  static constexpr auto fields = std::tuple(
      field::Ordinal{"device", &Row::device}, field::RegionId{"kernel", &Row::kernel},
      field::Text{"name", &Row::name, "the name of a summary's kernel"},
      field::Flags{"flags", &Row::flags, std::span<const field::FlagWord<std::uint32_t>>(kSummaryFlagWords), field::Shown::Always},
      field::ExtentArray{"grid", &Row::grid}, field::ExtentArray{"block", &Row::block},
      field::Number{"sampled", &Row::sampled, field::Digits::Decimal, field::Shown::Unusual, 4},
      field::Number{"cycles-cycles", &Row::cyclesCycles}, field::Number{"cycles-ns", &Row::cyclesNs}, field::Number{"ns-ns", &Row::nsNs},
      field::Number{"clock-points", &Row::clockPoints}, field::Number{"clock-groups", &Row::clockGroups},
      field::Counters{&Row::counts, counterName<format::SummaryCounter>});
};

/// Without the numbers of `lengths` and `multiprocessors`, which follow the row.
template <> struct Schema<format::SummaryRowRecord> {
  using Row = format::SummaryRowRecord;
  static constexpr const char *one = "a summary's row";
  static constexpr Row usual{};
  static constexpr auto fields =
      std::tuple(field::RegionId{"", &Row::region}, field::Number{"parent", &Row::parent},
                 field::Flags{"flags", &Row::flags, std::span<const field::FlagWord<std::uint32_t>>(kSummaryRowFlagWords)},
                 field::Number{"reserved", &Row::reserved, field::Digits::Decimal, field::Shown::Unusual, field::kNever},
                 field::Counters{&Row::counts, counterName<format::SummaryRowCounter>});
};

template <> struct Schema<format::MarkProbesRecord> {
  using Row = format::MarkProbesRecord;
  static constexpr auto section = format::SectionKind::MarkProbes;
  static constexpr const char *verb = "mark-probes";
  static constexpr const char *missing = "mark-probes without a row", *expected = "which summary and which of its rows, as 1.1";
  static constexpr Row usual{};
  static constexpr auto fields =
      std::tuple(field::Pair{&Row::summary, &Row::row}, field::Number{"own", &Row::own}, field::Number{"shared", &Row::shared});
};

template <> struct Schema<format::SampledLaunchesRecord> {
  using Row = format::SampledLaunchesRecord;
  static constexpr auto section = format::SectionKind::SampledLaunches;
  static constexpr const char *verb = "sampled-launches";
  static constexpr const char *one = "sampled launches";
  static constexpr const char *missing = "sampled-launches without a summary", *expected = "which summary, as 1";
  static constexpr Row usual{};
  static constexpr auto fields = std::tuple(
      field::Number{"", &Row::summary}, field::Range{"one-in", &Row::least, &Row::most}, field::Number{"launches", &Row::launches},
      field::Number{"warps-launched", &Row::warpsLaunched}, field::Number{"duration-ns", &Row::durationNs},
      field::Number{"reserved", &Row::reserved, field::Digits::Decimal, field::Shown::Unusual, field::kNever});
};

template <> struct Schema<format::SummedLengthsRecord> {
  using Row = format::SummedLengthsRecord;
  static constexpr auto section = format::SectionKind::SummedLengths;
  static constexpr const char *verb = "summed-lengths";
  static constexpr const char *missing = "summed-lengths without a row", *expected = "which summary and which of its rows, as 1.1";
  static constexpr Row usual{};
  static constexpr auto fields = std::tuple(field::Pair{&Row::summary, &Row::row},
                                            field::Counters{&Row::counts, [](unsigned power) { return std::to_string(power); }});
};

} // namespace kperf::decoder

#endif
