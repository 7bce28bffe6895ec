// The call paths of regions that were seen in a kernel, numbered.
#ifndef KPERF_DECODER_PATH_TREE_H
#define KPERF_DECODER_PATH_TREE_H

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace kperf::decoder {

/// A node is a region under a parent node; node 0 is the root.
class PathTree {
public:
  static constexpr std::uint32_t kRoot = 0;
  static constexpr std::uint32_t kOther = 0xffffff00; ///< stands for the regions of paths beyond the limit

  struct Node {
    std::uint32_t parent, region;
    std::uint32_t depth; ///< the root's is 0
  };

  /// `maxNodes`: nodes that are kept apart; what comes later shares one node under the root.
  explicit PathTree(std::uint32_t maxNodes) : maxNodes(maxNodes), nodes{{kRoot, kOther, 0}} {}

  /// The node of `region` (any 32-bit number) under `parent`, new or known.
  std::uint32_t child(std::uint32_t parent, std::uint32_t region);

  /// Adds no further nodes but the shared one.
  void freeze() { maxNodes = 0; }

  const Node &operator[](std::uint32_t node) const { return nodes[node]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(nodes.size()); }
  /// All nodes but the root, parents before children, siblings in the order of `precedes(a, b)`.
  template <typename Precedes> std::vector<std::uint32_t> inOrder(Precedes precedes) const;

private:
  static constexpr std::uint32_t kRemembered = 256;

  std::uint32_t maxNodes;
  std::vector<Node> nodes;
  std::unordered_map<std::uint64_t, std::uint32_t> known;
  std::uint32_t recent[kRemembered] = {}; ///< by region: where it was found last, which is where it mostly is
};

inline std::uint32_t PathTree::child(std::uint32_t parent, std::uint32_t region) {
  std::uint32_t &last = recent[region % kRemembered];
  if (last != kRoot && nodes.data()[last].region == region && nodes.data()[last].parent == parent)
    return last;
  const std::uint64_t key = std::uint64_t{parent} << 32 | region;
  auto found = known.find(key);
  if (found == known.end()) {
    if (nodes.size() >= maxNodes && (parent != kRoot || region != kOther))
      return child(kRoot, kOther);
    found = known.emplace(key, size()).first;
    nodes.push_back({parent, region, nodes[parent].depth + 1});
  }
  return last = found->second;
}

template <typename Precedes> std::vector<std::uint32_t> PathTree::inOrder(Precedes precedes) const {
  std::vector<std::vector<std::uint32_t>> children(nodes.size());
  for (std::uint32_t node = 1; node < size(); ++node)
    children[nodes[node].parent].push_back(node);
  std::vector<std::uint32_t> out, pending{kRoot};
  while (!pending.empty()) {
    const std::uint32_t node = pending.back();
    pending.pop_back();
    if (node != kRoot)
      out.push_back(node);
    std::vector<std::uint32_t> &list = children[node];
    std::stable_sort(list.begin(), list.end(), precedes);
    pending.insert(pending.end(), list.rbegin(), list.rend());
  }
  return out;
}

} // namespace kperf::decoder

#endif
