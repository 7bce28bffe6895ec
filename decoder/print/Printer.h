// The ways to print tables, listed in Printers.def.
#ifndef KPERF_DECODER_PRINTER_H
#define KPERF_DECODER_PRINTER_H

#include "decoder/io/Output.h"
#include "decoder/table/Table.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kperf::decoder {

/// What a page holds beyond tables.
struct PageData {
  std::string id;   ///< of the element, by which the page's script finds it
  std::string json; ///< what is in it
};

struct PrintOptions {
  unsigned columns = 80; ///< of the terminal
  bool isColored = false;
  std::string title = {};              ///< of a page or a test suite
  std::string origin = {};             ///< whose times these are, where they are not a GPU's: said beside the numbers
  std::string closing = {};            ///< text behind the tables, for people
  std::string version = {};            ///< of kperf
  std::span<const PageData> data = {}; ///< for a page
  std::string shortNames = {};         ///< for a page's data: `{"WHOLE": "SHORT", …}` of kernels
};

/// What a printer makes of tables. Findings are of use where tables have some, checks where findings say what holds as well.
enum class Form : std::uint8_t { Text, Page, Rows, Findings, Checks };

struct Printer {
  const char *name;
  Form form;
  bool printsNotes; ///< else the caller has to say them elsewhere
  const char *summary;
  void (*print)(std::span<const Table> tables, const PrintOptions &options, Output &out);
};

#define KPERF_PRINTER(name, form, printsNotes, summary)                                                                                    \
  void name##Printer(std::span<const Table> tables, const PrintOptions &options, Output &out);
#include "decoder/print/Printers.def"
#undef KPERF_PRINTER

std::span<const Printer> printers();
/// The printer of that name, or null.
const Printer *findPrinter(std::string_view name);

/// Of all tables, in their order.
std::vector<Finding> findingsOf(std::span<const Table> tables);

} // namespace kperf::decoder

#endif
