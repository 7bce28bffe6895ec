// Sockets that never block: each call waits by poll, up to its deadline.
#include "posix/Socket.h"

#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace kperf::posix {
namespace {

std::unexpected<int> failed() { return std::unexpected(errno); }

/// Small messages go at once.
void setUp(int descriptor) {
  const int on = 1;
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

} // namespace

Socket::Socket(Socket &&other) noexcept : descriptor(std::exchange(other.descriptor, -1)) {}

Socket &Socket::operator=(Socket &&other) noexcept {
  std::swap(descriptor, other.descriptor);
  return *this;
}

Socket::~Socket() {
  if (descriptor >= 0)
    close(descriptor);
}

std::expected<Socket, int> Socket::listen() {
  // Of IPv6 where there is one, which takes connections by IPv4 as well.
  int family = AF_INET6;
  Socket out(socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (out.descriptor < 0) {
    family = AF_INET;
    out = Socket(socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  }
  if (out.descriptor < 0)
    return failed();
  const int off = 0;
  sockaddr_storage any{};
  any.ss_family = static_cast<sa_family_t>(family);
  const auto *address = reinterpret_cast<const sockaddr *>(&any);
  const socklen_t size = family == AF_INET6 ? sizeof(sockaddr_in6) : sizeof(sockaddr_in);
  if ((family == AF_INET6 && setsockopt(out.descriptor, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof(off)) != 0) ||
      bind(out.descriptor, address, size) != 0 || ::listen(out.descriptor, SOMAXCONN) != 0)
    return failed();
  return out;
}

std::expected<std::uint16_t, int> Socket::port() const {
  sockaddr_storage own{};
  socklen_t size = sizeof(own);
  if (getsockname(descriptor, reinterpret_cast<sockaddr *>(&own), &size) != 0)
    return failed();
  return ntohs(own.ss_family == AF_INET6 ? reinterpret_cast<const sockaddr_in6 &>(own).sin6_port
                                         : reinterpret_cast<const sockaddr_in &>(own).sin_port);
}

std::expected<Socket, int> Socket::connect(const std::string &address, std::uint16_t port, Deadline deadline) {
  addrinfo hints{}, *found = nullptr;
  hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
  hints.ai_socktype = SOCK_STREAM;
  if (getaddrinfo(address.c_str(), std::to_string(port).c_str(), &hints, &found) != 0)
    return std::unexpected(EADDRNOTAVAIL);
  Socket out(socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const int status = out.descriptor < 0 ? -1 : ::connect(out.descriptor, found->ai_addr, found->ai_addrlen);
  const int error = errno;
  freeaddrinfo(found);
  if (status != 0 && error != EINPROGRESS)
    return std::unexpected(error);
  if (const auto ready = out.waitFor(POLLOUT, deadline); !ready)
    return std::unexpected(ready.error());
  int refused = 0;
  socklen_t size = sizeof(refused);
  if (getsockopt(out.descriptor, SOL_SOCKET, SO_ERROR, &refused, &size) != 0 || refused != 0)
    return std::unexpected(refused != 0 ? refused : errno);
  setUp(out.descriptor);
  return out;
}

std::expected<Socket, int> Socket::accept(Deadline deadline) const {
  if (const auto ready = waitFor(POLLIN, deadline); !ready)
    return std::unexpected(ready.error());
  Socket out(accept4(descriptor, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (out.descriptor < 0)
    return failed();
  setUp(out.descriptor);
  return out;
}

std::expected<void, int> Socket::waitFor(short event, Deadline deadline) const {
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
    pollfd wanted{descriptor, event, 0};
    const int count = poll(&wanted, 1, static_cast<int>(std::clamp<long>(left, 0, 1 << 30)));
    if (count > 0)
      return {};
    if (count == 0)
      return std::unexpected(ETIMEDOUT);
    if (errno != EINTR)
      return failed();
  }
}

template <typename Byte, typename Step>
std::expected<void, int> Socket::moveAll(Byte *next, std::size_t bytes, short event, Deadline deadline, Step step) const {
  while (bytes > 0) {
    const ssize_t count = step(descriptor, next, bytes);
    if (count == 0)
      return std::unexpected(ECONNRESET);
    if (count > 0) {
      next += count;
      bytes -= static_cast<std::size_t>(count);
    } else if (errno != EAGAIN && errno != EINTR) {
      return failed();
    } else if (const auto ready = waitFor(event, deadline); !ready) {
      return ready;
    }
  }
  return {};
}

std::expected<void, int> Socket::send(const void *data, std::size_t bytes, Deadline deadline) const {
  return moveAll(static_cast<const char *>(data), bytes, POLLOUT, deadline,
                 [](int to, const char *next, std::size_t left) { return ::send(to, next, left, MSG_NOSIGNAL); });
}

std::expected<void, int> Socket::receive(void *data, std::size_t bytes, Deadline deadline) const {
  return moveAll(static_cast<char *>(data), bytes, POLLIN, deadline,
                 [](int from, char *next, std::size_t left) { return recv(from, next, left, 0); });
}

std::vector<std::string> numericAddresses() {
  std::vector<std::string> out, loopback;
  ifaddrs *all = nullptr;
  if (getifaddrs(&all) != 0)
    return {"127.0.0.1"};
  for (const ifaddrs *each = all; each; each = each->ifa_next) {
    if (!each->ifa_addr || (each->ifa_flags & IFF_UP) == 0)
      continue;
    const int family = each->ifa_addr->sa_family;
    const bool isLinkLocal =
        family == AF_INET6 && IN6_IS_ADDR_LINKLOCAL(&reinterpret_cast<const sockaddr_in6 *>(each->ifa_addr)->sin6_addr);
    char text[NI_MAXHOST];
    const socklen_t size = family == AF_INET6 ? sizeof(sockaddr_in6) : sizeof(sockaddr_in);
    if ((family != AF_INET && family != AF_INET6) || isLinkLocal ||
        getnameinfo(each->ifa_addr, size, text, sizeof(text), nullptr, 0, NI_NUMERICHOST) != 0)
      continue;
    ((each->ifa_flags & IFF_LOOPBACK) != 0 ? loopback : out).emplace_back(text);
  }
  freeifaddrs(all);
  out.insert(out.end(), loopback.begin(), loopback.end());
  return out;
}

} // namespace kperf::posix
