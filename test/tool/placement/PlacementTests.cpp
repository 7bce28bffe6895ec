// What counts as inside of a region: clock reads by their lines, by the tags of records, and where ptxas has lost either.
#include "tool/placement/Placement.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace kperf::placement {
namespace {

using format::RegionKind;

/// A line of code: what it is, and the line of k.cu that it comes from.
struct Code {
  std::string text;
  unsigned line = 0;    ///< 0: a label
  std::string probe{};  ///< the header of kperf that it comes from there
  bool isPlaced = true; ///< whether its line is said: else it is that of the instruction before
};

Code clock(unsigned line) { return {"CS2R.32 R4, SR_CLOCKLO", line}; }
Code countsAccess(std::string text, unsigned line) { return {std::move(text), line, "gpu/memory/AccessSample.h"}; }
Code tag(unsigned kind, unsigned id, unsigned line) { return {fmt::format("MOV R7, {:#x}", kind << 24 | id), line}; }

Region scope(std::uint32_t id, std::uint32_t line, std::uint32_t endLine) {
  return {.id = id,
          .kind = RegionKind::Scope,
          .name = fmt::format("{}", id),
          .function = "k",
          .file = "k.cu",
          .line = line,
          .endLine = endLine,
          .next = 0,
          .isPragma = false};
}

Region range(std::uint32_t id, std::uint32_t line, std::uint32_t endLine) {
  Region region = scope(id, line, endLine);
  region.kind = RegionKind::Range;
  return region;
}

std::string listingOf(const std::vector<Code> &code) {
  std::string text = "//--------------------- .text.kernel ----\n";
  for (const auto &[what, line, probe, isPlaced] : code) {
    const bool isClock = what.starts_with("CS2R.32") || what.starts_with("MOV R7");
    const std::string header = !probe.empty() ? probe : isClock ? "cuda/Clock.h" : "";
    if (line == 0)
      text += what + "\n";
    else if (!header.empty() && isPlaced)
      text +=
          fmt::format("\t//## File \"/usr/include/kperf/{1}\", line 76 inlined at \"/k.cu\", line {0}\n\t//## File \"/k.cu\", line {0}\n",
                      line, header);
    else if (isPlaced)
      text += fmt::format("\t//## File \"/k.cu\", line {}\n", line);
    if (line != 0)
      text += fmt::format("        /*0000*/  {} ;\n", what);
  }
  return text;
}

/// "inside/outside/unplaced/foreign" of each region; "?" where its clock reads are not found.
std::string placed(const std::vector<Code> &code, const std::vector<Region> &regions) {
  const Listing listing = readListing(listingOf(code));
  const std::vector<UserPlaces> places = userPlaces(listing, regions);
  std::string text;
  for (const RegionPlacement &row : placementIn(listing.functions.at(0), places, regions, "").regions)
    text += (text.empty() ? "" : " ") +
            (row.isClocked ? fmt::format("{}/{}/{}/{}", row.inside, row.outside, row.unplaced(), row.foreign) : std::string("?"));
  return text;
}

TEST(Placement, CountsBetweenTheClockReads) {
  EXPECT_EQ(placed({{"LDG R1", 5}, clock(4), {"FADD R1", 5}, {"IADD3 R9", 2}, clock(7), {"STG R1", 6}, {"EXIT", 9}}, {scope(1, 4, 7)}),
            "1/2/0/1");
}

TEST(Placement, KnowsWhatIsOnOnePathOnly) {
  EXPECT_EQ(
      placed({{"@P0 BRA `(.L_x_1)", 2}, clock(4), {".L_x_1:"}, {"FADD R1", 5}, clock(7), {"FMUL R1", 5}, {"EXIT", 9}}, {scope(1, 4, 7)}),
      "0/1/1/0");
}

TEST(Placement, EndsTheInnermostRegionThatIsLeftEarly) {
  // { outer; { inner; if (…) continue; … } … }: the jump has a read for each
  EXPECT_EQ(placed({{".L_x_0:"},
                    clock(3),
                    {"A R1", 4},
                    clock(5),
                    {"B R1", 6},
                    {"@P0 BRA `(.L_x_1)", 6},
                    {"C R1", 7},
                    clock(8),
                    {"D R1", 9},
                    clock(10),
                    {"BRA `(.L_x_0)", 2},
                    {".L_x_1:"},
                    clock(6),
                    clock(6),
                    {"BRA `(.L_x_0)", 2}},
                   {scope(1, 3, 10), scope(2, 5, 8)}),
            "5/0/0/0 3/0/0/0");
}

TEST(Placement, TakesAReadThatTheLastLineStillFollowsForAMark) {
  EXPECT_EQ(placed({clock(3), {"A R1", 4}, clock(5), {"B R1", 6}, clock(7), {"EXIT", 9}}, {scope(1, 3, 7)}), "2/0/0/0");
}

TEST(Placement, EndsScopesWhereAnotherOneBegins) {
  EXPECT_EQ(placed({clock(3), {"A R1", 4}, clock(7), {"B R1", 8}, clock(9), {"C R1", 4}, {"EXIT", 12}}, {scope(1, 3, 5), scope(2, 7, 9)}),
            "1/1/0/0 1/0/0/0");
}

TEST(Placement, BeginsTheInnerOneByAReadWithTheLineOfTheOneBefore) {
  EXPECT_EQ(placed({clock(3), {"CS2R.32 R5, SR_CLOCKLO", 3}, {"A R1", 5}, clock(6), {"B R1", 7}, clock(8), {"EXIT", 9}},
                   {scope(1, 3, 8), scope(2, 4, 6)}),
            "2/0/0/0 1/0/0/0");
}

TEST(Placement, EndsARegionThatWasEmptiedByTheReadBehindItsBegin) {
  const std::vector<Region> regions = {scope(1, 3, 5)};
  const std::vector<Code> code = {{".L_x_0:"},    clock(3),       clock(3), {"FADD R1", 2},           clock(3),
                                  {"FFMA R1", 4}, {"FFMA R1", 4}, clock(5), {"@P0 BRA `(.L_x_0)", 2}, {"EXIT", 9}};
  EXPECT_EQ(placed(code, regions), "2/0/0/0");
  const Listing listing = readListing(listingOf(code));
  const RegionPlacement found = placementIn(listing.functions.at(0), userPlaces(listing, regions), regions, "sm_90").regions.at(0);
  EXPECT_EQ(found.copies, 2u);
  EXPECT_EQ(found.emptyCopies, 1u);
  EXPECT_EQ(found.work.floats.ofEntry, std::nullopt); // one entry has none of it, the other one that of both
}

TEST(Placement, TellsCopiesOfRangesByTheirTags) {
  // ptxas gives the second copy's begin the line of the end
  const std::vector<Code> code = {clock(3),     tag(2, 1, 3), {"A R1", 4}, clock(5),     tag(3, 1, 5), clock(5),
                                  tag(2, 1, 5), {"A R1", 4},  clock(5),    tag(3, 1, 5), {"EXIT", 9}};
  EXPECT_EQ(placed(code, {range(1, 3, 5)}), "2/0/0/0");
  const std::vector<Region> regions = {range(1, 3, 5)};
  const Listing listing = readListing(listingOf(code));
  EXPECT_EQ(placementIn(listing.functions.at(0), userPlaces(listing, regions), regions, "").regions.at(0).mislined, 1u);
}

TEST(Placement, BeginsRangesByTheReadThatTheOneBeforeEndsWith) {
  EXPECT_EQ(placed({clock(3), {"A R1", 4}, clock(5), {"B R1", 7}, clock(8), {"EXIT", 9}}, {range(1, 3, 5), range(2, 6, 8)}),
            "1/0/0/0 1/0/0/0");
}

TEST(Placement, CountsOnTheLineOfAnAnnotationOnlyWhatIsInside) {
  EXPECT_EQ(placed({{"A R1", 3}, clock(3), {"B R1", 3}, {"C R1", 5}, clock(5), {"D R1", 5}, {"EXIT", 9}}, {range(1, 3, 5)}), "2/0/0/0");
}

TEST(Placement, BeginsARangeOfAPragmaAtTheDeclarationBelowIt) {
  Region declaration = range(1, 3, 4);
  declaration.isPragma = true;
  EXPECT_EQ(placed({clock(4), {"A R1", 4}, {"B R1", 4}, clock(4), {"EXIT", 9}}, {declaration}), "2/0/0/0");
  EXPECT_EQ(placed({clock(4), {"A R1", 4}, {"B R1", 4}, clock(4), {"EXIT", 9}}, {range(1, 3, 4)}), "?");
}

TEST(Placement, DoesNotTellRegionsOfTheSameLinesApart) {
  EXPECT_EQ(placed({clock(3), clock(3), {"A R1", 4}, clock(5), clock(5), {"EXIT", 9}}, {scope(1, 3, 5), scope(2, 3, 5)}), "? ?");
}

TEST(Placement, DoesNotTellARegionOfOneLineFromOneThatBeginsOrEndsThere) {
  Region wait = scope(2, 3, 3);
  wait.kind = RegionKind::Wait;
  // KPERF_SCOPE("1"); __syncthreads();
  EXPECT_EQ(placed({clock(3), clock(3), {"BAR.SYNC", 3}, clock(3), {"A R1", 4}, clock(5), {"EXIT", 9}}, {scope(1, 3, 5), wait}), "? ?");
  // __syncthreads(); }
  wait.line = wait.endLine = 5;
  EXPECT_EQ(placed({clock(3), {"A R1", 4}, clock(5), {"BAR.SYNC", 5}, clock(5), clock(5), {"EXIT", 9}}, {scope(1, 3, 5), wait}), "? ?");
  // KPERF_BEGIN("3"); __syncthreads();
  wait.line = wait.endLine = 3;
  EXPECT_EQ(placed({clock(3), clock(3), {"BAR.SYNC", 3}, clock(3), {"A R1", 4}, clock(5), {"EXIT", 9}}, {range(3, 3, 5), wait}), "? ?");
  wait.line = wait.endLine = 4; // on a line of its own
  EXPECT_EQ(placed({clock(3), clock(4), {"BAR.SYNC", 4}, clock(4), clock(5), {"EXIT", 9}}, {scope(1, 3, 5), wait}), "1/0/0/0 1/0/0/0");
}

/// A clock that goes into a record, and the record's store.
Code clockIn(unsigned reg, unsigned line) { return {fmt::format("CS2R.32 R{}, SR_CLOCKLO", reg), line}; }
Code tagIn(unsigned reg, unsigned id, unsigned line) {
  return {fmt::format("@P1 IMAD.MOV.U32 R{}, RZ, RZ, {:#x}", reg, 1u << 24 | id), line, "gpu/record/Parts.h"};
}
Code store(unsigned quad, unsigned line) { return {fmt::format("@P1 STG.E.128 desc[UR4][R2.64], R{}", quad), line, "cuda/Instructions.h"}; }

TEST(Placement, TellsReadsByTheRecordsThatHoldThem) {
  // KPERF_SCOPE("1"); __syncthreads(); and a read whose line is that of another copy of the one function, as in an unrolled loop
  const auto code = [](unsigned bodyLine) {
    return std::vector<Code>{clockIn(8, 3),      clockIn(12, 3), {"BAR.SYNC", 3}, clockIn(13, 5), tagIn(15, 2, 5), store(12, 5),
                             {"A R1", bodyLine}, clockIn(9, 5),  tagIn(11, 1, 5), store(8, 5),    {"B R1", 3},     {"EXIT", 9}};
  };
  Region wait = scope(2, 3, 3);
  wait.kind = RegionKind::Wait;
  EXPECT_EQ(placed(code(4), {scope(1, 3, 5), wait}), "2/0/0/0 1/0/0/0");
  EXPECT_EQ(placed(code(3), {scope(1, 3, 3), wait}), "2/0/0/0 1/0/0/0"); // all on one line
  wait.line = wait.endLine = 4;
  EXPECT_EQ(placed(code(4), {scope(1, 3, 5), wait}), "2/0/0/0 0/1/0/1"); // by its line it is another statement's
  std::vector<Code> moved = code(4);
  moved[4].text = "MOV R15, R20"; // a tag that is not found
  wait.line = wait.endLine = 3;
  EXPECT_EQ(placed(moved, {scope(1, 3, 5), wait}), "? ?");
}

TEST(Placement, EndsNothingByAMarkInARegionThatARecordTells) {
  EXPECT_EQ(placed({clockIn(8, 3), {"A R1", 4}, clockIn(16, 5), {"B R1", 6}, clockIn(9, 7), tagIn(11, 1, 7), store(8, 7), {"EXIT", 9}},
                   {scope(1, 3, 7)}),
            "2/0/0/0");
}

TEST(Placement, HasRegionsWithNoLineBetweenTheirAnnotationsToo) {
  // { KPERF_SCOPE("turn"); barrier.arrive_and_wait(); } on one line, with a probe of the wait
  const auto instructions = [](std::uint32_t endLine) {
    Region wait = scope(2, 4, endLine);
    wait.kind = RegionKind::Wait;
    const std::vector<Region> regions = {scope(1, 4, endLine), wait};
    const std::vector<Code> code = {clock(4), clock(4), {"A R1", 4}, {"B R1", endLine}, clock(endLine), clock(endLine), {"EXIT", 9}};
    const Listing listing = readListing(listingOf(code));
    std::vector<std::uint64_t> found;
    for (const RegionPlacement &row : placementIn(listing.functions.at(0), userPlaces(listing, regions), regions, "").regions)
      found.push_back(row.isClocked ? 99 : row.instructions);
    return found;
  };
  EXPECT_EQ(instructions(4), (std::vector<std::uint64_t>{2, 2}));
  EXPECT_EQ(instructions(5), (std::vector<std::uint64_t>{2, 2}));
}

TEST(Placement, LeavesTheCopyWithoutProbesOut) {
  EXPECT_EQ(placed({{"@P0 BRA `(.L_x_1)", 1}, clock(3), {"A R1", 4}, clock(5), {"EXIT", 9}, {".L_x_1:"}, {"A R1", 4}, {"EXIT", 9}},
                   {scope(1, 3, 5)}),
            "1/0/0/0");
}

TEST(Placement, TakesNoReadThatChoosesAccessesForARegions) {
  // at a sampled access in the region, whose clock says whether it is counted
  EXPECT_EQ(
      placed(
          {clock(4), countsAccess("S2UR UR4, SR_CLOCKLO", 5), countsAccess("VIADD R2, R2, UR4", 5), {"LDG R1", 5}, clock(7), {"EXIT", 9}},
          {scope(1, 4, 7)}),
      "1/0/0/0");
}

TEST(Placement, KnowsAReadThatChoosesAccessesByWhoTakesIt) {
  // ptxas gives it the line of the region's read before
  const auto code = [](const Code &taker) {
    return std::vector<Code>{clock(4), {"S2UR UR4, SR_CLOCKLO", 4, "", false}, {"LDG R1", 5}, taker, {"STG R1", 6}, clock(7), {"EXIT", 9}};
  };
  EXPECT_EQ(placed(code(countsAccess("VIADD R2, R13, UR4", 5)), {scope(1, 4, 7)}), "2/0/0/0");
  EXPECT_EQ(placed(code({"IMAD.U32 R5, RZ, RZ, UR4", 5, "gpu/record/Parts.h"}), {scope(1, 4, 7)}), "0/2/0/0");
}

TEST(Placement, GivesNobodyTheArithmeticOfProbes) {
  const std::vector<Region> regions = {scope(1, 4, 7)};
  const std::vector<Code> code = {countsAccess("FMUL R3, R3, R8", 2),
                                  {"FADD R1, R1, R2", 2},
                                  clock(4),
                                  countsAccess("FMUL R3, R3, R8", 5),
                                  {"FFMA R1, R1, R2, R1", 5},
                                  clock(7),
                                  {"EXIT", 9}};
  const Listing listing = readListing(listingOf(code));
  const KernelPlacement found = placementIn(listing.functions.at(0), userPlaces(listing, regions), regions, "sm_90");
  EXPECT_EQ(found.regions.at(0).work.floats.instructions, (std::map<std::string_view, std::uint64_t>{{"FFMA", 1}}));
  EXPECT_EQ(found.regions.at(0).work.floats.ofEntry, (Work{64, 0.25}));
  EXPECT_EQ(found.other.floats.instructions, (std::map<std::string_view, std::uint64_t>{{"FADD", 1}}));
}

TEST(Placement, SaysNothingOfFunctionsWithoutClockReads) { EXPECT_EQ(placed({{"A R1", 4}, {"EXIT", 9}}, {scope(1, 3, 5)}), ""); }

TEST(ClockReads, KnowsFilesByTheirLastNames) {
  EXPECT_TRUE(isSameFile("/src/a/k.cu", "/src/a/k.cu"));
  EXPECT_TRUE(isSameFile("/src/a/k.cu", "k.cu"));
  EXPECT_TRUE(isSameFile("/src/a/k.cu", "./a/k.cu"));
  EXPECT_TRUE(isSameFile("/src/a/k.cu", "../a/k.cu"));
  EXPECT_FALSE(isSameFile("/src/a/k.cu", "b/k.cu"));
  EXPECT_TRUE(isSameFile("/src/inc/k.h", "/src/a/../inc/k.h"));
  EXPECT_TRUE(isSameFile("/src/a/../inc/k.h", "../a/../inc/k.h"));
  EXPECT_FALSE(isSameFile("/src/a/k.h", "/src/a/../k.h"));
  EXPECT_FALSE(isSameFile("/src/a/book.cu", "k.cu"));
  EXPECT_FALSE(isSameFile("/src/a/k.cu", ""));
}

TEST(Placement, BeginsARegionOfOneLineByTheReadThatTheOneBeforeGoesOnWith) {
  std::vector<Region> regions = {range(1, 3, 5), range(2, 6, 6)};
  regions[0].next = 2;
  EXPECT_EQ(
      placed({{".L_x_0:"}, clock(3), {"A R1", 4}, clock(5), {"B R1", 6}, clock(6), {"C R1", 8}, {"@P0 BRA `(.L_x_0)", 2}, {"EXIT", 9}},
             regions),
      "1/0/0/0 1/0/0/0");
}

/// Operations of one entry of the first region; none where they are not known.
std::optional<double> operationsOf(const std::vector<Code> &code, const std::vector<Region> &regions) {
  const Listing listing = readListing(listingOf(code));
  const KernelPlacement placed = placementIn(listing.functions.at(0), userPlaces(listing, regions), regions, "sm_90");
  const std::optional<Work> products = placed.regions.at(0).work.tensor.ofEntry;
  return products ? std::optional(products->operations) : std::nullopt;
}

TEST(Placement, GivesProductsToTheInnermostRegion) {
  const std::vector<Code> code = {
      clock(3),    {"HMMA.16816.F32 R4", 4}, clock(5), {"HMMA.16816.F32 R4", 6}, {"HMMA.16816.F32 R4", 6}, clock(7), {"B R1", 8}, clock(9),
      {"EXIT", 12}};
  EXPECT_EQ(operationsOf(code, {scope(1, 3, 9), scope(2, 5, 7)}), 4096);
  EXPECT_EQ(operationsOf(code, {scope(2, 5, 7), scope(1, 3, 9)}), 8192);
}

TEST(Placement, GivesNoProductsToARegionWhoseClocksAreNotFound) {
  // KPERF_BEGIN("turn"); …; KPERF_END("turn"); KPERF_BEGIN("issue"); on one line, with one clock for the end and the begin
  const std::vector<Code> code = {clock(4), {"HMMA.16816.F32 R4", 5}, clock(6), {"EXIT", 12}};
  EXPECT_EQ(operationsOf(code, {range(1, 4, 6), range(2, 4, 4)}), 4096);
}

/// Blocks that are not recorded go on in it: no instruction of it is inside or outside of a region, and ways into it end.
TEST(Listing, ABodyWithoutProbesIsNotTheKernels) {
  const Listing listing = readListing("//--------------------- .text.kernel ----\n"
                                      "\t//## File \"/k.cu\", line 3\n"
                                      "        /*0000*/  @P0 BRA `(.L_1) ;\n"
                                      "        /*0010*/  EXIT ;\n"
                                      ".L_1:\n"
                                      "\t//## File \"(kernels without probes)\", line 1\n"
                                      "        /*0020*/  FADD R0, R1, R2 ;\n"
                                      "        /*0030*/  FADD R0, R1, R2 ;\n"
                                      ".L_2:\n"
                                      "        /*0040*/  FMUL R0, R1, R2 ;\n"
                                      "        /*0050*/  BRA `(.L_2) ;\n"
                                      ".L_3:\n"
                                      "\t//## File \"/k.cu\", line 4\n"
                                      "        /*0060*/  FFMA R0, R1, R2, R3 ;\n");
  ASSERT_EQ(listing.functions.size(), 1u);
  const Function &kernel = listing.functions.front();
  std::vector<std::string_view> texts;
  for (const Instruction &each : kernel.instructions)
    texts.push_back(each.text);
  EXPECT_EQ(texts, (std::vector<std::string_view>{"@P0 BRA `(.L_1)", "EXIT", "EXIT", "EXIT", "FFMA R0, R1, R2, R3"}));
  EXPECT_EQ(kernel.labels, (std::map<std::string_view, std::size_t>{{".L_1", 2}, {".L_2", 3}, {".L_3", 4}}));
}

} // namespace
} // namespace kperf::placement
