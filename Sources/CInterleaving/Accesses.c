#define _GNU_SOURCE
#include "Libraries.h"
#include "Lifetimes.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

// What code calls that is compiled with `-sanitize=thread`: each load, store and `inout` access. Where the sanitizer
// is linked, too, these functions are its own.

#if !defined(SANITIZED)

/// Whether a use of memory is to be told further.
static bool is_told(interleaving_seat *seat, uintptr_t address) {
  code_state *code = &code_of_thread;
  notice_unlocks(seat);
  code->untold.address = 0;
  if (!seat->is_watching || code->ignoring > 0) return false;
  if (address >= code->stack_top || address < (uintptr_t)__builtin_frame_address(0)) return true;
  if (address < code->stack_bottom) code->stack_bottom = address;
  return !code->is_alone;
}

static void reach_point(
  interleaving_seat *seat, const volatile void *memory, bool is_write, uintptr_t place) {
  if (!watch_is_point(seat->watch, place) || code_of_thread.setting_up > 0) return;
  interleaving_set_in_scenario(seat, false);
  calls_of_code->access(seat->receiver, (const void *)memory, place, is_write);
  interleaving_set_in_scenario(seat, true);
}

static void reach(
  interleaving_seat *seat, const volatile void *memory, size_t size, bool is_write, uintptr_t place) {
  reach_point(seat, memory, is_write, place);
  watch_memory(seat->watch, (uintptr_t)memory, size, is_write, place);
}

// Apart, so that the return address of who calls it is that of the code.
static __attribute__((noinline)) void tell(
  const volatile void *memory, interleaving_seat *seat, size_t size, bool is_write, const void *caller) {
  code_state *code = &code_of_thread;
  uintptr_t address = (uintptr_t)memory;
  if (is_write && code->ends.count > 0) note_write_of_end(seat, address);
  if (!is_told(seat, address)) return;
  uintptr_t place = place_of(caller);
  for (int index = code->beginnings.count - 1; index >= 0; index--) {
    if (code->beginnings.items[index].address != address) continue;
    end_beginning(seat, index, interleaving_nothing, place);
  }
  reach(seat, memory, size, is_write, place);
}

// An `inout` access begins, of what size is not said. It is a write; whether it is a point depends on what follows.
static __attribute__((noinline)) void tell_beginning(
  const volatile void *memory, interleaving_seat *seat, const void *caller) {
  if (code_of_thread.ends.count > 0) note_write_of_end(seat, (uintptr_t)memory);
  if (code_of_thread.changing.identity != 0) note_change(seat, caller);
  if (!is_told(seat, (uintptr_t)memory)) return;
  uintptr_t place = place_of(caller);
  reach(seat, memory, 1, true, place);
  APPEND(code_of_thread.beginnings, (place_of_use){(uintptr_t)memory, place});
}

// Who loads eight bytes may be about to call a method of a library's.
static __attribute__((noinline)) void tell_of_word(void *memory, interleaving_seat *seat, const void *caller) {
  tell(memory, seat, 8, false, caller);
  if (seat->is_watching) note_load(seat, (uintptr_t)memory, caller);
}

#define TELL(memory, size, is_write) \
  do { \
    interleaving_seat *seat = seat_in_scenario(); \
    if (seat != NULL) tell(memory, seat, size, is_write, __builtin_return_address(0)); \
  } while (0)

#define ACCESSES(size) \
  void __tsan_write##size(void *memory) { TELL(memory, size, true); } \
  void __tsan_unaligned_read##size(void *memory) { TELL(memory, size, false); } \
  void __tsan_unaligned_write##size(void *memory) { TELL(memory, size, true); } \
  void __tsan_volatile_read##size(void *memory) { TELL(memory, size, false); } \
  void __tsan_volatile_write##size(void *memory) { TELL(memory, size, true); } \
  void __tsan_unaligned_volatile_read##size(void *memory) { TELL(memory, size, false); } \
  void __tsan_unaligned_volatile_write##size(void *memory) { TELL(memory, size, true); } \
  void __tsan_read_write##size(void *memory) { \
    TELL(memory, size, false); \
    TELL(memory, size, true); \
  } \
  void __tsan_unaligned_read_write##size(void *memory) { \
    TELL(memory, size, false); \
    TELL(memory, size, true); \
  }

ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

#define READ(size) \
  void __tsan_read##size(void *memory) { TELL(memory, size, false); }
READ(1)
READ(2)
READ(4)
READ(16)
void __tsan_read8(void *memory) {
  interleaving_seat *seat = seat_in_scenario();
  if (seat != NULL) tell_of_word(memory, seat, __builtin_return_address(0));
}

void __tsan_init(void) {}
void __tsan_func_entry(void *caller) {
  interleaving_seat *seat = seat_in_scenario();
  if (seat == NULL) return;
  watch_meet_call(
    seat->watch, (interleaving_call){(uintptr_t)caller, (uintptr_t)__builtin_return_address(0)});
}
void __tsan_func_exit(void) {}
void __tsan_vptr_read(void **memory) { TELL(memory, sizeof *memory, false); }
void __tsan_vptr_update(void **memory, void *value) {
  (void)value;
  TELL(memory, sizeof *memory, true);
}
void __tsan_read_range(void *memory, size_t size) { TELL(memory, size, false); }
void __tsan_write_range(void *memory, size_t size) { TELL(memory, size, true); }

void __tsan_external_write(void *memory, void *caller, void *tag) {
  (void)caller, (void)tag;
  interleaving_seat *seat = seat_in_scenario();
  if (seat != NULL) tell_beginning(memory, seat, __builtin_return_address(0));
}
void __tsan_external_read(void *memory, void *caller, void *tag) {
  (void)caller, (void)tag;
  TELL(memory, 1, false);
}

void *__tsan_memcpy(void *to, const void *from, size_t size) {
  TELL(from, size, false);
  TELL(to, size, true);
  return memcpy(to, from, size);
}
void *__tsan_memmove(void *to, const void *from, size_t size) {
  TELL(from, size, false);
  TELL(to, size, true);
  return memmove(to, from, size);
}
void *__tsan_memset(void *memory, int byte, size_t size) {
  TELL(memory, size, true);
  return memset(memory, byte, size);
}

// What runs in a `deinit` comes after all other uses, by a count of references that nobody tells of.
void __tsan_ignore_thread_begin(void) {
  if (seat_in_scenario() != NULL) code_of_thread.ignoring++;
}
void __tsan_ignore_thread_end(void) {
  if (code_of_thread.ignoring > 0) code_of_thread.ignoring--;
}

// What is copied or assigned by a function that several modules bring along, as the value of `queue.sync { photos }` in
// debug, is loaded or stored without a word. But the beginning of an access of a property or a global is told, to keep
// accesses exclusive. If one ends, and nothing was told since it began, it stands for that load or store. Other code than
// the program's stores, too, of which only the loads are taken: nobody says what orders its stores.
#if defined(__linux__)
typedef void (*begin_access)(void *memory, void *buffer, uintptr_t flags, void *pc);
typedef void (*end_access)(void *buffer);
static void find_begin_access(void *memory, void *buffer, uintptr_t flags, void *pc);
static void find_end_access(void *buffer);
static _Atomic(begin_access) real_begin_access = find_begin_access;
static _Atomic(end_access) real_end_access = find_end_access;
static void find_begin_access(void *memory, void *buffer, uintptr_t flags, void *pc) {
  begin_access real = (begin_access)dlsym(RTLD_NEXT, "swift_beginAccess");
  real_begin_access = real;
  real(memory, buffer, flags, pc);
}
static void find_end_access(void *buffer) {
  end_access real = (end_access)dlsym(RTLD_NEXT, "swift_endAccess");
  real_end_access = real;
  real(buffer);
}

/// Whether what calls is instrumented: then it has told that it was called itself.
static bool is_instrumented(const interleaving_seat *seat, uintptr_t place, const void *caller) {
  enum { size = 1024 };
  static _Atomic(uintptr_t) known[size];
  if (place == 0) return false;
  _Atomic(uintptr_t) *entry = &known[hash(place) % size];
  uintptr_t found = atomic_load_explicit(entry, memory_order_relaxed);
  if (found >> 1 != place) {
    uintptr_t offset = 0, address = (uintptr_t)caller;
    bool is_told = interleaving_symbol(place, &offset) != NULL && watch_has_met(seat->watch, address - offset, address);
    found = place << 1 | is_told;
    atomic_store_explicit(entry, found, memory_order_relaxed);
  }
  return (found & 1) != 0;
}

// Apart, so that all others go straight on.
static __attribute__((noinline)) void begin_watched(
  void *memory, void *buffer, uintptr_t flags, void *pc, interleaving_seat *seat, const void *caller) {
  uintptr_t address = (uintptr_t)memory;
  bool is_told_of = is_told(seat, address), is_write = (flags & 1) != 0;
  // A library has no place, and of it only the loads are taken.
  uintptr_t place = is_told_of ? place_of(caller) : 0;
  if (is_told_of && (!is_write || is_instrumented(seat, place, caller))) {
    reach_point(seat, memory, is_write, place);
    code_of_thread.untold.address = address;
    code_of_thread.untold.place = place;
    code_of_thread.untold.buffer = buffer;
    code_of_thread.untold.is_write = is_write;
  }
  atomic_load_explicit(&real_begin_access, memory_order_relaxed)(memory, buffer, flags, pc);
}

static __attribute__((noinline)) void end_untold(interleaving_seat *seat) {
  uintptr_t address = code_of_thread.untold.address;
  if (is_told(seat, address)) {
    watch_memory(seat->watch, address, 1, code_of_thread.untold.is_write, code_of_thread.untold.place);
  }
}

void swift_beginAccess(void *memory, void *buffer, uintptr_t flags, void *pc) {
  interleaving_seat *seat = seat_in_scenario();
  // A `deinit` stores without a word.
  if (seat != NULL && code_of_thread.ends.count > 0 && (flags & 1) != 0) note_write_of_end(seat, (uintptr_t)memory);
  if (seat != NULL && seat->is_watching) {
    return begin_watched(memory, buffer, flags, pc, seat, __builtin_return_address(0));
  }
  return atomic_load_explicit(&real_begin_access, memory_order_relaxed)(memory, buffer, flags, pc);
}

void swift_endAccess(void *buffer) {
  if (code_of_thread.untold.address != 0 && code_of_thread.untold.buffer == buffer) {
    interleaving_seat *seat = seat_in_scenario();
    if (seat != NULL) end_untold(seat);
  }
  return atomic_load_explicit(&real_end_access, memory_order_relaxed)(buffer);
}
#endif

// MARK: Atomics

// By C's `memory_order`.
enum { relaxed, consume, acquire, release, acquire_release, sequential };

static bool acquires(int order) { return order != relaxed && order != release; }
static bool releases(int order) { return order >= release; }

/// Returns the seat if the atomic is the scenario's.
static interleaving_seat *before(int operation, const volatile void *memory, const void *caller) {
  interleaving_seat *seat = seat_in_scenario();
  if (seat == NULL) return NULL;
  const void *object = (const void *)memory;
  if (is_cache_of_metadata(object)) return NULL;
  notice_unlocks(seat);
  if (code_of_thread.setting_up == 0) operate(seat, operation, object, place_of(caller));
  return seat->is_watching ? seat : NULL;
}

// A fence makes up for the ordering that operations on one thread lack: C11, 7.17.4.
static void note_loaded(code_state *code, uintptr_t memory) {
  for (int index = 0; index < code->loaded.count; index++) {
    if (code->loaded.items[index] == memory) return;
  }
  APPEND(code->loaded, memory);
}
static void has_loaded(interleaving_seat *seat, const volatile void *memory, int order) {
  if (seat == NULL) return;
  code_state *code = &code_of_thread;
  if (acquires(order)) interleaving_acquire(seat->watch, (uintptr_t)memory);
  else note_loaded(code, (uintptr_t)memory);
}
static void stores(interleaving_seat *seat, const volatile void *memory, int order) {
  if (seat != NULL) {
    watch_overwrite(seat->watch, (uintptr_t)memory, releases(order) || code_of_thread.has_fenced);
  }
}
static void has_updated(interleaving_seat *seat, const volatile void *memory, int order) {
  has_loaded(seat, memory, order);
  if (seat != NULL && (releases(order) || code_of_thread.has_fenced)) {
    interleaving_release(seat->watch, (uintptr_t)memory);
  }
}
static void has_fenced(int order) {
  interleaving_seat *seat = seat_in_scenario();
  if (seat == NULL || !seat->is_watching) return;
  code_state *code = &code_of_thread;
  for (int index = 0; acquires(order) && index < code->loaded.count; index++) {
    interleaving_acquire(seat->watch, code->loaded.items[index]);
  }
  if (releases(order)) code->has_fenced = true;
}

#define BEFORE(operation) before(operation, memory, __builtin_return_address(0))
#define UPDATE(bits, type, name, builtin) \
  type __tsan_atomic##bits##_##name(volatile type *memory, type value, int order) { \
    interleaving_seat *seat = BEFORE(interleaving_update); \
    type old = builtin(memory, value, __ATOMIC_SEQ_CST); \
    has_updated(seat, memory, order); \
    return old; \
  }
#define ATOMICS(bits, type) \
  type __tsan_atomic##bits##_load(const volatile type *memory, int order) { \
    interleaving_seat *seat = BEFORE(interleaving_load); \
    type value = __atomic_load_n(memory, __ATOMIC_SEQ_CST); \
    has_loaded(seat, memory, order); \
    return value; \
  } \
  void __tsan_atomic##bits##_store(volatile type *memory, type value, int order) { \
    stores(BEFORE(interleaving_store), memory, order); \
    __atomic_store_n(memory, value, __ATOMIC_SEQ_CST); \
  } \
  UPDATE(bits, type, exchange, __atomic_exchange_n) \
  UPDATE(bits, type, fetch_add, __atomic_fetch_add) \
  UPDATE(bits, type, fetch_sub, __atomic_fetch_sub) \
  UPDATE(bits, type, fetch_and, __atomic_fetch_and) \
  UPDATE(bits, type, fetch_or, __atomic_fetch_or) \
  UPDATE(bits, type, fetch_xor, __atomic_fetch_xor) \
  UPDATE(bits, type, fetch_nand, __atomic_fetch_nand) \
  static type compare_exchange##bits( \
    volatile type *memory, type expected, type desired, int order, int failure, const void *caller) { \
    interleaving_seat *seat = before(interleaving_update, memory, caller); \
    type old = expected; \
    bool is_done = \
      __atomic_compare_exchange_n(memory, &old, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    if (is_done) has_updated(seat, memory, order); \
    else has_loaded(seat, memory, failure); \
    return old; \
  } \
  type __tsan_atomic##bits##_compare_exchange_val( \
    volatile type *memory, type expected, type desired, int order, int failure) { \
    return EXCHANGE##bits(memory, expected, desired, order, failure, __builtin_return_address(0)); \
  } \
  int __tsan_atomic##bits##_compare_exchange_strong( \
    volatile type *memory, type *expected, type desired, int order, int failure) { \
    type wanted = *expected; \
    *expected = EXCHANGE##bits(memory, wanted, desired, order, failure, __builtin_return_address(0)); \
    return *expected == wanted; \
  } \
  int __tsan_atomic##bits##_compare_exchange_weak( \
    volatile type *memory, type *expected, type desired, int order, int failure) { \
    type wanted = *expected; \
    *expected = EXCHANGE##bits(memory, wanted, desired, order, failure, __builtin_return_address(0)); \
    return *expected == wanted; \
  }

#define EXCHANGE8 compare_exchange8
#define EXCHANGE16 compare_exchange16
#define EXCHANGE32 exchange_word
#define EXCHANGE64 compare_exchange64

static uint32_t exchange_word(
  volatile uint32_t *memory, uint32_t expected, uint32_t desired, int order, int failure,
  const void *caller);

ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)

// Of the width of two words there is what Swift's WordPair needs.
typedef unsigned __int128 wide;

static wide exchange_wide(volatile wide *memory, wide expected, wide desired) {
#if defined(__x86_64__)
  uint64_t low = (uint64_t)expected, high = (uint64_t)(expected >> 64);
  __asm__ volatile("lock cmpxchg16b %0"
                   : "+m"(*memory), "+a"(low), "+d"(high)
                   : "b"((uint64_t)desired), "c"((uint64_t)(desired >> 64))
                   : "cc", "memory");
  return (wide)high << 64 | low;
#else
  __atomic_compare_exchange_n(memory, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  return expected;
#endif
}
static wide replace_wide(volatile wide *memory, wide value) {
  wide old = 0;
  for (;;) {
    wide seen = exchange_wide(memory, old, value);
    if (seen == old) return old;
    old = seen;
  }
}
wide __tsan_atomic128_load(const volatile wide *memory, int order) {
  interleaving_seat *seat = BEFORE(interleaving_load);
  wide value = exchange_wide((volatile wide *)memory, 0, 0);
  has_loaded(seat, memory, order);
  return value;
}
void __tsan_atomic128_store(volatile wide *memory, wide value, int order) {
  stores(BEFORE(interleaving_store), memory, order);
  replace_wide(memory, value);
}
wide __tsan_atomic128_exchange(volatile wide *memory, wide value, int order) {
  interleaving_seat *seat = BEFORE(interleaving_update);
  wide old = replace_wide(memory, value);
  has_updated(seat, memory, order);
  return old;
}
wide __tsan_atomic128_compare_exchange_val(
  volatile wide *memory, wide expected, wide desired, int order, int failure) {
  interleaving_seat *seat = BEFORE(interleaving_update);
  wide old = exchange_wide(memory, expected, desired);
  if (old == expected) has_updated(seat, memory, order);
  else has_loaded(seat, memory, failure);
  return old;
}
int __tsan_atomic128_compare_exchange_strong(
  volatile wide *memory, wide *expected, wide desired, int order, int failure) {
  interleaving_seat *seat = BEFORE(interleaving_update);
  wide old = exchange_wide(memory, *expected, desired);
  bool is_done = old == *expected;
  if (is_done) has_updated(seat, memory, order);
  else has_loaded(seat, memory, failure);
  *expected = old;
  return is_done;
}
int __tsan_atomic128_compare_exchange_weak(
  volatile wide *memory, wide *expected, wide desired, int order, int failure) {
  return __tsan_atomic128_compare_exchange_strong(memory, expected, desired, order, failure);
}

void __tsan_atomic_thread_fence(int order) {
  has_fenced(order);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
void __tsan_atomic_signal_fence(int order) { (void)order; }

// MARK: Mutex

// A `Mutex` is a word that is 0 or its holder's thread: who locks exchanges 0 for its own thread, and where that does
// not succeed calls one of two functions of Synchronization's, one to wait and one to try. So an exchange of that kind
// never succeeds here, and what is meant is known when the function is called, which stands before the real one.

#if defined(__linux__)
#define SLOW(name) __asm__("$s15Synchronization12_MutexHandleV" name)
typedef __attribute__((swiftcall)) void (*lock_function)(
  uint32_t thread, __attribute__((swift_context)) uint32_t *word);
typedef __attribute__((swiftcall)) bool (*try_function)(__attribute__((swift_context)) uint32_t *word);
__attribute__((swiftcall)) void interleaving_lock_slow(
  uint32_t thread, __attribute__((swift_context)) uint32_t *word) SLOW("9_lockSlowyys6UInt32VF");
__attribute__((swiftcall)) bool interleaving_try_slow(
  __attribute__((swift_context)) uint32_t *word) SLOW("12_tryLockSlowSbyF");

static uint32_t own_thread(void) {
  static _Thread_local uint32_t thread;
  if (thread == 0) thread = (uint32_t)gettid();
  return thread;
}

static bool take(interleaving_seat *seat, int operation, uint32_t *word, const void *caller) {
  code_state *code = &code_of_thread;
  notice_unlocks(seat);
  if (!operate(seat, operation, word, place_of(caller))) return false;
  uint32_t free_word = 0;
  if (!__atomic_compare_exchange_n(
        word, &free_word, own_thread(), false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
    return false;
  }
  APPEND(code->held, word);
  seat->is_concerned = true;
  interleaving_acquire(seat->watch, (uintptr_t)word);
  return true;
}

__attribute__((swiftcall)) void interleaving_lock_slow(
  uint32_t thread, __attribute__((swift_context)) uint32_t *word) {
  interleaving_seat *seat = seat_in_scenario();
  if (seat != NULL && take(seat, interleaving_lock_strictly, word, __builtin_return_address(0))) return;
  lock_function real = (lock_function)dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
  real(thread, word);
}

__attribute__((swiftcall)) bool interleaving_try_slow(
  __attribute__((swift_context)) uint32_t *word) {
  interleaving_seat *seat = seat_in_scenario();
  if (seat != NULL) return take(seat, interleaving_try_lock, word, __builtin_return_address(0));
  try_function real = (try_function)dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF");
  return real(word);
}

static uint32_t exchange_word(
  volatile uint32_t *memory, uint32_t expected, uint32_t desired, int order, int failure,
  const void *caller) {
  interleaving_seat *seat = seat_in_scenario();
  if (seat != NULL) {
    uint32_t own = own_thread();
    if (expected == 0 && desired == own && order == acquire && failure == relaxed) return own;
    if (expected == own && desired == 0 && order == release && failure == relaxed) {
      code_state *code = &code_of_thread;
      for (int index = 0; index < code->held.count; index++) {
        if (code->held.items[index] != memory) continue;
        operate(seat, interleaving_unlock, (const void *)memory, place_of(caller));
        interleaving_release(seat->watch, (uintptr_t)memory);
        REMOVE(code->held, index);
        __atomic_store_n(memory, 0, __ATOMIC_SEQ_CST);
        return expected;
      }
      // Code that is not instrumented has locked it, and the linker took this part from a module that is.
      if (__atomic_compare_exchange_n(memory, &expected, 0, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) return own;
      return expected;
    }
  }
  return compare_exchange32(memory, expected, desired, order, failure, caller);
}
#else
static uint32_t exchange_word(
  volatile uint32_t *memory, uint32_t expected, uint32_t desired, int order, int failure,
  const void *caller) {
  return compare_exchange32(memory, expected, desired, order, failure, caller);
}
#endif
#endif
