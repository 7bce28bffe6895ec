// Finds kernels that were launched and whose files list no memory access, counted or not.
#include "decoder/memory/UncountedKernels.h"
#include "decoder/span/KernelName.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace kperf::decoder {
namespace {

struct LaunchedNames final : TraceVisitor {
  explicit LaunchedNames(const Trace &trace) : trace(trace) {}
  void launches(std::span<const format::LaunchRecord> rows) override {
    for (const format::LaunchRecord &row : rows)
      names.insert(qualifiedNameOf(trace.string(row.kernel)));
  }

  const Trace &trace;
  std::set<std::string> names;
};

} // namespace

Expected<std::vector<UncountedKernel>> uncountedKernels(std::span<const Trace> traces, const std::string &functions) {
  std::set<std::string> files, known;
  for (const Trace &trace : traces)
    for (const format::SiteRecord &site : trace.sites())
      files.emplace(trace.string(site.file));
  std::vector<UncountedKernel> out;
  for (const Trace &trace : traces) {
    LaunchedNames launched(trace);
    for (const Section &section : trace.sections())
      if (section.kind == format::SectionKind::Launches)
        if (Status status = trace.visitSection(section, launched); !status)
          return failure(status.error());
    for (const format::RegionRecord &region : trace.regions()) {
      const std::string name(trace.string(region.name)), file(trace.string(region.file));
      if (!files.empty() && region.kind == format::RegionKind::Kernel && region.id >= format::kFirstFreeId && !file.empty() &&
          !files.contains(file) && launched.names.contains(qualifiedNameOf(name)) && isFunctionMeant(functions, name) &&
          known.insert(name).second)
        out.push_back({name, file, region.line});
    }
  }
  return out;
}

std::string uncountedNote(std::span<const Trace> traces, const std::string &functions) {
  std::vector<std::string> names;
  if (const auto kernels = uncountedKernels(traces, functions))
    for (const UncountedKernel &kernel : *kernels)
      names.push_back(fmt::format("{} ({}:{})", kernel.name, kernel.file, kernel.line));
  return names.empty()
             ? ""
             : fmt::format("of {} nothing was counted, and shares are without it: built without --probes=memory, or without any access",
                           fmt::join(names, ", "));
}

} // namespace kperf::decoder
