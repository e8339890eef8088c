// Swift's Mutex tells ThreadSanitizer of a lock that nobody else wants: that path is inlined into
// the program and instrumented with it. A lock that is contended goes through functions of
// libswiftSynchronization, which is not instrumented, so the sanitizer misses the edge and reports
// races that are none. Seen with Swift 6.3.1 on Linux; without this file SanitizerTests.swift fails.
//
// In a sanitized build these functions stand before those three, call them, and add the edge.
// Other builds do not contain them.

#if defined(__linux__) && __has_feature(thread_sanitizer)

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

void __tsan_acquire(void *address);
void __tsan_release(void *address);

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void workbook_mutex_lock(uint32_t thread, SELF mutex) __asm__(LOCK);
SWIFT bool workbook_mutex_try_lock(SELF mutex) __asm__(TRY_LOCK);
SWIFT void workbook_mutex_unlock(SELF mutex) __asm__(UNLOCK);

SWIFT void workbook_mutex_lock(uint32_t thread, SELF mutex) {
  typedef SWIFT void (*Lock)(uint32_t, SELF);
  ((Lock)dlsym(RTLD_NEXT, LOCK))(thread, mutex);
  __tsan_acquire(mutex);
}

SWIFT bool workbook_mutex_try_lock(SELF mutex) {
  typedef SWIFT bool (*TryLock)(SELF);
  bool locked = ((TryLock)dlsym(RTLD_NEXT, TRY_LOCK))(mutex);
  if (locked) __tsan_acquire(mutex);
  return locked;
}

SWIFT void workbook_mutex_unlock(SELF mutex) {
  typedef SWIFT void (*Unlock)(SELF);
  __tsan_release(mutex);
  ((Unlock)dlsym(RTLD_NEXT, UNLOCK))(mutex);
}

#endif
