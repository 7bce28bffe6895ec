// A message is a few bytes in the host's own order: all hosts of a job are of one kind.
#include "tool/clocks/HostExchange.h"

#include "posix/AtomicFile.h"
#include "posix/BootId.h"

#include <kperf/abi/HostClock.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <random>
#include <thread>
#include <unistd.h>

namespace kperf::tool {
namespace {

namespace fs = std::filesystem;
using std::chrono::steady_clock;

constexpr unsigned kRounds = 1000;
constexpr auto kPause = std::chrono::milliseconds(20); ///< between two looks at the folder
constexpr auto kConnecting = std::chrono::seconds(2);  ///< to one address: there may be others

/// A stranger that finds the port does not have it.
using Secret = std::array<char, 32>;

struct Greeting {
  decoder::Boot boot;
  char host[64]; ///< ends with a zero
};

std::string addressFile(const std::string &folder) { return (fs::path(folder) / "kperf-clocks.address").string(); }

Greeting ownGreeting() {
  Greeting out{};
  out.boot = posix::bootId();
  gethostname(out.host, sizeof(out.host) - 1);
  return out;
}

Secret newSecret() {
  std::random_device random;
  Secret out;
  for (char &each : out)
    each = "0123456789abcdef"[random() % 16];
  return out;
}

decoder::Error systemError(std::string message, int error) {
  const bool isLate = error == ETIMEDOUT;
  return {.message = std::move(message),
          .found = isLate ? "nothing in time" : std::strerror(error),
          .remedy = "start one process on each host, all at once, with a folder that all of them see; --timeout makes them wait longer"};
}

/// Where rank 0 waits.
struct Address {
  std::uint16_t port = 0;
  Secret secret{};
  std::vector<std::string> hosts;

  std::string text() const {
    return fmt::format("{} {} {}\n", port, std::string_view(secret.data(), secret.size()), fmt::join(hosts, " "));
  }
  static std::optional<Address> read(const std::string &file) {
    std::ifstream in(file);
    Address out;
    std::string secret;
    if (!(in >> out.port >> secret) || secret.size() != out.secret.size())
      return std::nullopt;
    std::ranges::copy(secret, out.secret.begin());
    for (std::string host; in >> host;)
      out.hosts.push_back(host);
    return out;
  }
};

/// Removes a file when it goes.
struct Removed {
  std::string path;
  ~Removed() {
    std::error_code ignored;
    fs::remove(path, ignored);
  }
};

/// Answers one host; nothing where it is none of this job's.
std::expected<std::optional<ExchangedHost>, int> answer(const posix::Socket &socket, const Secret &secret, posix::Deadline deadline) {
  Secret theirs{};
  Greeting greeting{};
  if (!socket.receive(theirs.data(), theirs.size(), std::min(deadline, steady_clock::now() + kConnecting)) || theirs != secret)
    return std::nullopt;
  const Greeting own = ownGreeting();
  if (auto sent = socket.send(&own, sizeof(own), deadline); !sent)
    return std::unexpected(sent.error());
  if (auto got = socket.receive(&greeting, sizeof(greeting), deadline); !got)
    return std::unexpected(got.error());
  for (unsigned round = 0; round < kRounds; ++round) {
    char asked = 0;
    if (auto got = socket.receive(&asked, sizeof(asked), deadline); !got)
      return std::unexpected(got.error());
    const std::uint64_t now = detail::hostNs();
    if (auto sent = socket.send(&now, sizeof(now), deadline); !sent)
      return std::unexpected(sent.error());
  }
  ExchangedHost out;
  if (auto got = socket.receive(&out.clocks, sizeof(out.clocks), deadline); !got)
    return std::unexpected(got.error());
  greeting.host[sizeof(greeting.host) - 1] = 0;
  out.name = greeting.host;
  return out;
}

std::expected<ExchangedHost, int> ask(const posix::Socket &socket, const Secret &secret, posix::Deadline deadline) {
  Greeting leader{};
  const Greeting own = ownGreeting();
  if (auto sent = socket.send(secret.data(), secret.size(), deadline); !sent)
    return std::unexpected(sent.error());
  if (auto got = socket.receive(&leader, sizeof(leader), deadline); !got) // others may be before this one
    return std::unexpected(got.error());
  if (auto sent = socket.send(&own, sizeof(own), deadline); !sent)
    return std::unexpected(sent.error());
  decoder::ClockExchange best{.leader = leader.boot, .host = own.boot, .fromNs = 0, .toNs = ~std::uint64_t{0}, .leaderNs = 0};
  for (unsigned round = 0; round < kRounds; ++round) {
    std::uint64_t theirs = 0;
    const std::uint64_t from = detail::hostNs();
    if (auto sent = socket.send("", 1, deadline); !sent)
      return std::unexpected(sent.error());
    if (auto got = socket.receive(&theirs, sizeof(theirs), deadline); !got)
      return std::unexpected(got.error());
    const std::uint64_t to = detail::hostNs();
    if (to >= from && to - from < best.toNs - best.fromNs) // a clock that was set meanwhile may have gone back
      best = {leader.boot, own.boot, from, to, theirs};
  }
  if (auto sent = socket.send(&best, sizeof(best), deadline); !sent)
    return std::unexpected(sent.error());
  leader.host[sizeof(leader.host) - 1] = 0;
  return ExchangedHost{leader.host, best};
}

decoder::Status checkBoot() {
  if (posix::bootId() == decoder::Boot{})
    return decoder::failure({.message = "this system does not say which boot of it this is",
                             .expected = "/proc/sys/kernel/random/boot_id",
                             .remedy = "show the traces of each host by themselves"});
  return {};
}

} // namespace

decoder::Expected<std::vector<ExchangedHost>> leadClocks(const std::string &folder, unsigned others, posix::Deadline deadline) {
  if (auto status = checkBoot(); !status)
    return decoder::failure(status.error());
  const auto listening = posix::Socket::listen();
  const auto port = listening ? listening->port() : std::unexpected(listening.error());
  if (!port)
    return decoder::failure(systemError("no connections can be waited for", port.error()));
  const Address own{*port, newSecret(), posix::numericAddresses()};
  const std::string file = addressFile(folder);
  if (const auto written = posix::writeFile(file, own.text()); !written)
    return decoder::failure({.message = "it cannot be written", .found = std::strerror(written.error()), .file = file});
  const Removed removed{file};
  std::vector<ExchangedHost> out;
  while (out.size() < others) {
    const auto socket = listening->accept(deadline);
    auto host = socket ? answer(*socket, own.secret, deadline) : std::unexpected(socket.error());
    if (!host)
      return decoder::failure(systemError(fmt::format("{} of {} other hosts came to exchange clocks", out.size(), others), host.error()));
    if (*host)
      out.push_back(std::move(**host));
  }
  return out;
}

decoder::Expected<ExchangedHost> followClocks(const std::string &folder, posix::Deadline deadline) {
  if (auto status = checkBoot(); !status)
    return decoder::failure(status.error());
  const std::string file = addressFile(folder);
  int error = ETIMEDOUT;
  for (; steady_clock::now() < deadline; std::this_thread::sleep_for(kPause)) {
    const auto leader = Address::read(file);
    if (!leader)
      continue;
    for (const std::string &host : leader->hosts) {
      const auto socket = posix::Socket::connect(host, leader->port, std::min(deadline, steady_clock::now() + kConnecting));
      if (!socket)
        continue; // or what was left behind by a process that was killed
      auto found = ask(*socket, leader->secret, deadline);
      if (found)
        return *std::move(found);
      error = found.error();
    }
  }
  return decoder::failure(systemError("rank 0 was not reached to exchange clocks", error));
}

} // namespace kperf::tool
