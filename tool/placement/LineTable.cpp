// Walks the line programs of .debug_line (DWARF 2 to 4, section 6.2) with NVIDIA's two opcodes, as elfutils' libdw knows them since 0.187:
// 0x90 gives the number of the row, of the same sequence, that the following rows are inlined at, and a function's name; 0x91 the name
// alone. kperf has no LLVM; kperf-cc reads the other table, of lines of PTX, by it: tool/machine/LineProgram.h.
#include "tool/placement/LineTable.h"

#include "tool/placement/ElfImage.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace kperf::placement {
namespace {

enum StandardOpcode : std::uint8_t { Extended = 0, Copy = 1, FixedAdvance = 9 };
enum ExtendedOpcode : std::uint8_t { EndSequence = 1, InlinedAt = 0x90, FunctionName = 0x91 };

/// Reads what is within its bytes; a read beyond them gives 0, and isAtEnd() then.
class Cursor {
public:
  explicit Cursor(std::string_view bytes) : bytes(bytes) {}

  std::size_t at() const { return next; }
  bool isAtEnd() const { return next >= bytes.size(); }
  void skip(std::uint64_t count) { next = count > bytes.size() - next ? bytes.size() : next + count; }

  template <typename Number> Number fixed() {
    Number number = 0;
    if (bytes.size() - next >= sizeof(Number))
      std::memcpy(&number, bytes.data() + next, sizeof(Number));
    skip(sizeof(Number));
    return number;
  }

  std::uint64_t leb128() {
    std::uint64_t number = 0;
    for (unsigned shift = 0; !isAtEnd(); shift += 7) {
      const auto byte = fixed<std::uint8_t>();
      number |= shift < 64 ? std::uint64_t(byte & 0x7f) << shift : 0;
      if (!(byte & 0x80))
        break;
    }
    return number;
  }

private:
  std::string_view bytes;
  std::size_t next = 0;
};

struct Caller {
  std::size_t begin = 0, end = 0; ///< of its LEB128 number, in the table
  std::uint64_t row = 0;          ///< of its sequence, from 1; 0: the rows are inlined nowhere
  std::uint64_t mended = 0;       ///< what `row` has to be
};

/// Of one unit: the callers that are numbered as if there were rows that are not.
class LineProgram {
public:
  /// `bytes`: from the unit's header on to its end.
  explicit LineProgram(std::string_view bytes) : cursor(bytes) { readHeader(); }

  std::vector<Caller> wrong() {
    while (!cursor.isAtEnd())
      step();
    return std::move(found);
  }

private:
  void readHeader() {
    cursor.skip(sizeof(std::uint32_t)); // the unit's length
    const auto version = cursor.fixed<std::uint16_t>();
    const auto rest = cursor.fixed<std::uint32_t>();
    const std::size_t program = cursor.at() + rest;
    cursor.skip(version >= 4 ? 5 : 4); // lengths of an instruction, default of is_stmt, line base and range
    const auto base = cursor.fixed<std::uint8_t>();
    for (unsigned opcode = 1; opcode < base; ++opcode)
      operands.push_back(cursor.fixed<std::uint8_t>());
    cursor.skip(program > cursor.at() ? program - cursor.at() : 0); // names of folders and files
  }

  void step() {
    const auto opcode = cursor.fixed<std::uint8_t>();
    if (opcode == Extended)
      return stepExtended();
    if (opcode > operands.size() || opcode == Copy)
      return addRow();
    if (opcode == FixedAdvance)
      return cursor.skip(sizeof(std::uint16_t));
    for (unsigned operand = 0; operand < operands[opcode - 1]; ++operand)
      cursor.leb128();
  }

  /// NVIDIA's opcodes have a length that does not count their operands.
  void stepExtended() {
    const std::uint64_t length = cursor.leb128();
    if (length == 0)
      return;
    switch (cursor.fixed<std::uint8_t>()) {
    case EndSequence:
      addRow();
      caller = {};
      rows = 0;
      gaps.clear();
      return cursor.skip(length - 1);
    case InlinedAt:
      caller.begin = cursor.at();
      caller.row = cursor.leb128();
      caller.end = cursor.at();
      cursor.leb128();
      return;
    case FunctionName:
      cursor.leb128();
      return;
    default:
      return cursor.skip(length - 1);
    }
  }

  void addRow() {
    ++rows;
    const auto behind = std::ranges::upper_bound(gaps, caller.row, {}, &Gap::from);
    caller.mended = caller.row - (behind == gaps.begin() ? 0 : std::prev(behind)->missing);
    if (caller.mended >= rows && behind == gaps.end()) {
      gaps.push_back({caller.row, caller.row - (rows - 1)});
      caller.mended = rows - 1;
    } else if (caller.mended >= rows) {
      caller.mended = 0;
    }
    if (caller.mended != caller.row && (found.empty() || found.back().begin != caller.begin))
      found.push_back(caller);
  }

  struct Gap {
    std::uint64_t from;    ///< callers from this number on are behind it
    std::uint64_t missing; ///< rows, of this and all gaps before
  };

  Cursor cursor;
  std::vector<std::uint8_t> operands; ///< of each standard opcode, from 1
  Caller caller;
  std::uint64_t rows = 0; ///< of the sequence so far
  std::vector<Gap> gaps;  ///< the same
  std::vector<Caller> found;
};

} // namespace

std::size_t mendCallers(std::string &cubin) {
  const auto image = ElfImage::read(cubin);
  const std::string_view table = image && image->isDeviceCode() ? image->sectionNamed(".debug_line") : std::string_view();
  if (table.empty())
    return 0;
  char *const bytes = cubin.data() + (table.data() - cubin.data());
  std::size_t mended = 0;
  for (std::size_t at = 0; table.size() - at > sizeof(std::uint32_t);) {
    const std::uint64_t length = sizeof(std::uint32_t) + std::uint64_t(Cursor(table.substr(at)).fixed<std::uint32_t>());
    for (const Caller &caller : LineProgram(table.substr(at, length)).wrong()) {
      std::uint64_t left = caller.mended; // in as many bytes as before
      for (std::size_t byte = caller.begin; byte < caller.end; ++byte, left >>= 7)
        bytes[at + byte] = static_cast<char>((left & 0x7f) | (byte + 1 < caller.end ? 0x80 : 0));
      ++mended;
    }
    at += std::min<std::uint64_t>(length, table.size() - at);
  }
  return mended;
}

} // namespace kperf::placement
