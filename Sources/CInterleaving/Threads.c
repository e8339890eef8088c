#define _GNU_SOURCE
#include "CInterleaving.h"

#include <pthread.h>
#include <stddef.h>

uintptr_t interleaving_start_thread(void *(*run)(void *), void *context) {
  pthread_t thread;
  return pthread_create(&thread, NULL, run, context) == 0 ? (uintptr_t)thread : 0;
}

void interleaving_join_thread(uintptr_t thread) { pthread_join((pthread_t)thread, NULL); }

void interleaving_exit_thread(void) { pthread_exit(NULL); }

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
