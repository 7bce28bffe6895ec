// Caches the analyses of functions, bodies and units: each is computed once, when it is first asked for.
#ifndef KPERF_REWRITERS_ANALYSES_H
#define KPERF_REWRITERS_ANALYSES_H

#include <cassert>
#include <map>
#include <memory>
#include <utility>

namespace kperf {

/// The one place where they are kept, by what they are of: a function's declaration, a body, or the translation unit. They live as long
/// as this does, and stay where they are.
class Analyses {
public:
  /// `Analysis(key, inputs...)`. What the inputs are has to follow from the key, for they count at the first call only. An analysis may
  /// ask for others, but not for itself.
  template <typename Analysis, typename Key, typename... Inputs> const Analysis &get(const Key &key, const Inputs &...inputs) const {
    const auto [entry, isNew] = known.try_emplace({&kKind<Analysis>, addressOf(key)});
    assert((isNew || entry->second) && "an analysis that asks for itself");
    if (isNew)
      entry->second = std::make_shared<const Analysis>(key, inputs...);
    return *static_cast<const Analysis *>(entry->second.get());
  }

private:
  template <typename Analysis> static constexpr char kKind = 0; ///< whose address is the kind's name
  template <typename Key> static const void *addressOf(const Key *key) { return key; }
  template <typename Key> static const void *addressOf(const Key &key) { return &key; }

  mutable std::map<std::pair<const void *, const void *>, std::shared_ptr<const void>> known;
};

} // namespace kperf

#endif
