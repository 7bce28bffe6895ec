// Reads the requested parts of an ELF file.
#include "tool/placement/ElfImage.h"

#include <cstring>

namespace kperf::placement {
namespace {

constexpr std::uint16_t kCudaMachine = 190; // EM_CUDA, which not every elf.h has

/// Whether the zero-terminated text at the offset is the name.
bool isNamed(std::uint64_t offset, std::string_view name, std::string_view names) {
  return offset < names.size() && names.substr(offset).starts_with(name) && names.size() - offset > name.size() &&
         names[offset + name.size()] == '\0';
}

} // namespace

template <typename Row> std::optional<Row> ElfImage::rowAt(std::string_view from, std::uint64_t offset) const {
  if (offset > from.size() || from.size() - offset < sizeof(Row))
    return std::nullopt;
  Row row;
  std::memcpy(&row, from.data() + offset, sizeof(Row));
  return row;
}

std::optional<ElfImage> ElfImage::read(std::string_view bytes) {
  ElfImage image(bytes);
  const auto header = image.rowAt<Elf64_Ehdr>(bytes, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64 ||
      header->e_ident[EI_DATA] != ELFDATA2LSB || header->e_shentsize != sizeof(Elf64_Shdr))
    return std::nullopt;
  image.header = *header;
  std::uint64_t count = header->e_shnum;
  if (const auto first = image.rowAt<Elf64_Shdr>(bytes, header->e_shoff); first && count == 0)
    count = first->sh_size; // of files with many sections
  for (std::uint64_t index = 0; index < count; ++index) {
    const auto section = image.rowAt<Elf64_Shdr>(bytes, header->e_shoff + index * sizeof(Elf64_Shdr));
    if (!section)
      return std::nullopt;
    image.sections.push_back(*section);
  }
  image.readRelocations();
  return image;
}

bool ElfImage::isDeviceCode() const { return header.e_machine == kCudaMachine; }

bool ElfImage::hasSymbols() const {
  for (const Elf64_Shdr &section : sections)
    if (section.sh_type == SHT_SYMTAB)
      return true;
  return false;
}

std::string_view ElfImage::contents(std::size_t section) const {
  if (section >= sections.size())
    return {};
  const Elf64_Shdr &row = sections[section];
  if (row.sh_type == SHT_NOBITS || row.sh_offset > bytes.size() || bytes.size() - row.sh_offset < row.sh_size)
    return {};
  return bytes.substr(row.sh_offset, row.sh_size);
}

std::string_view ElfImage::sectionNamed(std::string_view name) const {
  const std::string_view names = contents(header.e_shstrndx);
  for (std::size_t index = 0; index < sections.size(); ++index)
    if (isNamed(sections[index].sh_name, name, names))
      return contents(index);
  return {};
}

std::string_view ElfImage::bytesFrom(Place place) const {
  const std::string_view all = contents(place.section);
  return place.offset <= all.size() ? all.substr(place.offset) : std::string_view();
}

std::optional<ElfImage::Place> ElfImage::placeOf(std::uint64_t address) const {
  for (std::size_t index = 0; index < sections.size(); ++index) {
    const Elf64_Shdr &row = sections[index];
    if ((row.sh_flags & SHF_ALLOC) && !(row.sh_flags & SHF_TLS) && address >= row.sh_addr && address - row.sh_addr < row.sh_size)
      return Place{index, address - row.sh_addr};
  }
  return std::nullopt;
}

std::optional<ElfImage::Place> ElfImage::placeOf(const Elf64_Sym &symbol, std::uint64_t addend) const {
  const bool isLinked = header.e_type != ET_REL && !isDeviceCode();
  if (isLinked)
    return placeOf(symbol.st_value + addend);
  if (symbol.st_shndx >= sections.size())
    return std::nullopt;
  return Place{symbol.st_shndx, symbol.st_value + addend};
}

std::vector<ElfImage::Symbol> ElfImage::symbolsNamed(std::string_view name) const {
  std::vector<Symbol> found;
  for (std::size_t index = 0; index < sections.size(); ++index) {
    if (sections[index].sh_type != SHT_SYMTAB)
      continue;
    const std::string_view table = contents(index), names = contents(sections[index].sh_link);
    for (std::uint64_t at = 0; const auto symbol = rowAt<Elf64_Sym>(table, at); at += sizeof(Elf64_Sym)) {
      if (!isNamed(symbol->st_name, name, names))
        continue;
      if (const auto place = placeOf(*symbol, 0))
        found.push_back({*place, symbol->st_size});
    }
  }
  return found;
}

void ElfImage::readRelocations() {
  for (const Elf64_Shdr &section : sections) {
    if (section.sh_type != SHT_RELA)
      continue;
    const std::string_view rows = contents(static_cast<std::size_t>(&section - sections.data())), symbols = contents(section.sh_link);
    for (std::uint64_t at = 0; const auto row = rowAt<Elf64_Rela>(rows, at); at += sizeof(Elf64_Rela)) {
      const auto pointer = header.e_type == ET_REL ? Place{section.sh_info, row->r_offset} : placeOf(row->r_offset);
      const std::uint64_t index = ELF64_R_SYM(row->r_info), addend = static_cast<std::uint64_t>(row->r_addend);
      const auto symbol = index ? rowAt<Elf64_Sym>(symbols, index * sizeof(Elf64_Sym)) : std::nullopt;
      const auto to = symbol ? placeOf(*symbol, addend) : placeOf(addend);
      if (pointer && to)
        targets[{pointer->section, pointer->offset}] = *to;
    }
  }
}

std::optional<ElfImage::Place> ElfImage::target(Place pointer) const {
  if (const auto known = targets.find({pointer.section, pointer.offset}); known != targets.end())
    return known->second;
  const auto address = rowAt<std::uint64_t>(bytesFrom(pointer), 0);
  return address ? placeOf(*address) : std::nullopt;
}

} // namespace kperf::placement
