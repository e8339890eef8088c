#define _GNU_SOURCE
#include "Code.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>

// A thread that is ended in the midst of a scenario's code goes back to where it began, and ends there. libc would look
// for what is to be done at each frame on the way, and does not find its way through those of tasks.

typedef struct {
  void *(*run)(void *);
  void *context;
} beginning;

static _Thread_local jmp_buf *begun;

// Where signals are received when its own stack is full.
#if defined(SANITIZED)
static void *begin_receiving(void) { return NULL; }
static void end_receiving(void *stack) { (void)stack; }
#else
static void *begin_receiving(void) {
  enum { size = 1 << 16 };
  // Threads of pools block signals, and who begins a thread hands on what it blocks.
  sigset_t question;
  sigemptyset(&question);
  sigaddset(&question, SIGURG);
  pthread_sigmask(SIG_UNBLOCK, &question, NULL);
  void *stack = malloc(size);
  if (stack != NULL) sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = size}, NULL);
  return stack;
}
static void end_receiving(void *stack) {
  sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
  free(stack);
}
#endif

static void *begin(void *memory) {
  beginning this = *(beginning *)memory;
  free(memory);
  jmp_buf here;
  begun = &here;
  void *volatile stack = begin_receiving();
  void *result = _setjmp(here) == 0 ? this.run(this.context) : NULL;
  drop_code_state();
  end_receiving(stack);
  return result;
}

uintptr_t interleaving_start_thread(void *(*run)(void *), void *context) {
  beginning *this = malloc(sizeof *this);
  if (this == NULL) return 0;
  *this = (beginning){run, context};
  pthread_t thread;
  if (pthread_create(&thread, NULL, begin, this) == 0) return (uintptr_t)thread;
  free(this);
  return 0;
}

void interleaving_join_thread(uintptr_t thread) { pthread_join((pthread_t)thread, NULL); }

void interleaving_detach_thread(uintptr_t thread) { pthread_detach((pthread_t)thread); }

void interleaving_exit_thread(void) {
#if !__has_feature(thread_sanitizer)
  // ThreadSanitizer wants to know of each frame that it is left.
  if (begun != NULL) _longjmp(*begun, 1);
#endif
  pthread_exit(NULL);
}

#if defined(__linux__)
#include <sched.h>

void interleaving_stay_on_processor(int number) {
  cpu_set_t permitted, one;
  if (sched_getaffinity(0, sizeof permitted, &permitted) != 0 || CPU_COUNT(&permitted) == 0) return;
  number %= CPU_COUNT(&permitted);
  for (int processor = 0; processor < CPU_SETSIZE; processor++) {
    if (!CPU_ISSET(processor, &permitted) || number-- > 0) continue;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    sched_setaffinity(0, sizeof one, &one);
    return;
  }
}
#else
void interleaving_stay_on_processor(int number) { (void)number; }
#endif
