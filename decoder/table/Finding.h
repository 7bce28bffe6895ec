// Something that a check says about a place in the source, in the forms that other tools read.
#ifndef KPERF_DECODER_FINDING_H
#define KPERF_DECODER_FINDING_H

#include "decoder/io/Output.h"

#include <cstdint>
#include <span>
#include <string>

namespace kperf::decoder {

struct Finding {
  enum class Level { Error, Warning, Note };

  std::string rule;         ///< what was checked; findings of one rule share it
  std::string subject;      ///< of what, for people: a kernel
  std::string message;      ///< what is wrong, or what was seen where nothing is
  std::string file;         ///< "" when unknown
  std::uint32_t line = 0;   ///< 1-based, 0 when unknown
  std::uint32_t column = 0; ///< bytes, 1-based, 0 when unknown
  Level level = Level::Error;
  bool isBroken = false; ///< or whatever else it is that is worth saying
};

/// SARIF 2.1.0: a rule for each, a result for each broken one.
void writeSarif(std::span<const Finding> findings, std::string_view toolVersion, Output &out);

/// JUnit's XML: a test case for each, a failure in each broken one.
void writeJunit(std::span<const Finding> findings, std::string_view suite, Output &out);

} // namespace kperf::decoder

#endif
