// Finds what a trace without warps holds instead.
#include "decoder/view/NoWarpsNote.h"
#include "decoder/trace/VendorTerms.h"
#include "decoder/view/ReportNotes.h"

#include <algorithm>
#include <fmt/format.h>

namespace kperf::decoder {
namespace {

struct Holdings final : public TraceVisitor {
  explicit Holdings(std::span<const Trace> traces) {
    for (const Trace &trace : traces) {
      regions += trace.regions().size();
      accesses +=
          std::ranges::count_if(trace.sites(), [](const format::SiteRecord &site) { return site.kind != format::SiteKind::Unseen; });
      for (const Section &section : trace.sections())
        if (section.kind == format::SectionKind::Launches)
          static_cast<void>(trace.visitSection(section, *this)); // it was read before
    }
  }
  void launches(std::span<const format::LaunchRecord> rows) override { launched += rows.size(); }

  std::uint64_t launched = 0, regions = 0;
  std::ptrdiff_t accesses = 0;
};

} // namespace

std::string noWarpsNote(std::span<const Trace> traces) {
  const Holdings holdings(traces);
  const std::string_view warp = termsOf(traces.front()).warp;
  if (holdings.accesses > 0)
    return fmt::format("no {} was timed: the trace has counts of memory accesses at {} in the source, which kperf memory shows; build with "
                       "--probes=region,memory for times beside them",
                       warp, counted(static_cast<std::uint64_t>(holdings.accesses), "place"));
  if (holdings.launched > 0 && holdings.regions == 0)
    return fmt::format(
        "no {} was timed: the trace has {} of kernels without probes, which kperf info lists and kperf perturb compares with a "
        "build that has probes",
        warp, counted(holdings.launched, "launch"));
  if (holdings.launched > 0)
    return fmt::format("no {} was recorded in {}: kperf info lists what was launched and what was lost", warp,
                       counted(holdings.launched, "launch"));
  return fmt::format("no {} was recorded: was a kernel of an instrumented file launched?", warp);
}

std::string unseenNames(std::span<const UnseenKernel> kernels) {
  constexpr std::size_t kMaxNames = 8;
  std::string names;
  std::size_t left = 0;
  for (const UnseenKernel &kernel : kernels) {
    if (kernel.instances > 0)
      continue;
    if (left++ < kMaxNames)
      names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", kernel.name, counted(kernel.launches, "launch"));
  }
  return left > kMaxNames ? fmt::format("{} and {} more", names, left - kMaxNames) : names;
}

std::vector<std::string> unseenNotes(const UnseenSum &unseen, const VendorTerms &terms) {
  std::vector<std::string> notes;
  if (const std::string names = unseenNames(unseen.untimed); !names.empty())
    notes.push_back(
        fmt::format("this build has no probes for {}: kperf-cc --auto=kernels times each kernel, or warns why it can't", names));
  const bool isFull = unseen.warpsWithoutBuffer > 0;
  if (unseen.areSomeOff && !isFull) // as the user wished
    return notes;
  const std::string why = isFull ? fmt::format("the device buffer was full{}: raise KPERF_BUFFER_MB or lower KPERF_RECORDS",
                                               unseen.areSomeOff ? ", or they were switched off" : "")
                                 : std::string("kperf info lists what was launched and what was lost");
  if (const std::string names = unseenNames(unseen.kernels); !names.empty())
    notes.push_back(fmt::format("no {} was kept of {}; {}", terms.warp, names, why));
  for (const UnseenKernel &kernel : unseen.kernels)
    if (kernel.instances > 0)
      notes.push_back(fmt::format("{} of {} launches of {} left no {}, of {} here or of another; {}", kernel.launches, kernel.listed,
                                  kernel.name, terms.warp,
                                  kernel.instances == 1 ? "its instance" : fmt::format("its {} instances", kernel.instances), why));
  return notes;
}

} // namespace kperf::decoder
