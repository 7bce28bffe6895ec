// Parses PTX instructions for the memory accesses that they make.
#include "rewriters/access/AsmAccess.h"

#include "rewriters/access/GcnAccess.h"
#include "rewriters/analysis/MemoryIntrinsics.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using kperf::format::SiteKind;

namespace kperf {
namespace {

/// One instruction: its mnemonic in parts ("ld", "global", "v4", "u32"), the operands in brackets, and what else it
/// says.
struct Instruction {
  SmallVector<StringRef, 8> parts;
  SmallVector<StringRef, 2> addresses;
  StringRef operands;
  StringRef predicate; ///< "p" or "!p"; "" where it is always made

  bool has(StringRef part) const { return is_contained(parts, part); }
};

/// "%3" alone, or with an offset behind it.
std::optional<unsigned> operandOf(StringRef address) {
  unsigned number = 0;
  address = address.trim();
  if (!address.consume_front("%") || address.consumeInteger(10, number))
    return std::nullopt;
  address = address.ltrim();
  return address.empty() || address.starts_with("+") ? std::optional(number) : std::nullopt;
}

Instruction parse(StringRef text) {
  Instruction result;
  text = text.trim(" \t\n\r{}");
  if (text.consume_front("@")) {
    result.predicate = text.take_until([](char letter) { return letter == ' ' || letter == '\t'; });
    text = text.drop_front(result.predicate.size()).ltrim();
  }
  StringRef mnemonic = text.take_until([](char letter) { return letter == ' ' || letter == '\t' || letter == '\n'; });
  mnemonic.split(result.parts, '.');
  result.operands = text.drop_front(mnemonic.size());
  for (StringRef rest = result.operands; rest.contains('[');) {
    rest = rest.split('[').second;
    result.addresses.push_back(rest.split(']').first);
  }
  return result;
}

/// Bytes of a PTX type's name: b128, f16x2, s8; 0 for other words.
unsigned typeBytes(StringRef part) {
  unsigned bits = 0, times = 1;
  if (!part.consume_front("bf") && (part.empty() || !StringRef("bsuf").contains(part.front())))
    return 0;
  part = part.ltrim("bsuf");
  if (part.consumeInteger(10, bits))
    return 0;
  if (part.consume_front("x") && part.consumeInteger(10, times))
    return 0;
  return part.empty() ? bits * times / 8 : 0;
}

unsigned elementBytes(const Instruction &instruction) {
  unsigned bytes = 0, times = 1;
  for (StringRef part : instruction.parts) {
    if (unsigned found = typeBytes(part))
      bytes = found;
    if (part == "v2" || part == "v4" || part == "v8")
      times = part.back() - '0';
  }
  return bytes * times;
}

/// What follows the second address of cp.async: how much it copies.
StringRef copiedBytes(const Instruction &instruction) { return instruction.operands.split(']').second.split(']').second.ltrim(" ,"); }

unsigned number(StringRef text) {
  unsigned result = 0;
  return text.consumeInteger(10, result) ? 0 : result;
}

class Reader {
public:
  SmallVector<AsmAccess, 2> found;

  void read(const Instruction &instruction) {
    StringRef name = instruction.parts.front();
    readResults(instruction);
    if (instruction.addresses.empty())
      return;
    if (name == "cp" && instruction.has("async") && instruction.has("bulk"))
      return readBulk(instruction);
    if (name == "cp" && instruction.has("async")) {
      addCopied(instruction, 0, SiteKind::Store, true);
      return addCopied(instruction, 1, SiteKind::Load, false);
    }
    // Each lane, or each of eight in a group, gives the address of a row of 16 bytes.
    if (name == "ldmatrix" || name == "stmatrix")
      return add(instruction, 0, name == "ldmatrix" ? SiteKind::Load : SiteKind::Store, true, instruction.has("x4") ? 16 : 0,
                 instruction.has("x4") ? "" : "only some lanes' addresses count");
    auto kind = StringSwitch<std::optional<SiteKind>>(name)
                    .Case("ld", SiteKind::Load)
                    .Case("ldu", SiteKind::Load)
                    .Case("st", SiteKind::Store)
                    .Cases({"atom", "red"}, SiteKind::Atomic)
                    .Default(std::nullopt);
    if (!kind || instruction.has("param") || instruction.has("const") || instruction.has("local"))
      return;
    const bool isShared = any_of(instruction.parts, [](StringRef part) { return part.starts_with("shared"); });
    const bool isRemote = instruction.has("shared::cluster");
    add(instruction, 0, *kind, isShared, elementBytes(instruction), isRemote ? "another block's shared memory has no banks here" : "");
  }

private:
  /// What "setp.ne p, %2, 0" says of p; whatever else an instruction makes of a predicate ("p", "p|q") is not known.
  void readResults(const Instruction &instruction) {
    SmallVector<StringRef, 4> operands, results;
    instruction.operands.split(operands, ',');
    operands.front().split(results, '|');
    for (StringRef result : results)
      conditions.erase(result.trim());
    const bool isWithZero = instruction.parts.front() == "setp" && instruction.parts.size() == 3 && instruction.has("ne") &&
                            operands.size() == 3 && operands[2].trim() == "0";
    const std::optional<unsigned> operand = isWithZero ? operandOf(operands[1]) : std::nullopt;
    if (operand && instruction.predicate.empty() && results.size() == 1)
      conditions[results.front().trim()] = *operand;
  }

  /// An address of cp.async, whose size is a number or an operand.
  void addCopied(const Instruction &instruction, unsigned index, SiteKind kind, bool isShared, bool isBulk = false) {
    const StringRef bytes = copiedBytes(instruction).take_until([](char letter) { return letter == ','; });
    const std::size_t before = found.size();
    add(instruction, index, kind, isShared, number(bytes), "", operandOf(bytes));
    if (found.size() > before)
      found.back().isBulk = isBulk;
  }

  /// The spaces are named in the order of the addresses: "global.shared::cta" copies to global memory.
  void readBulk(const Instruction &instruction) {
    if (instruction.addresses.size() < 2) // prefetches
      return;
    const auto space = find_if(instruction.parts, [](StringRef part) { return part == "global" || part.starts_with("shared::"); });
    const bool isToGlobal = space != instruction.parts.end() && *space == "global";
    const SiteKind toGlobal = instruction.has("reduce") ? SiteKind::Atomic : SiteKind::Store;
    if (instruction.has("tensor"))
      return add(instruction, isToGlobal, isToGlobal ? SiteKind::Load : SiteKind::Store, true, 0, "a tensor map says what is copied");
    add(instruction, isToGlobal, isToGlobal ? SiteKind::Load : SiteKind::Store, true, 0, kBulkInShared);
    if (!instruction.has("global"))
      return;
    addCopied(instruction, !isToGlobal, isToGlobal ? toGlobal : SiteKind::Load, false, /*isBulk=*/true);
  }

  void add(const Instruction &instruction, unsigned index, SiteKind kind, bool isShared, unsigned bytes, StringRef reason,
           std::optional<unsigned> bytesOperand = std::nullopt) {
    if (index >= instruction.addresses.size())
      return;
    std::optional<unsigned> operand = operandOf(instruction.addresses[index]);
    if (!operand)
      return;
    AsmAccess access{*operand, kind, isShared, bytes, reason.str()};
    access.bytesOperand = bytesOperand;
    StringRef predicate = instruction.predicate;
    access.isNegated = predicate.consume_front("!");
    if (auto known = conditions.find(predicate); known != conditions.end())
      access.condition = known->second;
    else if (access.reason.empty() && !predicate.empty())
      access.reason = "a predicate in the assembly decides whether it is made";
    if (access.reason.empty() && bytes == 0 && !bytesOperand)
      access.reason = "the assembly does not say how many bytes it moves";
    found.push_back(std::move(access));
  }

  StringMap<unsigned> conditions; ///< what predicates stand for: the operand that is not 0
};

/// The text with "%[name]" as "%2".
std::string numberedText(std::string text, function_ref<int(StringRef)> numberOf) {
  for (std::size_t at = text.find("%["); at != std::string::npos; at = text.find("%[", at + 1)) {
    const std::size_t end = text.find(']', at);
    const int number = end == std::string::npos ? -1 : numberOf(StringRef(text).slice(at + 2, end));
    if (number >= 0)
      text.replace(at + 1, end - at, std::to_string(number));
  }
  return text;
}

} // namespace

SmallVector<AsmAccess, 2> findAsmAccesses(const clang::GCCAsmStmt *assembly) {
  return findAsmAccesses(assembly->getAsmString(), [&](StringRef name) { return assembly->getNamedOperand(name); });
}

SmallVector<AsmAccess, 2> findAsmAccesses(StringRef given, function_ref<int(StringRef)> numberOf) {
  const std::string text = numberedText(given.str(), numberOf);
  Reader reader;
  SmallVector<StringRef, 8> statements;
  StringRef(text).split(statements, ';');
  for (StringRef statement : statements) {
    Instruction instruction = parse(statement);
    if (!instruction.parts.empty())
      reader.read(instruction);
  }
  addGcnAccesses(text, reader.found);
  return std::move(reader.found);
}

} // namespace kperf
