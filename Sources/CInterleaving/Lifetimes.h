#ifndef LIFETIMES_H
#define LIFETIMES_H

#include "Code.h"

// What the other files of this folder ask of those who look at the ends of objects.

/// The running strand has come to do something that others see, in the `deinit` of an object.
void note_effect_of_end(interleaving_seat *seat);

/// The same of memory that is written.
void note_write_of_end(interleaving_seat *seat, uintptr_t address);

/// The running strand asks whether there is no other reference to an object than its own.
void ask_whether_shared(interleaving_seat *seat, const void *object, const void *caller);

/// The running strand does something that others see.
static inline void note_effect(interleaving_seat *seat) {
  if (code_of_thread.ends.count > 0) note_effect_of_end(seat);
}

#endif
