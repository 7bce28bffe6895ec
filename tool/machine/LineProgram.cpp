// Interprets the subset of line number programs that ptxas writes.
#include "tool/machine/LineProgram.h"

#include "llvm/Support/DataExtractor.h"

namespace kperf::machine {
namespace {

/// Opcodes that have no place of their own in DWARF's headers that we include.
enum Opcode : std::uint8_t {
  Extended = 0,
  Copy = 1,
  AdvancePc = 2,
  AdvanceLine = 3,
  SetFile = 4,
  SetColumn = 5,
  NegateStatement = 6,
  BasicBlock = 7,
  ConstAddPc = 8,
  FixedAdvancePc = 9
};
enum ExtendedOpcode : std::uint8_t { EndSequence = 1, SetAddress = 2 };

class LineProgram {
public:
  explicit LineProgram(llvm::StringRef section) : data(section, /*IsLittleEndian=*/true, /*AddressSize=*/8) {}

  llvm::Expected<std::vector<LineSequence>> run() {
    while (cursor && !data.eof(cursor))
      unit();
    if (llvm::Error error = cursor.takeError())
      return error;
    return std::move(sequences);
  }

private:
  void unit() {
    const std::uint64_t length = data.getU32(cursor), end = cursor.tell() + length;
    data.getU16(cursor); // version
    const std::uint64_t headerLength = data.getU32(cursor), begin = cursor.tell() + headerLength;
    minimumLength = data.getU8(cursor);
    data.getU8(cursor); // default_is_stmt
    lineBase = static_cast<std::int8_t>(data.getU8(cursor));
    lineRange = data.getU8(cursor);
    opcodeBase = data.getU8(cursor);
    if (!cursor)
      return;
    if (lineRange == 0 || begin > end || end > data.size()) {
      data.skip(cursor, data.size()); // says that the data ends too early
      return;
    }
    cursor.seek(begin);
    current = {};
    line = 1;
    address = 0;
    while (cursor && cursor.tell() < end)
      step();
  }

  void step() {
    const std::uint8_t opcode = data.getU8(cursor);
    if (opcode >= opcodeBase) {
      const unsigned adjusted = opcode - opcodeBase;
      address += adjusted / lineRange * minimumLength;
      line += static_cast<unsigned>(lineBase + static_cast<int>(adjusted % lineRange));
      return append();
    }
    switch (opcode) {
    case Extended:
      return extended();
    case Copy:
      return append();
    case AdvancePc:
      address += data.getULEB128(cursor) * minimumLength;
      return;
    case AdvanceLine:
      line += static_cast<unsigned>(data.getSLEB128(cursor));
      return;
    case SetFile:
    case SetColumn:
      data.getULEB128(cursor);
      return;
    case ConstAddPc:
      address += (255u - opcodeBase) / lineRange * minimumLength;
      return;
    case FixedAdvancePc:
      address += data.getU16(cursor);
      return;
    default:
      return;
    }
  }

  void extended() {
    const std::uint64_t length = data.getULEB128(cursor), next = cursor.tell() + length;
    const std::uint8_t opcode = length ? data.getU8(cursor) : 0;
    if (opcode == SetAddress) {
      current.addressAt = cursor.tell();
      address = 0;
    } else if (opcode == EndSequence) {
      current.end = address;
      sequences.push_back(std::move(current));
      current = {};
      line = 1;
      address = 0;
    }
    if (cursor && next <= data.size())
      cursor.seek(next);
    else
      data.skip(cursor, data.size());
  }

  void append() { current.rows.push_back({address, line}); }

  llvm::DataExtractor data;
  llvm::DataExtractor::Cursor cursor{0};
  std::uint8_t minimumLength = 1, lineRange = 1, opcodeBase = 10;
  std::int8_t lineBase = 0;
  std::uint64_t address = 0;
  unsigned line = 1;
  LineSequence current;
  std::vector<LineSequence> sequences;
};

} // namespace

llvm::Expected<std::vector<LineSequence>> readLineProgram(llvm::StringRef section) { return LineProgram(section).run(); }

} // namespace kperf::machine
