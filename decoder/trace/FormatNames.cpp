// The words for the numbers of the format, in messages, tables and the text form of a trace.
#include "decoder/trace/FormatNames.h"

#include <charconv>
#include <fmt/format.h>
#include <span>

namespace kperf::decoder {
namespace {

using format::HostRangeKind;
using format::KeepPolicy;
using format::LossKind;
using format::MachineState;
using format::RecordKind;
using format::RegionKind;
using format::SectionKind;
using format::SiteCounter;
using format::SiteKind;
using format::SummaryCounter;
using format::SummaryRowCounter;
using format::SyncObject;
using format::SyncOperation;
using format::Target;

template <typename Kind> struct Word {
  Kind kind;
  const char *text;
};

constexpr Word<Target> kTargets[] = {{Target::Unknown, "unknown"}, {Target::Cuda, "cuda"}, {Target::Hip, "hip"}, {Target::Host, "host"}};
constexpr Word<SectionKind> kSections[] = {{SectionKind::Program, "program"},
                                           {SectionKind::Strings, "strings"},
                                           {SectionKind::Devices, "devices"},
                                           {SectionKind::Regions, "regions"},
                                           {SectionKind::Launches, "launches"},
                                           {SectionKind::Warps, "warps"},
                                           {SectionKind::Losses, "losses"},
                                           {SectionKind::End, "end"},
                                           {SectionKind::Sites, "sites"},
                                           {SectionKind::SiteCounters, "site-counters"},
                                           {SectionKind::Summaries, "summaries"},
                                           {SectionKind::Kernels, "kernels"},
                                           {SectionKind::References, "references"},
                                           {SectionKind::SummedLengths, "summed-lengths"},
                                           {SectionKind::MachineAccesses, "machine-accesses"},
                                           {SectionKind::DeviceLimits, "device-limits"},
                                           {SectionKind::HostRanges, "host-ranges"},
                                           {SectionKind::Clocks, "clocks"},
                                           {SectionKind::MarkProbes, "mark-probes"},
                                           {SectionKind::SampledLaunches, "sampled-launches"},
                                           {SectionKind::LaunchTimes, "launch-times"}};
constexpr Word<RegionKind> kRegions[] = {{RegionKind::Kernel, "kernel"},
                                         {RegionKind::Scope, "scope"},
                                         {RegionKind::Range, "range"},
                                         {RegionKind::Mark, "mark"},
                                         {RegionKind::Pragma, "pragma"},
                                         {RegionKind::Automatic, "automatic"},
                                         {RegionKind::Calibration, "calibration"},
                                         {RegionKind::Wait, "wait"},
                                         {RegionKind::Signal, "signal"}};
constexpr Word<SyncOperation> kOperations[] = {{SyncOperation::None, "none"},
                                               {SyncOperation::Barrier, "barrier"},
                                               {SyncOperation::Await, "await"},
                                               {SyncOperation::Arrive, "arrive"},
                                               {SyncOperation::Issue, "issue"},
                                               {SyncOperation::Commit, "commit"},
                                               {SyncOperation::ArriveIssue, "arrive-issue"},
                                               {SyncOperation::CommitAwait, "commit-await"},
                                               {SyncOperation::Expect, "expect"}};
constexpr Word<SyncObject> kObjects[] = {{SyncObject::Unknown, "unknown"},
                                         {SyncObject::Lanes, "lanes"},
                                         {SyncObject::BlockBarrier, "block-barrier"},
                                         {SyncObject::ClusterBarrier, "cluster-barrier"},
                                         {SyncObject::GridBarrier, "grid-barrier"},
                                         {SyncObject::SharedBarrier, "shared-barrier"},
                                         {SyncObject::CopyGroup, "copy-group"},
                                         {SyncObject::BulkGroup, "bulk-group"},
                                         {SyncObject::MatrixGroup, "matrix-group"},
                                         {SyncObject::Pipeline, "pipeline"},
                                         {SyncObject::RemoteBarrier, "remote-barrier"},
                                         {SyncObject::PipelineStage, "pipeline-stage"},
                                         {SyncObject::PipelineSlot, "pipeline-slot"},
                                         {SyncObject::SomeBlockBarrier, "some-block-barrier"}};
constexpr Word<KeepPolicy> kPolicies[] = {{KeepPolicy::First, "first"}, {KeepPolicy::Last, "last"}};
constexpr Word<RecordKind> kRecords[] = {{RecordKind::Empty, "empty"},       {RecordKind::Span, "span"},   {RecordKind::Begin, "begin"},
                                         {RecordKind::End, "end"},           {RecordKind::Mark, "mark"},   {RecordKind::Sum, "sum"},
                                         {RecordKind::Extremes, "extremes"}, {RecordKind::Total, "total"}, {RecordKind::Lengths, "lengths"},
                                         {RecordKind::Adjacent, "adjacent"}};
constexpr Word<LossKind> kLosses[] = {{LossKind::WarpsWithoutBuffer, "warps-without-buffer"},
                                      {LossKind::LaunchesUnrecorded, "launches-unrecorded"},
                                      {LossKind::Unreadable, "unreadable"},
                                      {LossKind::LaunchesUnlisted, "launches-unlisted"},
                                      {LossKind::SitesUnreadable, "sites-unreadable"},
                                      {LossKind::SwitchedOff, "switched-off"},
                                      {LossKind::ReferencesUnreadable, "references-unreadable"},
                                      {LossKind::OtherLanes, "other-lanes"},
                                      {LossKind::RangesUnlisted, "ranges-unlisted"}};
constexpr Word<HostRangeKind> kHostRanges[] = {
    {HostRangeKind::Pushed, "pushed"}, {HostRangeKind::Started, "started"}, {HostRangeKind::Mark, "mark"}};
constexpr Word<SiteKind> kSites[] = {{SiteKind::Load, "load"},
                                     {SiteKind::Store, "store"},
                                     {SiteKind::Update, "update"},
                                     {SiteKind::Atomic, "atomic"},
                                     {SiteKind::Unseen, "unseen"}};
constexpr Word<MachineState> kMachineStates[] = {{MachineState::Unknown, "unknown"}, {MachineState::Same, "same"},
                                                 {MachineState::Wide, "wide"},       {MachineState::Merged, "merged"},
                                                 {MachineState::Narrow, "narrow"},   {MachineState::Removed, "removed"},
                                                 {MachineState::Varies, "varies"}};
constexpr Word<SiteCounter> kCounters[] = {{format::kAccesses, "accesses"},
                                           {format::kLanes, "lanes"},
                                           {format::kBytes, "bytes"},
                                           {format::kDistinctBytes, "distinct-bytes"},
                                           {format::kSectors, "sectors"},
                                           {format::kMinSectors, "min-sectors"},
                                           {format::kLines, "lines"},
                                           {format::kMinLines, "min-lines"},
                                           {format::kBroadcast, "broadcast"},
                                           {format::kUnit, "unit"},
                                           {format::kStrided, "strided"},
                                           {format::kIrregular, "irregular"},
                                           {format::kStrideBytes, "stride-bytes"},
                                           {format::kMisaligned, "misaligned"},
                                           {format::kSerialLanes, "serial-lanes"},
                                           {format::kSharedAccesses, "shared-accesses"},
                                           {format::kSharedLanes, "shared-lanes"},
                                           {format::kSharedBytes, "shared-bytes"},
                                           {format::kWavefronts, "wavefronts"},
                                           {format::kMinWavefronts, "min-wavefronts"},
                                           {format::kSharedStrided, "shared-strided"},
                                           {format::kSharedStrideBytes, "shared-stride-bytes"},
                                           {format::kSharedSerialLanes, "shared-serial-lanes"},
                                           {format::kOtherAccesses, "other-accesses"}};
static_assert(std::size(kCounters) == format::kSiteCounters);
constexpr Word<SummaryCounter> kSummaryWords[] = {{format::kSummaryLaunches, "launches"},
                                                  {format::kSummaryTimedLaunches, "timed-launches"},
                                                  {format::kSummaryDurationNs, "duration-ns"},
                                                  {format::kSummaryWarpsLaunched, "warps-launched"},
                                                  {format::kSummaryWarps, "warps"},
                                                  {format::kSummaryUnfinishedWarps, "unfinished-warps"},
                                                  {format::kSummaryDamagedWarps, "damaged-warps"},
                                                  {format::kSummaryForeignWarps, "foreign-warps"},
                                                  {format::kSummaryCycles, "cycles"},
                                                  {format::kSummaryUnattributed, "unattributed"},
                                                  {format::kSummaryNotRecorded, "not-recorded"},
                                                  {format::kSummaryMaxRecords, "max-records"},
                                                  {format::kSummaryProduced, "produced"},
                                                  {format::kSummaryDropped, "dropped"},
                                                  {format::kSummarySpans, "spans"},
                                                  {format::kSummaryPairs, "pairs"},
                                                  {format::kSummaryUnmatchedBegins, "unmatched-begins"},
                                                  {format::kSummaryUnmatchedEnds, "unmatched-ends"},
                                                  {format::kSummaryMarks, "marks"},
                                                  {format::kSummaryEmpty, "empty"},
                                                  {format::kSummaryStale, "stale"},
                                                  {format::kSummaryDamaged, "damaged"},
                                                  {format::kSummaryOwnProbes, "own-probes"},
                                                  {format::kSummarySharedProbes, "shared-probes"},
                                                  {format::kSummaryOwnOnTop, "own-on-top"},
                                                  {format::kSummarySharedOnTop, "shared-on-top"},
                                                  {format::kSummarySums, "sums"}};
static_assert(std::size(kSummaryWords) == format::kSummaryCounters);
constexpr Word<SummaryRowCounter> kSummaryRowWords[] = {{format::kRowCount, "count"},
                                                        {format::kRowOverlapping, "overlapping"},
                                                        {format::kRowSelf, "self"},
                                                        {format::kRowTotal, "total"},
                                                        {format::kRowSum, "sum"},
                                                        {format::kRowMin, "min"},
                                                        {format::kRowMax, "max"},
                                                        {format::kRowUnmatchedBegins, "unmatched-begins"},
                                                        {format::kRowUnmatchedEnds, "unmatched-ends"},
                                                        {format::kRowWarps, "warps"},
                                                        {format::kRowMaxInWarp, "max-in-warp"},
                                                        {format::kRowOutermostOwn, "outermost-own"},
                                                        {format::kRowOutermostShared, "outermost-shared"},
                                                        {format::kRowInsideOwn, "inside-own"},
                                                        {format::kRowInsideShared, "inside-shared"},
                                                        {format::kRowNestedOwn, "nested-own"},
                                                        {format::kRowNestedShared, "nested-shared"},
                                                        {format::kRowChildrenOwn, "children-own"},
                                                        {format::kRowChildrenShared, "children-shared"},
                                                        {format::kRowSummed, "summed"}};
static_assert(std::size(kSummaryRowWords) == format::kSummaryRowCounters);

std::span<const Word<Target>> table(Target) { return kTargets; }
std::span<const Word<SectionKind>> table(SectionKind) { return kSections; }
std::span<const Word<RegionKind>> table(RegionKind) { return kRegions; }
std::span<const Word<SyncOperation>> table(SyncOperation) { return kOperations; }
std::span<const Word<SyncObject>> table(SyncObject) { return kObjects; }
std::span<const Word<KeepPolicy>> table(KeepPolicy) { return kPolicies; }
std::span<const Word<RecordKind>> table(RecordKind) { return kRecords; }
std::span<const Word<LossKind>> table(LossKind) { return kLosses; }
std::span<const Word<HostRangeKind>> table(HostRangeKind) { return kHostRanges; }
std::span<const Word<SiteKind>> table(SiteKind) { return kSites; }
std::span<const Word<MachineState>> table(MachineState) { return kMachineStates; }
std::span<const Word<SiteCounter>> table(SiteCounter) { return kCounters; }
std::span<const Word<SummaryCounter>> table(SummaryCounter) { return kSummaryWords; }
std::span<const Word<SummaryRowCounter>> table(SummaryRowCounter) { return kSummaryRowWords; }

template <typename Kind> const char *find(Kind kind) {
  for (const Word<Kind> &word : table(kind))
    if (word.kind == kind)
      return word.text;
  return nullptr;
}

} // namespace

const char *name(Target target) { return find(target); }
const char *name(SectionKind kind) { return find(kind); }
const char *name(RegionKind kind) { return find(kind); }
const char *name(SyncOperation operation) { return find(operation); }
const char *name(SyncObject object) { return find(object); }
const char *name(KeepPolicy policy) { return find(policy); }
const char *name(RecordKind kind) { return find(kind); }
const char *name(LossKind kind) { return find(kind); }
const char *name(HostRangeKind kind) { return find(kind); }
const char *name(SiteKind kind) { return find(kind); }
const char *name(MachineState state) { return find(state); }
const char *name(SiteCounter counter) { return find(counter); }
const char *name(SummaryCounter counter) { return find(counter); }
const char *name(SummaryRowCounter counter) { return find(counter); }

template <typename Kind> std::string named(Kind kind) {
  const char *word = find(kind);
  return word ? word : fmt::format("{:#x}", static_cast<std::uint32_t>(kind));
}

template <typename Kind> std::optional<Kind> valueOf(std::string_view text) {
  for (const Word<Kind> &word : table(Kind{}))
    if (word.text == text)
      return word.kind;
  std::uint32_t number = 0;
  if (!text.starts_with("0x"))
    return std::nullopt;
  const auto [end, code] = std::from_chars(text.data() + 2, text.data() + text.size(), number, 16);
  if (code != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return static_cast<Kind>(number);
}

template <typename Kind> std::string words() {
  std::string out;
  for (const Word<Kind> &word : table(Kind{}))
    out += (out.empty() ? "" : ", ") + std::string(word.text);
  return out;
}

#define KPERF_NAMES_OF(Kind)                                                                                                               \
  template std::string named<Kind>(Kind);                                                                                                  \
  template std::optional<Kind> valueOf<Kind>(std::string_view);                                                                            \
  template std::string words<Kind>();
KPERF_NAMES_OF(Target)
KPERF_NAMES_OF(SectionKind)
KPERF_NAMES_OF(RegionKind)
KPERF_NAMES_OF(SyncOperation)
KPERF_NAMES_OF(SyncObject)
KPERF_NAMES_OF(KeepPolicy)
KPERF_NAMES_OF(RecordKind)
KPERF_NAMES_OF(LossKind)
KPERF_NAMES_OF(HostRangeKind)
KPERF_NAMES_OF(SiteKind)
KPERF_NAMES_OF(MachineState)
KPERF_NAMES_OF(SiteCounter)
#undef KPERF_NAMES_OF

} // namespace kperf::decoder
