// What a trace with right checksums is refused for, and where: each limit from both sides.
#include "decoder/text/Pack.h"
#include "decoder/trace/Trace.h"
#include "test/fuzz/Checksums.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace kperf::decoder {
namespace {

using Bytes = std::vector<std::byte>;
using format::SectionKind;

constexpr std::size_t kFileHeader = 40, kSectionHeader = 24;

Bytes packed(const std::string &text) {
  auto bytes = packText("kperf 1.18\n" + text, "text");
  EXPECT_TRUE(bytes) << bytes.error().text();
  return bytes ? std::move(*bytes) : Bytes();
}

/// Where the payload of the only section of a kind begins.
std::size_t payloadOf(const Bytes &bytes, SectionKind kind) {
  const auto trace = Trace::read(ByteSource::memory(bytes));
  EXPECT_TRUE(trace) << trace.error().text();
  const auto section = std::ranges::find(trace->sections(), kind, &Section::kind);
  EXPECT_NE(section, trace->sections().end());
  return section->payload();
}

template <typename T> Bytes withNumber(Bytes bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof(value));
  test::repairChecksums(bytes);
  return bytes;
}

/// A section that no text can say, in front of the End section.
Bytes withSection(Bytes bytes, SectionKind kind, const std::string &payload) {
  const format::SectionHeader head{kind, 0, payload.size(), 0};
  Bytes section(kSectionHeader + (payload.size() + 7) / 8 * 8);
  std::memcpy(section.data(), &head, sizeof(head));
  std::memcpy(section.data() + kSectionHeader, payload.data(), payload.size());
  bytes.insert(bytes.end() - static_cast<std::ptrdiff_t>(kSectionHeader + sizeof(format::EndRecord)), section.begin(), section.end());
  test::repairChecksums(bytes);
  return bytes;
}

/// Why it can't be read to its end; "" where it can be.
std::string refusal(Bytes bytes) {
  const auto trace = Trace::read(ByteSource::memory(std::move(bytes)));
  if (!trace)
    return trace.error().text();
  TraceVisitor visitor;
  const Status status = trace->visit(visitor);
  return status ? "" : status.error().text();
}

std::string incomplete(Bytes bytes) {
  const auto trace = Trace::read(ByteSource::memory(std::move(bytes)));
  return trace ? trace->incomplete() : trace.error().text();
}

/// With a file header of so many bytes, of which those behind the members are zero.
Bytes withHeaderBytes(const Bytes &bytes, std::uint32_t size) {
  Bytes out = bytes;
  if (size > kFileHeader)
    out.insert(out.begin() + kFileHeader, size - kFileHeader, std::byte{0});
  std::memcpy(out.data() + 16, &size, sizeof(size));
  return out;
}

const std::string kOneKernel = "region 0x20 kernel \"k\"\n";

TEST(TraceErrors, FileHeader) {
  const Bytes good = packed(kOneKernel);
  EXPECT_EQ(refusal(good), "");
  EXPECT_EQ(refusal(withHeaderBytes(good, 48)), "");
  EXPECT_EQ(refusal(withHeaderBytes(good, 65536)), "");
  const std::string size = "at byte 16: the file header has an impossible size: found ";
  EXPECT_EQ(refusal(withHeaderBytes(good, 65544)), size + "65544, expected 40 or a little more, a multiple of 8");
  EXPECT_TRUE(refusal(withHeaderBytes(good, 44)).starts_with(size + "44"));
  EXPECT_TRUE(refusal(withHeaderBytes(good, 32)).starts_with(size + "32"));
  EXPECT_EQ(refusal(withNumber(good, 12, 0x01020305)), "at byte 12: the endian marker is damaged: found 0x01020305, expected 0x01020304");
  EXPECT_TRUE(
      refusal(withNumber(good, 8, std::uint16_t{0}))
          .starts_with("at byte 8: the trace has a format version that this kperf cannot read: found 0.18, expected at most 1.x; use"));
  EXPECT_EQ(refusal(withNumber(good, 20, 3)), "");
  EXPECT_EQ(refusal(withNumber(good, 20, 4)), "at byte 20: unknown target: found 4, expected 0 to 3");
  EXPECT_EQ(refusal(withNumber(withNumber(good, 20, 4), 10, std::uint16_t{format::kVersionMinor + 1})),
            ""); // a later version may have more
  for (const std::size_t length : {std::size_t{39}, kFileHeader})
    EXPECT_EQ(refusal(Bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(length))) == "", length == kFileHeader) << length;
}

TEST(TraceErrors, WhereItIsCutOff) {
  const Bytes good = packed(kOneKernel); // 40, a Strings section of 24 + 8, a Regions section of 24 + 40, an End section of 24 + 16
  ASSERT_EQ(good.size(), 176u);
  const auto cut = [&](std::ptrdiff_t length) { return incomplete(Bytes(good.begin(), good.begin() + length)); };
  EXPECT_EQ(cut(40), "it ends at byte 40 without an End section");
  EXPECT_EQ(cut(63), "it ends within the section header at byte 40");
  EXPECT_EQ(cut(64), "the strings section at byte 40 says it has 3 bytes, and the file has 0 more");
  EXPECT_EQ(cut(71), "the strings section at byte 40 says it has 3 bytes, and the file has 7 more"); // its padding is missing
  EXPECT_EQ(cut(72), "it ends at byte 72 without an End section");
  EXPECT_EQ(cut(135), "the regions section at byte 72 says it has 40 bytes, and the file has 39 more");
  EXPECT_EQ(cut(136), "it ends at byte 136 without an End section");
  EXPECT_EQ(cut(176), "");
}

TEST(TraceErrors, EndSection) {
  const std::string text = kOneKernel + "section end\n  hex ";
  const std::string size = "at byte 136: the End section has the wrong size: found ";
  EXPECT_TRUE(refusal(packed(text + std::string(30, '0') + "\nincomplete\n")).starts_with(size + "15 bytes, expected 16"));
  EXPECT_TRUE(refusal(packed(text + std::string(48, '0') + "\nincomplete\n")).starts_with(size + "24 bytes, expected 16"));
}

TEST(TraceErrors, ProgramSection) {
  const std::string program = "program executable=\"p\"\n";
  EXPECT_EQ(refusal(packed(program)), "");
  EXPECT_TRUE(
      refusal(packed("section program\n")).starts_with("at byte 40: a trace has one program: found an empty section, expected one record"));
  EXPECT_TRUE(
      refusal(packed(program + "section program\n" + program)).starts_with("at byte 120: a trace has one program: found a second one"));
}

TEST(TraceErrors, Strings) {
  const Bytes good = packed("");
  const auto refusalOf = [&](const std::string &strings) { return refusal(withSection(good, SectionKind::Strings, strings)); };
  EXPECT_EQ(refusalOf(std::string("\0a\0", 3)), "");
  EXPECT_EQ(refusalOf(""), "");
  EXPECT_EQ(refusalOf(std::string("a\0", 2)), "at byte 64: the first string is not the empty one: found 0x61, expected 0x00");
  EXPECT_EQ(refusalOf(std::string("\0ab", 3)), "at byte 66: the last string of a section does not end: found 0x62, expected 0x00");
  const Bytes first = withSection(good, SectionKind::Strings, std::string("\0a\0", 3));
  EXPECT_EQ(refusal(withSection(first, SectionKind::Strings, std::string("b\0", 2))), ""); // of the first section alone
  const std::string longest(4u << 20, 'x'), begin(1, '\0');
  EXPECT_EQ(refusalOf(begin + longest + begin), "");
  EXPECT_EQ(refusalOf(begin + longest + "x" + begin),
            "at byte 65: a string is too long: found 4194305 bytes, expected at most 4194304"); // 64 is the empty one
  EXPECT_EQ(refusalOf(begin + "a" + begin + longest + "x" + begin),
            "at byte 67: a string is too long: found 4194305 bytes, expected at most 4194304");
}

TEST(TraceErrors, AsManyDevicesAsAreRead) {
  std::string devices;
  for (unsigned device = 0; device < 4096; ++device)
    devices += "device " + std::to_string(device) + "\n";
  EXPECT_EQ(refusal(packed(devices)), "");
  const std::string tooMany = "too many rows in the devices sections: found 4097, expected at most 4096";
  EXPECT_EQ(refusal(packed(devices + "device 4096\n")), "at byte 40: " + tooMany);
  EXPECT_EQ(refusal(packed(devices + "section devices\ndevice 4096\n")), "at byte 229440: " + tooMany); // 40 + 24 + 4096 · 56
}

TEST(TraceErrors, AsManyRowsOfOtherTablesAsAreRead) {
  const auto refusalOf = [](SectionKind kind, std::size_t bytes) {
    return refusal(withSection(packed(""), kind, std::string(bytes, '\0')));
  };
  EXPECT_EQ(refusalOf(SectionKind::DeviceLimits, 4097 * 24),
            "at byte 40: too many rows in the device-limits sections: found 4097, expected at most 4096");
  const std::string million = "found 1048577, expected at most 1048576";
  EXPECT_EQ(refusalOf(SectionKind::MachineAccesses, 1048577 * 16),
            "at byte 40: too many rows in the machine-accesses sections: " + million);
  EXPECT_EQ(refusalOf(SectionKind::Regions, 1048577 * 40), "at byte 40: too many rows in the regions sections: " + million);
}

TEST(TraceErrors, AsManySectionsAsAreRead) {
  Bytes bytes = packed("incomplete\n");
  ASSERT_EQ(bytes.size(), kFileHeader);
  bytes.resize(kFileHeader + kSectionHeader * 1048576);
  for (std::size_t at = kFileHeader; at < bytes.size(); at += kSectionHeader)
    bytes[at] = std::byte{99};
  EXPECT_EQ(incomplete(bytes), "it ends at byte 25165864 without an End section");
  bytes.resize(bytes.size() + kSectionHeader);
  EXPECT_EQ(incomplete(bytes), "at byte 25165864: too many sections: found more than 1048576, expected fewer");
}

TEST(TraceErrors, SectionsThatAreTooLargeToBeHeld) {
  const auto path = std::filesystem::temp_directory_path() / ("kperf-large-test-" + std::to_string(::getpid()));
  const auto opened = [&](SectionKind kind, std::uint64_t bytes) { // a file of holes
    Bytes start = packed("incomplete\n");
    const format::SectionHeader head{kind, 0, bytes, 0};
    start.resize(kFileHeader + kSectionHeader);
    std::memcpy(start.data() + kFileHeader, &head, sizeof(head));
    std::ofstream(path).write(reinterpret_cast<const char *>(start.data()), static_cast<std::streamsize>(start.size()));
    std::filesystem::resize_file(path, start.size() + (bytes + 7) / 8 * 8);
    return Trace::open(path);
  };
  EXPECT_TRUE(opened(SectionKind::Strings, (256u << 20) + 1)
                  .error()
                  .text()
                  .ends_with("at byte 40: the strings are too large: found 268435457 bytes, expected at most 268435456 in all"));
  const auto unknown = opened(SectionKind{99}, (1u << 30) + 1);
  ASSERT_TRUE(unknown);
  EXPECT_TRUE(unknown->payload(unknown->sections().front())
                  .error()
                  .text()
                  .ends_with("a section is too large to be held in memory: found 1073741825 bytes, expected at most 1073741824"));
  std::filesystem::remove(path);
}

TEST(TraceErrors, IdsHave24Bits) {
  const Bytes region = packed(kOneKernel);
  const std::size_t id = payloadOf(region, SectionKind::Regions);
  EXPECT_EQ(refusal(withNumber(region, id, 0xffffff)), "");
  EXPECT_EQ(refusal(withNumber(region, id, 0x1000000)),
            "at byte 96: a region's id is out of range: found 0x1000000, expected 1 to 0xffffff");
  const Bytes site = packed("site 0xb1 load \"x\"\n");
  const std::size_t siteId = payloadOf(site, SectionKind::Sites);
  EXPECT_EQ(refusal(withNumber(site, siteId, 0xffffff)), "");
  EXPECT_EQ(refusal(withNumber(site, siteId, 0)), "");
  EXPECT_EQ(refusal(withNumber(site, siteId, 0x1000000)),
            "at byte 96: a site's id is out of range: found 0x1000000, expected 0 to 0xffffff");
}

TEST(TraceErrors, KindsOfSynchronisation) {
  const Bytes wait = packed("region 0x22 wait \"w\" operation=barrier object=block-barrier\n");
  const std::size_t sync = payloadOf(wait, SectionKind::Regions) + 36;
  EXPECT_EQ(refusal(wait), "");
  for (const std::uint32_t unknown : {0x209u, 0x2ffu, 0xe01u, 0xff01u}) // an operation from 9 on, an object from 14 on
    EXPECT_TRUE(refusal(withNumber(wait, sync, unknown)).contains("at byte 132: unknown kind of synchronisation: found 0x")) << unknown;
  EXPECT_EQ(refusal(withNumber(wait, sync, 0xd08)), "");
  EXPECT_EQ(refusal(withNumber(withNumber(wait, sync, 0xff01), 10, std::uint16_t{format::kVersionMinor + 1})),
            ""); // a later version may have more
}

TEST(TraceErrors, MachineAccesses) {
  const Bytes good = withSection(packed(""), SectionKind::MachineAccesses, std::string(16, '\0')); // its payload begins at 64
  EXPECT_EQ(refusal(good), "");
  for (const std::size_t member : {64u, 68u}) {
    EXPECT_EQ(refusal(withNumber(good, member, 0xffffff)), "");
    EXPECT_EQ(refusal(withNumber(good, member, 0x1000000)),
              "at byte 64: a site's id is out of range: found 0x1000000, expected 0 to 0xffffff");
  }
  EXPECT_EQ(refusal(withNumber(good, 72, std::uint16_t{6})), "");
  EXPECT_TRUE(
      refusal(withNumber(good, 72, std::uint16_t{7})).contains("at byte 72: unknown state of an access in machine code: found 0x7"));
}

TEST(TraceErrors, GroupsOfCounters) {
  const Bytes good = withSection(packed(""), SectionKind::SiteCounters, std::string(208, '\0')); // its payload begins at 64
  const auto refusalOf = [&](std::uint16_t group, std::uint16_t groups, std::uint16_t minor) {
    const std::string said = refusal(withNumber(withNumber(withNumber(good, 76, group), 78, groups), 10, minor));
    return said.contains("are of a group that is not there") ? "group" : said.contains("a reserved member") ? "reserved" : said;
  };
  EXPECT_EQ(refusalOf(0, 0, 9), "");
  EXPECT_EQ(refusalOf(1, 0, 18), "group");
  EXPECT_EQ(refusalOf(1, 16, 10), "");
  EXPECT_EQ(refusalOf(16, 16, 10), "");
  EXPECT_EQ(refusalOf(17, 16, 10), "group");
  EXPECT_EQ(refusalOf(0, 16, 10), "group");
  EXPECT_EQ(refusalOf(1, 16, 9), "reserved");
  EXPECT_EQ(refusalOf(1, 0x7ff, 12), "");
  EXPECT_EQ(refusalOf(1, 0x810, 13), ""); // one in two executions
  EXPECT_EQ(refusalOf(16, 0x810, 13), "");
  EXPECT_EQ(refusalOf(17, 0x810, 13), "group");
  EXPECT_EQ(refusalOf(1, 0x810, 12), "reserved");
}

TEST(TraceErrors, References) {
  const auto refusalOf = [](std::size_t bytes) {
    return refusal(withSection(packed(""), SectionKind::References, std::string(bytes, '\0')));
  };
  constexpr std::size_t kHeader = sizeof(format::ReferencesHeader), kRow = sizeof(format::ReferenceRecord);
  EXPECT_EQ(refusalOf(kHeader), "");
  EXPECT_EQ(refusalOf(kHeader + 3000 * kRow), ""); // more than are taken at a time
  EXPECT_EQ(refusalOf(kHeader - 1), "at byte 64: a References section ends within its header: found 15 bytes, expected at least 16");
  EXPECT_EQ(refusalOf(kHeader + kRow - 1),
            "at byte 40: the size of a References section is wrong: found 23 bytes behind its header, expected a multiple of 24");
}

TEST(TraceErrors, WarpsSections) {
  const auto refusalOf = [](std::size_t bytes) { return refusal(withSection(packed(""), SectionKind::Warps, std::string(bytes, '\0'))); };
  EXPECT_EQ(refusalOf(8), "");
  EXPECT_EQ(refusalOf(7), "at byte 64: a Warps section ends within a header: found 7 bytes, expected at least 8");
  EXPECT_EQ(refusalOf(8 + 1), "at byte 72: a Warps section ends within a header: found 1 bytes, expected at least 96");
  EXPECT_EQ(refusalOf(8 + 95), "at byte 72: a Warps section ends within a header: found 95 bytes, expected at least 96");
  EXPECT_TRUE(refusalOf(8 + 96).contains("warps are missing, or too many: found 1, expected 0")); // but read to the end
}

TEST(TraceErrors, RecordsOfAWarp) {
  const Bytes good = packed(kOneKernel + "warp 0.0 ns=0..9 cycles=0..9 capacity=4\n  empty\n  empty\n");
  const std::size_t warp = payloadOf(good, SectionKind::Warps) + 8;
  const auto refusalOf = [&](std::uint32_t produced, std::uint32_t skipped, bool isFinished) {
    const Bytes bytes = withNumber(withNumber(good, warp + 80, produced), warp + 88, skipped);
    return refusal(withNumber(bytes, warp + 86, static_cast<std::uint16_t>(isFinished ? 17 : 16)));
  };
  const std::string held = "at byte 248: a warp has more records than its section holds: found 3 records, expected at most 2";
  EXPECT_EQ(refusalOf(2, 0, true), "");
  EXPECT_EQ(refusalOf(2, 0, false), "");
  EXPECT_TRUE(refusalOf(3, 0, true).starts_with(held));
  EXPECT_EQ(refusalOf(3, 1, true), "");
  EXPECT_TRUE(refusalOf(4, 1, true).starts_with(held));
  EXPECT_TRUE(refusalOf(3, 1, false).starts_with("at byte 256: a warp skipped more records than it produced: found 1, expected at most 0"));
  // Of two records there is room for one: of an unfinished warp it can't be told which.
  const Bytes full = packed(kOneKernel + "warp 0.0 ns=0..9 cycles=0..9 capacity=1 produced=2\n  empty\n");
  EXPECT_EQ(refusal(full), "");
  EXPECT_TRUE(refusal(withNumber(full, warp + 86, std::uint16_t{0}))
                  .starts_with("at byte 248: an unfinished warp has more records than it had room for: found 2, expected at most 1"));
  EXPECT_EQ(refusal(withNumber(full, warp + 86, std::uint16_t{8})), ""); // kWarpForeign
  const Bytes none = packed(kOneKernel + "warp 0.0 ns=0..9 cycles=0..9 produced=3 skipped=3\n");
  EXPECT_EQ(refusal(none), "");
  EXPECT_TRUE(refusal(withNumber(none, warp + 88, 4))
                  .starts_with("at byte 256: a warp skipped more records than it produced: found 4, expected at most 3"));
}

TEST(TraceErrors, Summaries) { // a kernel's 304 bytes begin at 64, a row's 184 at 368
  const auto summaries = [](std::size_t bytes) { return withSection(packed(""), SectionKind::Summaries, std::string(bytes, '\0')); };
  const Bytes none = summaries(304), row = withNumber(summaries(304 + 184), 104, 1);
  EXPECT_EQ(refusal(none), "");
  EXPECT_EQ(refusal(summaries(2 * 304)), "");
  EXPECT_EQ(refusal(row), "");
  EXPECT_EQ(refusal(summaries(303)), "at byte 64: a Summaries section ends within a kernel: found 303 bytes, expected at least 304");
  EXPECT_EQ(refusal(summaries(304 + 1)), "at byte 368: a Summaries section ends within a kernel: found 1 bytes, expected at least 304");
  const std::string cutOff = "a Summaries section ends within a row: found 0 bytes, expected at least ";
  EXPECT_EQ(refusal(withNumber(none, 104, 1 << 20)), "at byte 368: " + cutOff + "184");
  EXPECT_EQ(refusal(withNumber(none, 104, (1 << 20) + 1)),
            "at byte 104: a summary has too many rows: found 1048577, expected at most 1048576");
  for (const std::size_t member : {112u, 120u, 128u}) {
    EXPECT_EQ(refusal(withNumber(none, member, 1.0)), "");
    EXPECT_TRUE(refusal(withNumber(none, member, -1.0)).starts_with("at byte 112: the clock sums of a summary are no sums: found "));
  }
  EXPECT_EQ(refusal(withNumber(row, 372, 1)),
            "at byte 372: a row of a summary stands before the one around it: found parent 1, expected less than 1");
  EXPECT_EQ(refusal(withNumber(row, 380, 32768)), "at byte 552: " + cutOff + "262144");
  EXPECT_EQ(refusal(withNumber(row, 384, 32768)), "at byte 552: " + cutOff + "262144");
  const std::string tooLong = "at byte 380: a row of a summary is too long: found ";
  EXPECT_EQ(refusal(withNumber(row, 380, 32769)), tooLong + "32769 lengths, 0 multiprocessors, expected at most 32768 and 32768");
  EXPECT_EQ(refusal(withNumber(row, 384, 32769)), tooLong + "0 lengths, 32769 multiprocessors, expected at most 32768 and 32768");
  EXPECT_EQ(refusal(withNumber(row, 408, std::uint64_t{5})),
            "at byte 64: the times of a summary do not add up: found 5 cycles in its rows and outside, expected 0");
  const Bytes length = withNumber(withNumber(summaries(304 + 184 + 8), 104, 1), 380, 1); // its length is at 552
  EXPECT_EQ(refusal(withNumber(length, 552, 58 * 128 - 1)), "");
  EXPECT_EQ(refusal(withNumber(length, 552, 58 * 128)),
            "at byte 368: a row of a summary has an impossible bucket: found 7424, expected less than 7424");
  EXPECT_EQ(refusal(withNumber(withNumber(length, 552, 58 * 128), 376, 2)), ""); // kRowExact: a length of its own
}

TEST(TraceErrors, SectionsOfWholeRows) {
  const auto refusalOf = [](SectionKind kind, std::size_t bytes) {
    return refusal(withSection(packed(""), kind, std::string(bytes, '\0')));
  };
  EXPECT_EQ(refusalOf(SectionKind::Launches, 3000 * 56), ""); // more than are taken at a time
  EXPECT_EQ(refusalOf(SectionKind::Launches, 57),
            "at byte 40: the size of a launches section is wrong: found 57 bytes, expected a multiple of 56");
  EXPECT_EQ(refusalOf(SectionKind::Sites, 47),
            "at byte 40: the size of a sites section is wrong: found 47 bytes, expected a multiple of 48");
  // The place of a wrong row: the third loss's kind.
  const Bytes losses = packed("loss unreadable\nloss unreadable\nloss unreadable\n");
  EXPECT_TRUE(refusal(withNumber(losses, 64 + 48, 99)).starts_with("at byte 112: ")) << refusal(withNumber(losses, 64 + 48, 99));
  // Of a table that is loaded at once: the second region's kind, behind 8 bytes of strings.
  const Bytes regions = packed("region 0x20 kernel \"k\"\nregion 0x21 scope \"k\"\n");
  EXPECT_TRUE(refusal(withNumber(regions, 96 + 44, 99)).starts_with("at byte 140: ")) << refusal(withNumber(regions, 96 + 44, 99));
}

TEST(TraceErrors, PaddingIsZero) {
  const Bytes good = withSection(packed(""), SectionKind{99}, "abc"); // at 64; 67 to 71 are nothing
  for (const std::size_t at : {67u, 71u}) {
    Bytes bytes = good;
    bytes[at] = std::byte{1};
    EXPECT_EQ(refusal(bytes), "at byte " + std::to_string(at) + ": a section's padding is not zero: found 0x01, expected 0x00");
  }
}

TEST(TraceErrors, OfAnUnknownSectionTheChecksumIsLookedAt) {
  Bytes bytes = withSection(packed(""), SectionKind{99}, "abc");
  EXPECT_EQ(refusal(bytes), "");
  bytes[64] = std::byte{'b'};
  EXPECT_TRUE(refusal(bytes).starts_with("at byte 40: a section's checksum does not match its bytes"));
}

TEST(TraceErrors, WarpsAreCountedOverAllSections) {
  const std::string warps = "warps\nwarp 0.0 ns=0..9 cycles=0..9\nwarps\nwarp 1.0 ns=0..9 cycles=0..9\nwarp 2.0 ns=0..9 cycles=0..9\n";
  const Bytes good = packed(kOneKernel + warps);
  EXPECT_EQ(refusal(good), "");
  const std::size_t counted = good.size() - 8;
  EXPECT_TRUE(refusal(withNumber(good, counted, std::uint64_t{2})).contains("warps are missing, or too many: found 3, expected 2"));
}

TEST(TraceErrors, OneBlockInTheMostIsWhatATraceIsSampledBy) {
  const auto interval = [](const std::string &text) {
    const auto trace = Trace::read(ByteSource::memory(packed(kOneKernel + text)));
    EXPECT_TRUE(trace);
    return trace->samplingInterval().value();
  };
  EXPECT_EQ(interval(""), 1u);
  EXPECT_EQ(interval("warp 0.0 ns=0..9 cycles=0..9 sampled=4\nwarp 1.0 ns=0..9 cycles=0..9 sampled=2\n"), 4u);
  EXPECT_EQ(interval("warp 0.0 ns=0..9 cycles=0..9 sampled=4\nsummary sampled=8\n"), 8u);
  EXPECT_EQ(interval("summary sampled=8\nsummary sampled=3\n"), 8u);
}

} // namespace
} // namespace kperf::decoder
