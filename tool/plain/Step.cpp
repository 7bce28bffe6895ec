// Reads the plan that PlainCopies.cpp writes.
#include "tool/plain/Step.h"
#include "tool/process/Spawn.h"
#include "tool/process/WriteText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstdlib>

namespace kperf::plain {

std::string stringIn(const llvm::json::Object &object, llvm::StringRef key) { return object.getString(key).value_or("").str(); }

std::optional<Plan> readPlan() {
  const char *path = std::getenv("KPERF_PLAIN");
  auto text = llvm::MemoryBuffer::getFile(path ? path : "");
  if (!text)
    return std::nullopt;
  auto value = llvm::json::parse((*text)->getBuffer());
  const llvm::json::Object *object = value ? value->getAsObject() : nullptr;
  if (!object)
    return llvm::consumeError(value.takeError()), std::nullopt;
  const auto onRefusal = static_cast<OnRefusal>(object->getInteger("onRefusal").value_or(0));
  const auto seconds = static_cast<unsigned>(object->getInteger("assemblySeconds").value_or(0));
  Plan plan{stringIn(*object, "folder"), stringIn(*object, "cicc"), stringIn(*object, "ptxas"), {}, onRefusal, seconds};
  if (const llvm::json::Array *texts = object->getArray("texts"))
    for (const llvm::json::Value &each : *texts)
      if (const llvm::json::Object *row = each.getAsObject())
        plan.texts.push_back(*row);
  return plan;
}

int runStep(const Words &words, bool isQuiet) {
  using process::SpawnOptions;
  const auto stream = isQuiet ? SpawnOptions::Stream::Nowhere : SpawnOptions::Stream::Ours;
  const auto end = process::spawn(words.front(), words, {.output = stream, .error = stream});
  return end && end->signal == 0 ? end->exitCode : 1;
}

std::optional<std::string> textOf(const std::string &path) {
  auto text = llvm::MemoryBuffer::getFile(path);
  return text ? std::optional((*text)->getBuffer().str()) : std::nullopt;
}

bool writeFile(const std::string &path, llvm::StringRef text) { return !llvm::errorToBool(process::writeText(path, text)); }

std::string *valueIn(Words &words, llvm::StringRef option) {
  const auto found = llvm::find(words, option);
  return found == words.end() || found + 1 == words.end() ? nullptr : &*(found + 1);
}

} // namespace kperf::plain
