#define _GNU_SOURCE
#include "Code.h"

#include <dlfcn.h>
#include <stdatomic.h>

// The runtime's own edges: it calls two functions at each, once they are set, as ThreadSanitizer would; and where it
// synchronises what is no job. What is published here is atomic, since other threads are at work.

typedef void (*edge_function)(void *);
static _Atomic(edge_function) acquire_before, release_before;
static _Atomic(uintptr_t) task, job;

static interleaving_seat *watching_seat(void) {
  interleaving_seat *seat = interleaving_seat_of_thread;
  return seat != NULL && seat->is_watching ? seat : NULL;
}

// What the runtime synchronises by need not be an object, nor aligned like one. Others may be at work on it, as on the
// word of a mutex: then it is no job, whatever is read.
static __attribute__((no_sanitize("thread"))) uintptr_t first_word(const void *object) {
  uintptr_t word;
  __builtin_memcpy(&word, object, sizeof word);
  return word;
}

// Where the runtime's layout is not known, anything may be one.
static bool is_job(uintptr_t kind) { return kind == task || kind == job || task == 0; }

static void acquire(void *object) {
  edge_function before = acquire_before;
  if (before != NULL) before(object);
  interleaving_seat *seat = watching_seat();
  if (seat == NULL) return;
  uintptr_t kind = first_word(object);
  if (!is_job(kind)) return;
  // Who cancels, perhaps a whole group with its status locked, has not waited for whom it cancels.
  if (code_of_thread.cancelling > 0 || holds_status()) {
    interleaving_acquire(seat->watch, (uintptr_t)object);
  } else {
    watch_acquire_job(seat->watch, (uintptr_t)object);
  }
}

static void release(void *object) {
  interleaving_seat *seat = watching_seat();
  if (seat != NULL) {
    uintptr_t kind = first_word(object);
    if (kind == task) watch_release_task(seat->watch, (uintptr_t)object);
    else if (is_job(kind)) interleaving_release_job(seat->watch, (uintptr_t)object);
  }
  edge_function before = release_before;
  if (before != NULL) before(object);
}

bool interleaving_track_order(uintptr_t task_metadata, uintptr_t job_metadata) {
  edge_function *acquire_slot = dlsym(RTLD_DEFAULT, "_swift_tsan_acquire");
  edge_function *release_slot = dlsym(RTLD_DEFAULT, "_swift_tsan_release");
  if (acquire_slot == NULL || release_slot == NULL) return false;
#if defined(__linux__)
  if (!find_images()) return false;
#endif
  task = task_metadata;
  job = job_metadata;
  acquire_before = *acquire_slot;
  release_before = *release_slot;
  __atomic_store_n(acquire_slot, acquire, __ATOMIC_RELEASE);
  __atomic_store_n(release_slot, release, __ATOMIC_RELEASE);
  return true;
}
