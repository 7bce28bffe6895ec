// Converts the decoder's plans to the rewriters' decisions, matching regions by identity.
#include "tool/profile/Steering.h"

#include "decoder/plan/Plan.h"
#include "decoder/trace/CompiledFunction.h"
#include "rewriters/pattern/NameTemplate.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"

#include <algorithm>

namespace kperf::tool {
namespace {

using Traces = std::vector<decoder::Trace>;

bool isHeader(llvm::StringRef file) {
  return llvm::StringSwitch<bool>(llvm::sys::path::extension(file))
      .Cases({".h", ".hpp", ".cuh", ".hh", ".hxx", ".inl", ".inc", ""}, true)
      .Default(false);
}

ProfileDecision::Outcome outcomeOf(decoder::Choice choice) {
  switch (choice) {
  case decoder::Choice::Sums:
    return ProfileDecision::Outcome::Sums;
  case decoder::Choice::LeftOut:
    return ProfileDecision::Outcome::LeftOut;
  case decoder::Choice::Record:
    break;
  }
  return ProfileDecision::Outcome::Record;
}

std::vector<ProfileDecision> decisionsOf(const decoder::Profile &profile, const decoder::Plan &plan) {
  std::vector<ProfileDecision> out;
  for (const decoder::RegionDecision &decision : plan.regions) {
    const decoder::Region &region = (*profile.regions)[decision.region];
    ProfileDecision &each = out.emplace_back();
    each.name = region.name;
    each.function = decoder::CompiledFunction(region.function).name;
    each.file = region.file;
    each.line = region.line;
    each.number = decision.number;
    each.outcome = outcomeOf(decision.choice);
    each.reason = decision.reason;
  }
  return out;
}

/// A glob that matches a function's name and no other.
std::string literalPattern(llvm::StringRef name) {
  std::string out;
  for (const char c : name) {
    if (llvm::StringRef("*?[]{}\\,").contains(c))
      out += '\\';
    out += c;
  }
  return out;
}

std::vector<SelectionRule> rulesOf(const decoder::Plan &plan) {
  std::vector<SelectionRule> rules;
  for (const decoder::CloserLook &look : plan.closer) {
    auto pattern = NamePattern::parse(literalPattern(look.function));
    if (!pattern) {
      llvm::consumeError(pattern.takeError());
      continue;
    }
    SelectionRule &rule = rules.emplace_back();
    rule.kind = SelectionKind::Loops;
    rule.patterns.push_back(std::move(*pattern));
    rule.depth = NumberRange{1, look.depth};
    rule.name = kDefaultNameTemplate;
    rule.place = kProfileRule.str();
    rule.isAutomatic = true;
  }
  return rules;
}

/// By build, in the order in which the first trace of each is named.
decoder::Expected<std::vector<Traces>> openByBuild(llvm::ArrayRef<std::string> files) {
  std::vector<Traces> builds;
  for (const std::string &file : files) {
    auto trace = decoder::Trace::open(file);
    if (!trace)
      return decoder::failure(trace.error());
    const auto known = llvm::find_if(builds, [&](const Traces &each) { return each.front().header().buildId == trace->header().buildId; });
    if (known != builds.end())
      known->push_back(std::move(*trace));
    else
      builds.emplace_back().push_back(std::move(*trace));
  }
  return builds;
}

decoder::Status checkTarget(const decoder::Trace &trace, bool isForHost) {
  const bool isOfHost = trace.header().target == format::Target::Host;
  if (isOfHost == isForHost)
    return {};
  return decoder::failure({.message = "what probes cost there says nothing about this build",
                           .found = isOfHost ? "a trace of the host target" : "a trace of a GPU",
                           .expected = isForHost ? "one of a program that 'kperf-cc host' built" : "one of a program that ran on a GPU",
                           .file = trace.name()});
}

void add(Steering &steering, const decoder::Profile &profile, const decoder::Plan &plan, bool isNewest) {
  steering.decisions.push_back(decisionsOf(profile, plan));
  if (!isNewest)
    return;
  steering.closer = rulesOf(plan);
  for (const decoder::KernelDecision &decision : plan.kernels) {
    const decoder::ProfiledKernel &kernel = profile.kernels[decision.kernel];
    if (decision.samplingInterval > 1)
      steering.samples.push_back({kernel.file, decision.samplingInterval});
    if (decision.isOver)
      steering.over.push_back(kernel.name);
  }
}

} // namespace

unsigned Steering::sampleFor(llvm::StringRef source) const {
  unsigned interval = 1;
  for (const Sample &sample : samples)
    if (isHeader(sample.file) || llvm::sys::path::filename(sample.file) == llvm::sys::path::filename(source))
      interval = std::max(interval, sample.interval);
  return interval;
}

decoder::Expected<Steering> steer(llvm::ArrayRef<std::string> files, double budgetPercent, bool isForHost, bool choosesLaunches) {
  auto builds = openByBuild(files);
  if (!builds)
    return decoder::failure(builds.error());
  Steering steering;
  for (const Traces &traces : llvm::reverse(*builds)) {
    for (const decoder::Trace &trace : traces)
      if (auto status = checkTarget(trace, isForHost); !status)
        return decoder::failure(status.error());
    const auto profile = decoder::readProfile(traces, "");
    if (!profile)
      return decoder::failure(profile.error());
    if (llvm::none_of(profile->kernels, [](const decoder::ProfiledKernel &each) { return each.isCostKnown; }))
      return decoder::failure({.message = "it does not say what a record costs",
                               .found = "no calibration",
                               .expected = "a trace of a program that launched its kernels with probes",
                               .file = traces.front().name()});
    add(steering, *profile, decoder::planFor(*profile, budgetPercent, choosesLaunches), &traces == &builds->back());
  }
  return steering;
}

} // namespace kperf::tool
