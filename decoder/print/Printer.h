// The ways to print tables, listed in Printers.def.
#ifndef KPERF_DECODER_PRINTER_H
#define KPERF_DECODER_PRINTER_H

#include "decoder/io/Output.h"
#include "decoder/table/Table.h"

#include <span>
#include <string>
#include <string_view>

namespace kperf::decoder {

/// What a page holds beyond tables.
struct PageData {
  std::string id;   ///< of the element, by which the page's script finds it
  std::string json; ///< what is in it
};

struct PrintOptions {
  unsigned columns = 80; ///< of the terminal
  bool isColored = false;
  std::string title = {};              ///< of a page
  std::string origin = {};             ///< whose times these are, where they are not a GPU's: said beside the numbers
  std::span<const PageData> data = {}; ///< for a page
};

struct Printer {
  const char *name;
  const char *summary;
  bool printsNotes; ///< else the caller has to say them elsewhere
  void (*print)(std::span<const Table> tables, const PrintOptions &options, Output &out);
};

#define KPERF_PRINTER(name, summary, printsNotes)                                                                                          \
  void name##Printer(std::span<const Table> tables, const PrintOptions &options, Output &out);
#include "decoder/print/Printers.def"
#undef KPERF_PRINTER

std::span<const Printer> printers();
/// The printer of that name, or null.
const Printer *findPrinter(std::string_view name);

} // namespace kperf::decoder

#endif
