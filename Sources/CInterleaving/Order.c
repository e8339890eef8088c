#define _GNU_SOURCE
#include "CInterleaving.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

_Thread_local interleaving_seat *interleaving_seat_of_thread;

// Atomic, since other threads are at work when these are set.
static _Atomic(interleaving_tracker) tracker;

static void tell(const void *object, int use) {
  // What the tracker itself does is not told.
  static _Thread_local bool is_telling;
  interleaving_seat *seat = interleaving_seat_of_thread;
  if (seat == NULL || !seat->tracks_order || is_telling) return;
  is_telling = true;
  tracker(seat->receiver, object, use);
  is_telling = false;
}

// The runtime calls these two at each edge between jobs, once they are set, as ThreadSanitizer would; and
// where it synchronises what is no job.
typedef void (*edge)(void *);
static _Atomic(edge) acquire_before, release_before;

static void acquire(void *object) {
  edge before = acquire_before;
  if (before != NULL) before(object);
  tell(object, interleaving_job_acquired);
}

static void release(void *object) {
  tell(object, interleaving_job_released);
  edge before = release_before;
  if (before != NULL) before(object);
}

#if defined(__linux__)
#include <link.h>
#include <pthread.h>

// Where libswift_Concurrency is: its own mutexes are edges, too, as in streams and task groups.
static _Atomic(uintptr_t) runtime_begin, runtime_size;

static int find_runtime(struct dl_phdr_info *image, size_t size, void *address) {
  (void)size;
  uintptr_t begin = UINTPTR_MAX, end = 0;
  for (int i = 0; i < image->dlpi_phnum; i++) {
    if (image->dlpi_phdr[i].p_type != PT_LOAD) continue;
    uintptr_t first = image->dlpi_addr + image->dlpi_phdr[i].p_vaddr;
    if (first < begin) begin = first;
    if (first + image->dlpi_phdr[i].p_memsz > end) end = first + image->dlpi_phdr[i].p_memsz;
  }
  if ((uintptr_t)address < begin || (uintptr_t)address >= end) return 0;
  runtime_begin = begin;
  runtime_size = end - begin;
  return 1;
}

static inline bool is_runtime(void *caller) {
  uintptr_t size = runtime_size;
  return (uintptr_t)caller - runtime_begin < size;
}

// These three stand before those of libc, which they call: directly, or by the sanitizer's own.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#if defined(SANITIZED)
#define BEFORE(name, ...) \
  int __interceptor_##name(__VA_ARGS__); \
  static inline int (*real_##name(void))(__VA_ARGS__) { return __interceptor_##name; }
#else
#define BEFORE(name, ...) \
  static inline int (*real_##name(void))(__VA_ARGS__) { \
    static _Atomic(uintptr_t) found; \
    uintptr_t address = atomic_load_explicit(&found, memory_order_relaxed); \
    if (address == 0) { \
      address = (uintptr_t)dlsym(RTLD_NEXT, #name); \
      atomic_store_explicit(&found, address, memory_order_relaxed); \
    } \
    return (int (*)(__VA_ARGS__))address; \
  }
#endif

BEFORE(pthread_mutex_lock, pthread_mutex_t *)
BEFORE(pthread_mutex_unlock, pthread_mutex_t *)
BEFORE(pthread_mutex_init, pthread_mutex_t *, const pthread_mutexattr_t *)

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  int result = real_pthread_mutex_lock()(mutex);
  if (is_runtime(__builtin_return_address(0))) tell(mutex, interleaving_mutex_locked);
  return result;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  if (is_runtime(__builtin_return_address(0))) tell(mutex, interleaving_mutex_unlocked);
  return real_pthread_mutex_unlock()(mutex);
}

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes) {
  if (is_runtime(__builtin_return_address(0))) tell(mutex, interleaving_mutex_made);
  return real_pthread_mutex_init()(mutex, attributes);
}
#endif

bool interleaving_track_order(interleaving_tracker new_tracker) {
  void *task = dlsym(RTLD_DEFAULT, "swift_task_create");
  edge *acquire_slot = dlsym(RTLD_DEFAULT, "_swift_tsan_acquire");
  edge *release_slot = dlsym(RTLD_DEFAULT, "_swift_tsan_release");
  if (task == NULL || acquire_slot == NULL || release_slot == NULL) return false;
#if defined(__linux__)
  if (dl_iterate_phdr(find_runtime, task) == 0) return false;
#endif
  tracker = new_tracker;
  acquire_before = *acquire_slot;
  release_before = *release_slot;
  __atomic_store_n(acquire_slot, acquire, __ATOMIC_RELEASE);
  __atomic_store_n(release_slot, release, __ATOMIC_RELEASE);
  return true;
}
