// Formats numbers for people: one scale for what is read in one row, significant digits in each cell.
#ifndef KPERF_DECODER_NUMBER_FORMAT_H
#define KPERF_DECODER_NUMBER_FORMAT_H

#include "decoder/table/Table.h"

#include <string>

namespace kperf::decoder {

/// How the numbers of one column are written.
struct NumberFormat {
  double divisor = 1;
  std::string unit; ///< "ns", "µs", "%", …; "" for none
  unsigned decimals = 0;
};

/// A format in which the largest of the values, `most`, has a handful of digits. `isWhole`: all are integers.
NumberFormat formatFor(Unit unit, double most, bool isWhole);

/// The divisor of the unit for columns that are read side by side, where the largest values of the columns are from `least` to `most`:
/// small enough for that column, as long as no number has more than six digits before the point.
double divisorFor(Unit unit, double least, double most);

/// A format with that divisor, which is one that `divisorFor` gives for the unit.
NumberFormat formatIn(Unit unit, double divisor, double most, bool isWhole);

/// "1.25"; "" for an empty cell. A value too small for the format's decimals gets more of them.
std::string formatted(double value, const NumberFormat &format);

/// The value alone with its unit, as "1.25 µs".
std::string formatted(double value, Unit unit, bool isWhole);

} // namespace kperf::decoder

#endif
