// Packs a text, decodes it, and keeps what the decoder said about each warp.
#ifndef KPERF_TEST_DECODED_TRACE_H
#define KPERF_TEST_DECODED_TRACE_H

#include "decoder/span/Nesting.h"
#include "decoder/span/SpanDecoder.h"
#include "decoder/text/Pack.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace kperf::test {

/// One warp, copied out of the sink's call.
struct DecodedWarp {
  decoder::WarpSpans warp;
  std::vector<decoder::Span> spans;
  std::vector<decoder::Mark> marks;
  std::vector<decoder::UnmatchedEvents> unmatched;
  std::vector<std::int32_t> parents;
  std::vector<std::uint64_t> exclusive;
  std::uint64_t attributed, unattributed, notRecorded, overlapping;
  std::vector<bool> recursive; ///< for each span

  /// "begin..end" of all spans, relative to the warp's begin, separated by blanks.
  std::string extents() const {
    std::string out;
    for (const decoder::Span &span : spans)
      out += (out.empty() ? "" : " ") + std::to_string(span.begin - warp.begin) + ".." + std::to_string(span.end - warp.begin);
    return out;
  }
};

class DecodedTrace final : public decoder::WarpSink {
public:
  explicit DecodedTrace(std::vector<std::byte> bytes) {
    auto trace = decoder::Trace::read(decoder::ByteSource::memory(std::move(bytes)));
    if (!trace) {
      error = trace.error().text();
      return;
    }
    regions.add(*trace);
    if (auto status = decoder::SpanDecoder(regions, *this).run(*trace); !status)
      error = status.error().text();
  }
  static DecodedTrace fromText(const std::string &text) {
    auto bytes = decoder::packText(text, "text");
    EXPECT_TRUE(bytes) << bytes.error().text();
    return DecodedTrace(bytes ? *bytes : std::vector<std::byte>());
  }

  void warp(const decoder::WarpSpans &warp) override {
    decoder::Nesting nesting;
    nesting.build(warp, regions);
    warps.push_back({warp,
                     {warp.spans.begin(), warp.spans.end()},
                     {warp.marks.begin(), warp.marks.end()},
                     {warp.unmatched.begin(), warp.unmatched.end()},
                     {nesting.parents().begin(), nesting.parents().end()},
                     {nesting.exclusive().begin(), nesting.exclusive().end()},
                     nesting.attributed(),
                     nesting.unattributed(),
                     nesting.notRecorded(),
                     nesting.overlapping(),
                     {}});
    for (std::size_t i = 0; i < warp.spans.size(); ++i)
      warps.back().recursive.push_back(nesting.isRecursive(warp.spans, i));
  }
  void damagedWarp(const format::WarpHeader &, std::uint32_t) override { ++damaged; }

  decoder::RegionSet regions;
  std::vector<DecodedWarp> warps;
  unsigned damaged = 0;
  std::string error;
};

/// A text's first lines: a kernel, two scopes, a range and a mark, and a Warps section.
inline std::string withRegions(const std::string &warps) {
  return "kperf 1.0\n"
         "region 0x11 kernel \"k\"\n"
         "region 0x12 scope \"a\"\n"
         "region 0x13 scope \"b\"\n"
         "region 0x14 range \"r\"\n"
         "region 0x15 mark \"m\"\n" +
         warps;
}

} // namespace kperf::test

#endif
