// Collects the access sites of several traces of one build, each once.
#ifndef KPERF_DECODER_SITE_UNION_H
#define KPERF_DECODER_SITE_UNION_H

#include "decoder/trace/Trace.h"

#include <set>
#include <string>
#include <tuple>

namespace kperf::decoder {

class SiteUnion {
public:
  /// Whether no site before was the same: ids are content hashes; what no probe watches is told apart by its place.
  bool add(const Trace &trace, const format::SiteRecord &site) {
    if (site.id != 0)
      return ids.insert(site.id).second;
    return places.emplace(trace.string(site.file), trace.string(site.function), trace.string(site.expression), site.line, site.column)
        .second;
  }

private:
  std::set<std::uint32_t> ids;
  std::set<std::tuple<std::string, std::string, std::string, std::uint32_t, std::uint32_t>> places;
};

} // namespace kperf::decoder

#endif
