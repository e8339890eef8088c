#define _GNU_SOURCE
#include "Code.h"

// What ends a process. Where a scenario's code traps, its strand is left, and the exploration goes on with a finding. Where
// memory may be broken, or the runtime is in the midst of something, the process ends as it would; before that, the
// schedule is written.

#if defined(__linux__) && !defined(SANITIZED)
#include <errno.h>
#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

REAL(int, fputs, const char *, FILE *)
REAL(void, abort, void)
REAL(void, exit, int)
REAL(void, _exit, int)

// MARK: Last words

/// What the runtime has said last: why the process ends, as a rule.
static _Thread_local char last_words[1024];

static bool say_of(const char *const *words, int count) {
  for (int index = 0; index < count; index++) {
    if (strstr(last_words, words[index]) != NULL) return true;
  }
  return false;
}
#define SAYS(...) say_of((const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

// The runtime writes its messages with this function. Those that end the process are kept; a finding says them.
int fputs(const char *restrict text, FILE *restrict stream) {
  if (interleaving_seat_of_thread == NULL || stream != stderr || seat_in_scenario() == NULL
      || image_of(__builtin_return_address(0)) != RUNTIME_IMAGE) {
    return real_fputs()(text, stream);
  }
  strncpy(last_words, text, sizeof last_words - 1);
  if (SAYS("Fatal error", "Fatal access conflict", "Precondition failed", "Assertion failed", "Could not cast")) return 0;
  last_words[0] = 0;
  return real_fputs()(text, stream);
}

// MARK: Where a thread is

/// Where in the program a thread is, from the inside out, as return addresses.
typedef struct {
  int count;
  uintptr_t places[32];
} call_stack;

static uintptr_t *register_of(ucontext_t *context, bool is_stack) {
#if defined(__x86_64__)
  return (uintptr_t *)&context->uc_mcontext.gregs[is_stack ? REG_RSP : REG_RIP];
#else
  return (uintptr_t *)(is_stack ? &context->uc_mcontext.sp : &context->uc_mcontext.pc);
#endif
}

/// The calling thread's stack; where a signal came, with the instruction that was next.
static void look_at_stack(call_stack *stack, ucontext_t *context) {
  void *frames[64];
  int count = backtrace(frames, sizeof frames / sizeof *frames);
  uintptr_t next = context == NULL ? 0 : *register_of(context, false);
  stack->count = 0;
  for (int index = 0; index < count && stack->count < 32; index++) {
    uintptr_t address = (uintptr_t)frames[index];
    uintptr_t place = interleaving_place(address + (address == next ? 1 : 0));
    if (place != 0) stack->places[stack->count++] = place;
  }
}

// MARK: Leaving a strand

/// Whether the strand can be left as it is: the runtime is not in the midst of something that others would wait for.
static bool may_leave(const interleaving_seat *seat) {
  const code_state *code = &code_of_thread;
  return seat != NULL && seat->is_in_scenario && code->library_locks.count == 0 && code->setting_up == 0;
}

static _Thread_local call_stack stack_of_trap;

static _Noreturn void leave(void) {
  interleaving_seat *seat = interleaving_seat_of_thread;
  interleaving_set_in_scenario(seat, false);
  char words[sizeof last_words];
  strcpy(words, last_words);
  last_words[0] = 0;
  calls_of_code->trap(seat->receiver, words, stack_of_trap.places, stack_of_trap.count);
  real_abort()();
  __builtin_unreachable();
}

static _Noreturn void leave_here(void) {
  look_at_stack(&stack_of_trap, NULL);
  leave();
}

/// Has the thread leave its strand when the signal's handler returns, on its own stack.
static void leave_after(ucontext_t *context) {
  enum { red_zone = 256 };
  uintptr_t *stack = register_of(context, true);
  *stack = (*stack - red_zone) & ~(uintptr_t)15;
#if defined(__x86_64__)
  *stack -= 8; // as after a call
#endif
  *register_of(context, false) = (uintptr_t)leave;
}

// The runtime aborts where an access conflicts, a cast fails or an unowned reference is dead, and also where it finds that
// memory is broken.
void abort(void) {
  interleaving_seat *seat = interleaving_seat_of_thread;
  if (may_leave(seat) && image_of(__builtin_return_address(0)) == RUNTIME_IMAGE
      && SAYS("Fatal access conflict", "Could not cast", "an unowned reference")) {
    leave_here();
  }
  real_abort()();
  __builtin_unreachable();
}

static void leave_instead_of_exit(const char *function, int status) {
  if (!may_leave(interleaving_seat_of_thread)) return;
  snprintf(last_words, sizeof last_words, "calls %s(%d), which ends the process", function, status);
  leave_here();
}

void exit(int status) {
  leave_instead_of_exit("exit", status);
  real_exit()(status);
  __builtin_unreachable();
}

void _exit(int status) {
  leave_instead_of_exit("_exit", status);
  real__exit()(status);
  __builtin_unreachable();
}

// MARK: Dying

static void say(const char *text) {
  ssize_t count = write(STDERR_FILENO, text, strlen(text));
  (void)count;
}

/// Writes which schedule a thread was in, with nothing but `write`.
static void write_schedule(const interleaving_seat *seat, const char *what) {
  say("\n");
  if (last_words[0] != 0) say(last_words);
  say("An exploration was under way: ");
  say(what);
  say(" under one of its schedules, in which memory may be broken, so the process ends.\nRun that schedule again, in a "
      "debugger perhaps: replay(\"");
  for (int index = 0; index < seat->choice_count; index++) {
    char digits[8];
    int choice = seat->choices[index], count = 0;
    if (choice < 36) {
      digits[count++] = "0123456789abcdefghijklmnopqrstuvwxyz"[choice];
    } else {
      digits[count++] = '(';
      int scale = 1;
      while (choice / scale >= 10) scale *= 10;
      for (; scale > 0; scale /= 10) digits[count++] = '0' + choice / scale % 10;
      digits[count++] = ')';
    }
    digits[count] = 0;
    say(digits);
  }
  say(".----\")\n");
}

static struct sigaction earlier[NSIG];

/// Does with a signal what would have been done with it.
static void pass_on(int signal, siginfo_t *info, void *context) {
  const struct sigaction *action = &earlier[signal];
  if ((action->sa_flags & SA_SIGINFO) != 0) {
    action->sa_sigaction(signal, info, context);
  } else if (action->sa_handler == SIG_DFL || action->sa_handler == SIG_IGN) {
    // What has brought it happens again; what was sent is sent again.
    sigaction(signal, action, NULL);
    if (info->si_code <= 0) syscall(SYS_tgkill, getpid(), gettid(), signal);
  } else {
    action->sa_handler(signal);
  }
}

static const char *what_signal_says(int signal, const siginfo_t *info, ucontext_t *context) {
  intptr_t distance = (intptr_t)info->si_addr - (intptr_t)*register_of(context, true);
  switch (signal) {
  case SIGSEGV: case SIGBUS:
    if (distance > -65536 && distance < 65536) return "its stack is full, as where a function calls itself for ever";
    return "its code used memory that is not there";
  case SIGABRT: return "its code or a library aborted";
  default: return "its code trapped where the runtime was in the midst of something";
  }
}

static void receive(int signal, siginfo_t *info, void *context) {
  int error = errno;
  interleaving_seat *seat = interleaving_seat_of_thread;
  if ((signal == SIGILL || signal == SIGTRAP) && info->si_code > 0 && may_leave(seat)) {
    look_at_stack(&stack_of_trap, context);
    leave_after(context);
  } else {
    if (seat != NULL) write_schedule(seat, what_signal_says(signal, info, context));
    pass_on(signal, info, context);
  }
  errno = error;
}

// MARK: Being asked

/// Whether a thread waits in a call of the system's, which it is behind, or before if the call will be made again.
static bool is_in_system_call(ucontext_t *context) {
  const uint8_t *next = (const uint8_t *)*register_of(context, false);
#if defined(__x86_64__)
  static const uint8_t call[] = {0x0f, 0x05};
#else
  static const uint8_t call[] = {0x01, 0x00, 0x00, 0xd4};
#endif
  return memcmp(next, call, sizeof call) == 0 || memcmp(next - sizeof call, call, sizeof call) == 0;
}

// Somebody asks why a step does not come to its end. A thread that is in a library, other than to wait for the system, may
// hold what others need, and is asked again.
static void answer(int signal, siginfo_t *info, void *context) {
  int error = errno;
  interleaving_seat *seat = seat_in_scenario();
  bool waits = is_in_system_call(context);
  if (seat != NULL && (waits || image_of((const void *)*register_of(context, false)) == OWN_IMAGE)) {
    call_stack stack;
    look_at_stack(&stack, context);
    interleaving_set_in_scenario(seat, false);
    calls_of_code->stop(seat->receiver, waits, stack.places, stack.count);
    interleaving_set_in_scenario(seat, true);
  } else if (seat == NULL && earlier[signal].sa_handler != SIG_DFL && earlier[signal].sa_handler != SIG_IGN) {
    pass_on(signal, info, context);
  }
  errno = error;
}

static void install(int signal, void (*handler)(int, siginfo_t *, void *), int flags) {
  struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | flags};
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, &earlier[signal]);
}

void interleaving_await_deaths(void) {
  // The first call loads a library.
  void *frame;
  backtrace(&frame, 1);
  static const int signals[] = {SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT};
  for (size_t index = 0; index < sizeof signals / sizeof *signals; index++) {
    install(signals[index], receive, SA_ONSTACK | SA_NODEFER);
  }
  install(SIGURG, answer, SA_RESTART);
}

bool interleaving_ask_thread(int thread) {
  syscall(SYS_tgkill, getpid(), thread, SIGURG);
  return true;
}

void interleaving_wait_for_ever(void) {
  while (true) pause();
}
#else
#include <stdlib.h>
void interleaving_await_deaths(void) {}
bool interleaving_ask_thread(int thread) { return (void)thread, false; }
void interleaving_wait_for_ever(void) { abort(); }
#endif

#if defined(__linux__)
#include <unistd.h>
int interleaving_thread_id(void) { return gettid(); }
#else
int interleaving_thread_id(void) { return 0; }
#endif
