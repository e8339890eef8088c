#define _GNU_SOURCE
#include "Code.h"

// UUIDs that a scenario's code makes. Real ones are others in each run, and so is the order of a dictionary that has
// them as keys; these owe everything to who makes them and how many it has made. What is set up once in a process
// outlives the execution, so it gets real ones.

#if defined(__linux__)
#include <stdatomic.h>

// Of Foundation's: it fills 16 bytes.
void _foundation_uuid_generate_random(uint8_t *bytes);
void _foundation_uuid_generate_random(uint8_t *bytes) {
  static _Atomic(uintptr_t) known;
  interleaving_seat *seat = seat_in_scenario();
  bool is_made = false;
  if (seat != NULL && code_of_thread.setting_up == 0) {
    interleaving_set_in_scenario(seat, false);
    is_made = calls_of_code->identify(seat->receiver, bytes);
    interleaving_set_in_scenario(seat, true);
  }
  if (!is_made) {
    ((void (*)(uint8_t *))find_real(&known, "_foundation_uuid_generate_random", NULL))(bytes);
    return;
  }
  // What marks random ones, RFC 9562, 5.4.
  bytes[6] = (bytes[6] & 0x0F) | 0x40;
  bytes[8] = (bytes[8] & 0x3F) | 0x80;
}
#endif
