/* The example of a plug-in, with one thing wrong in it, which the environment variable OPCONFORM_MISBEHAVE
 * names. Most strike where the data has 7 elements along its first dimension. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define opconform_plugin_init honest_init
#include "../../adapters/example_c/gather.c"
#undef opconform_plugin_init

static int is(const char* name) {
  const char* const wanted = getenv("OPCONFORM_MISBEHAVE");
  return wanted != NULL && strcmp(wanted, name) == 0;
}
static uint64_t data_size(const opconform_descriptor* d) {
  const opconform_tensor* const data = opconform_find_tensor(d, "data");
  return data != NULL && data->rank > 0 ? data->sizes[0] : 0;
}
static int strikes(const opconform_descriptor* d) { return data_size(d) == 7; }

static void die(void) {
  signal(SIGSEGV, SIG_DFL);
  raise(SIGSEGV);
}
static void sleep_ms(long ms) {
  const struct timespec time = {ms / 1000, ms % 1000 * 1000000};
  nanosleep(&time, NULL);
}
static void hang(void) {
  for (;;) pause();
}
static char volatile* late_target;
static void* write_late(void* unused) {
  sleep_ms(20);
  if (late_target != NULL) *late_target ^= 1;
  return unused;
}
static void* stay(void* unused) {
  hang();
  return unused;
}
static void start(void* (*work)(void*)) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, work, NULL) == 0) pthread_detach(thread);
}
static int descend(int depth) {
  volatile char frame[4096];
  frame[0] = (char)depth;
  return depth < 0 ? 0 : descend(depth + 1) + frame[0];
}
static void fork_bomb(void) {
  for (int i = 0; i < 200; ++i)
    if (fork() == 0) hang();
}

/* Once, before anything else. */
__attribute__((constructor)) static void on_load(void) {
  if (is("crash-on-load")) die();
  if (is("exit-on-load")) _exit(0);
}

/* What the host goes by, which open() may still change. */
static opconform_plugin* filled_in;

static int32_t open_badly(const opconform_text* options, uint64_t count, void** state, opconform_reply* reply) {
  if (is("crash-in-open")) die();
  if (is("slow-start")) sleep_ms(1500);
  if (is("no-start")) return opconform_reply_with(reply, OPCONFORM_FAILED, "there is no such device");
  if (is("decides-in-open")) filled_in->promise = opconform_text_of("torch"), filled_in->version = opconform_text_of("9.1");
  if (is("garbage-in-open")) filled_in->promise.size_bytes = UINT64_MAX;
  return OPCONFORM_DONE;
}

static int32_t offer_badly(void* state, const opconform_descriptor* d, opconform_reply* reply) {
  if (is("crash-in-offers") && strikes(d)) die();
  if (is("offers-what-it-lacks")) return OPCONFORM_DONE;
  if (is("offers-nothing")) return opconform_reply_with(reply, OPCONFORM_NOT_OFFERED, "nothing at all");
  return offers(state, d, reply);
}

static int32_t prepare_badly(void* state, const opconform_descriptor* d, void** plan, opconform_reply* reply) {
  if (is("offers-what-it-lacks") && !opconform_text_is(d->operator_name, "ONNX_GATHER")) return OPCONFORM_DONE;
  if (strikes(d)) {
    if (is("crash-in-prepare")) die();
    if (is("hang-in-prepare")) hang();
    if (is("unknown-reply")) return 77;
    if (is("endless-text")) {
      reply->text.bytes = "x";
      reply->text.size_bytes = UINT64_MAX;
      return OPCONFORM_REFUSED;
    }
    if (is("endless-rules")) {
      reply->rule_count = UINT64_MAX;
      return OPCONFORM_REFUSED;
    }
    if (is("fork-bomb")) fork_bomb();
    if (is("signal-handlers")) {
      for (int i = 1; i < 65; ++i) signal(i, SIG_IGN);
      die();
    }
  }
  return prepare(state, d, plan, reply);
}

static int executions;
static int32_t execute_badly(void* state, void* plan, const opconform_descriptor* d, opconform_reply* reply) {
  if (is("offers-what-it-lacks") && !opconform_text_is(d->operator_name, "ONNX_GATHER")) return OPCONFORM_DONE;
  const opconform_tensor* const output = opconform_find_tensor(d, "output");
  ++executions;
  if (is("crash-at-the-third") && executions == 3) die();
  if (is("hang-at-the-third") && executions == 3) hang();
  if (is("crash-after-another") && executions > 4 && strikes(d)) die();
  if (is("wrong-after-another") && (strikes(d) ? executions > 4 : data_size(d) == 5)) return OPCONFORM_DONE;
  if (is("ran-elsewhere")) return opconform_reply_with(reply, OPCONFORM_RAN_ELSEWHERE, "on the CPU");
  if (is("spoiled-each-time")) reply->flags |= OPCONFORM_SPOILED;
  if (strikes(d)) {
    if (is("crash")) die();
    if (is("hang")) hang();
    if (is("endless-loop")) for (volatile int i = 0;; i = 1 - i) {}
    if (is("exit")) exit(0);
    if (is("abort")) abort();
    if (is("stack-overflow")) descend(0);
    if (is("memory")) {
      for (;;) {
        char* const block = malloc((size_t)1 << 26);
        if (block == NULL) abort();
        *(char volatile*)block = 1;
      }
    }
    if (is("thread-that-lives-on")) start(stay);
    if (is("closes-all-files")) for (int i = 0; i < 1024; ++i) close(i);
    if (is("prints")) {
      printf("half a line of output");
      fprintf(stderr, "%s", "\033[31mand a flood\n");
      for (int i = 0; i < 10000; ++i) fputs("flood ", stderr);
      fflush(stdout);
    }
    if (is("writes-into-the-channel"))
      for (int i = 3; i < 1024; ++i)
        if (fcntl(i, F_GETFL) >= 0 && write(i, "garbage", 7) < 0) continue;
    if (is("says-much")) {
      for (int i = 1; i <= 500; ++i) fprintf(stderr, "line %d of 500\n", i);
      die();
    }
    if (is("says-why")) {
      fprintf(stderr, "the kernel of 7 is broken\n");
      ((char*)output->data)[0] ^= 1;
      return OPCONFORM_DONE;
    }
    if (is("reads-behind")) late_target = (char volatile*)output->data + output->size_bytes, (void)*late_target;
    if (is("float-mode")) fesetround(FE_UPWARD);
    if (is("directory") && chdir("/") != 0) return OPCONFORM_FAILED;
    if (is("locale")) setlocale(LC_ALL, "C.UTF-8");
    if (is("blocks-signals")) {
      sigset_t all;
      sigfillset(&all);
      sigprocmask(SIG_BLOCK, &all, NULL);
      hang();
    }
    if (is("slow")) sleep_ms(100);
    if (is("writes-late") && output->size_bytes > 0) {
      late_target = (char*)output->data;
      start(write_late);
      sleep_ms(0);
    }
    if (is("wrong-and-spoiled")) {
      reply->flags |= OPCONFORM_SPOILED;
      return OPCONFORM_DONE;
    }
  }
  return execute(state, plan, d, reply);
}

static void release_badly(void* state, void* plan) {
  if (is("crash-in-release")) die();
}
static void close_badly(void* state) {
  if (is("crash-in-close")) die();
}

OPCONFORM_EXPORT int32_t opconform_plugin_init(opconform_plugin* plugin) {
  if (is("crash-in-init")) die();
  if (is("hang-in-init")) hang();
  const int32_t status = honest_init(plugin);
  filled_in = plugin;
  plugin->open = open_badly, plugin->offers = offer_badly, plugin->prepare = prepare_badly;
  plugin->execute = execute_badly, plugin->release = release_badly, plugin->close = close_badly;
  if (getenv("OPCONFORM_PROMISE") != NULL) plugin->promise = opconform_text_of(getenv("OPCONFORM_PROMISE"));
  if (is("other-major")) plugin->abi_major = 7, plugin->abi_minor = 2;
  if (is("init-fails")) return OPCONFORM_FAILED;
  if (is("short-struct")) plugin->struct_size = 16;
  if (is("no-execute")) plugin->execute = NULL;
  if (is("no-name")) plugin->name.size_bytes = 0;
  if (is("name-of-garbage")) plugin->name.size_bytes = UINT64_MAX;
  if (is("unknown-bindings")) plugin->bindings = 1u << 20;
  return status;
}
