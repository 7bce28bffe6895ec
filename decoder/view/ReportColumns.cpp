// Defines the columns of the report.
#include "decoder/view/ReportColumns.h"

#include <algorithm>
#include <iterator>

namespace kperf::decoder {
namespace {

using Role = Column::Role;

std::vector<Column> kernelColumns() {
  return {
      {"kernel", Unit::None, Role::Group},        {"device", Unit::None, Role::Group},
      {"launches", Unit::None, Role::Group},      {"grid", Unit::None, Role::Group},
      {"block", Unit::None, Role::Group},         {"duration", Unit::Nanoseconds, Role::Group},
      {"warps", Unit::None, Role::Group},         {"warps-launched", Unit::None, Role::Group},
      {"warp-time", Unit::Cycles, Role::Group},   {"records-kept", Unit::Percent, Role::Group},
      {"probe-cost", Unit::Percent, Role::Group}, {"overhead", Unit::Percent, Role::Group},
  };
}

std::vector<Column> regionColumns() {
  return {
      {"depth", Unit::None, Role::Depth},
      {"region", Unit::None, Role::Label},
      {"path", Unit::None, Role::Label, 0},
      {"kind", Unit::None, Role::Value, 8},
      {"count", Unit::None, Role::Value, 95},
      {"count-error", Unit::Percent, Role::Value, 39},
      {"share", Unit::Percent, Role::Value, 99},
      summed({"total", Unit::Nanoseconds, Role::Value, 90}),
      {"total-error", Unit::Percent, Role::Value, 89},
      {"mean", Unit::Nanoseconds, Role::Value, 88},
      {"mean-error", Unit::Percent, Role::Value, 38},
      {"net-mean", Unit::Nanoseconds, Role::Value, 86},
      {"p50", Unit::Nanoseconds, Role::Value, 80},
      {"p50-error", Unit::Percent, Role::Value, 79},
      {"p95", Unit::Nanoseconds, Role::Value, 40},
      {"p95-error", Unit::Percent, Role::Value, 37},
      {"p99", Unit::Nanoseconds, Role::Value, 78},
      {"p99-error", Unit::Percent, Role::Value, 77},
      {"max", Unit::Nanoseconds, Role::Value, 70},
      {"warp-imbalance", Unit::Ratio, Role::Value, 30},
      {"sm-imbalance", Unit::Ratio, Role::Value, 28},
      summed({"self", Unit::Nanoseconds, Role::Value, 26}),
      summed({"net-total", Unit::Nanoseconds, Role::Value, 27}),
      summed({"net-self", Unit::Nanoseconds, Role::Value, 25}),
      {"total", Unit::Percent, Role::Value, 24},
      {"mean", Unit::Cycles, Role::Value, 22},
      {"net-mean", Unit::Cycles, Role::Value, 21},
      {"net-error", Unit::Cycles, Role::Value, 11},
      {"p50", Unit::Cycles, Role::Value, 20},
      {"p95", Unit::Cycles, Role::Value, 18},
      {"p99", Unit::Cycles, Role::Value, 18},
      {"max", Unit::Cycles, Role::Value, 18},
      {"min", Unit::Cycles, Role::Value, 16},
      summed({"total", Unit::Cycles, Role::Value, 14}),
      summed({"self", Unit::Cycles, Role::Value, 12}),
      summed({"net-total", Unit::Cycles, Role::Value, 13}),
      summed({"net-self", Unit::Cycles, Role::Value, 11}),
      {"unmatched", Unit::None, Role::Value, 10},
      {"overlapping", Unit::None, Role::Value, 9},
      {"inside", Unit::None, Role::Value, 87},
      {"source", Unit::None, Role::Value, 50},
  };
}

} // namespace

std::vector<Column> reportColumns() {
  std::vector<Column> out = kernelColumns();
  std::ranges::move(regionColumns(), std::back_inserter(out));
  return out;
}

} // namespace kperf::decoder
