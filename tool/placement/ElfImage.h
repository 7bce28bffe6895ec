// Reads a 64-bit ELF file's sections and symbols, and what pointers in its data point to.
#ifndef KPERF_TOOL_PLACEMENT_ELFIMAGE_H
#define KPERF_TOOL_PLACEMENT_ELFIMAGE_H

#include <cstdint>
#include <elf.h>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace kperf::placement {

/// Refers to the bytes that it was read from. What they say is checked before it is used: nothing outside of them is read.
class ElfImage {
public:
  /// A place in the contents of a section.
  struct Place {
    std::size_t section = 0;
    std::uint64_t offset = 0;
  };
  struct Symbol {
    Place place;
    std::uint64_t bytes = 0;
  };

  /// Nothing where the bytes are none of these.
  static std::optional<ElfImage> read(std::string_view bytes);

  /// Whether it is code of an NVIDIA GPU, and of no host.
  bool isDeviceCode() const;
  /// Whether it has a table of symbols: strip removes it.
  bool hasSymbols() const;
  /// What the first section of the name holds; empty where there is none.
  std::string_view sectionNamed(std::string_view name) const;
  /// All that have the name; one for each object that was linked where it is a local one.
  std::vector<Symbol> symbolsNamed(std::string_view name) const;
  /// From the place on to the end of its section; empty outside.
  std::string_view bytesFrom(Place place) const;
  /// What the pointer that is stored at the place points to, by the relocation that fills it in, if there is one.
  std::optional<Place> target(Place pointer) const;

private:
  explicit ElfImage(std::string_view bytes) : bytes(bytes) {}

  template <typename Row> std::optional<Row> rowAt(std::string_view from, std::uint64_t offset) const;
  std::string_view contents(std::size_t section) const;
  std::optional<Place> placeOf(std::uint64_t address) const;
  /// Of a symbol table's row.
  std::optional<Place> placeOf(const Elf64_Sym &symbol, std::uint64_t addend) const;
  void readRelocations();

  std::string_view bytes;
  Elf64_Ehdr header{};
  std::vector<Elf64_Shdr> sections;
  std::map<std::pair<std::size_t, std::uint64_t>, Place> targets; ///< by section and offset of the pointer
};

} // namespace kperf::placement

#endif
