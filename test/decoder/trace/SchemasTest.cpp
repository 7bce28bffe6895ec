// Every byte of every row is a field's: what a schema forgets would be lost between dump and pack, without a word.
#include "decoder/trace/RecordSchemas.h"
#include "decoder/trace/StringMembers.h"

#include <gtest/gtest.h>

namespace kperf::decoder {
namespace {

/// Which bytes of a row its fields hold.
template <typename Row> class Coverage {
public:
  template <typename Fields> explicit Coverage(const Fields &fields) {
    std::apply([&](const auto &...each) { (add(each), ...); }, fields);
  }
  /// Says which bytes are nobody's, but for `others`, members that text derives.
  template <typename... Others> std::string missing(Others... others) {
    (mark(row.*others), ...);
    std::string out;
    for (std::size_t byte = 0; byte < sizeof(Row); ++byte)
      if (!isCovered[byte])
        out += std::to_string(byte) + " ";
    return out;
  }

private:
  template <typename T> void mark(const T &member) {
    const auto first = static_cast<std::size_t>(reinterpret_cast<const char *>(&member) - reinterpret_cast<const char *>(&row));
    std::fill_n(isCovered.begin() + static_cast<std::ptrdiff_t>(first), sizeof(member), true);
  }
  template <typename Field> void add(const Field &field) {
    if constexpr (requires { field.member; })
      mark(row.*field.member);
    else if constexpr (requires { field.first; })
      mark(row.*field.first), mark(row.*field.second);
    else if constexpr (requires { field.low; })
      mark(row.*field.low), mark(row.*field.high);
    else if constexpr (requires { field.x; })
      mark(row.*field.x), mark(row.*field.y), mark(row.*field.z);
    else
      mark(row.sync);
  }

  Row row{};
  std::vector<bool> isCovered = std::vector<bool>(sizeof(Row));
};

template <typename Row, typename... Others> std::string missing(Others... others) {
  return Coverage<Row>(Schema<Row>::fields).missing(others...);
}

TEST(Schemas, HoldEveryByteOfEveryRow) {
  EXPECT_EQ(missing<format::ProgramRecord>(), "");
  EXPECT_EQ(missing<format::DeviceRecord>(), "");
  EXPECT_EQ(missing<format::DeviceLimitsRecord>(), "");
  EXPECT_EQ(missing<format::ClockRecord>(), "");
  EXPECT_EQ(missing<format::LaunchTimesRecord>(), "");
  EXPECT_EQ(missing<format::HostRangeRecord>(), "");
  EXPECT_EQ(missing<format::RegionRecord>(), "");
  EXPECT_EQ(missing<format::SiteRecord>(), "");
  EXPECT_EQ(missing<format::SiteCounterRecord>(), "");
  EXPECT_EQ(missing<format::ReferencesHeader>(), "");
  EXPECT_EQ(missing<format::ReferenceRecord>(), "");
  EXPECT_EQ(missing<format::LaunchRecord>(), "");
  EXPECT_EQ(missing<format::KernelRecord>(), "");
  EXPECT_EQ(missing<format::LossRecord>(), "");
  EXPECT_EQ(missing<format::WarpsHeader>(), "");
  EXPECT_EQ(missing<format::WarpHeader>(), "");
  EXPECT_EQ(missing<format::SummedLengthsRecord>(), "");
  EXPECT_EQ(missing<format::MarkProbesRecord>(), "");
  EXPECT_EQ(missing<format::SampledLaunchesRecord>(), "");
}

TEST(Schemas, LeaveOutWhatIsCountedFromTheLinesThatFollow) {
  EXPECT_EQ(missing<format::SummaryRecord>(&format::SummaryRecord::rows), "");
  EXPECT_EQ(missing<format::SummaryRowRecord>(&format::SummaryRowRecord::lengths, &format::SummaryRowRecord::multiprocessors), "");
  EXPECT_NE(missing<format::SummaryRecord>(), "") << "the check sees what is missing";
}

TEST(Schemas, HoldTheWordsOfEveryKindOfRecord) {
  unsigned kinds = 0;
  for (std::uint32_t kind = 0; kind <= format::kKindMask; ++kind)
    withRecordSchema(static_cast<format::RecordKind>(kind), [&]<typename Schema>(Schema) {
      EXPECT_EQ(Coverage<format::Record>(Schema::fields).missing(&format::Record::tag), "") << kind;
      ++kinds;
    });
  EXPECT_EQ(kinds, static_cast<unsigned>(format::RecordKind::Adjacent)); // all but Empty
}

/// The runtime interns in the order of the members; a file in another order would need a table of its own in its text.
TEST(Schemas, InternStringsInTheOrderOfTheMembers) {
  std::string order;
  format::SiteRecord site{};
  forStringMembers(site, [&](auto &, const char *what) { order += std::string(what) + ";"; });
  EXPECT_EQ(order, "a site's function;a site's file;a site's source line;a site's expression;a site's reason;");
}

} // namespace
} // namespace kperf::decoder
