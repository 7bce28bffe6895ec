// Line tables in which a line is inlined into itself, as ptxas writes some.
#include "tool/placement/LineTable.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string_view>

namespace kperf::placement {
namespace {

using namespace std::string_literals;

template <typename Value> std::string bytesOf(const Value &value) { return {reinterpret_cast<const char *>(&value), sizeof(Value)}; }

/// A line program with one file: its header as ptxas 13.0 writes it, and the opcodes.
std::string unit(const std::string &opcodes) {
  const std::string names = "\0k.cu\0\0\0\0\0"s + bytesOf(std::uint32_t{0}); // no folders, one file, where names of functions begin
  const std::string lengths = "\0\1\1\1\1\0\0\0\1"s;
  const std::string header = "\1\1"s + static_cast<char>(-5) + "\16\12"s + lengths + names;
  const std::string rest = bytesOf(std::uint16_t{2}) + bytesOf(static_cast<std::uint32_t>(header.size())) + header + opcodes;
  return bytesOf(static_cast<std::uint32_t>(rest.size())) + rest;
}

std::string inlinedAt(const std::string &row) { return "\0\2\x90"s + row + "\5"s; } // a name of a function behind it
const std::string kRow = "\20"s;                                                    // a special opcode
const std::string kCopy = "\1"s;
const std::string kEnd = "\0\1\1"s;

/// An ELF file with the table as its .debug_line.
std::string cubinWith(const std::string &table, std::uint16_t machine = 190) {
  const std::string names = "\0.debug_line\0.shstrtab\0"s;
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_machine = machine;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = 3;
  header.e_shstrndx = 2;
  header.e_shoff = sizeof(header) + names.size() + table.size();
  Elf64_Shdr line{}, strings{};
  line.sh_name = 1;
  line.sh_type = strings.sh_type = SHT_PROGBITS;
  line.sh_offset = sizeof(header) + names.size();
  line.sh_size = table.size();
  strings.sh_name = 13;
  strings.sh_offset = sizeof(header);
  strings.sh_size = names.size();
  return bytesOf(header) + names + table + bytesOf(Elf64_Shdr{}) + bytesOf(line) + bytesOf(strings);
}

TEST(LineTable, NumbersCallersBehindARowThatIsLeftOutAsThoseBeforeIt) {
  const auto table = [](const std::string &self, const std::string &behind, const std::string &wide) {
    return unit(kRow + inlinedAt("\1") + kRow + inlinedAt(self) + kRow + "\3\4"s + kRow + inlinedAt(behind) + kCopy + inlinedAt("\2") +
                kRow + inlinedAt(wide) + kRow + kEnd);
  };
  std::string cubin = cubinWith(table("\3", "\5", "\x87\0"s)); // row 3 is inlined at row 2, row 5 at 4, row 6 at 2 indeed, row 7 at 6
  EXPECT_EQ(mendCallers(cubin), 3u);
  EXPECT_EQ(cubin, cubinWith(table("\2", "\4", "\x86\0"s)));
  EXPECT_EQ(mendCallers(cubin), 0u);
}

TEST(LineTable, CountsTheRowsThatAreLeftOut) {
  const auto table = [](const std::string &first, const std::string &second, const std::string &again) {
    return unit(kRow + inlinedAt(first) + kRow + inlinedAt(second) + kRow + inlinedAt(again) + kRow + kEnd);
  };
  std::string cubin = cubinWith(table("\2", "\5", "\2")); // one before row 1's number, and two more between row 1 and row 2
  EXPECT_EQ(mendCallers(cubin), 3u);
  EXPECT_EQ(cubin, cubinWith(table("\1", "\2", "\1")));
}

TEST(LineTable, CutsWhatIsInlinedAtARowBehindItAllTheSame) {
  const auto table = [](const std::string &first, const std::string &behind) {
    return unit(kRow + inlinedAt("\x09") + kRow + inlinedAt("\1") + kRow + inlinedAt(first) + kRow + inlinedAt(behind) + kRow + kEnd);
  };
  std::string cubin = cubinWith(table("\x08", "\x09")); // 8 is none of the first gap's, and greater than its own row
  EXPECT_EQ(mendCallers(cubin), 3u);
  EXPECT_EQ(mendCallers(cubin), 0u);
}

TEST(LineTable, CountsTheRowsOfEachSequenceForItself) {
  const std::string address = "\0\11\2"s + std::string(8, '\0');
  const std::string sequence = address + kRow + inlinedAt("\1") + kRow + kRow + inlinedAt("\3") + kRow;
  std::string cubin = cubinWith(unit(sequence + kEnd + sequence + kEnd) + unit(sequence));
  const std::string before = cubin;
  EXPECT_EQ(mendCallers(cubin), 0u);
  EXPECT_EQ(cubin, before);
  const auto second = [&](const std::string &self) {
    return cubinWith(unit(sequence + kEnd + address + kRow + inlinedAt(self) + kRow + kEnd + sequence + kEnd) +
                     unit(inlinedAt("\0"s) + kEnd));
  };
  cubin = second("\2");
  EXPECT_EQ(mendCallers(cubin), 1u); // what comes behind it is right
  EXPECT_EQ(cubin, second("\1"));
}

TEST(LineTable, LeavesWhatIsNoneAsItIs) {
  for (std::string bytes : {""s, "text"s, cubinWith(""), cubinWith(unit(inlinedAt("\1") + kRow), EM_X86_64)}) {
    const std::string before = bytes;
    EXPECT_EQ(mendCallers(bytes), 0u);
    EXPECT_EQ(bytes, before);
  }
}

TEST(LineTable, EndsOnTablesThatAreCut) {
  const std::string table =
      unit(kRow + inlinedAt("\2") + kRow + "\0\377"s + inlinedAt("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\1") + kRow);
  for (std::size_t size = 0; size <= table.size(); ++size) {
    std::string cubin = cubinWith(table.substr(0, size));
    const std::size_t bytes = cubin.size();
    EXPECT_LE(mendCallers(cubin), 2u) << size;
    EXPECT_EQ(cubin.size(), bytes);
  }
}

} // namespace
} // namespace kperf::placement
