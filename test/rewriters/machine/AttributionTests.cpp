// Which machine instructions make a site's accesses: each answer of format::MachineState by what leads to it.
#include "rewriters/machine/Attribution.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <string>
#include <vector>

namespace kperf {

// What a failed comparison prints.
static void PrintTo(const SiteMachine &machine, std::ostream *out) {
  *out << "state " << static_cast<unsigned>(machine.state) << " leader " << (machine.leader ? static_cast<int>(*machine.leader) : -1)
       << " bytes " << machine.bytes << " pieces " << machine.pieces;
}

static bool operator==(const SiteMachine &one, const SiteMachine &other) {
  return one.state == other.state && one.leader == other.leader && one.bytes == other.bytes && one.pieces == other.pieces;
}

namespace {

using format::MachineState;
using format::SiteKind;

constexpr SiteMachine kUnknown{}, kSame{MachineState::Same, {}, 0, 0}, kRemoved{MachineState::Removed, {}, 0, 0},
    kVaries{MachineState::Varies, {}, 0, 0};
SiteMachine wide(unsigned bytes, unsigned pieces) { return {MachineState::Wide, {}, bytes, pieces}; }
SiteMachine narrow(unsigned bytes, unsigned pieces) { return {MachineState::Narrow, {}, bytes, pieces}; }
SiteMachine merged(std::size_t leader) { return {MachineState::Merged, leader, 0, 0}; }

constexpr char kFile[] = "/source/that/is/nowhere.cu", kHeader[] = "/toolkit/that/is/nowhere.h";

class AttributionTest : public testing::Test {
protected:
  /// A load of the kernel k, which is no part of anything; tests change what matters.
  Site &site(unsigned line, std::string expression, unsigned bytes, SiteKind kind = SiteKind::Load) {
    Site &made = sites.emplace_back();
    made.kind = kind;
    made.expression = made.object = std::move(expression);
    made.function = "k";
    made.path = kFile;
    made.line = line;
    made.bytes = bytes;
    made.isCompiled = kind != SiteKind::Atomic && kind != SiteKind::Unseen;
    return made;
  }

  /// A member, or an element, of an object.
  Site &part(unsigned line, const char *object, const char *member, unsigned bytes, unsigned place, SiteKind kind = SiteKind::Load) {
    Site &made = site(line, std::string(object) + member, bytes, kind);
    made.object = object;
    made.place = place;
    return made;
  }

  MachineAccess &access(unsigned line, unsigned bytes, std::vector<MachineInstruction> instructions, bool isStore = false) {
    return code.accesses.emplace_back(
        MachineAccess{.file = kFile, .line = line, .isStore = isStore, .bytes = bytes, .instructions = std::move(instructions)});
  }
  MachineAccess &load(unsigned line, unsigned bytes) { return access(line, bytes, {{bytes, 0}}); }
  MachineAccess &store(unsigned line, unsigned bytes) { return access(line, bytes, {{bytes, 0}}, true); }

  /// An access that the instruction of `leader` makes too.
  MachineAccess &servedBy(std::size_t leader, unsigned line, unsigned bytes, bool isStore = false) {
    MachineAccess &made = access(line, bytes, {}, isStore);
    made.leader = leader;
    return made;
  }

  std::vector<SiteMachine> attributed() {
    attributeMachineCode(code, sites);
    std::vector<SiteMachine> all;
    for (const Site &each : sites)
      all.push_back(each.machine);
    return all;
  }

  MachineCode code{"sm_90", {}};
  std::vector<Site> sites;
};

using Machines = std::vector<SiteMachine>;

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

TEST_F(AttributionTest, BesideWhatIsNotToldApartNothingIsSaid) {
  site(5, "a[i]", 4);
  site(5, "assembly", 4).isCompiled = false;
  site(6, "a[i]", 4);
  site(6, "of a template", 0);
  site(7, "a[i]", 4);
  site(7, "sum", 4, SiteKind::Atomic);
  site(8, "a[i]", 4);
  site(8, "", 0, SiteKind::Unseen);
  for (const unsigned bytes : {12u, 32u}) // no instruction moves these
    site(9, "a[i]", bytes);
  for (unsigned line = 5; line < 10; ++line)
    load(line, 4);
  EXPECT_EQ(attributed(), Machines(10, kUnknown));
}

TEST_F(AttributionTest, AStoreIsToldFromTheAssemblyThatLoadsOnItsLine) {
  site(5, "o[i]", 4, SiteKind::Store);
  site(5, "assembly", 4).isCompiled = false;
  store(5, 4);
  EXPECT_EQ(attributed(), (Machines{kSame, kUnknown}));
}

TEST_F(AttributionTest, WithoutInstructionAnAccessIsRemoved) {
  site(5, "a[i]", 4);
  site(6, "o[i]", 4, SiteKind::Store);
  store(6, 4);
  EXPECT_EQ(attributed(), (Machines{kRemoved, kSame}));
}

TEST_F(AttributionTest, OfAFileThatNoCodeComesFromNothingIsSaid) {
  site(5, "a[i]", 4);
  site(5, "b[i]", 4).path = "/source/another.cu";
  store(6, 4);
  EXPECT_EQ(attributed(), (Machines{kRemoved, kUnknown}));
}

TEST_F(AttributionTest, AnAccessThatWasMovedToNoLineVaries) {
  site(5, "a[i]", 4);
  site(8, "o[i]", 4, SiteKind::Store);
  store(8, 4);
  access(0, 4, {{4, 0}}).near = 7; // a load from no line, behind one of this function
  EXPECT_EQ(attributed(), (Machines{kVaries, kSame}));
}

TEST_F(AttributionTest, WhatWasMovedInAnotherFunctionOrGoesTheOtherWayIsNotIt) {
  site(5, "above[i]", 4).function = "above";
  site(15, "a[i]", 4);
  site(25, "below[i]", 4).function = "below";
  load(5, 4), load(25, 4);
  access(0, 4, {{4, 0}}).near = 5;        // of the function above
  access(0, 4, {{4, 0}}).near = 22;       // of the one below
  access(16, 4, {{4, 0}}, true);          // a store
  access(16, 4, {{4, 0}}).file = kHeader; // of another file
  EXPECT_EQ(attributed(), (Machines{kSame, kRemoved, kSame}));
}

TEST_F(AttributionTest, AFunctionGoesOnForAFewLinesBehindItsLastAccess) {
  site(5, "a[i]", 4);
  load(8, 4); // on a line without a site
  EXPECT_EQ(attributed(), Machines{kVaries});
  code.accesses.front().line = 9;
  EXPECT_EQ(attributed(), Machines{kRemoved});
}

TEST_F(AttributionTest, WhatALibrarysFunctionReadsIsItsCallers) {
  site(5, "a[i]", 2);
  MachineAccess &read = load(140, 2);
  read.file = kHeader;
  read.callers = {{kHeader, 300}, {kFile, 5}};
  EXPECT_EQ(attributed(), Machines{kSame});
}

TEST_F(AttributionTest, SeveralFunctionsThatALineCallsReadForIt) {
  part(5, "a[i]", ".lower", 2, 0);
  part(5, "a[i]", ".upper", 2, 2);
  for (unsigned line : {140u, 150u}) {
    MachineAccess &read = load(line, 2);
    read.file = kHeader;
    read.callers = {{kFile, 5}};
  }
  EXPECT_EQ(attributed(), (Machines{kSame, kSame}));
}

TEST_F(AttributionTest, ALineWithAccessesOfItsOwnIsNotItsCalleesToo) {
  site(5, "a[i]", 4);
  MachineAccess &read = load(140, 2);
  read.file = kHeader;
  read.callers = {{kFile, 5}};
  load(5, 4);
  EXPECT_EQ(attributed(), Machines{kSame});
}

TEST_F(AttributionTest, WhatComesFromNoLineHasNoCaller) {
  site(5, "a[i]", 4);
  MachineAccess &read = access(0, 4, {{4, 0}});
  read.file = kHeader;
  read.callers = {{kFile, 5}};
  store(6, 4);
  EXPECT_EQ(attributed(), Machines{kRemoved});
}

TEST_F(AttributionTest, AnUpdateIsWhatItsLoadAndItsStoreHaveInCommon) {
  site(5, "a[i]", 4, SiteKind::Update);
  load(5, 4), store(5, 4);
  site(6, "b[i]", 16, SiteKind::Update); // loads two pieces, stores all
  access(6, 16, {{4, 0}, {4, 4}}), store(6, 16);
  site(7, "c[i]", 4, SiteKind::Update);
  site(7, "assembly", 4, SiteKind::Store).isCompiled = false; // of the store nothing is known
  load(7, 4);
  EXPECT_EQ(attributed(), (Machines{kSame, kVaries, kUnknown, kUnknown}));
}

TEST_F(AttributionTest, AFileIsTheSameByAnotherName) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(testing::TempDir()) / ("attribution-" + std::to_string(std::rand()));
  fs::create_directories(folder / "real");
  fs::create_directory_symlink(folder / "real", folder / "link");
  for (const char *name : {"a.cu", "b.cu"})
    ASSERT_TRUE(std::ofstream(folder / "real" / name) << "\n");
  site(1, "a[i]", 4).path = folder / "link" / "a.cu";
  load(1, 4).file = fs::canonical(folder / "real" / "a.cu");
  EXPECT_EQ(attributed(), Machines{kSame});
  fs::remove_all(folder);
}

} // namespace
} // namespace kperf
