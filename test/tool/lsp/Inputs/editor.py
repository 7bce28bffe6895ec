"""An editor without a screen: it starts a language server, says what an editor says, and keeps what it is told."""
import json
import pathlib
import subprocess


class Editor:
    def __init__(self, *arguments, capabilities=None, server=("kperf", "lsp")):
        self.server = subprocess.Popen([*server, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.requests, self.notes = 0, []
        self.capabilities = self.request("initialize", processId=None, rootUri=None, capabilities=capabilities or {})["capabilities"]
        self.notify("initialized")

    def send(self, **message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.server.stdin.flush()

    def receive(self):
        length = 0
        while (line := self.server.stdout.readline().strip()):
            length = int(line.split(b":")[1])
        return json.loads(self.server.stdout.read(length))

    def request(self, method, **parameters):
        self.requests += 1
        self.send(id=self.requests, method=method, params=parameters)
        while (answer := self.receive()).get("id") != self.requests or "method" in answer:
            self.notes.append(answer)
        return answer["result"] if "result" in answer else answer["error"]

    def notify(self, method, **parameters):
        self.send(method=method, params=parameters)

    def told(self, method):
        """The parameters of the next message of this kind that was not asked for; others stay."""
        while not (found := [note for note in self.notes if note.get("method") == method]):
            self.notes.append(self.receive())
        self.notes.remove(found[0])
        return found[0].get("params")

    def open(self, path):
        """Gives the file's URI and its diagnostics."""
        uri = pathlib.Path(path).resolve().as_uri()
        self.notify("textDocument/didOpen", textDocument={"uri": uri, "languageId": "cuda-cpp", "version": 1, "text": pathlib.Path(path).read_text()})
        return uri, self.diagnostics(uri)

    def change(self, uri, text):
        self.notify("textDocument/didChange", textDocument={"uri": uri, "version": 2}, contentChanges=[{"text": text}])
        return self.diagnostics(uri)

    def diagnostics(self, uri):
        while (told := self.told("textDocument/publishDiagnostics"))["uri"] != uri:
            pass
        return told["diagnostics"]

    def of_lines(self, method, uri, first=0, last=10000):
        lines = {"start": {"line": first, "character": 0}, "end": {"line": last, "character": 0}}
        return self.request(method, textDocument={"uri": uri}, range=lines, context={"diagnostics": []})

    def leave(self):
        self.request("shutdown")
        self.notify("exit")
        return self.server.wait()


def edited(text, edit):
    """The text after one TextEdit of ASCII lines."""
    lines = text.split("\n")
    start, end = edit["range"]["start"], edit["range"]["end"]
    line = lines[start["line"]]
    lines[start["line"]] = line[:start["character"]] + edit["newText"] + line[end["character"]:]
    return "\n".join(lines)
