#include "CStops.h"

#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Relaxed throughout: a stop must not order what it lets race. Built with the sanitizer, none of this is its business.
#define UNSEEN __attribute__((disable_sanitizer_instrumentation))

typedef struct {
  _Atomic(bool) is_taken;
  _Atomic(bool) is_set;
  _Atomic(uintptr_t) begin, end;
  _Atomic(int) deed, left;
  void (*stop)(void *context);
  void *context;
} stop_slot;

enum { slot_count = 256 };
static stop_slot slots[slot_count];
/// How many of them were ever in use at once: no others need be looked at.
static _Atomic(int) used_count;
/// How many stops are set; all but always none.
static _Atomic(int) set_count;
/// Where the change began whose store is awaited.
static _Thread_local uintptr_t changed;

#define GET(variable) atomic_load_explicit(&(variable), memory_order_relaxed)
#define PUT(variable, value) atomic_store_explicit(&(variable), value, memory_order_relaxed)

UNSEEN int stops_set(
  const void *object, int deed, int ordinal, void (*stop)(void *context), void *context) {
  for (int number = 0; number < slot_count; number++) {
    stop_slot *slot = &slots[number];
    if (atomic_exchange_explicit(&slot->is_taken, true, memory_order_acquire)) continue;
    PUT(slot->begin, (uintptr_t)object);
    PUT(slot->end, (uintptr_t)object + malloc_usable_size((void *)object));
    PUT(slot->deed, deed);
    PUT(slot->left, ordinal);
    slot->stop = stop;
    slot->context = context;
    int used = GET(used_count);
    while (used <= number &&
           !atomic_compare_exchange_weak_explicit(
             &used_count, &used, number + 1, memory_order_relaxed, memory_order_relaxed)) {}
    // Others that do something to the object hear of it from this thread, and so of this.
    atomic_store_explicit(&slot->is_set, true, memory_order_release);
    atomic_fetch_add_explicit(&set_count, 1, memory_order_relaxed);
    return number;
  }
  return -1;
}

UNSEEN static bool unset(stop_slot *slot) {
  if (!atomic_exchange_explicit(&slot->is_set, false, memory_order_relaxed)) return false;
  atomic_fetch_sub_explicit(&set_count, 1, memory_order_relaxed);
  return true;
}

UNSEEN void stops_clear(int number) {
  unset(&slots[number]);
  atomic_store_explicit(&slots[number].is_taken, false, memory_order_release);
}

UNSEEN static __attribute__((noinline)) void meet(const volatile void *memory, int deed) {
  uintptr_t address = (uintptr_t)memory;
  bool is_part = deed == stops_store && changed == address;
  if (deed == stops_change) changed = address;
  else if (deed == stops_store) changed = 0;
  // What is set while one is stopped does not count this.
  stop_slot *met[slot_count];
  int met_count = 0, count = GET(used_count);
  for (int number = 0; number < count; number++) {
    stop_slot *slot = &slots[number];
    if (!GET(slot->is_set) || address < GET(slot->begin) || address >= GET(slot->end)) continue;
    int awaited = GET(slot->deed);
    bool counts = awaited == deed || (awaited == stops_use && deed != stops_atomic) ||
      (awaited == stops_change && deed == stops_store && !is_part);
    if (!counts || atomic_fetch_sub_explicit(&slot->left, 1, memory_order_relaxed) != 1) continue;
    if (unset(slot)) met[met_count++] = slot;
  }
  for (int index = 0; index < met_count; index++) met[index]->stop(met[index]->context);
  // What was called may have changed something.
  if (deed == stops_change) changed = address;
}

#define MEET(memory, deed) \
  do { \
    if (GET(set_count) != 0) meet(memory, deed); \
  } while (0)

// The jump at the end leaves the return address as it was, from which the others know who calls.
#define WRAP(type, name, deed, parameters, ...) \
  extern type __real_##name parameters; \
  UNSEEN type __wrap_##name parameters { \
    MEET(memory, deed); \
    __attribute__((musttail)) return __real_##name(__VA_ARGS__); \
  }

#define USES(size) \
  WRAP(void, __tsan_read##size, stops_use, (void *memory), memory) \
  WRAP(void, __tsan_write##size, stops_store, (void *memory), memory)
#define UNALIGNED_USES(size) \
  WRAP(void, __tsan_unaligned_read##size, stops_use, (void *memory), memory) \
  WRAP(void, __tsan_unaligned_write##size, stops_store, (void *memory), memory)

USES(1)
USES(2)
USES(4)
USES(8)
USES(16)
UNALIGNED_USES(2)
UNALIGNED_USES(4)
UNALIGNED_USES(8)
UNALIGNED_USES(16)
WRAP(
  void, __tsan_external_write, stops_change, (void *memory, void *caller, void *tag), memory, caller,
  tag)

#define UPDATE(bits, type, name) \
  WRAP( \
    type, __tsan_atomic##bits##_##name, stops_atomic, (volatile type *memory, type value, int order), \
    memory, value, order)
#define ATOMICS(bits, type) \
  WRAP( \
    type, __tsan_atomic##bits##_load, stops_atomic, (const volatile type *memory, int order), memory, \
    order) \
  WRAP( \
    void, __tsan_atomic##bits##_store, stops_atomic, (volatile type *memory, type value, int order), \
    memory, value, order) \
  UPDATE(bits, type, exchange) \
  WRAP( \
    type, __tsan_atomic##bits##_compare_exchange_val, stops_atomic, \
    (volatile type *memory, type expected, type desired, int order, int failure), memory, expected, \
    desired, order, failure) \
  WRAP( \
    int, __tsan_atomic##bits##_compare_exchange_strong, stops_atomic, \
    (volatile type *memory, type *expected, type desired, int order, int failure), memory, expected, \
    desired, order, failure)

typedef unsigned __int128 wide;
ATOMICS(64, uint64_t)
ATOMICS(128, wide)
UPDATE(64, uint64_t, fetch_add)
UPDATE(64, uint64_t, fetch_sub)
