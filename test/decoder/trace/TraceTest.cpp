// Traces that are whole, cut off or damaged: an error, a flag, or the truth; never a crash.
#include "decoder/print/Printer.h"
#include "decoder/text/Dump.h"
#include "decoder/text/Pack.h"
#include "decoder/timeline/Timeline.h"
#include "decoder/view/MemoryView.h"
#include "decoder/view/Views.h"
#include "test/decoder/TraceGenerator.h"
#include "test/fuzz/Checksums.h"
#include "test/fuzz/EveryCommand.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace kperf;
using namespace kperf::test;
using decoder::ByteSource;
using decoder::Trace;
using Bytes = std::vector<std::byte>;

namespace {

TraceShape smallShape(unsigned seed) {
  TraceShape shape;
  shape.hasCalibration = false;
  shape.launches = 1;
  shape.blocks = 2;
  shape.warpsPerBlock = 1;
  shape.recordsPerWarp = 4;
  shape.keepsLast = seed % 2;
  shape.capacity = 8;
  return shape;
}

/// Everything that the tool does with a trace. Says what became of it: "", a note, or an error.
std::string readAll(const Bytes &bytes) {
  const auto trace = Trace::read(ByteSource::memory(bytes));
  if (!trace)
    return trace.error().text();
  std::string said = trace->incomplete();
  decoder::OutputString out;
  for (const decoder::View &view : decoder::views()) {
    const auto tables = view.run(std::span(&*trace, 1), {});
    if (!tables)
      return tables.error().text();
    for (const decoder::Printer &printer : decoder::printers())
      printer.print(*tables, {}, out);
    for (const decoder::Table &table : *tables)
      for (const std::string &note : table.notes)
        said += note;
  }
  if (const auto status = dumpTrace(*trace, out); !status)
    return status.error().text();
  const decoder::TimelinePart part(*trace);
  if (const auto summary = writeChromeTimeline(std::span(&part, 1), {}, out); !summary)
    return summary.error().text();
  if (const auto summary = writePerfettoTimeline(std::span(&part, 1), {}, out); !summary)
    return summary.error().text();
  return said;
}

std::string dumped(const Bytes &bytes) {
  const auto trace = Trace::read(ByteSource::memory(bytes));
  if (!trace)
    return trace.error().text();
  decoder::OutputString out;
  const auto status = dumpTrace(*trace, out);
  return status ? out.text() : status.error().text();
}

} // namespace

TEST(Trace, DumpAndPackAreInverse) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    TraceShape shape;
    shape.keepsLast = seed % 2;
    shape.capacity = seed % 3 ? 64 : 8;
    shape.hasUnfinished = seed % 5 == 0;
    const Bytes bytes = TraceGenerator(shape, seed).make(seed % 7 != 0);
    const std::string text = dumped(bytes);
    const auto again = decoder::packText(text, "dump");
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_TRUE(*again == bytes) << "seed " << seed;
    EXPECT_EQ(dumped(*again), text) << "seed " << seed;
  }
}

TEST(Trace, IsReadableWhereverItIsCutOff) {
  const Bytes bytes = TraceGenerator(smallShape(0), 5).make();
  EXPECT_EQ(readAll(bytes).find("incomplete"), std::string::npos);
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    const Bytes cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length));
    EXPECT_NE(readAll(cut), "") << "cut at " << length;
  }
}

TEST(Trace, NoticesEveryFlippedBit) {
  for (unsigned seed = 0; seed < 2; ++seed) {
    const Bytes bytes = TraceGenerator(smallShape(seed), seed).make();
    const std::string before = readAll(bytes);
    for (std::size_t at = 0; at < bytes.size(); ++at)
      for (unsigned bit = 0; bit < 8; bit += 1 + at % 3) {
        Bytes damaged = bytes;
        damaged[at] ^= std::byte{1} << bit;
        const std::string said = readAll(damaged);
        // The file header has no checksum: a wrong date, build or target is a wrong date, build or target.
        if (at >= sizeof(format::FileHeader)) {
          EXPECT_NE(said, before) << "byte " << at << " bit " << bit;
        }
      }
  }
}

TEST(Trace, SurvivesEveryFlippedByteBehindRightChecksums) {
  const Bytes bytes = TraceGenerator(smallShape(1), 1).make();
  unsigned readable = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    Bytes damaged = bytes;
    damaged[at] ^= std::byte{0xff};
    repairChecksums(damaged);
    const Outcome outcome = runSomeCommand(damaged);
    EXPECT_EQ(outcome.violated, "") << "byte " << at;
    readable += outcome.said.find("checksum") == std::string::npos;
  }
  EXPECT_GT(readable, bytes.size() * 9 / 10); // what the checksums would have hidden was looked at
}

TEST(Trace, SurvivesSectionsThatLieAboutThemselves) {
  const Bytes bytes = TraceGenerator(smallShape(1), 9).make();
  for (std::uint64_t at = sizeof(format::FileHeader); at + sizeof(format::SectionHeader) <= bytes.size();) {
    format::SectionHeader head;
    std::memcpy(&head, bytes.data() + at, sizeof(head));
    for (const std::uint64_t lie : {std::uint64_t{0}, std::uint64_t{1}, head.bytes - 1, head.bytes + 1, head.bytes + 8,
                                    std::uint64_t{1} << 40, ~std::uint64_t{0}, ~std::uint64_t{7}, std::uint64_t{1} << 63}) {
      if (lie == head.bytes)
        continue;
      Bytes damaged = bytes;
      std::memcpy(damaged.data() + at + offsetof(format::SectionHeader, bytes), &lie, sizeof(lie));
      EXPECT_NE(readAll(damaged), "") << "section at " << at << " says " << lie;
    }
    at += sizeof(head) + (head.bytes + 7) / 8 * 8;
  }
}

TEST(Trace, SurvivesWarpsThatLieAboutThemselves) {
  // With correct checksums, so that the decoder sees the nonsense.
  std::mt19937_64 random(3);
  const std::string text = dumped(TraceGenerator(smallShape(1), 4).make());
  for (int round = 0; round < 3000; ++round) {
    std::string changed = text;
    for (int change = 0; change < 3; ++change) { // replaces some number by another
      std::size_t at = random() % changed.size();
      at = changed.find_first_of("0123456789", at);
      if (at == std::string::npos)
        continue;
      const std::size_t end = changed.find_first_not_of("0123456789", at);
      const std::uint64_t choices[] = {0, 1, 65535, 0xffffffff, 1ull << 32, 1ull << 63, ~0ull, random()};
      changed.replace(at, end - at, std::to_string(choices[random() % std::size(choices)]));
    }
    if (const auto bytes = decoder::packText(changed, "text"))
      readAll(*bytes);
  }
}

TEST(Trace, ReadsUnknownSectionsPast) {
  const std::string text = "kperf 1.3\nregion 0x1 kernel \"k\"\nsection 0x99\n  hex 0102030405\nwarps\nwarp 0.0 cycles=0..10 ns=0..10\n";
  const auto bytes = decoder::packText(text, "text");
  ASSERT_TRUE(bytes) << bytes.error().text();
  EXPECT_EQ(dumped(*bytes), text.substr(0, text.find("warp 0.0")) + "warp 0.0 ns=0..10 cycles=0..10\n");
  EXPECT_NE(readAll(*bytes).find("unknown kind 0x99"), std::string::npos);
}

TEST(Trace, KeepsAStringTableOfItsOwnOrder) {
  // The second "a", and the end of it, are reached by their offsets only; the sections are split and one is empty.
  const std::string text = "kperf 1.0\nprogram executable=\"b\" host=@5\nstrings\n  \"\"\n  \"a\"\n  \"b\"\n  \"a\"\n"
                           "region 0x11 kernel \"a\" source=@6\nsection regions\nregion 0x12 scope \"b\"\nsection losses\nsection program\n"
                           "  hex 000000000000000000000000000000000000000000000000\n";
  const auto bytes = decoder::packText(text, "text");
  ASSERT_TRUE(bytes) << bytes.error().text();
  EXPECT_EQ(dumped(*bytes), "at byte 272: a trace has one program: found a second one, expected one record");
  const std::string whole = text.substr(0, text.find("section program"));
  const auto good = decoder::packText(whole, "text");
  ASSERT_TRUE(good) << good.error().text();
  EXPECT_EQ(dumped(*good), whole);
}

TEST(Trace, RegionNamedByAnOffsetIsReferredToByItsName) {
  const std::string text = "kperf 1.0\nstrings\n  \"\"\n  \"xab\"\nregion 0x11 kernel \"xab\"\nregion 0x12 scope @2\nwarps\n"
                           "warp 0.0 ns=0..9 cycles=0..9\n  span \"ab\" 1..2\n";
  const auto bytes = decoder::packText(text, "text");
  ASSERT_TRUE(bytes) << bytes.error().text();
  EXPECT_EQ(dumped(*bytes), text);
}

TEST(Trace, StrideBeyondAllMemoryIsNoAdvice) {
  const auto bytes = decoder::packText("kperf 1.6\nsite 0x21 load \"a[i]\" function=\"f\" bytes=4\n"
                                       "counters 0x21 shared-accesses=1 shared-lanes=32 shared-bytes=128 wavefronts=32 min-wavefronts=1 "
                                       "shared-strided=1 shared-stride-bytes=18446744073709551615\n",
                                       "");
  ASSERT_TRUE(bytes);
  const auto trace = Trace::read(ByteSource::memory(*bytes));
  ASSERT_TRUE(trace);
  const auto tables = decoder::memoryView(std::span(&*trace, 1), {});
  ASSERT_TRUE(tables);
  const decoder::Table &findings = tables->back();
  ASSERT_EQ(findings.rows.size(), 1u);
  EXPECT_EQ(std::get<std::string>(findings.rows[0][5]).find("pad each row"), std::string::npos);
}

TEST(Trace, SectionOfKindZeroHasItsBytes) {
  const std::string text = "kperf 1.0\nregion 0x11 kernel \"k\"\nsection 0x0\n  hex 0102\n";
  const auto bytes = decoder::packText(text, "text");
  ASSERT_TRUE(bytes) << bytes.error().text();
  EXPECT_EQ(dumped(*bytes), text);
}
