// Reads AMD's instructions as far as their accesses to memory go. Names: the "Instruction Set Architecture" manuals of
// CDNA 3 and RDNA 3, which call ds_read_b32 and global_load_dword what RDNA 3 calls ds_load_b32 and global_load_b32.
#include "rewriters/access/GcnAccess.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using kperf::format::SiteKind;

namespace kperf {
namespace {

/// One instruction: its name, its operands, and what stands behind them ("offset:16 glc").
struct GcnInstruction {
  StringRef name;
  SmallVector<StringRef, 4> operands;

  /// The number of an operand of the statement, if that is what stands there.
  std::optional<unsigned> numberOf(unsigned index) const {
    unsigned number = 0;
    if (index >= operands.size())
      return std::nullopt;
    StringRef operand = operands[index];
    return operand.consume_front("%") && !operand.getAsInteger(10, number) ? std::optional(number) : std::nullopt;
  }
  bool isOff(unsigned index) const { return index < operands.size() && operands[index] == "off"; }
};

GcnInstruction parseGcn(StringRef line) {
  line = line.split(';').first.split("//").first.trim();
  GcnInstruction result;
  result.name = line.take_until([](char letter) { return isSpace(letter); });
  result.name.consume_back("_e32");
  result.name.consume_back("_e64");
  SmallVector<StringRef, 4> parts;
  line.drop_front(std::min(line.size(), line.find(result.name) + result.name.size())).split(parts, ',');
  for (StringRef part : parts) // modifiers follow the last operand, after a space
    if (part = part.trim(); !part.empty())
      result.operands.push_back(part.take_until([](char letter) { return isSpace(letter); }));
  return result;
}

/// Bytes that a lane moves, by the end of the name: "dwordx4", "b128", "ubyte_d16_hi", "u16"; 0 for other ends.
unsigned bytesOf(StringRef name) {
  name.consume_back("_hi");
  name.consume_back("_d16");
  name.consume_back("_addtid");
  return StringSwitch<unsigned>(name.rsplit('_').second)
      .Cases({"ubyte", "sbyte", "byte", "u8", "i8", "b8"}, 1)
      .Cases({"ushort", "sshort", "short", "u16", "i16", "b16"}, 2)
      .Cases({"dword", "b32"}, 4)
      .Cases({"dwordx2", "b64"}, 8)
      .Cases({"dwordx3", "b96"}, 12)
      .Cases({"dwordx4", "b128"}, 16)
      .Default(0);
}

/// The same of an atomic operation: "add_x2", "cmpswap_b64", "add_f64", else a word.
unsigned atomicBytesOf(StringRef name) { return name.ends_with("x2") || name.ends_with("64") ? 8 : 4; }

class GcnReader {
public:
  GcnReader(const GcnInstruction &instruction, SmallVectorImpl<AsmAccess> &out) : instruction(instruction), out(out) {}

  void read() {
    StringRef name = instruction.name;
    if (name.consume_front("ds_"))
      localAccess(name);
    else if (name.consume_front("global_"))
      flatAccess(name, /*hasBase=*/true);
    else if (name.consume_front("flat_"))
      flatAccess(name, /*hasBase=*/false);
    else if (name.consume_front("buffer_") || name.consume_front("tbuffer_"))
      bufferAccess(name);
    else if (name.starts_with("s_load_") || name.starts_with("s_buffer_load_"))
      add(1, SiteKind::Load, false, bytesOf(name), "a scalar load is made once for the whole wave");
  }

private:
  void localAccess(StringRef name) {
    if (name.consume_front("read2") || name.consume_front("load_2addr"))
      return add(1, SiteKind::Load, true, bytesOf(name), "it reads two places");
    if (name.consume_front("write2") || name.consume_front("store_2addr"))
      return add(0, SiteKind::Store, true, bytesOf(name), "it writes two places");
    if (name.starts_with("read_") || name.starts_with("load_"))
      return add(1, SiteKind::Load, true, bytesOf(name), "");
    if (name.starts_with("write_") || name.starts_with("store_"))
      return add(0, SiteKind::Store, true, bytesOf(name), "");
    if (!isLocalAtomic(name))
      return; // exchanges between lanes, and the global data share
    add(name.contains("_rtn") ? 1 : 0, SiteKind::Atomic, true, atomicBytesOf(name), "");
  }

  static bool isLocalAtomic(StringRef name) {
    static constexpr StringRef operations[] = {"add", "sub", "rsub",  "inc",    "dec",   "min",     "max",       "and",
                                               "or",  "xor", "mskor", "wrxchg", "cmpst", "cmpswap", "storexchg", "pk"};
    return is_contained(operations, name.split('_').first);
  }

  void flatAccess(StringRef name, bool hasBase) {
    if (name.starts_with("load_lds_"))
      return at(0, 1, hasBase, SiteKind::Load, bytesOf(name));
    if (name.starts_with("load_"))
      return at(1, 2, hasBase, SiteKind::Load, bytesOf(name));
    if (name.starts_with("store_"))
      return at(0, 2, hasBase, SiteKind::Store, bytesOf(name));
    if (!name.starts_with("atomic_"))
      return;
    // One that gives back what was there names where to put it first.
    const bool givesBack = instruction.operands.size() > (hasBase ? 3 : 2);
    at(givesBack, givesBack + 2, hasBase, SiteKind::Atomic, atomicBytesOf(name));
  }

  /// `base`: the operand that is "off", or a scalar address to which the other one is only an offset.
  void at(unsigned address, unsigned base, bool hasBase, SiteKind kind, unsigned bytes) {
    if (hasBase && !instruction.isOff(base))
      add(base, kind, false, bytes, "its address is the sum of two operands");
    else
      add(address, kind, false, bytes, "");
  }

  void bufferAccess(StringRef name) {
    const SiteKind kind = name.starts_with("atomic_") ? SiteKind::Atomic : name.starts_with("store_") ? SiteKind::Store : SiteKind::Load;
    if (name.starts_with("load_") || name.starts_with("store_") || name.starts_with("atomic_"))
      add(instruction.operands.size() > 3 ? 2 : 1, kind, false, 0, "a buffer's descriptor says where it is");
  }

  void add(unsigned index, SiteKind kind, bool isShared, unsigned bytes, StringRef reason) {
    const std::optional<unsigned> operand = instruction.numberOf(index);
    if (!operand)
      return;
    AsmAccess access{*operand, kind, isShared, bytes, reason.str()};
    if (access.reason.empty() && bytes == 0)
      access.reason = "the assembly does not say how many bytes it moves";
    out.push_back(std::move(access));
  }

  const GcnInstruction &instruction;
  SmallVectorImpl<AsmAccess> &out;
};

} // namespace

void addGcnAccesses(StringRef text, SmallVectorImpl<AsmAccess> &out) {
  SmallVector<StringRef, 8> lines;
  text.split(lines, '\n');
  for (StringRef line : lines)
    GcnReader(parseGcn(line), out).read();
}

} // namespace kperf
