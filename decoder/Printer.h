// The ways to print tables, listed in Printers.def.
#ifndef KPERF_DECODER_PRINTER_H
#define KPERF_DECODER_PRINTER_H

#include "Output.h"
#include "Table.h"

#include <span>
#include <string_view>

namespace kperf::decoder {

struct PrintOptions {
  unsigned columns = 80; ///< of the terminal
  bool isColored = false;
};

struct Printer {
  const char *name;
  const char *summary;
  bool printsNotes; ///< else the caller has to say them elsewhere
  void (*print)(std::span<const Table> tables, const PrintOptions &options, Output &out);
};

#define KPERF_PRINTER(name, summary, printsNotes)                                                                      \
  void name##Printer(std::span<const Table> tables, const PrintOptions &options, Output &out);
#include "Printers.def"
#undef KPERF_PRINTER

std::span<const Printer> printers();
/// The printer of that name, or null.
const Printer *findPrinter(std::string_view name);

} // namespace kperf::decoder

#endif
