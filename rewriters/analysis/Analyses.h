// Caches the analyses of functions, bodies, files and units: each is computed once, when it is first asked for.
#ifndef KPERF_REWRITERS_ANALYSES_H
#define KPERF_REWRITERS_ANALYSES_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/StringRef.h"

#include <cassert>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace kperf {

/// The one place where they are kept, by what they are of: a function's declaration, a body, the translation unit, a file or a path. They
/// live as long as this does, and stay where they are.
class Analyses {
public:
  /// `Analysis(key, inputs...)`. What the inputs are has to follow from the key, for they count at the first call only. An analysis may
  /// ask for others, but not for itself.
  template <typename Analysis, typename Key, typename... Inputs> const Analysis &get(const Key &key, const Inputs &...inputs) const {
    const auto [entry, isNew] = tableOf<Analysis, decltype(stored(key))>().try_emplace(stored(key));
    assert((isNew || entry->second) && "an analysis that asks for itself");
    if (isNew)
      entry->second = std::make_unique<const Analysis>(key, inputs...);
    return *entry->second;
  }

private:
  template <typename Analysis> static constexpr char kKind = 0; ///< whose address is the kind's name
  template <typename Key> static const void *stored(const Key *key) { return key; }
  template <typename Key> static const void *stored(const Key &key) { return &key; }
  static clang::FileID stored(clang::FileID key) { return key; }
  static std::string stored(llvm::StringRef key) { return key.str(); }

  template <typename Analysis, typename Key> auto &tableOf() const {
    using Table = std::map<Key, std::unique_ptr<const Analysis>>;
    std::shared_ptr<void> &table = tables[&kKind<Analysis>];
    if (!table)
      table = std::make_shared<Table>();
    return *static_cast<Table *>(table.get());
  }

  mutable std::map<const void *, std::shared_ptr<void>> tables; ///< one for each kind, whose keys are all of one type
};

} // namespace kperf

#endif
