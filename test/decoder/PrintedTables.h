// Reads back what printers print, to compare it with the table that they were given.
#ifndef KPERF_TEST_PRINTED_TABLES_H
#define KPERF_TEST_PRINTED_TABLES_H

#include "decoder/table/Table.h"

namespace kperf::test {

/// Fails unless text, CSV and JSON show each number of `table`: text to its last printed digit, the others to 10
/// digits.
void expectPrintersAgree(const decoder::Table &table);

} // namespace kperf::test

#endif
