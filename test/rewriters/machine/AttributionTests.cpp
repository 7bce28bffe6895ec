// Which machine instructions make the accesses of one line: each answer of format::MachineState by what leads to it.
#include "test/rewriters/machine/AttributionTest.h"

namespace kperf {
namespace {

TEST_F(AttributionTest, WithoutMachineCodeNothingIsSaid) {
  site(5, "a[i]", 4);
  load(5, 4);
  code.architecture.clear();
  EXPECT_EQ(attributed(), Machines{kUnknown});
}

TEST_F(AttributionTest, AnInstructionOfTheElementsSizeIsSame) {
  site(5, "a[i]", 4);
  site(5, "b[i]", 8);
  site(5, "o[i]", 4, SiteKind::Store);
  load(5, 4), load(5, 8), store(5, 4);
  EXPECT_EQ(attributed(), (Machines{kSame, kSame, kSame}));
}

TEST_F(AttributionTest, SizesOfALineThatAreNotThoseOfTheSourceVary) {
  site(5, "a[i]", 4);
  site(5, "b[i]", 8);
  load(5, 4); // and none of eight bytes
  EXPECT_EQ(attributed(), (Machines{kVaries, kVaries}));
}

TEST_F(AttributionTest, WhatIsLoadedTwiceInALineIsLoadedOnce) {
  site(5, "a[i]", 4);
  site(5, "a[i]", 4);
  load(5, 4);
  EXPECT_EQ(attributed(), (Machines{kSame, merged(0)}));
}

TEST_F(AttributionTest, WhatIsStoredTwiceOrMayDifferIsExecutedEachTime) {
  for (const char *text : {"a[next()]", "a[i++]", "a[--i]"})
    for (int time = 0; time < 2; ++time)
      site(5, text, 4);
  for (int time = 0; time < 2; ++time)
    site(6, "a[i]", 4, SiteKind::Store);
  for (int time = 0; time < 2; ++time)
    site(7, "a[i]", 4, SiteKind::Update);
  load(5, 4), store(6, 4), load(7, 4), store(7, 4);
  EXPECT_EQ(attributed(), Machines(10, kSame));
}

TEST_F(AttributionTest, MembersOfAnObjectAreLoadedByOneInstruction) {
  part(5, "a[i]", ".x", 8, 0);
  part(5, "a[i]", ".y", 8, 8);
  part(9, "a[i]", ".y", 8, 8); // the one that comes first in the text counts, at its place
  part(9, "a[i]", ".x", 8, 0);
  load(5, 16), load(9, 16);
  EXPECT_EQ(attributed(), (Machines{wide(16, 1), merged(0), wide(16, 9), merged(2)}));
}

TEST_F(AttributionTest, MembersOfSeveralObjectsInALineAreEachObjectsOwn) {
  part(5, "a[i]", ".x", 4, 0);
  part(5, "b[i]", ".x", 4, 0);
  part(5, "a[i]", ".y", 4, 4);
  part(5, "b[i]", ".y", 4, 4);
  load(5, 8);
  EXPECT_EQ(attributed(), (Machines{wide(8, 1), wide(8, 1), merged(0), merged(1)}));
}

TEST_F(AttributionTest, AnObjectOfWhichOneMemberIsReadIsNotMerged) {
  part(5, "a[i]", ".x", 4, 0);
  part(5, "a[i]", ".y", 4, 4);
  part(5, "b[i]", ".x", 4, 0);
  load(5, 8), load(5, 4);
  EXPECT_EQ(attributed(), (Machines{wide(8, 1), merged(0), kSame}));
}

TEST_F(AttributionTest, BesideMergedMembersOthersAreAsWritten) {
  part(5, "a[p[i]]", ".x", 8, 0);
  site(5, "p[i]", 4);
  part(5, "a[p[i]]", ".y", 8, 8);
  site(5, "p[i]", 4);
  load(5, 16), load(5, 4);
  EXPECT_EQ(attributed(), (Machines{wide(16, 1), kSame, merged(0), merged(1)}));
}

TEST_F(AttributionTest, BesideMergedMembersWhatHasNoInstructionOfItsSizeVaries) {
  part(5, "a[i]", ".x", 8, 0);
  part(5, "a[i]", ".y", 8, 8);
  site(5, "p[i]", 4);
  load(5, 16), load(5, 2);
  EXPECT_EQ(attributed(), Machines(3, kVaries));
}

TEST_F(AttributionTest, AScalarThatIsNoOtherAccessMayBeAMemberOfTheOnlyObject) {
  part(5, "a[i]", ".x", 4, 0); // in one place as written, in another one merged
  part(5, "a[i]", ".y", 4, 4);
  load(5, 8), load(5, 4);
  EXPECT_EQ(attributed(), Machines(2, kVaries));
}

TEST_F(AttributionTest, MembersThatTheAccessMakesByItsOwnInstructionsAreAsWritten) {
  part(5, "a[i]", ".x", 4, 0); // PTX loads eight bytes, the machine four and four
  part(5, "a[i]", ".y", 4, 4);
  part(5, "a[i]", ".x", 4, 0);
  access(5, 8, {{4, 0}, {4, 4}});
  EXPECT_EQ(attributed(), (Machines{kSame, kSame, merged(0)}));
}

TEST_F(AttributionTest, EachInstructionOfAnAccessHasItsOwnLeader) {
  part(5, "a[i]", ".x", 4, 0);
  part(5, "a[i]", ".y", 4, 4);
  part(5, "a[i]", ".z", 4, 8);
  part(5, "a[i]", ".w", 4, 12);
  access(5, 16, {{8, 0}, {8, 8}});
  EXPECT_EQ(attributed(), (Machines{wide(8, 1), merged(0), wide(8, 1), merged(2)}));
}

TEST_F(AttributionTest, AMemberThatNoInstructionHoldsVaries) {
  part(5, "a[i]", ".x", 4, 0);
  part(5, "a[i]", ".z", 4, 8);
  access(5, 16, {{8, 0}});
  EXPECT_EQ(attributed(), (Machines{wide(8, 1), kVaries}));
}

TEST_F(AttributionTest, MembersOnLinesOfTheirOwnAreMergedIntoTheFirst) {
  part(5, "a[i]", ".x", 4, 0);
  part(6, "a[i]", ".y", 4, 4);
  part(6, "c[i]", ".y", 4, 4); // of another object
  Site &elsewhere = part(7, "a[i]", ".y", 4, 4);
  elsewhere.function = "other";
  part(8, "a[i]", ".x2", 4, 8); // beyond the instruction
  load(5, 8);
  EXPECT_EQ(attributed(), (Machines{wide(8, 1), merged(0), kRemoved, kRemoved, kRemoved}));
}

TEST_F(AttributionTest, OfAVectorOnlyThePiecesThatAreNeededAreLoaded) {
  site(5, "a[i]", 16);
  site(6, "b[i]", 8);
  site(6, "b[i]", 8);
  access(5, 16, {{4, 4}, {4, 8}});
  access(6, 8, {{4, 4}});
  EXPECT_EQ(attributed(), (Machines{narrow(4, 0b0110), narrow(4, 0b10), merged(1)}));
}

TEST_F(AttributionTest, PiecesThatAreNoEvenShareVary) {
  for (unsigned line = 5; line < 10; ++line)
    site(line, "a[i]", 16);
  access(5, 16, {{4, 0}, {8, 8}}); // of two sizes
  access(6, 16, {{8, 4}});         // between two of its size
  access(7, 16, {{8, -8}});        // in front of it
  access(8, 16, {{8, 16}});        // behind it
  access(9, 8, {{4, 0}, {4, 4}});  // of something else
  EXPECT_EQ(attributed(), Machines(5, kVaries));
}

TEST_F(AttributionTest, AnAccessOfAnUnrolledLoopIsWide) {
  site(5, "s[t * 8 + k]", 4, SiteKind::Store);
  access(5, 4, {{16, 0}}, true);
  servedBy(0, 5, 4, true), servedBy(0, 5, 4, true), servedBy(0, 5, 4, true);
  EXPECT_EQ(attributed(), Machines{wide(16, 1)});
}

TEST_F(AttributionTest, ElementsOfLinesThatFollowEachOtherFillAnInstruction) {
  for (unsigned at = 0; at < 4; ++at)
    part(5 + at, "s", ("[" + std::to_string(at) + "]").c_str(), 4, 4 * at, SiteKind::Store);
  access(5, 4, {{16, 0}}, true);
  for (unsigned at = 1; at < 4; ++at)
    servedBy(0, 5 + at, 4, true);
  EXPECT_EQ(attributed(), (Machines{wide(16, 0), merged(0), merged(0), merged(0)}));
}

TEST_F(AttributionTest, ElementsThatDoNotFillTheInstructionVary) {
  for (unsigned at = 0; at < 3; ++at)
    part(5 + at, "s", ("[" + std::to_string(at) + "]").c_str(), 4, 4 * at, SiteKind::Store);
  access(5, 4, {{16, 0}}, true);
  servedBy(0, 6, 4, true), servedBy(0, 7, 4, true);
  EXPECT_EQ(attributed(), Machines(3, kVaries));
}

TEST_F(AttributionTest, ElementsOfTwoObjectsOrTwoSizesVary) {
  site(5, "s[0]", 8, SiteKind::Store).object = "s";
  site(6, "t[0]", 8, SiteKind::Store).object = "t";
  access(5, 8, {{16, 0}}, true);
  servedBy(0, 6, 8, true);
  site(8, "s[0]", 4, SiteKind::Store).object = "s";
  site(9, "s[1]", 2, SiteKind::Store).object = "s";
  access(8, 4, {{16, 0}}, true);
  servedBy(2, 9, 2, true);
  EXPECT_EQ(attributed(), Machines(4, kVaries));
}

TEST_F(AttributionTest, AnInstructionThatAlsoServesWhatHasNoSiteVaries) {
  site(5, "s[0]", 4, SiteKind::Store);
  access(5, 4, {{8, 0}}, true);
  servedBy(0, 6, 4, true); // a line of nobody's
  site(8, "s[0]", 4, SiteKind::Store);
  access(8, 4, {{8, 0}}, true);
  servedBy(2, 9, 4, true);
  site(9, "s[1]", 4, SiteKind::Store).isCompiled = false; // inline assembly
  EXPECT_EQ(attributed(), (Machines{kVaries, kVaries, kUnknown}));
}

TEST_F(AttributionTest, AnAccessThatIsCompiledInTwoWaysVaries) {
  site(5, "s[k]", 4, SiteKind::Store);
  access(5, 4, {{16, 0}}, true);
  access(5, 4, {{8, 0}}, true);
  site(6, "s[k]", 4, SiteKind::Store);
  access(6, 4, {{2, 0}, {2, 2}}, true);
  access(6, 4, {{4, 0}}, true);
  EXPECT_EQ(attributed(), Machines(2, kVaries));
}

} // namespace
} // namespace kperf
