// Any backend that the program brings along, as a plug-in: "backend=NAME" says which. What is known
// of it built in must be found in it again.
#include <opconform/plugin.h>

#include <memory>
#include <string>
#include <vector>

#include "harness/backends/backend.h"
#include "planted/registry.h"
#include "tests/plugins/descriptor.h"

namespace opconform::plugins {
namespace {

/// What the texts of a reply point to, until the next call.
struct Reply {
  std::string message;
  std::vector<std::string> rules;
  std::vector<opconform_text> texts;

  std::int32_t give(std::int32_t status, opconform_reply& to) {
    texts.clear();
    for (const std::string& rule : rules) texts.push_back({rule.data(), rule.size()});
    to.text = {message.data(), message.size()};
    to.rules = texts.data();
    to.rule_count = texts.size();
    return status;
  }
  std::int32_t give(backends::Rejection rejection, opconform_reply& to) {
    message = std::move(rejection.message);
    rules = std::move(rejection.rules);
    return give(rejection.kind == backends::Rejection::Kind::kRejected ? OPCONFORM_REFUSED
                                                                       : OPCONFORM_NOT_OFFERED,
                to);
  }
};

struct State {
  std::unique_ptr<backends::Backend> backend;
};
// Several threads may be at work.
thread_local Operator given;  // last, for a backend that keeps what it was given
thread_local Buffers buffers;
thread_local Reply last_reply;
opconform_plugin* self = nullptr;

/// What the flags say of it.
std::uint32_t flag_of(backends::AtOnce at_once) {
  if (at_once == backends::AtOnce::kNothing) return 0;
  return at_once == backends::AtOnce::kPlans ? OPCONFORM_PLANS_AT_ONCE
                                             : OPCONFORM_EXECUTIONS_AT_ONCE;
}

std::int32_t open(const opconform_text* options, std::uint64_t option_count, void** state,
                  opconform_reply* reply) {
  constexpr std::string_view kOption = "backend=";
  std::string name = "optimized";
  for (std::uint64_t i = 0; i < option_count; ++i) {
    const std::string_view option(options[i].bytes, options[i].size_bytes);
    if (!option.starts_with(kOption))
      return opconform_reply_with(reply, OPCONFORM_FAILED, "the only option is backend=NAME");
    name = option.substr(kOption.size());
  }
  auto opened = std::make_unique<State>();
  opened->backend = planted::make_faulty(name);
  if (opened->backend == nullptr) opened->backend = backends::make_backend(name);
  if (opened->backend == nullptr)
    return opconform_reply_with(reply, OPCONFORM_FAILED, "there is no such backend");
  self->flags = flag_of(opened->backend->at_once());
  *state = opened.release();
  return OPCONFORM_DONE;
}

std::int32_t prepare(void* state, const opconform_descriptor* descriptor, void** plan,
                     opconform_reply* reply) {
  State& opened = *static_cast<State*>(state);
  read_operator(*descriptor, given);
  backends::Prepared prepared = opened.backend->prepare(given, version_of(*descriptor));
  if (auto* rejection = std::get_if<backends::Rejection>(&prepared))
    return last_reply.give(std::move(*rejection), *reply);
  *plan = std::get<std::unique_ptr<backends::Executable>>(prepared).release();
  return OPCONFORM_DONE;
}

std::int32_t execute(void* /*state*/, void* plan, const opconform_descriptor* descriptor,
                     opconform_reply* reply) {
  buffers.read(*descriptor);
  backends::Ending ending = static_cast<backends::Executable*>(plan)->execute(buffers.bindings());
  if (auto* rejection = std::get_if<backends::Rejection>(&ending))
    return last_reply.give(std::move(*rejection), *reply);
  auto* const failure = std::get_if<backends::Failure>(&ending);
  if (failure == nullptr) return OPCONFORM_DONE;
  last_reply.message = std::move(failure->message);
  last_reply.rules = {std::move(failure->rule)};
  return last_reply.give(OPCONFORM_FAILED, *reply);
}

void release(void* /*state*/, void* plan) { delete static_cast<backends::Executable*>(plan); }
void close(void* state) { delete static_cast<State*>(state); }

}  // namespace
}  // namespace opconform::plugins

OPCONFORM_EXPORT std::int32_t opconform_plugin_init(opconform_plugin* plugin) {
  if (opconform_plugin_fits(plugin) == 0) return OPCONFORM_FAILED;
  opconform::plugins::self = plugin;
  plugin->name = opconform_text_of("suite");
  plugin->version = opconform_text_of("1");
  plugin->open = opconform::plugins::open;
  plugin->prepare = opconform::plugins::prepare;
  plugin->execute = opconform::plugins::execute;
  plugin->release = opconform::plugins::release;
  plugin->close = opconform::plugins::close;
  return OPCONFORM_DONE;
}
