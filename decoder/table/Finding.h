// Something that a check says about a place in the source; printers write them in the forms that other tools read.
#ifndef KPERF_DECODER_FINDING_H
#define KPERF_DECODER_FINDING_H

#include <cstdint>
#include <string>

namespace kperf::decoder {

struct Finding {
  enum class Level { Error, Warning, Note };

  std::string rule;         ///< what was checked; findings of one rule share it
  std::string subject;      ///< of what, for people: a kernel
  std::string row;          ///< what of it, for people: a region, an access; "" when the rule says
  std::string message;      ///< what is wrong, or what was seen where nothing is
  std::string file;         ///< "" when unknown
  std::uint32_t line = 0;   ///< 1-based, 0 when unknown
  std::uint32_t column = 0; ///< bytes, 1-based, 0 when unknown
  Level level = Level::Error;
  bool isViolation = false; ///< what was checked does not hold; also of what nobody asked about, and is worth saying
  bool isUnchecked = false; ///< of a violation: nobody knows whether it holds
};

} // namespace kperf::decoder

#endif
