// A language server over traces: inlay hints, hovers, diagnostics and fixes for the sources that an editor has open (LSP 3.17).
#ifndef KPERF_TOOL_SERVER_H
#define KPERF_TOOL_SERVER_H

#include "decoder/io/Json.h"
#include "tool/lsp/Document.h"
#include "tool/lsp/TraceNotes.h"

#include <functional>
#include <memory>

namespace kperf::tool {

class Server {
public:
  using Json = decoder::Json;
  /// Reads the traces when they are others than at the last call; nothing when they are the same.
  using Reader = std::function<std::optional<decoder::Expected<TraceNotes>>()>;
  using Send = std::function<void(const Json &message)>;

  Server(Reader reader, Send send) : reader(std::move(reader)), send(std::move(send)) {}

  /// Answers one message, which may be anything.
  void take(std::string_view text);
  /// Says that what came can't be told apart into messages.
  void refuse(const std::string &reason);
  /// Looks whether the traces changed; says so to the editor.
  void refresh();
  bool isOver() const { return state == State::Exited; }
  /// 0 when the editor said `shutdown` before it left.
  int exitCode() const { return wasShutDown ? 0 : 1; }

private:
  enum class State { New, Running, ShutDown, Exited };
  using Answer = Json (Server::*)(const Json &parameters);

  void dispatch(const Json &message);
  void respond(const Json &id, Answer answer, const Json &parameters);
  void fail(const Json &id, int code, const std::string &text);
  void notify(const char *method, Json parameters);
  void say(int type, const std::string &text);

  Json initialize(const Json &parameters);
  Json shutdown(const Json &parameters);
  Json inlayHint(const Json &parameters);
  Json hover(const Json &parameters);
  Json codeAction(const Json &parameters);
  void open(const std::string &uri, std::string text);
  void close(const std::string &uri);
  void publish(const std::string &uri);

  /// What the traces say of a document; null for nothing.
  const FileNotes *notesOf(const std::string &uri) const;

  Reader reader;
  Send send;
  TraceNotes notes;
  std::map<std::string, std::unique_ptr<Document>> documents; ///< by URI
  State state = State::New;
  bool wasShutDown = false, refreshesHints = false;
  int requests = 0; ///< sent by this side
};

} // namespace kperf::tool

#endif
