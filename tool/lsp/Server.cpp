// Dispatches requests to their answers, and answers all others with the protocol's errors.
#include "tool/lsp/Server.h"
#include "tool/lsp/EditorItems.h"

#include <fmt/format.h>

namespace kperf::tool {
namespace {

// JSON-RPC 2.0, section 5.1, and LSP 3.17, ErrorCodes.
constexpr int kParseError = -32700, kInvalidRequest = -32600, kMethodNotFound = -32601, kInvalidParams = -32602, kNotInitialized = -32002;
// LSP 3.17, MessageType.
constexpr int kErrorMessage = 1, kInfoMessage = 3;

/// Deeper than any message of the protocol: values are copied and written by recursion.
constexpr int kMaxDepth = 100;

const Server::Json &lastOf(const Server::Json &list) { return list.at(list.size() - 1); } // at() throws where there is none

} // namespace

void Server::take(std::string_view text) {
  bool isTooDeep = false;
  const Json message = Json::parse(
      text,
      [&](int depth, Json::parse_event_t, const Json &) {
        isTooDeep |= depth > kMaxDepth;
        return !isTooDeep; // what is not taken is not kept
      },
      /*allow_exceptions=*/false);
  if (isTooDeep)
    return fail(nullptr, kInvalidRequest, "the message nests too deep");
  if (message.is_discarded())
    return fail(nullptr, kParseError, "the message is not JSON");
  if (!message.is_object())
    return fail(nullptr, kInvalidRequest, "the message is no object");
  const auto id = message.find("id");
  try {
    dispatch(message);
  } catch (const Json::exception &error) { // of members that are missing, or of another type
    if (id != message.end())
      fail(*id, kInvalidParams, error.what());
  }
}

void Server::refuse(const std::string &reason) { fail(nullptr, kParseError, reason); }

void Server::dispatch(const Json &message) {
  static const std::map<std::string, Answer> kRequests = {{"initialize", &Server::initialize},
                                                          {"shutdown", &Server::shutdown},
                                                          {"textDocument/inlayHint", &Server::inlayHint},
                                                          {"textDocument/hover", &Server::hover},
                                                          {"textDocument/codeAction", &Server::codeAction}};
  if (!message.contains("method")) // an answer to what this side asked
    return;
  const std::string method = message.at("method");
  const Json parameters = message.value("params", Json::object());
  if (message.contains("id")) {
    const auto found = kRequests.find(method);
    const Json &id = message.at("id");
    if (state == State::ShutDown)
      return fail(id, kInvalidRequest, "the server was shut down");
    if (state == State::New && method != "initialize")
      return fail(id, kNotInitialized, "'initialize' comes first");
    if (found == kRequests.end())
      return fail(id, kMethodNotFound, fmt::format("unknown method '{}'", method));
    return respond(id, found->second, parameters);
  }
  if (method == "exit")
    state = State::Exited;
  else if (state != State::Running)
    return;
  else if (method == "textDocument/didOpen")
    open(parameters.at("textDocument").at("uri"), parameters.at("textDocument").at("text"));
  else if (method == "textDocument/didChange")
    open(parameters.at("textDocument").at("uri"), lastOf(parameters.at("contentChanges")).at("text"));
  else if (method == "textDocument/didClose")
    close(parameters.at("textDocument").at("uri"));
  else if (method == "textDocument/didSave" || method == "initialized")
    refresh();
}

void Server::respond(const Json &id, Answer answer, const Json &parameters) {
  send({{"jsonrpc", "2.0"}, {"id", id}, {"result", (this->*answer)(parameters)}});
}

void Server::fail(const Json &id, int code, const std::string &text) {
  send({{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", text}}}});
}

void Server::notify(const char *method, Json parameters) {
  send({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(parameters)}});
}

void Server::say(int type, const std::string &text) {
  notify(type == kErrorMessage ? "window/showMessage" : "window/logMessage", {{"type", type}, {"message", "kperf: " + text}});
}

Server::Json Server::initialize(const Json &parameters) {
  state = State::Running;
  refreshesHints = parameters.value("/capabilities/workspace/inlayHint/refreshSupport"_json_pointer, false);
  return {{"serverInfo", {{"name", "kperf"}, {"version", KPERF_VERSION}}},
          {"capabilities",
           {{"textDocumentSync", {{"openClose", true}, {"change", 1}, {"save", true}}}, // 1: whole texts
            {"inlayHintProvider", true},
            {"hoverProvider", true},
            {"codeActionProvider", {{"codeActionKinds", Json::array({"quickfix"})}}}}}};
}

Server::Json Server::shutdown(const Json & /*parameters*/) {
  state = State::ShutDown;
  wasShutDown = true;
  return nullptr;
}

void Server::refresh() {
  if (state != State::Running)
    return;
  auto read = reader();
  if (!read)
    return;
  if (*read)
    notes = std::move(**read);
  else { // what was known of another trace is no longer true
    notes = {};
    say(kErrorMessage, read->error().text());
  }
  for (const std::string &text : notes.general)
    say(kInfoMessage, text);
  for (const auto &[uri, document] : documents)
    publish(uri);
  if (refreshesHints)
    send({{"jsonrpc", "2.0"}, {"id", fmt::format("kperf-{}", ++requests)}, {"method", "workspace/inlayHint/refresh"}});
}

void Server::open(const std::string &uri, std::string text) {
  documents[uri] = std::make_unique<Document>(std::move(text));
  publish(uri);
}

void Server::close(const std::string &uri) {
  documents.erase(uri);
  notify("textDocument/publishDiagnostics", {{"uri", uri}, {"diagnostics", Json::array()}});
}

const FileNotes *Server::notesOf(const std::string &uri) const {
  const std::string path = pathOfUri(uri);
  const FileNotes *best = nullptr;
  std::size_t most = 0; // of the names at the end of the paths that are the same
  for (const auto &[file, each] : notes.files)
    if (const std::size_t same = commonEnd(file, path); same > most) {
      best = &each;
      most = same;
    }
  return best;
}

void Server::publish(const std::string &uri) {
  const FileNotes *found = notesOf(uri);
  notify("textDocument/publishDiagnostics",
         {{"uri", uri}, {"diagnostics", found ? diagnosticsOf(*found, *documents.at(uri)) : Json::array()}});
}

Server::Json Server::inlayHint(const Json &parameters) {
  const std::string uri = parameters.at("textDocument").at("uri");
  const auto document = documents.find(uri);
  const FileNotes *found = notesOf(uri);
  return found && document != documents.end() ? hintsOf(*found, *document->second, lineRange(parameters.at("range"))) : Json::array();
}

Server::Json Server::hover(const Json &parameters) {
  const std::string uri = parameters.at("textDocument").at("uri");
  const auto document = documents.find(uri);
  const FileNotes *found = notesOf(uri);
  return found && document != documents.end() ? hoverOf(*found, *document->second, parameters.at("position").at("line")) : Json();
}

Server::Json Server::codeAction(const Json &parameters) {
  const std::string uri = parameters.at("textDocument").at("uri");
  const auto document = documents.find(uri);
  const FileNotes *found = notesOf(uri);
  return found && document != documents.end() ? fixesOf(*found, *document->second, uri, lineRange(parameters.at("range"))) : Json::array();
}

} // namespace kperf::tool
