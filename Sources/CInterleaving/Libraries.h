#ifndef LIBRARIES_H
#define LIBRARIES_H

#include "Code.h"

// What the other files of this folder ask of those who look at calls of libraries.

/// The word that the code loads is the address of a library's function, perhaps of a method of an object.
void meet_method(interleaving_seat *seat, uintptr_t slot, uintptr_t function, const void *caller);

/// The code loads eight bytes.
static inline void note_load(interleaving_seat *seat, uintptr_t address, const void *caller) {
  code_state *code = &code_of_thread;
  uintptr_t word = *(const uintptr_t *)address;
  if (is_library_code(word)) return meet_method(seat, address, word, caller);
  unsigned index = code->load_count++ % 4;
  code->loads[index].address = address;
  code->loads[index].word = word;
}

/// What a method has handed out to be changed in place is about to be changed.
void note_change(interleaving_seat *seat, const void *caller);

#endif
