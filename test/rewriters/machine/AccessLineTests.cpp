// Which instructions are looked at for a site, where they stand on other lines, in other files, or together with what is not told apart.
#include "test/rewriters/machine/AttributionTest.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace kperf {
namespace {

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
