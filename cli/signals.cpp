#include "cli/signals.h"

#include <csignal>

namespace opconform::cli {

namespace {

std::atomic<bool> stop_asked = false;
void on_signal(int signal) {
  if (stop_asked.exchange(true)) (void)std::signal(signal, SIG_DFL);
}

}  // namespace

const std::atomic<bool>& stop_on_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) (void)std::signal(signal, on_signal);
  return stop_asked;
}

bool is_asked_to_stop() { return stop_asked; }

}  // namespace opconform::cli
