// A program's locality as tables: hits by cache size, and the memory that it touched.
#ifndef KPERF_DECODER_LOCALITY_TABLES_H
#define KPERF_DECODER_LOCALITY_TABLES_H

#include "decoder/memory/Locality.h"
#include "decoder/memory/MemoryTotals.h"
#include "decoder/table/Table.h"
#include "decoder/trace/VendorTerms.h"

namespace kperf::decoder {

Table cacheTable(const Locality &locality, const VendorTerms &terms);
/// One row for each of at most `most` pieces of the address space; columns t0 … are for pictures.
Table pageTable(const Locality &locality, const MemoryTotals &totals, std::size_t most);
/// The columns of a group's locality, and its cells.
void addLocalityColumns(Table &table);
void addLocalityCells(std::vector<Cell> &cells, const GroupLocality &group);
/// Adds to a table of these where the truth lies, or what to do where that is not known.
void addLocalityBounds(Table &table, const Locality &locality, const VendorTerms &terms);
/// What a reader must know of any of these.
std::vector<std::string> localityNotes(const Locality &locality, const VendorTerms &terms);

} // namespace kperf::decoder

#endif
