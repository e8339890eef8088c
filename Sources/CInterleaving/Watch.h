#ifndef WATCH_H
#define WATCH_H

#include "CInterleaving.h"

#include <stddef.h>

// What the other files of this folder ask of the watch.

// Where a sanitizer is linked, most of what this library stands before is the sanitizer's, and nothing is watched.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

/// The running strand uses memory.
void watch_memory(interleaving_watch *watch, uintptr_t address, size_t size, bool is_write, uintptr_t place);

/// Whether any memory was used in this execution.
bool watch_knows_memory(const interleaving_watch *watch);

/// Memory is given back, or begins to belong to nobody else.
void watch_forget_memory(interleaving_watch *watch, uintptr_t address, size_t size);

/// What came before is no longer to be acquired: a store that releases nothing, or all that is released is new.
void watch_overwrite(interleaving_watch *watch, uintptr_t key, bool is_release);

/// An instrumented function is called; both are addresses here.
void watch_meet_new_call(interleaving_watch *watch, interleaving_call call);

/// Whether an instrumented function was called that has told so between two addresses.
bool watch_has_met(const interleaving_watch *watch, uintptr_t begin, uintptr_t end);

/// The calls that were met, by their hashes; one whose function is 0 is none. A watch begins with it.
typedef struct {
  interleaving_call *calls;
  size_t count, capacity;
  /// The first functions that were called since somebody asked, as addresses in them: thunks, and functions that look up
  /// types, may come before what has a name.
  uintptr_t first[32];
  int first_count, taken_count;
} call_table;

/// Items, as many as come, whose memory is used again.
#define LIST(type) \
  struct { \
    int count, capacity; \
    type *items; \
  }

/// Adds an item at the end, and removes one, into whose place the last comes.
#define APPEND(list, ...) \
  do { \
    if ((list).count == (list).capacity) (list).items = make_room((list).items, &(list).capacity, sizeof *(list).items); \
    (list).items[(list).count++] = __VA_ARGS__; \
  } while (0)
#define REMOVE(list, index) ((list).items[index] = (list).items[--(list).count])

/// Makes room for as many again, or a few; ends the process where there is no memory.
void *make_room(void *items, int *capacity, size_t size);
void give_room(void *items);

static inline size_t hash(uintptr_t key) { return (size_t)((key * 0x9E3779B97F4A7C15u) >> 20); }

static inline void watch_meet_call(interleaving_watch *watch, interleaving_call call) {
  call_table *table = (call_table *)watch;
  bool is_known = table->first_count > 0 && table->first[table->first_count - 1] == call.function;
  if (!is_known && table->first_count < 32) table->first[table->first_count++] = call.function;
  const interleaving_call *known =
    &table->calls[hash(call.caller * 31 + call.function) & (table->capacity - 1)];
  if (known->caller != call.caller || known->function != call.function) watch_meet_new_call(watch, call);
}

/// Whether a place is a scheduling point.
bool watch_is_point(const interleaving_watch *watch, uintptr_t place);

/// What follows the beginning of an `inout` access at a place is now known, or was otherwise before.
void watch_learn(interleaving_watch *watch, uintptr_t place, int meaning, uintptr_t partner);

/// The running strand has made an object.
void watch_add_object(
  interleaving_watch *watch, uintptr_t address, size_t size, uintptr_t metadata, uintptr_t place);

/// What is known of objects' ends; a watch has one.
typedef struct lifetimes lifetimes;
lifetimes *watch_lifetimes(const interleaving_watch *watch);
lifetimes *make_lifetimes(void);
void drop_lifetimes(lifetimes *lifetimes);

/// Forgets the execution.
void reset_lifetimes(lifetimes *lifetimes);

/// What is at an address from now on is another object.
void forget_life(lifetimes *lifetimes, uintptr_t address);

/// The running strand, or −1.
int32_t watch_running(const interleaving_watch *watch);

/// Copies the running strand's clock into memory that is made larger if need be.
///
/// Returns the strand's moment.
uint32_t watch_copy_clock(interleaving_watch *watch, uint32_t **moments, uint32_t *count, uint32_t *capacity);

/// The runtime says that what came before a job was released comes before what follows.
void watch_acquire_job(interleaving_watch *watch, uintptr_t job);
void watch_release_task(interleaving_watch *watch, uintptr_t task);

/// The seat of the calling thread, while it runs code of a scenario.
static inline interleaving_seat *seat_in_scenario(void) {
  interleaving_seat *seat = interleaving_seat_of_thread;
  return seat != NULL && seat->is_in_scenario ? seat : NULL;
}

#endif
