// Reads a cubin's instructions, their lines of PTX, and the source places of those lines.
#include "tool/machine/Cubin.h"

#include "tool/machine/LineProgram.h"
#include "tool/machine/PtxText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/Endian.h"

#include <algorithm>
#include <map>
#include <optional>

using llvm::StringRef;
using Elf = llvm::object::ELFFile<llvm::object::ELF64LE>;
using Section = llvm::object::ELF64LE::Shdr;

namespace kperf::machine {
namespace {

constexpr std::size_t kInstructionBytes = 16;

/// A load or store in machine code.
struct Instruction {
  unsigned bytes = 0;
  int offset = 0; ///< that is added to the register
};

/// By the low 12 bits, of LDG, LD, LDS, STG, ST and STS; bits 73 to 75 say how much, 40 to 63 are the offset. The same on sm_70 to sm_120:
/// read off what ptxas 13.0 makes of single PTX instructions; test/tool/machine/states.test looks at three of them.
std::optional<Instruction> decode(StringRef code) {
  const std::uint64_t low = llvm::support::endian::read64le(code.data()), high = llvm::support::endian::read64le(code.data() + 8);
  static constexpr unsigned opcodes[] = {0x381, 0x981, 0x980, 0x984, 0x386, 0x986, 0x385, 0x985, 0x388, 0x988};
  static constexpr unsigned sizes[] = {1, 1, 2, 2, 4, 8, 16, 0};
  const unsigned size = sizes[high >> 9 & 7];
  if (!llvm::is_contained(opcodes, low & 0xfff) || size == 0)
    return std::nullopt;
  return Instruction{size, static_cast<int>(static_cast<std::int64_t>(low) >> 40)};
}

class CubinReader {
public:
  CubinReader(Elf file, StringRef ptx) : file(std::move(file)), ptx(ptx) {}

  llvm::Expected<MachineCode> run() {
    if (llvm::Error error = findSections())
      return error;
    if (!text || !lineProgram)
      return llvm::createStringError("the cubin does not say which lines of PTX its instructions come from");
    llvm::SmallVector<StringRef> lines, kept;
    ptx.split(lines, '\n');
    text->split(kept, '\0');
    accesses = readPtx(lines);
    for (const PtxAccess &access : accesses) // ptxas keeps the text too, without places
      if (access.ptxLine > kept.size() || kept[access.ptxLine - 1].trim() != lines[access.ptxLine - 1].trim())
        return llvm::createStringError("the cubin is made of other PTX, or has its lines in another order");
    for (std::size_t index = 0; index < accesses.size(); ++index)
      atLine.emplace(accesses[index].ptxLine, index);
    auto sequences = readLineProgram(*lineProgram);
    if (!sequences)
      return sequences.takeError();
    found.resize(accesses.size());
    for (const LineSequence &sequence : *sequences)
      if (const auto code = codeAt.find(sequence.addressAt); code != codeAt.end())
        readFunction(sequence, code->second);
    return compose();
  }

private:
  llvm::Error findSections() {
    auto sections = file.sections();
    if (!sections)
      return sections.takeError();
    for (const Section &section : *sections) {
      auto name = file.getSectionName(section);
      if (!name)
        return name.takeError();
      if (name->starts_with(".nv_debug_ptx_txt")) // a number follows where the code is relocatable
        text = contentsOf(section);
      if (*name == ".nv_debug_line_sass")
        lineProgram = contentsOf(section);
      if (*name == ".rela.nv_debug_line_sass" || *name == ".rel.nv_debug_line_sass")
        if (llvm::Error error = readRelocations(section))
          return error;
    }
    return llvm::Error::success();
  }

  std::optional<StringRef> contentsOf(const Section &section) const {
    auto bytes = file.getSectionContents(section);
    if (bytes)
      return StringRef(reinterpret_cast<const char *>(bytes->data()), bytes->size());
    llvm::consumeError(bytes.takeError());
    return std::nullopt;
  }

  template <typename Rows> llvm::Error readRows(const Section &section, Rows rows) {
    if (!rows)
      return rows.takeError();
    auto table = file.getSection(section.sh_link);
    if (!table)
      return table.takeError();
    auto symbols = file.symbols(*table);
    if (!symbols)
      return symbols.takeError();
    for (const auto &row : *rows) {
      const std::uint32_t symbol = row.getSymbol(false);
      if (symbol >= symbols->size())
        continue;
      auto code = file.getSection((*symbols)[symbol].st_shndx);
      if (!code)
        return code.takeError();
      if (const auto bytes = contentsOf(**code))
        codeAt[row.r_offset] = *bytes;
    }
    return llvm::Error::success();
  }

  llvm::Error readRelocations(const Section &section) {
    return section.sh_type == llvm::ELF::SHT_RELA ? readRows(section, file.relas(section)) : readRows(section, file.rels(section));
  }

  void readFunction(const LineSequence &sequence, StringRef code) {
    auto row = sequence.rows.begin();
    for (std::size_t at = 0; at + kInstructionBytes <= code.size() && row != sequence.rows.end(); at += kInstructionBytes) {
      while (std::next(row) != sequence.rows.end() && std::next(row)->address <= at)
        ++row;
      const auto instruction = decode(code.substr(at, kInstructionBytes));
      const auto access = atLine.find(row->line);
      if (instruction && access != atLine.end())
        found[access->second].push_back(*instruction);
    }
  }

  /// The accesses that an instruction makes which is wider than the access that it is said to come from: as many as it has room for, one
  /// behind the other, in the same stretch of code, none with an instruction of its own. `first`: where it begins.
  std::vector<std::size_t> mergedBy(std::size_t index, const Instruction &instruction, int &first) const {
    const PtxAccess &one = accesses[index];
    std::map<int, std::size_t> byOffset = {{one.offset, index}};
    for (std::size_t other = 0; other < accesses.size(); ++other)
      if (const PtxAccess &each = accesses[other]; each.block == one.block && each.base == one.base && each.isStore == one.isStore &&
                                                   each.bytes == one.bytes && found[other].empty())
        byOffset.emplace(each.offset, other);
    const int size = static_cast<int>(one.bytes), width = static_cast<int>(instruction.bytes);
    // Offsets of the register in machine code are those of PTX, or it is another register; then pieces are aligned to the least one.
    for (const int begin : {instruction.offset, one.offset - (one.offset - byOffset.begin()->first) % width}) {
      std::vector<std::size_t> merged;
      for (int offset = begin; offset < begin + width; offset += size)
        if (const auto known = byOffset.find(offset); known != byOffset.end())
          merged.push_back(known->second);
      if (merged.size() * one.bytes == instruction.bytes && llvm::is_contained(merged, index)) {
        first = begin;
        return merged;
      }
    }
    return {};
  }

  MachineCode compose() {
    MachineCode code;
    for (std::size_t index = 0; index < accesses.size(); ++index) {
      const PtxAccess &access = accesses[index];
      code.accesses.push_back(
          {access.file, access.line, access.near, access.isStore, access.bytes, {}, MachineAccess::kNone, access.callers});
    }
    for (std::size_t index = 0; index < accesses.size(); ++index)
      for (const Instruction &instruction : found[index])
        add(code, index, instruction);
    for (MachineAccess &access : code.accesses)
      normalise(access);
    return code;
  }

  void add(MachineCode &code, std::size_t index, const Instruction &instruction) {
    MachineAccess &access = code.accesses[index];
    int first = accesses[index].offset;
    if (instruction.bytes <= access.bytes)
      return access.instructions.push_back({instruction.bytes, instruction.offset - accesses[index].offset});
    for (const std::size_t other : mergedBy(index, instruction, first))
      if (other != index)
        code.accesses[other].leader = index;
    access.instructions.push_back({instruction.bytes, first - accesses[index].offset});
  }

  /// Copies of a loop's body have the same instructions several times, further on in memory by multiples of what they access.
  static void normalise(MachineAccess &access) {
    const int size = static_cast<int>(access.bytes);
    for (MachineInstruction &instruction : access.instructions)
      if (instruction.bytes <= access.bytes)
        instruction.offset = (instruction.offset % size + size) % size;
    if (llvm::all_of(access.instructions, [&](const MachineInstruction &each) { return each.bytes == access.bytes; }))
      for (MachineInstruction &instruction : access.instructions)
        instruction.offset = 0; // counted from another register than in PTX
    llvm::sort(access.instructions);
    access.instructions.erase(std::unique(access.instructions.begin(), access.instructions.end()), access.instructions.end());
  }

  Elf file;
  StringRef ptx;
  std::optional<StringRef> text, lineProgram;
  std::map<std::uint64_t, StringRef> codeAt; ///< machine code by the place of its address in the line program
  std::vector<PtxAccess> accesses;
  std::map<unsigned, std::size_t> atLine;      ///< access by line of PTX
  std::vector<std::vector<Instruction>> found; ///< by access
};

} // namespace

llvm::Expected<MachineCode> readCubin(StringRef image, StringRef ptx) {
  auto file = Elf::create(image);
  if (!file)
    return file.takeError();
  return CubinReader(*file, ptx).run();
}

} // namespace kperf::machine
