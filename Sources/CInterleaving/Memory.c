#define _GNU_SOURCE
#include "Lifetimes.h"

// Memory that is given back, or that is known to be its user's alone: who uses it next does not race with who used it
// before. And whose an object is, since its address differs from execution to execution.

#if defined(__linux__)

REAL(void *, swift_allocObject, const void *metadata, size_t size, size_t alignment)

// Of objects that the runtime makes for itself those of its own library are known, too: streams are among them.
static uintptr_t place_of_maker(const void *caller) {
  uintptr_t place = place_of(caller);
  return place == 0 && is_concurrency(caller) ? ~((uintptr_t)caller - concurrency_begin) : place;
}

static __attribute__((noinline)) void *make_object(
  const void *metadata, size_t size, size_t alignment, interleaving_seat *seat, const void *caller) {
  uintptr_t place = place_of_maker(caller);
  code_of_thread.is_making = place != 0;
  void *object = real_swift_allocObject()(metadata, size, alignment);
  code_of_thread.is_making = false;
  if (place != 0) watch_add_object(seat->watch, (uintptr_t)object, size, (uintptr_t)metadata, place);
  return object;
}
void *swift_allocObject(const void *metadata, size_t size, size_t alignment) {
  interleaving_seat *seat = seat_in_scenario();
  if (seat == NULL) return real_swift_allocObject()(metadata, size, alignment);
  return make_object(metadata, size, alignment, seat, __builtin_return_address(0));
}

#if !defined(SANITIZED)
void __libc_free(void *memory);
void *__libc_realloc(void *memory, size_t size);

// An array grows into all that it was given, and how much that is depends on what others have given back. In a scenario it
// is what was asked for, rounded as malloc would at least.
REAL(size_t, malloc_usable_size, void *memory)
size_t usable_size(void *memory) { return real_malloc_usable_size()(memory); }
size_t malloc_usable_size(void *memory) {
  size_t size = usable_size(memory);
  if (seat_in_scenario() == NULL || memory == NULL || memory != code_of_thread.made) return size;
  enum { header = 8, alignment = 16, least = 24 };
  size_t asked = (code_of_thread.made_size + header + alignment - 1) / alignment * alignment - header;
  return asked < least ? least : asked < size ? asked : size;
}

/// What was done to memory does not race with what is done to it from now on.
static void forget(interleaving_seat *seat, void *memory) {
  if (memory != NULL && seat->is_watching && watch_knows_memory(seat->watch)) {
    watch_forget_memory(seat->watch, (uintptr_t)memory, usable_size(memory));
    // It may have been an object of a library's.
    watch_forget_memory(seat->watch, kept_key((uintptr_t)memory), 8);
  }
}

// Apart, so that who has nothing to do with an exploration goes straight on.
static __attribute__((noinline)) void give_back(interleaving_seat *seat, void *memory) {
  code_state *code = &code_of_thread;
  for (int index = code->held.count - 1; index >= 0 && memory != NULL; index--) {
    // A mutex that is no more, and whose unlocking was not told of.
    if ((uintptr_t)code->held.items[index] - (uintptr_t)memory >= usable_size(memory)) continue;
    REMOVE(code->held, index);
  }
  forget(seat, memory);
}

static __attribute__((noinline)) void give_back_and_free(interleaving_seat *seat, void *memory) {
  give_back(seat, memory);
  __libc_free(memory);
}

void free(void *memory) {
  interleaving_seat *seat = interleaving_seat_of_thread;
  if (seat != NULL && seat->is_concerned) return give_back_and_free(seat, memory);
  __libc_free(memory);
}

void *realloc(void *memory, size_t size) {
  interleaving_seat *seat = interleaving_seat_of_thread;
  if (seat != NULL && seat->is_concerned) give_back(seat, memory);
  return __libc_realloc(memory, size);
}

typedef bool (*question)(void *object);
static __attribute__((noinline)) bool ask_and_forget(void *object, question real, interleaving_seat *seat) {
  if (!real(object)) return false;
  // Some bits of a bridged object are not its address.
  forget(seat, (void *)((uintptr_t)object & 0x00FFFFFFFFFFFFF8));
  return true;
}

#define UNIQUE(name) \
  REAL(bool, name, void *object) \
  bool name(void *object) { \
    interleaving_seat *seat = seat_in_scenario(); \
    if (seat == NULL) return real_##name()(object); \
    ask_whether_shared(seat, object, __builtin_return_address(0)); \
    return seat->is_watching ? ask_and_forget(object, real_##name(), seat) : real_##name()(object); \
  }
UNIQUE(swift_isUniquelyReferenced_native)
UNIQUE(swift_isUniquelyReferenced_nonNull_native)
UNIQUE(swift_isUniquelyReferenced_nonNull_bridgeObject)
UNIQUE(swift_isUniquelyReferencedNonObjC)
UNIQUE(swift_isUniquelyReferencedNonObjC_nonNull)
UNIQUE(swift_isUniquelyReferencedNonObjC_nonNull_bridgeObject)

typedef struct {
  void *object, *buffer;
} box;
REAL(box, swift_makeBoxUnique, void **buffer, const void *type, size_t alignment)
box swift_makeBoxUnique(void **buffer, const void *type, size_t alignment) {
  box unique = real_swift_makeBoxUnique()(buffer, type, alignment);
  interleaving_seat *seat = seat_in_scenario();
  if (seat != NULL) forget(seat, unique.object);
  return unique;
}
#endif
#endif
