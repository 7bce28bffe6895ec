// The JSON that kperf writes, as values of nlohmann-json.
#ifndef KPERF_DECODER_JSON_H
#define KPERF_DECODER_JSON_H

#include <nlohmann/json.hpp>
#include <string>

namespace kperf::decoder {

/// Keys stay in the order in which they were set.
using Json = nlohmann::ordered_json;

/// `value` rounded to so many significant digits; null where it is not finite.
Json jsonNumber(double value, int digits = 10);

/// The text of `value`. The outer `levels` of arrays and objects have a line for each element, what lies deeper stands in one. Nothing in
/// it drives a terminal; what is not UTF-8 becomes U+FFFD.
std::string jsonText(const Json &value, unsigned levels = 0);

} // namespace kperf::decoder

#endif
