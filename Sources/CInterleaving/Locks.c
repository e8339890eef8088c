#define _GNU_SOURCE
#include "Code.h"

// Locks of pthreads, and what is set up once: these functions stand before libc's and the runtime's. Called by a
// scenario's code, directly or through Foundation's locks, they are operations of the exploration; called by
// Foundation for itself or by the runtime they order, and no more; by the standard library not even that.

#if defined(__linux__)
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

// The real functions, or the sanitizer's own.
#if defined(SANITIZED)
#define REAL(result, name, ...) \
  result __interceptor_##name(__VA_ARGS__); \
  static inline result (*real_##name(void))(__VA_ARGS__) { return __interceptor_##name; }
#else
#define REAL_OF(version, result, name, ...) \
  static inline result (*real_##name(void))(__VA_ARGS__) { \
    static _Atomic(uintptr_t) known; \
    return (result(*)(__VA_ARGS__))find_real(&known, #name, version); \
  }
#define REAL(result, name, ...) REAL_OF(NULL, result, name, __VA_ARGS__)
#endif

REAL(int, pthread_mutex_lock, pthread_mutex_t *)
REAL(int, pthread_mutex_unlock, pthread_mutex_t *)
REAL(int, pthread_mutex_trylock, pthread_mutex_t *)
REAL(int, pthread_mutex_init, pthread_mutex_t *, const pthread_mutexattr_t *)

#if !defined(SANITIZED)
// Of two versions of these the older has another idea of a condition.
#if defined(__x86_64__)
#define NEWER "GLIBC_2.3.2"
#else
#define NEWER NULL
#endif
REAL_OF(NEWER, int, pthread_cond_wait, pthread_cond_t *, pthread_mutex_t *)
REAL_OF(
  NEWER, int, pthread_cond_timedwait, pthread_cond_t *, pthread_mutex_t *, const struct timespec *)
REAL_OF(NEWER, int, pthread_cond_signal, pthread_cond_t *)
REAL_OF(NEWER, int, pthread_cond_broadcast, pthread_cond_t *)
REAL(int, pthread_rwlock_rdlock, pthread_rwlock_t *)
REAL(int, pthread_rwlock_wrlock, pthread_rwlock_t *)
REAL(int, pthread_rwlock_tryrdlock, pthread_rwlock_t *)
REAL(int, pthread_rwlock_trywrlock, pthread_rwlock_t *)
REAL(int, pthread_rwlock_unlock, pthread_rwlock_t *)
#endif

// MARK: Who calls

typedef enum { NOBODY, ORDERS, SCENARIO } caller;

// The functions of Foundation's through which a scenario's code locks that do not end in the call of libc's: the
// witnesses of its locks, a try, and a wait for a time.
typedef struct {
  _Atomic(uintptr_t) begin;
  uintptr_t size;
} door;
static door doors[8];

/// Where a function goes that does no more than go elsewhere.
static uintptr_t follow(uintptr_t function) {
#if defined(__x86_64__)
  const uint8_t *code = (const uint8_t *)function;
  for (int index = 0; index < 12; index++) {
    if (code[index] != 0xe9) continue;
    int32_t distance;
    __builtin_memcpy(&distance, code + index + 1, sizeof distance);
    return function + (uintptr_t)index + 5 + (uintptr_t)(intptr_t)distance;
  }
#elif defined(__aarch64__)
  const uint32_t *code = (const uint32_t *)function;
  for (int index = 0; index < 4; index++) {
    if (code[index] >> 26 != 5) continue;
    return function + 4 * (uintptr_t)index + (uintptr_t)((intptr_t)(int32_t)(code[index] << 6) >> 4);
  }
#endif
  return function;
}

/// Where a group is asked for what the next of its tasks has come to.
static uintptr_t next_of_group, next_of_group_size;

void find_doors(void) {
  Dl_info info;
  ElfW(Sym) *symbol;
  next_of_group = (uintptr_t)dlsym(RTLD_DEFAULT, "swift_taskGroup_wait_next_throwing");
  if (next_of_group != 0 && dladdr1((void *)next_of_group, &info, (void **)&symbol, RTLD_DL_SYMENT) != 0) {
    next_of_group_size = symbol->st_size;
  }
  static const char *const witnesses[] = {
    "$s10Foundation6NSLockCAA9NSLockingAAWP", "$s10Foundation15NSRecursiveLockCAA9NSLockingAAWP",
    "$s10Foundation11NSConditionCAA9NSLockingAAWP"};
  static const char *const functions[] = {
    "$s10Foundation15NSRecursiveLockC3trySbyF",
    "$s10Foundation11NSConditionC4wait5untilSb0A10Essentials4DateV_tF"};
  for (int index = 0; index < 3; index++) {
    // A description, and then `lock` and `unlock`, each of which asks the class.
    const uintptr_t *table = dlsym(RTLD_DEFAULT, witnesses[index]);
    for (int entry = 0; table != NULL && entry < 2; entry++) {
      doors[2 * index + entry].size = 32;
      doors[2 * index + entry].begin = follow(table[entry + 1]);
    }
  }
  for (int index = 0; index < 2; index++) {
    doors[6 + index].size = 240;
    doors[6 + index].begin = (uintptr_t)dlsym(RTLD_DEFAULT, functions[index]);
  }
}

static bool is_door(const void *address) {
  for (int index = 0; index < 8; index++) {
    uintptr_t begin = atomic_load_explicit(&doors[index].begin, memory_order_relaxed);
    if (begin != 0 && (uintptr_t)address - begin < doors[index].size) return true;
  }
  return false;
}

static caller who_else(
  interleaving_seat *seat, const void *address, void **const *frame, uintptr_t *place);

/// - Parameters:
///   - address: Where the call returns to.
///   - frame: The frame that was called; it begins with who called it.
///   - place: Receives where the scenario's code calls.
static inline caller who(const void *address, void **const *frame, uintptr_t *place) {
  interleaving_seat *seat = interleaving_seat_of_thread;
  if (seat == NULL) return NOBODY;
  return is_concurrency(address) ? ORDERS : who_else(seat, address, frame, place);
}

static __attribute__((noinline)) caller who_else(
  interleaving_seat *seat, const void *address, void **const *frame, uintptr_t *place) {
  if (!seat->is_watching && !seat->is_in_scenario) return NOBODY;
  switch (image_of(address)) {
  case FOUNDATION_IMAGE:
    if (!is_door(address) || image_of(frame[0][1]) != OWN_IMAGE) return ORDERS;
    address = frame[0][1];
    break;
  case OWN_IMAGE: break;
  default: return NOBODY;
  }
  if (!seat->is_in_scenario) return NOBODY;
  *place = place_of(address);
  return SCENARIO;
}

#define WHO who(__builtin_return_address(0), __builtin_frame_address(0), &place)

static void acquire(const void *lock) {
  interleaving_seat *seat = interleaving_seat_of_thread;
  if (seat->is_watching) interleaving_acquire(seat->watch, (uintptr_t)lock);
}

static void release(const void *lock) {
  interleaving_seat *seat = interleaving_seat_of_thread;
  if (seat->is_watching) interleaving_release(seat->watch, (uintptr_t)lock);
}

static bool ask(int operation, const void *lock, uintptr_t place) {
  interleaving_seat *seat = interleaving_seat_of_thread;
  if (code_of_thread.held_count > 0) notice_unlocks(seat);
  return operate(seat, operation, lock, place);
}

// MARK: Mutexes

#if defined(SANITIZED)
#define SCENARIOS(caller) false
#else
#define SCENARIOS(caller) (caller == SCENARIO)
#endif

/// Whether its holder may lock it again.
static bool is_recursive(const pthread_mutex_t *mutex) {
  return (mutex->__data.__kind & 3) == PTHREAD_MUTEX_RECURSIVE;
}

static int count_statuses(void) {
  code_state *code = &code_of_thread;
  int count = 0;
  for (int index = 0; index < code->library_lock_count; index++) count += code->library_locks[index].is_status;
  return count;
}

bool holds_status(void) { return count_statuses() > 0; }

/// What it means for a scenario that the runtime takes one of its locks; −1 if nothing.
static int meaning_of(const interleaving_seat *seat, const pthread_mutex_t *mutex, const void *caller) {
  const code_state *code = &code_of_thread;
  if (code->setting_up > 0 || !is_concurrency(caller) || image_of(mutex) == CONCURRENCY_IMAGE) return -1;
  if (is_recursive(mutex)) {
    return seat->has_groups && code->library_lock_count == 0 ? interleaving_use_status : -1;
  }
  // Who is cancelled while it waits for a stream ends that, with its status locked.
  if (code->library_lock_count > count_statuses()) return -1;
  // When a group is asked for the next of what its tasks have come to, nobody can see.
  return (uintptr_t)caller - next_of_group < next_of_group_size ? -1 : interleaving_use_runtime;
}

static void hold(const pthread_mutex_t *mutex, bool is_told) {
  code_state *code = &code_of_thread;
  if (code->library_lock_count == 16) return;
  code->library_locks[code->library_lock_count].lock = mutex;
  code->library_locks[code->library_lock_count].is_status = is_recursive(mutex);
  code->library_locks[code->library_lock_count++].is_told = is_told;
}

/// Lets go of a lock; returns whether the explorer knows that it is held.
static bool let_go(const pthread_mutex_t *mutex) {
  code_state *code = &code_of_thread;
  for (int index = code->library_lock_count - 1; index >= 0; index--) {
    if (code->library_locks[index].lock != mutex) continue;
    bool is_told = code->library_locks[index].is_told;
    code->library_lock_count--;
    for (int next = index; next < code->library_lock_count; next++) {
      code->library_locks[next] = code->library_locks[next + 1];
    }
    return is_told;
  }
  return false;
}

// A library locks for itself. Who holds the lock may wait for its turn meanwhile.
static int lock_in_library(pthread_mutex_t *mutex, const void *caller) {
  interleaving_seat *seat = seat_in_scenario();
  if (seat == NULL) return real_pthread_mutex_lock()(mutex);
  code_state *code = &code_of_thread;
  if (code->held_count > 0) notice_unlocks(seat);
  int meaning = meaning_of(seat, mutex, caller);
  if (meaning >= 0) operate(seat, meaning, mutex, 0);
  bool is_told = false;
  int result = real_pthread_mutex_trylock()(mutex);
  if (result == EBUSY) {
    is_told = operate(seat, interleaving_await_lock, mutex, 0);
    result = real_pthread_mutex_lock()(mutex);
  }
  hold(mutex, is_told);
  return result;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  uintptr_t place;
  caller caller = WHO;
  if (SCENARIOS(caller)) {
    ask(is_recursive(mutex) ? interleaving_lock_again : interleaving_lock, mutex, place);
  }
  int result = caller == ORDERS ? lock_in_library(mutex, __builtin_return_address(0))
                                : real_pthread_mutex_lock()(mutex);
  if (caller != NOBODY) acquire(mutex);
  return result;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  uintptr_t place;
  caller caller = WHO;
  if (SCENARIOS(caller)) ask(interleaving_unlock, mutex, place);
  if (caller != NOBODY) release(mutex);
  if (caller == ORDERS && let_go(mutex)) {
    interleaving_seat *seat = seat_in_scenario();
    if (seat != NULL) operate(seat, interleaving_release_lock, mutex, 0);
  }
  return real_pthread_mutex_unlock()(mutex);
}

// A lock is new, or is no more. The runtime's own are not told of: it may be in the midst of what it is asked for then.
static __attribute__((noinline)) void make(
  interleaving_seat *seat, const void *lock, bool is_new, const void *caller) {
  if (seat->is_watching) interleaving_forget(seat->watch, (uintptr_t)lock);
  image image = image_of(caller);
  if (image == OWN_IMAGE || image == FOUNDATION_IMAGE) make_lock(seat, lock, is_new);
}
#define MAKE(lock, is_new) \
  do { \
    interleaving_seat *seat = interleaving_seat_of_thread; \
    if (seat != NULL) make(seat, lock, is_new, __builtin_return_address(0)); \
  } while (0)

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes) {
  MAKE(mutex, true);
  return real_pthread_mutex_init()(mutex, attributes);
}

#if !defined(SANITIZED)
// Whatever has the address of one of these next is another.
#define DESTROY(name, type) \
  REAL_OF(VERSION_##name, int, name, type *) \
  int name(type *lock) { \
    MAKE(lock, false); \
    return real_##name()(lock); \
  }
#define VERSION_pthread_mutex_destroy NULL
#define VERSION_pthread_rwlock_destroy NULL
#define VERSION_pthread_cond_destroy NEWER
DESTROY(pthread_mutex_destroy, pthread_mutex_t)
DESTROY(pthread_rwlock_destroy, pthread_rwlock_t)
DESTROY(pthread_cond_destroy, pthread_cond_t)

REAL(int, pthread_rwlock_init, pthread_rwlock_t *, const pthread_rwlockattr_t *)
int pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes) {
  MAKE(lock, true);
  return real_pthread_rwlock_init()(lock, attributes);
}

REAL_OF(NEWER, int, pthread_cond_init, pthread_cond_t *, const pthread_condattr_t *)
int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes) {
  MAKE(condition, true);
  return real_pthread_cond_init()(condition, attributes);
}

int pthread_mutex_trylock(pthread_mutex_t *mutex) {
  uintptr_t place;
  caller caller = WHO;
  if (caller == SCENARIO
      && !ask(is_recursive(mutex) ? interleaving_try_lock_again : interleaving_try_lock, mutex, place)) {
    return EBUSY;
  }
  int result = real_pthread_mutex_trylock()(mutex);
  if (caller != NOBODY && result == 0) acquire(mutex);
  if (caller == ORDERS && result == 0 && seat_in_scenario() != NULL) hold(mutex, false);
  return result;
}

// MARK: Conditions

static bool wait_in_scenario(
  pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t nanoseconds, uintptr_t place) {
  interleaving_seat *seat = interleaving_seat_of_thread;
  if (code_of_thread.held_count > 0) notice_unlocks(seat);
  release(mutex);
  real_pthread_mutex_unlock()(mutex);
  bool is_woken = wait_for(seat, condition, mutex, nanoseconds, place);
  real_pthread_mutex_lock()(mutex);
  acquire(mutex);
  return is_woken;
}

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  uintptr_t place;
  caller caller = WHO;
  if (caller == SCENARIO) {
    wait_in_scenario(condition, mutex, -1, place);
    return 0;
  }
  if (caller == ORDERS) release(mutex);
  int result = real_pthread_cond_wait()(condition, mutex);
  if (caller == ORDERS) acquire(mutex);
  return result;
}

int pthread_cond_timedwait(
  pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *end) {
  uintptr_t place;
  caller caller = WHO;
  if (caller == SCENARIO) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    int64_t left = (end->tv_sec - now.tv_sec) * 1000000000 + (end->tv_nsec - now.tv_nsec);
    return wait_in_scenario(condition, mutex, left > 0 ? left : 0, place) ? 0 : ETIMEDOUT;
  }
  if (caller == ORDERS) release(mutex);
  int result = real_pthread_cond_timedwait()(condition, mutex, end);
  if (caller == ORDERS) acquire(mutex);
  return result;
}

int pthread_cond_signal(pthread_cond_t *condition) {
  uintptr_t place;
  if (WHO == SCENARIO) ask(interleaving_wake_one, condition, place);
  return real_pthread_cond_signal()(condition);
}

int pthread_cond_broadcast(pthread_cond_t *condition) {
  uintptr_t place;
  if (WHO == SCENARIO) ask(interleaving_wake_all, condition, place);
  return real_pthread_cond_broadcast()(condition);
}

// MARK: Readers and a writer

// What readers release only a writer acquires: readers are not ordered by one another.
static const void *readers(const pthread_rwlock_t *lock) { return (const char *)lock + 1; }

int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
  uintptr_t place;
  caller caller = WHO;
  if (caller == SCENARIO) ask(interleaving_lock_to_read, lock, place);
  int result = real_pthread_rwlock_rdlock()(lock);
  if (caller != NOBODY) acquire(lock);
  return result;
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
  uintptr_t place;
  caller caller = WHO;
  if (caller == SCENARIO) ask(interleaving_lock_to_write, lock, place);
  int result = real_pthread_rwlock_wrlock()(lock);
  if (caller != NOBODY) acquire(lock), acquire(readers(lock));
  return result;
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) {
  uintptr_t place;
  caller caller = WHO;
  if (caller == SCENARIO && !ask(interleaving_try_lock_to_read, lock, place)) return EBUSY;
  int result = real_pthread_rwlock_tryrdlock()(lock);
  if (caller != NOBODY && result == 0) acquire(lock);
  return result;
}

int pthread_rwlock_trywrlock(pthread_rwlock_t *lock) {
  uintptr_t place;
  caller caller = WHO;
  if (caller == SCENARIO && !ask(interleaving_try_lock_to_write, lock, place)) return EBUSY;
  int result = real_pthread_rwlock_trywrlock()(lock);
  if (caller != NOBODY && result == 0) acquire(lock), acquire(readers(lock));
  return result;
}

int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
  uintptr_t place;
  caller caller = WHO;
  bool is_writer = lock->__data.__cur_writer != 0;
  if (caller == SCENARIO) ask(interleaving_unlock_shared, lock, place);
  if (caller != NOBODY) release(is_writer ? lock : readers(lock));
  return real_pthread_rwlock_unlock()(lock);
}

// MARK: Once

// While something is set up, nobody else goes on: it is set up once in a process, so that only its first execution
// could tell.
typedef struct {
  void (*body)(void *);
  void *context;
  const void *token;
} once;

static void set_up(once *once) {
  code_state *code = &code_of_thread;
  code->setting_up++;
  once->body(once->context);
  code->setting_up--;
  release(once->token);
}

REAL(void, swift_once, void *, void (*)(void *), void *)
void swift_once(void *token, void (*body)(void *), void *context) {
  interleaving_seat *seat = interleaving_seat_of_thread;
  if (seat == NULL) return real_swift_once()(token, body, context);
  once once = {body, context, token};
  real_swift_once()(token, (void (*)(void *))set_up, &once);
  acquire(token);
}

REAL(int, pthread_once, pthread_once_t *, void (*)(void))
static _Thread_local once *setting_up;
static void set_up_with_pthreads(void) {
  once *once = setting_up;
  set_up(once);
}
static void call_without_context(void *body) { ((void (*)(void))body)(); }
int pthread_once(pthread_once_t *token, void (*body)(void)) {
  if (interleaving_seat_of_thread == NULL) return real_pthread_once()(token, body);
  once once = {call_without_context, (void *)body, token}, *before = setting_up;
  setting_up = &once;
  int result = real_pthread_once()(token, set_up_with_pthreads);
  setting_up = before;
  acquire(token);
  return result;
}
#endif

#else
bool holds_status(void) { return false; }
#endif
