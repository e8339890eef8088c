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
#include <stdlib.h>
#include <time.h>

// The real functions, or the sanitizer's own.
#if defined(SANITIZED)
#undef REAL
#define REAL(result, name, ...) \
  result __interceptor_##name(__VA_ARGS__); \
  static inline result (*real_##name(void))(__VA_ARGS__) { return __interceptor_##name; }
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
REAL(int, pthread_mutex_timedlock, pthread_mutex_t *, const struct timespec *)
REAL(int, pthread_mutex_clocklock, pthread_mutex_t *, clockid_t, const struct timespec *)
REAL(int, pthread_cond_clockwait, pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *)
REAL(int, pthread_rwlock_timedrdlock, pthread_rwlock_t *, const struct timespec *)
REAL(int, pthread_rwlock_timedwrlock, pthread_rwlock_t *, const struct timespec *)
#endif

// MARK: Who calls

typedef enum { NOBODY, ORDERS, SCENARIO } caller;

// The functions of Foundation's through which a scenario's code locks that do not end in the call of libc's: the
// witnesses of its locks, a try, what waits for a time, and all of NSConditionLock, which uses a condition.
typedef struct {
  _Atomic(uintptr_t) begin;
  uintptr_t size;
} door;
enum { witness_count = 6, function_count = 11 };
static door doors[witness_count + function_count];

/// Locks for a time, once a try has failed.
static const door *const door_of_timed_locks = &doors[witness_count];

/// Where a function goes that does no more than go elsewhere, within so many bytes.
static uintptr_t follow(uintptr_t function, int size) {
#if defined(__x86_64__)
  const uint8_t *code = (const uint8_t *)function;
  enum { pop_frame = 0x5d, jump = 0xe9 };
  for (int index = 0; index < size; index++) {
    if (code[index] != jump || (index >= 12 && code[index - 1] != pop_frame)) continue;
    int32_t distance;
    __builtin_memcpy(&distance, code + index + 1, sizeof distance);
    return function + (uintptr_t)index + 5 + (uintptr_t)(intptr_t)distance;
  }
#elif defined(__aarch64__)
  const uint32_t *code = (const uint32_t *)function;
  for (int index = 0; index < size / 4; index++) {
    if (code[index] >> 26 != 5) continue;
    return function + 4 * (uintptr_t)index + (uintptr_t)((intptr_t)(int32_t)(code[index] << 6) >> 4);
  }
#endif
  return function;
}

/// Where a group is asked for what the next of its tasks has come to.
static uintptr_t next_of_group, next_of_group_size;

static uintptr_t find_function(const char *name, uintptr_t *size) {
  Dl_info info;
  ElfW(Sym) *symbol;
  void *function = dlsym(RTLD_DEFAULT, name);
  if (function != NULL && dladdr1(function, &info, (void **)&symbol, RTLD_DL_SYMENT) != 0) *size = symbol->st_size;
  return (uintptr_t)function;
}

void find_doors(void) {
  next_of_group = find_function("swift_taskGroup_wait_next_throwing", &next_of_group_size);
  static const char *const witnesses[] = {
    "$s10Foundation6NSLockCAA9NSLockingAAWP", "$s10Foundation15NSRecursiveLockCAA9NSLockingAAWP",
    "$s10Foundation11NSConditionCAA9NSLockingAAWP"};
#define OF_CONDITION_LOCK(name) "$s10Foundation15NSConditionLockC" name
  static const char *const functions[function_count] = {
    "$s10Foundation6NSLockC4lock6beforeSb0A10Essentials4DateV_tF", "$s10Foundation15NSRecursiveLockC3trySbyF",
    "$s10Foundation11NSConditionC4wait5untilSb0A10Essentials4DateV_tF", OF_CONDITION_LOCK("4lockyyF"),
    OF_CONDITION_LOCK("4lock13whenConditionySi_tF"), OF_CONDITION_LOCK("3trySbyF"),
    OF_CONDITION_LOCK("03tryC013whenConditionSbSi_tF"), OF_CONDITION_LOCK("6unlockyyF"),
    OF_CONDITION_LOCK("6unlock13withConditionySi_tF"),
    OF_CONDITION_LOCK("4lock6beforeSb0A10Essentials4DateV_tF"),
    OF_CONDITION_LOCK("4lock13whenCondition6beforeSbSi_0A10Essentials4DateVtF")};
  for (int index = 0; index < witness_count / 2; index++) {
    // A description, and then `lock` and `unlock`, each of which asks the class.
    const uintptr_t *table = dlsym(RTLD_DEFAULT, witnesses[index]);
    for (int entry = 0; table != NULL && entry < 2; entry++) {
      doors[2 * index + entry].size = 32;
      doors[2 * index + entry].begin = follow(table[entry + 1], 12);
    }
  }
  for (int index = 0; index < function_count; index++) {
    door *door = &doors[witness_count + index];
    uintptr_t function = find_function(functions[index], &door->size);
    if (index == 0 && function != 0) {
      // What NSLock does, NSRecursiveLock does, too; they share the function that does it.
      door->size = 114;
      function = follow(follow(function, 48), 48);
    }
    door->begin = function;
  }
}

static bool is_in(const door *door, const void *address) {
  uintptr_t begin = atomic_load_explicit(&door->begin, memory_order_relaxed);
  return begin != 0 && (uintptr_t)address - begin < door->size;
}

static bool is_door(const void *address) {
  for (int index = 0; index < witness_count + function_count; index++) {
    if (is_in(&doors[index], address)) return true;
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
    if (!is_door(address)) return ORDERS;
    // A door may lead to another.
    if (is_door(frame[0][1])) frame = (void **const *)frame[0];
    if (image_of(frame[0][1]) != OWN_IMAGE) return ORDERS;
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
  notice_unlocks(seat);
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
  for (int index = 0; index < code->library_locks.count; index++) count += code->library_locks.items[index].is_status;
  return count;
}

bool holds_status(void) { return count_statuses() > 0; }

/// What it means for a scenario that the runtime takes one of its locks; −1 if nothing.
static int meaning_of(const interleaving_seat *seat, const pthread_mutex_t *mutex, const void *caller) {
  const code_state *code = &code_of_thread;
  if (code->setting_up > 0 || !is_concurrency(caller) || image_of(mutex) == CONCURRENCY_IMAGE) return -1;
  if (is_recursive(mutex)) {
    return seat->has_groups && code->library_locks.count == 0 ? interleaving_use_status : -1;
  }
  // Who is cancelled while it waits for a stream ends that, with its status locked.
  if (code->library_locks.count > count_statuses()) return -1;
  // When a group is asked for the next of what its tasks have come to, nobody can see.
  return (uintptr_t)caller - next_of_group < next_of_group_size ? -1 : interleaving_use_runtime;
}

static void hold(const void *lock, bool is_status, bool is_told) {
  APPEND(code_of_thread.library_locks, (library_lock){lock, is_told, is_status});
}

/// Lets go of a lock; returns whether the explorer knows that it is held.
static bool let_go(const void *lock) {
  code_state *code = &code_of_thread;
  for (int index = code->library_locks.count - 1; index >= 0; index--) {
    library_lock held = code->library_locks.items[index];
    if (held.lock != lock) continue;
    REMOVE(code->library_locks, index);
    return held.is_told;
  }
  return false;
}

// A library locks for itself. Who holds the lock may wait for its turn meanwhile.
static int lock_in_library(pthread_mutex_t *mutex, const void *caller) {
  interleaving_seat *seat = seat_in_scenario();
  if (seat == NULL) return real_pthread_mutex_lock()(mutex);
  code_state *code = &code_of_thread;
  notice_unlocks(seat);
  int meaning = meaning_of(seat, mutex, caller);
  if (meaning >= 0) operate(seat, meaning, mutex, 0);
  bool is_told = false;
  int result = real_pthread_mutex_trylock()(mutex);
  if (result == EBUSY) {
    is_told = operate(seat, interleaving_await_lock, mutex, 0);
    result = real_pthread_mutex_lock()(mutex);
  } else if (seat->tells_statuses && is_recursive(mutex)) {
    operate(seat, interleaving_pass_status, mutex, 0);
  }
  hold(mutex, is_recursive(mutex), is_told);
  return result;
}

// A thread that takes part in no exploration has only this to do. Another's call goes on as if this had not been called,
// so that it is seen where it comes from.
#define ON_SEAT(name) \
  static int name##_on_seat(pthread_mutex_t *mutex); \
  int name(pthread_mutex_t *mutex) { \
    if (interleaving_seat_of_thread == NULL) return real_##name()(mutex); \
    __attribute__((musttail)) return name##_on_seat(mutex); \
  } \
  static __attribute__((noinline)) int name##_on_seat(pthread_mutex_t *mutex)

ON_SEAT(pthread_mutex_lock) {
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

ON_SEAT(pthread_mutex_unlock) {
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

ON_SEAT(pthread_mutex_trylock) {
  uintptr_t place;
  caller caller = WHO;
  // What follows locks for a time.
  if (caller == SCENARIO && is_in(door_of_timed_locks, __builtin_return_address(0))) return EBUSY;
  if (caller == SCENARIO
      && !ask(is_recursive(mutex) ? interleaving_try_lock_again : interleaving_try_lock, mutex, place)) {
    return EBUSY;
  }
  int result = real_pthread_mutex_trylock()(mutex);
  if (caller != NOBODY && result == 0) acquire(mutex);
  if (caller == ORDERS && result == 0 && seat_in_scenario() != NULL) hold(mutex, is_recursive(mutex), false);
  return result;
}

static bool lock_until(
  int operation, const void *lock, clockid_t clock, const struct timespec *end, uintptr_t place) {
  interleaving_seat *seat = interleaving_seat_of_thread;
  notice_unlocks(seat);
  int64_t left = time_left(seat, clock, end);
  return operate_for_a_time(seat, operation, lock, NULL, left, place);
}

static int lock_mutex_until(
  pthread_mutex_t *mutex, clockid_t clock, const struct timespec *end, uintptr_t place) {
  int operation = is_recursive(mutex) ? interleaving_lock_again : interleaving_lock;
  if (!lock_until(operation, mutex, clock, end, place)) return ETIMEDOUT;
  int result = real_pthread_mutex_lock()(mutex);
  acquire(mutex);
  return result;
}

int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *end) {
  uintptr_t place;
  if (WHO == SCENARIO) return lock_mutex_until(mutex, CLOCK_REALTIME, end, place);
  return real_pthread_mutex_timedlock()(mutex, end);
}

int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *end) {
  uintptr_t place;
  if (WHO == SCENARIO) return lock_mutex_until(mutex, clock, end, place);
  return real_pthread_mutex_clocklock()(mutex, clock, end);
}

// MARK: Conditions

static bool wait_in_scenario(
  pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t nanoseconds, uintptr_t place) {
  interleaving_seat *seat = interleaving_seat_of_thread;
  notice_unlocks(seat);
  release(mutex);
  real_pthread_mutex_unlock()(mutex);
  bool is_woken = operate_for_a_time(seat, interleaving_wait, condition, mutex, nanoseconds, place);
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

static int wait_until(
  pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *end, uintptr_t place) {
  int64_t left = time_left(interleaving_seat_of_thread, clock, end);
  return wait_in_scenario(condition, mutex, left, place) ? 0 : ETIMEDOUT;
}

int pthread_cond_timedwait(
  pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *end) {
  enum { is_monotonic = 2 }; // of the condition's attributes
  uintptr_t place;
  caller caller = WHO;
  if (caller == SCENARIO) {
    clockid_t clock = (condition->__data.__wrefs & is_monotonic) != 0 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
    return wait_until(condition, mutex, clock, end, place);
  }
  if (caller == ORDERS) release(mutex);
  int result = real_pthread_cond_timedwait()(condition, mutex, end);
  if (caller == ORDERS) acquire(mutex);
  return result;
}

int pthread_cond_clockwait(
  pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *end) {
  uintptr_t place;
  if (WHO == SCENARIO) return wait_until(condition, mutex, clock, end, place);
  return real_pthread_cond_clockwait()(condition, mutex, clock, end);
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

int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *end) {
  uintptr_t place;
  caller caller = WHO;
  bool is_scenarios = caller == SCENARIO;
  if (is_scenarios && !lock_until(interleaving_lock_to_read, lock, CLOCK_REALTIME, end, place)) return ETIMEDOUT;
  int result = is_scenarios ? real_pthread_rwlock_rdlock()(lock) : real_pthread_rwlock_timedrdlock()(lock, end);
  if (caller != NOBODY && result == 0) acquire(lock);
  return result;
}

int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *end) {
  uintptr_t place;
  caller caller = WHO;
  bool is_scenarios = caller == SCENARIO;
  if (is_scenarios && !lock_until(interleaving_lock_to_write, lock, CLOCK_REALTIME, end, place)) return ETIMEDOUT;
  int result = is_scenarios ? real_pthread_rwlock_wrlock()(lock) : real_pthread_rwlock_timedwrlock()(lock, end);
  if (caller != NOBODY && result == 0) acquire(lock), acquire(readers(lock));
  return result;
}

// MARK: Once

// While something is set up, nobody else goes on: it is set up once in a process, so that only its first execution
// could tell. But what sets it up may itself wait for others. Then these may ask for it, too, and wait until it is there.
typedef struct {
  void (*body)(void *);
  void *context;
  const void *token;
  bool is_set_up;
} once;

typedef struct {
  const void *token;
  const interleaving_seat *seat;
} set_up_now;

/// What scenarios set up at this moment, and how much that is, for those who do not take the mutex.
static LIST(set_up_now) set_ups;
static _Atomic int set_up_count;
static pthread_mutex_t set_up_mutex = PTHREAD_MUTEX_INITIALIZER;

/// Looks for what is set up, and notes one more, or one less.
static bool note_set_up(const void *token, const interleaving_seat *seat, int change) {
  bool is_known = false;
  real_pthread_mutex_lock()(&set_up_mutex);
  int index = 0;
  for (; index < set_ups.count && !is_known; index++) {
    is_known = set_ups.items[index].token == token && set_ups.items[index].seat == seat;
  }
  if (change > 0) APPEND(set_ups, (set_up_now){token, seat});
  else if (change < 0 && is_known) REMOVE(set_ups, index - 1);
  atomic_store(&set_up_count, set_ups.count);
  real_pthread_mutex_unlock()(&set_up_mutex);
  return is_known;
}

static void set_up(once *once) {
  code_state *code = &code_of_thread;
  interleaving_seat *seat = seat_in_scenario();
  if (seat != NULL) {
    note_set_up(once->token, seat, 1);
    hold(once->token, false, false);
  }
  code->setting_up++;
  once->body(once->context);
  code->setting_up--;
  release(once->token);
  once->is_set_up = seat != NULL;
  if (seat == NULL) return;
  // Until it is unlocked, others that ask for it have to wait.
  if (let_go(once->token)) operate(seat, interleaving_release_lock, once->token, 0);
  note_set_up(once->token, seat, -1);
}

/// Waits for another strand that sets up the same, and waits for its turn.
static void await_set_up(const void *token) {
  interleaving_seat *seat = seat_in_scenario();
  if (seat == NULL || atomic_load_explicit(&set_up_count, memory_order_relaxed) == 0) return;
  if (note_set_up(token, seat, 0) && operate(seat, interleaving_await_lock, token, 0)) {
    operate(seat, interleaving_release_lock, token, 0);
  }
}

static void keep_set_up(interleaving_seat *seat, void *token, const void *body) {
  if (seat->set_up_count == seat->set_up_capacity) {
    int32_t capacity = 2 * seat->set_up_capacity + 8;
    interleaving_set_up *more = realloc(seat->set_ups, (size_t)capacity * sizeof(interleaving_set_up));
    if (more == NULL) return;
    seat->set_ups = more;
    seat->set_up_capacity = capacity;
  }
  seat->set_ups[seat->set_up_count++] = (interleaving_set_up){token, place_of(body) + 1};
}

REAL(void, swift_once, void *, void (*)(void *), void *)
void swift_once(void *token, void (*body)(void *), void *context) {
  interleaving_seat *seat = interleaving_seat_of_thread;
  if (seat == NULL) return real_swift_once()(token, body, context);
  await_set_up(token);
  once once = {.body = body, .context = context, .token = token};
  real_swift_once()(token, (void (*)(void *))set_up, &once);
  if (once.is_set_up && seat->keeps_set_ups && image_of((void *)body) == OWN_IMAGE) keep_set_up(seat, token, (void *)body);
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
  await_set_up(token);
  once once = {.body = call_without_context, .context = (void *)body, .token = token}, *before = setting_up;
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
