// Holds the trace of kperf's own test program against what that program knows: what `kperf selftest` finds out about a
// machine.
#ifndef KPERF_DECODER_SELF_TEST_H
#define KPERF_DECODER_SELF_TEST_H

#include "decoder/io/Error.h"
#include "decoder/table/Table.h"
#include "decoder/trace/Trace.h"

#include <map>
#include <string>
#include <string_view>

namespace kperf::decoder {

/// What runtime/selftest/selftest.hip printed: a number for each name.
class SelfTestFacts {
public:
  /// Of lines "selftest NAME VALUE", where NAME may hold spaces; other lines are the program's own business.
  static Expected<SelfTestFacts> parse(std::string_view output);

  /// NaN, which holds no comparison, for a name that was not said.
  double operator[](const std::string &name) const;
  const std::map<std::string, double> &all() const { return values; }

private:
  std::map<std::string, double> values;
};

struct SelfTestResult {
  Table table; ///< a row for each assumption: what it says, expected, found, and whether it holds
  unsigned failed = 0;
};

/// An error only where the trace cannot be read.
Expected<SelfTestResult> selfTest(const Trace &trace, const SelfTestFacts &facts);

} // namespace kperf::decoder

#endif
