#define _GNU_SOURCE
#include "Lifetimes.h"

#include <dlfcn.h>
#include <stdatomic.h>

_Thread_local interleaving_seat *interleaving_seat_of_thread;
_Thread_local code_state code_of_thread;
_Atomic(const interleaving_calls *) calls_of_code;

// The standard library's, from SwiftShims. The order of a set or dictionary owes something to its address, unless hashing
// is deterministic. Said while the process runs, that holds for those that are made from now on; each keeps its own seed,
// and the seeds of the process stay as they are.
typedef struct {
  uint64_t seeds[2];
  bool is_deterministic;
} hashing_parameters;

static void forget_addresses_in_hashing(void) {
  hashing_parameters *parameters = dlsym(RTLD_DEFAULT, "_swift_stdlib_Hashing_parameters");
  if (parameters != NULL) parameters->is_deterministic = true;
}

void interleaving_listen(const interleaving_calls *calls) {
  forget_addresses_in_hashing();
  static interleaving_calls heard;
  heard = *calls;
  calls_of_code = &heard;
}

void interleaving_begin_code(interleaving_seat *seat, bool is_alone) {
  code_state *code = &code_of_thread;
  uintptr_t top = (uintptr_t)__builtin_frame_address(0);
  if (!is_alone && seat->is_watching && code->stack_bottom != 0 && code->stack_bottom < top) {
    watch_forget_memory(seat->watch, code->stack_bottom, top - code->stack_bottom);
  }
  code->library_locks.count = code->held.count = code->loaded.count = code->beginnings.count = 0;
  code->ends.count = 0;
  code->reaching = NULL;
  code->cancelling = code->ignoring = code->setting_up = 0;
  code->has_fenced = false;
  code->untold.address = code->changing.identity = 0;
  code->spins = 0;
  code->load_count = 0;
  for (int index = 0; index < 4; index++) code->loads[index].word = 0;
  code->stack_top = code->stack_bottom = top;
  code->is_alone = is_alone;
  interleaving_set_in_scenario(seat, true);
}

void end_beginning(interleaving_seat *seat, int index, int meaning, uintptr_t partner) {
  code_state *code = &code_of_thread;
  uintptr_t place = code->beginnings.items[index].place;
  watch_learn(seat->watch, place, meaning, partner == 0 ? place : partner);
  REMOVE(code->beginnings, index);
}

void drop_code_state(void) {
  code_state *code = &code_of_thread;
  give_room(code->library_locks.items);
  give_room(code->held.items);
  give_room(code->loaded.items);
  give_room(code->beginnings.items);
  give_room(code->ends.items);
  *code = (code_state){0};
}

void interleaving_end_code(interleaving_seat *seat) {
  code_state *code = &code_of_thread;
  while (code->beginnings.count > 0) end_beginning(seat, 0, interleaving_a_store, 0);
  notice_unlocks(seat);
  interleaving_set_in_scenario(seat, false);
}

bool operate_for_a_time(
  interleaving_seat *seat, int operation, const void *object, const void *other, int64_t nanoseconds,
  uintptr_t place) {
  // What the runtime locks for itself shows nothing: the end of a stream's storage that nobody asked to be told of.
  if (operation < interleaving_use_runtime || operation > interleaving_pass_status) note_effect(seat);
  // What the explorer itself does is none of the scenario's.
  interleaving_set_in_scenario(seat, false);
  code_of_thread.untold.address = code_of_thread.changing.identity = 0;
  code_of_thread.spins = 0;
  bool is_done =
    calls_of_code->operate(seat->receiver, operation, object, other, nanoseconds, place);
  interleaving_set_in_scenario(seat, true);
  return is_done;
}

bool operate(interleaving_seat *seat, int operation, const void *object, uintptr_t place) {
  return operate_for_a_time(seat, operation, object, NULL, -1, place);
}

// In debug, the part of `Mutex.withLock` that unlocks is a function that each module brings along, and the linker
// takes the first. If that one's module is not instrumented, the unlocking is not told. But nobody else has run since
// then: whatever the strand does next that is told finds the word at 0, and the unlocking is made up for.
void notice_unlocks_of_held(interleaving_seat *seat) {
  code_state *code = &code_of_thread;
  for (int index = code->held.count - 1; index >= 0; index--) {
    const uint32_t *word = code->held.items[index];
    if (__atomic_load_n(word, __ATOMIC_RELAXED) != 0) continue;
    REMOVE(code->held, index);
    operate(seat, interleaving_unlock, word, 0);
    interleaving_release(seat->watch, (uintptr_t)word);
  }
}

void use_kept(
  interleaving_seat *seat, const kept_use *uses, int count, const char *what, const char *name, uintptr_t place,
  int deed) {
  notice_unlocks(seat);
  note_effect(seat);
  code_of_thread.untold.address = code_of_thread.changing.identity = 0;
  uintptr_t point = kept_point(place, deed);
  if (watch_is_point(seat->watch, point) && code_of_thread.setting_up == 0) {
    interleaving_kept_use told[KEPT_USE_LIMIT];
    for (int index = 0; index < count; index++) {
      told[index] = (interleaving_kept_use){uses[index].identity, uses[index].is_write};
    }
    interleaving_set_in_scenario(seat, false);
    calls_of_code->keep(seat->receiver, told, count, what, name, place);
    interleaving_set_in_scenario(seat, true);
  }
  for (int index = 0; index < count; index++) {
    watch_memory(seat->watch, uses[index].key, 1, uses[index].is_write, point);
  }
}

const void *interleaving_next_held_lock(void) {
  code_state *code = &code_of_thread;
  for (int index = 0; index < code->library_locks.count; index++) {
    library_lock *held = &code->library_locks.items[index];
    if (held->is_told) continue;
    held->is_told = true;
    return held->lock;
  }
  return NULL;
}

bool interleaving_is_setting_up(void) { return code_of_thread.setting_up > 0; }

void interleaving_renew(void *token) {
  // What `swift_once` takes for nothing having been done, on Linux a word.
  __atomic_store_n((uintptr_t *)token, 0, __ATOMIC_RELEASE);
}

#if defined(__linux__)
void *look_up(_Atomic(uintptr_t) *known, const char *name, const char *version) {
  void *found = version == NULL ? NULL : dlvsym(RTLD_NEXT, name, version);
  if (found == NULL) found = dlsym(RTLD_NEXT, name);
  atomic_store_explicit(known, (uintptr_t)found, memory_order_relaxed);
  return found;
}
#endif

void make_lock(interleaving_seat *seat, const void *object, bool is_new) {
  if (!seat->is_in_scenario) return;
  interleaving_set_in_scenario(seat, false);
  calls_of_code->make(seat->receiver, object, is_new);
  interleaving_set_in_scenario(seat, true);
}
