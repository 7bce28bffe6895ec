// Parses nvdisasm's text, line by line.
#include "tool/placement/Listing.h"

#include <charconv>

namespace kperf::placement {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r"), end = text.find_last_not_of(" \t\r");
  return begin == std::string_view::npos ? std::string_view() : text.substr(begin, end - begin + 1);
}

class ListingReader {
public:
  explicit ListingReader(Listing &listing) : listing(listing) { listing.places.emplace_back(); }

  void read(std::string_view line) {
    static constexpr std::string_view section = "//--------------------- .", text = "text.";
    if (line.starts_with(section))
      return begin(line.substr(section.size()).starts_with(text) ? line.substr(section.size() + text.size()) : std::string_view());
    const std::string_view rest = trimmed(line);
    if (!function || rest.empty())
      return;
    if (rest.starts_with("//## File \""))
      readPlace(rest.substr(std::string_view("//## File \"").size()));
    else if (rest.starts_with("/*"))
      readInstruction(rest);
    else if (rest.ends_with(":"))
      readLabel(rest.substr(0, rest.size() - 1));
  }

private:
  /// A section of code, or another one, which has no name here.
  void begin(std::string_view name) {
    function = nullptr;
    name = name.substr(0, name.find(' '));
    if (name.empty())
      return;
    function = &listing.functions.emplace_back(Function{.name = name, .instructions = {}, .labels = {}});
    places = 0;
    isOpen = isLabelled = false;
    isPlaced = true;
  }

  /// FILE", line N inlined at "…", line M
  void readPlace(std::string_view rest) {
    static constexpr std::string_view between = "\", line ";
    const std::size_t quote = rest.find(between);
    if (quote == std::string_view::npos)
      return;
    SourceLine place{rest.substr(0, quote), 0};
    const std::string_view number = rest.substr(quote + between.size());
    std::from_chars(number.data(), number.data() + number.size(), place.line);
    if (!isOpen)
      listing.places.emplace_back();
    isOpen = isPlaced = true;
    places = listing.places.size() - 1;
    listing.places.back().push_back(place);
  }

  /// /*0a30*/ @P0 IADD3 … ;
  void readInstruction(std::string_view rest) {
    const std::size_t address = rest.find("*/"), end = rest.find(';');
    if (address == std::string_view::npos || end == std::string_view::npos || end < address)
      return;
    isOpen = false;
    if (!isWithoutProbes())
      function->instructions.push_back({trimmed(rest.substr(address + 2, end - address - 2)), places, isPlaced});
    else if (isLabelled) // a way into it ends
      function->instructions.push_back({"EXIT", 0, true});
    isLabelled = false;
  }

  /// Whether the place is in a body that stands behind the kernel's own for blocks that are not recorded (tool/plain/PlainBodies.cpp, which
  /// names the file so).
  bool isWithoutProbes() const {
    return !listing.places[places].empty() && listing.places[places].front().file.ends_with("(kernels without probes)");
  }

  void readLabel(std::string_view name) {
    function->labels[name] = function->instructions.size();
    isPlaced = false;
    isLabelled = true;
  }

  Listing &listing;
  Function *function = nullptr;
  std::size_t places = 0;
  bool isOpen = false, isPlaced = true, isLabelled = false; ///< isOpen: no instruction came since the last place, which another one may go
                                                            ///< on; isLabelled: none came since the last label
};

} // namespace

Listing readListing(std::string text) {
  Listing listing{.text = std::move(text), .functions = {}, .places = {}};
  ListingReader reader(listing);
  const std::string_view all = listing.text;
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = std::min(all.find('\n', at), all.size());
    reader.read(all.substr(at, end - at));
    at = end + 1;
  }
  return listing;
}

} // namespace kperf::placement
