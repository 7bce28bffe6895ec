// Parses the lines of ptxas -v, which are the same from CUDA 11 to 13.
#include "tool/plain/PtxasReport.h"

#include "tool/plain/PtxMerge.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Regex.h"

#include <algorithm>

namespace kperf::plain {
namespace {

using llvm::StringRef;

constexpr StringRef kInfo = "ptxas info";

/// The most registers of a thread with which blocks of 1024 threads start.
constexpr unsigned kRegistersOfLargestBlock = 64;

/// Those of a multiprocessor, which gives them to a warp in units (CUDA C++ Programming Guide, "Compute Capabilities": technical
/// specifications). Each of its four parts has a quarter of them, for warps of its own.
constexpr unsigned kRegisters = 65536, kRegisterUnit = 256, kLanes = 32, kParts = 4;

/// What stands in the last pair of quotes of a line.
StringRef lastQuoted(StringRef line) {
  const std::size_t end = line.rfind('\'');
  const std::size_t begin = end == StringRef::npos || end == 0 ? StringRef::npos : line.rfind('\'', end);
  return begin == StringRef::npos ? StringRef() : line.slice(begin + 1, end);
}

/// The number in front of `unit`: "0 bytes spill stores".
unsigned numberBefore(StringRef line, StringRef unit) {
  const std::size_t at = line.find(unit);
  StringRef text = line.take_front(at == StringRef::npos ? 0 : at).rtrim();
  const StringRef digits = text.take_back(text.size() - (text.find_last_not_of("0123456789") + 1));
  unsigned number = 0;
  return digits.getAsInteger(10, number) ? 0 : number;
}

struct Line {
  StringRef text;
  StringRef subject; ///< the function that it is about, as far as known
  bool isOfVerbose;  ///< only -v writes it
};

/// The lines with what each is about.
std::vector<Line> linesOf(StringRef output) {
  std::vector<Line> out;
  StringRef entry, function;
  while (!output.empty()) {
    auto [text, rest] = output.split('\n');
    output = rest;
    if (text.starts_with(kInfo) && text.contains("Compiling entry function")) {
      entry = function = text.split('\'').second.split('\'').first;
      out.push_back({text, entry, true});
    } else if (text.starts_with(kInfo) && text.contains("Function properties for ")) {
      function = text.split("Function properties for ").second.trim();
      out.push_back({text, function, true});
    } else if (text.contains("bytes stack frame")) {
      out.push_back({text, function, true});
    } else if (text.starts_with(kInfo) && text.contains("Overriding maximum register limit")) { // -maxrregcount
      out.push_back({text, lastQuoted(text), true});
    } else if (text.starts_with(kInfo) && (text.contains(": Used ") || text.contains("Compile time = "))) {
      out.push_back({text, entry, true});
    } else if (text.starts_with(kInfo) && text.contains(" bytes gmem")) {
      out.push_back({text, {}, true});
    } else {
      out.push_back({text, lastQuoted(text), false});
    }
  }
  return out;
}

/// ptxas's words behind a code, without the name of the function that they end with.
StringRef wordsBehind(StringRef line, StringRef code) {
  StringRef words = line.split(code).second.ltrim(") ");
  if (const std::size_t at = words.rfind(" function '"); at != StringRef::npos)
    words = words.take_front(at).rtrim();
  for (StringRef rest : {" the", " in"})
    words.consume_back(rest);
  return words.rtrim();
}

/// How many warps a multiprocessor of that architecture ("sm_90a") holds (the same table). Those that are not in it are taken for new.
unsigned maxWarpsOf(StringRef architecture) {
  static constexpr StringRef with48[] = {"86", "87", "88", "89", "101", "110", "120", "121"};
  architecture.consume_front("sm_");
  const StringRef number = architecture.take_while(llvm::isDigit);
  return number == "75" ? 32 : llvm::is_contained(with48, number) ? 48 : 64;
}

/// How many warps a multiprocessor's registers are enough for, of those that it holds.
unsigned residentWarps(const Resources &resources) {
  const unsigned ofWarp = llvm::alignTo(std::max(resources.registers, 1u) * kLanes, kRegisterUnit);
  return std::min(kRegisters / kParts / ofWarp * kParts, resources.maxWarps);
}

/// What a multiprocessor's registers are enough for, in whole blocks where the kernel says how large they are. Of smaller blocks than one
/// warp for each part it may hold no more for other reasons.
std::string residenceText(unsigned warps, unsigned before, unsigned threads) {
  const unsigned ofBlock = llvm::divideCeil(threads, kLanes);
  const bool areBlocks = ofBlock >= kParts && warps / ofBlock < before / ofBlock;
  const unsigned of = areBlocks ? ofBlock : 1, count = warps / of;
  const std::string unit = (areBlocks ? " block" : " warp") + std::string(count == 1 ? "" : "s") +
                           (areBlocks ? " of " + std::to_string(threads) + " threads" : "");
  return " (enough for " + std::to_string(count) + unit + " a multiprocessor, not " + std::to_string(before / of) + ")";
}

/// The most registers of a thread with which it holds all of them: 32 with 64 warps, 40 with 48, 64 with 32.
unsigned registersAtMaxWarps(const Resources &resources) {
  return llvm::alignDown(kRegisters / resources.maxWarps, kRegisterUnit) / kLanes;
}

std::string difference(StringRef what, unsigned before, unsigned now, StringRef unit) {
  return before == now ? std::string() : (what + " " + llvm::Twine(before) + " -> " + llvm::Twine(now) + unit).str();
}

} // namespace

std::map<std::string, Resources> readPtxasReport(StringRef output) {
  static const llvm::Regex code("\\((C7[0-9]+)\\)");
  std::map<std::string, Resources> out;
  for (const Line &line : linesOf(output)) {
    llvm::SmallVector<StringRef, 2> found;
    if (line.subject.empty())
      continue;
    if (line.isOfVerbose) {
      Resources &resources = out[line.subject.str()];
      if (line.text.contains("Compiling entry function")) {
        resources.maxWarps = maxWarpsOf(lastQuoted(line.text));
      } else if (line.text.contains("bytes stack frame")) {
        resources.stack = numberBefore(line.text, " bytes stack frame");
        resources.spillStores = numberBefore(line.text, " bytes spill stores");
        resources.spillLoads = numberBefore(line.text, " bytes spill loads");
      } else if (line.text.contains(": Used ")) {
        resources.registers = numberBefore(line.text, " registers");
        resources.staticShared = numberBefore(line.text, " bytes smem");
      }
    } else if (code.match(line.text, &found)) {
      out[line.subject.str()].serialised.try_emplace(found[1].str(), wordsBehind(line.text, found[1]).str());
    }
  }
  return out;
}

std::string withoutPlainKernels(StringRef output, bool keepsResources) {
  std::string out;
  for (const Line &line : linesOf(output))
    if (!line.subject.ends_with(kPlainSuffix) && (keepsResources || !line.isOfVerbose))
      out += (line.text + "\n").str();
  return out;
}

std::vector<Change> changesIn(const std::map<std::string, Resources> &report, const std::map<std::string, unsigned> &blockLimits) {
  std::vector<Change> out;
  for (const auto &[name, probed] : report) {
    const auto copy = report.find(name + kPlainSuffix.str());
    if (copy == report.end())
      continue;
    const Resources &plain = copy->second;
    Change change{name, "", false, {}, ""};
    std::string codes;
    for (const auto &[code, words] : probed.serialised)
      if (!plain.serialised.contains(code)) {
        change.newlySerialised.emplace(code, words);
        codes += (codes.empty() ? "" : ", ") + code;
      }
    const std::string others[] = {difference("spill stores", plain.spillStores, probed.spillStores, " bytes"),
                                  difference("spill loads", plain.spillLoads, probed.spillLoads, " bytes"),
                                  difference("stack", plain.stack, probed.stack, " bytes"),
                                  difference("static shared memory", plain.staticShared, probed.staticShared, " bytes"), codes};
    change.text = difference("registers", plain.registers, probed.registers, "");
    const unsigned warps = residentWarps(probed), before = residentWarps(plain);
    change.isLarge = warps < before;
    if (const auto limit = blockLimits.find(name); change.isLarge)
      change.text += residenceText(warps, before, limit == blockLimits.end() ? 0 : limit->second);
    for (const std::string &other : others)
      if (!other.empty()) {
        change.text += (change.text.empty() ? "" : ", ") + other;
        change.isLarge = true;
      }
    // A value that is spilled is stored once at least, and takes as many bytes of the stack, or twice as many where it is padded:
    // FlashAttention-3's forward kernel, with 16 bytes of spill stores, has a stack of 24.
    if (probed.stack > plain.stack + 2 * probed.spillStores)
      change.movesToStack = difference("stack", plain.stack, probed.stack, " bytes");
    if (!change.text.empty())
      out.push_back(std::move(change));
  }
  return out;
}

/// Without spills. Of kernels of 75 HeCBench programs with --auto=kernels,loops 20 of 62 did, and none of 15 with more than a quarter above
/// the limit; nor, with memory probes, any of seven that had 82 to 106 registers for 64 (nvcc 13.0, sm_90). To try takes as long as the
/// first time.
static bool mayComeDownTo(unsigned limit, const Resources &probed) { return probed.registers <= limit + limit / 4; }

std::map<std::string, unsigned> limitsForResidency(const std::map<std::string, Resources> &report) {
  std::map<std::string, unsigned> out;
  for (const auto &[name, probed] : report)
    if (const auto copy = report.find(name + kPlainSuffix.str()); copy != report.end())
      if (const unsigned limit = registersAtMaxWarps(probed);
          residentWarps(copy->second) == probed.maxWarps && residentWarps(probed) < probed.maxWarps && mayComeDownTo(limit, probed))
        out[name] = limit;
  return out;
}

std::map<std::string, unsigned> limitsForBlocks(const std::map<std::string, Resources> &report) {
  std::map<std::string, unsigned> out;
  for (const auto &[name, probed] : report)
    if (const auto copy = report.find(name + kPlainSuffix.str()); copy != report.end())
      if (copy->second.registers <= kRegistersOfLargestBlock && probed.registers > kRegistersOfLargestBlock &&
          mayComeDownTo(kRegistersOfLargestBlock, probed))
        out[name] = kRegistersOfLargestBlock;
  return out;
}

unsigned registersForAsManyWarps(const Resources &resources) {
  constexpr unsigned kMost = 255;
  return std::min(static_cast<unsigned>(llvm::alignDown(kRegisters / residentWarps(resources), kRegisterUnit)) / kLanes, kMost);
}

bool isBetter(const std::map<std::string, Resources> &report, const std::string &kernel,
              const std::map<std::string, Resources> &othersReport, const std::string &other) {
  const auto one = report.find(kernel), two = othersReport.find(other);
  return one != report.end() && two != othersReport.end() &&
         (residentWarps(one->second) > residentWarps(two->second) || one->second.spillLoads < two->second.spillLoads ||
          (one->second.stack == 0 && two->second.stack > 0));
}

bool isWorthLimiting(const Resources &unlimited, const Resources &limited, unsigned limit) {
  return limited.registers <= limit && limited.spillStores <= unlimited.spillStores && limited.spillLoads <= unlimited.spillLoads &&
         limited.serialised.size() <= unlimited.serialised.size();
}

} // namespace kperf::plain
