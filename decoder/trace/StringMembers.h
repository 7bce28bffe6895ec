// Which members of the format's structures are offsets of strings, and in which order they are read.
#ifndef KPERF_DECODER_STRING_MEMBERS_H
#define KPERF_DECODER_STRING_MEMBERS_H

#include <kperf/format_summary.h>

#include <type_traits>

namespace kperf::decoder {

/// Calls `visit(member, what)` for each string offset of a record, in the order in which a canonical file interns them.
template <typename Record, typename Visit> void forStringMembers(Record &record, Visit visit) {
  using Plain = std::remove_const_t<Record>;
  if constexpr (std::is_same_v<Plain, format::ProgramRecord>) {
    visit(record.executable, "the program's path");
    visit(record.commandLine, "the command line");
    visit(record.runtimeVersion, "the runtime's version");
    visit(record.hostName, "the host's name");
  } else if constexpr (std::is_same_v<Plain, format::DeviceRecord>) {
    visit(record.name, "a device's name");
    visit(record.architecture, "a device's architecture");
    visit(record.driver, "a device's driver");
  } else if constexpr (std::is_same_v<Plain, format::RegionRecord>) {
    visit(record.name, "a region's name");
    visit(record.function, "a region's function");
    visit(record.file, "a region's file");
    visit(record.source, "a region's source line");
  } else if constexpr (std::is_same_v<Plain, format::SiteRecord>) {
    visit(record.function, "a site's function");
    visit(record.file, "a site's file");
    visit(record.source, "a site's source line");
    visit(record.expression, "a site's expression");
    visit(record.reason, "a site's reason");
  } else if constexpr (std::is_same_v<Plain, format::LaunchRecord>) {
    visit(record.kernel, "a launch's kernel");
  } else if constexpr (std::is_same_v<Plain, format::KernelRecord>) {
    visit(record.kernel, "the name of a kernel with needs");
  } else if constexpr (std::is_same_v<Plain, format::WarpHeader>) {
    visit(record.nameAddress, "the name of a warp's kernel");
  } else if constexpr (std::is_same_v<Plain, format::SummaryRecord>) {
    visit(record.name, "the name of a summary's kernel");
  } else {
    static_assert(std::is_same_v<Plain, format::LossRecord>);
    visit(record.reason, "the reason of a loss");
  }
}

} // namespace kperf::decoder

#endif
