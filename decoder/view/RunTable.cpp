// Makes the table at the top of a page.
#include "decoder/view/RunTable.h"

#include <ctime>
#include <fmt/chrono.h>
#include <fmt/ranges.h>
#include <set>

namespace kperf::decoder {

std::string utcText(std::uint64_t unixNs) {
  const auto seconds = static_cast<std::time_t>(unixNs / 1'000'000'000);
  return fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", fmt::gmtime(seconds));
}

Table runTable(std::span<const Trace> traces) {
  using Role = Column::Role;
  Table table{.name = "run",
              .columns = {{"program", Unit::None, Role::Label},
                          {"device", Unit::None, Role::Value},
                          {"trace", Unit::None, Role::Value},
                          {"written", Unit::None, Role::Value}}};
  const auto cell = [](std::string text) { return text.empty() ? Cell() : Cell(std::move(text)); };
  for (const Trace &trace : traces) {
    const auto &program = trace.program();
    std::set<std::string> devices; // eight of one name are one word
    for (const format::DeviceRecord &device : trace.devices())
      devices.emplace(trace.string(device.name));
    const std::uint64_t created = trace.header().createdUnixNs;
    table.rows.push_back({cell(program ? std::string(trace.string(program->executable)) : ""),
                          cell(fmt::format("{}", fmt::join(devices, ", "))), cell(trace.name()),
                          created > 0 ? Cell(utcText(created)) : Cell()});
  }
  return table;
}

} // namespace kperf::decoder
