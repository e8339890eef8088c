#ifndef WATCH_H
#define WATCH_H

#include "CInterleaving.h"

#include <stddef.h>

// What the other files of this folder ask of the watch.

/// The running strand uses memory.
void watch_memory(interleaving_watch *watch, uintptr_t address, size_t size, bool is_write, uintptr_t place);

/// Memory is given back, or begins to belong to nobody else.
void watch_forget_memory(interleaving_watch *watch, uintptr_t address, size_t size);

/// What came before is no longer to be acquired: a store that releases nothing, or all that is released is new.
void watch_overwrite(interleaving_watch *watch, uintptr_t key, bool is_release);

/// Whether any memory of these lines of the cache was used; it may say so falsely.
bool watch_may_know(const interleaving_watch *watch, uintptr_t address, size_t size);

/// Code that is instrumented has been met.
void watch_meet_code(interleaving_watch *watch);

/// An instrumented function is called by code of the program.
void watch_meet_call(interleaving_watch *watch, interleaving_call call);

/// Whether a place is a scheduling point.
bool watch_is_point(const interleaving_watch *watch, uintptr_t place);

/// What follows the beginning of an `inout` access at a place is now known, or was otherwise before.
void watch_learn(interleaving_watch *watch, uintptr_t place, int meaning, uintptr_t partner);

/// The running strand has made an object.
void watch_add_object(
  interleaving_watch *watch, uintptr_t address, size_t size, uintptr_t metadata, uintptr_t place);

void watch_release_task(interleaving_watch *watch, uintptr_t task);

/// The seat of the calling thread, while it runs code of a scenario.
static inline interleaving_seat *seat_in_scenario(void) {
  interleaving_seat *seat = interleaving_seat_of_thread;
  return seat != NULL && seat->is_in_scenario ? seat : NULL;
}

#endif
