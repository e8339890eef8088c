#define _GNU_SOURCE
#include "Code.h"

// Memory that is given back, or that is known to be its user's alone: who uses it next does not race with who used it
// before. And whose an object is, since its address differs from execution to execution.

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

#if defined(__linux__) && !defined(SANITIZED)
#include <dlfcn.h>
#include <malloc.h>
#include <stdatomic.h>

void __libc_free(void *memory);
void *__libc_realloc(void *memory, size_t size);

// Apart, so that who has nothing to do with an exploration goes straight on.
static __attribute__((noinline)) void forget(interleaving_seat *seat, void *memory) {
  if (memory == NULL) return;
  code_state *code = &code_of_thread;
  if (code->held_count > 0 && seat->is_in_scenario) notice_unlocks(seat);
  if (!seat->is_watching) return;
  size_t size = malloc_usable_size(memory);
  for (int index = code->held_count - 1; index >= 0; index--) {
    if ((uintptr_t)code->held[index] - (uintptr_t)memory >= size) continue;
    code->held[index] = code->held[--code->held_count];
  }
  watch_forget_memory(seat->watch, (uintptr_t)memory, size);
}

static __attribute__((noinline)) void forget_and_free(interleaving_seat *seat, void *memory) {
  forget(seat, memory);
  __libc_free(memory);
}

void free(void *memory) {
  interleaving_seat *seat = interleaving_seat_of_thread;
  if (seat != NULL && seat->is_concerned) return forget_and_free(seat, memory);
  __libc_free(memory);
}

void *realloc(void *memory, size_t size) {
  interleaving_seat *seat = interleaving_seat_of_thread;
  if (seat != NULL && seat->is_concerned) forget(seat, memory);
  return __libc_realloc(memory, size);
}

/// Calls the real function of a name, which stands behind this library's; the first call finds it.
#define REAL(result, name, parameters, arguments) \
  static result find_##name parameters; \
  static result(*_Atomic real_##name) parameters = find_##name; \
  static result find_##name parameters { \
    result(*found) parameters = (result(*) parameters)dlsym(RTLD_NEXT, #name); \
    atomic_store_explicit(&real_##name, found, memory_order_relaxed); \
    return found arguments; \
  }
#define CALL(name) atomic_load_explicit(&real_##name, memory_order_relaxed)

REAL(
  void *, swift_allocObject, (const void *metadata, size_t size, size_t alignment),
  (metadata, size, alignment))
static __attribute__((noinline)) void *make_object(
  const void *metadata, size_t size, size_t alignment, interleaving_seat *seat, const void *caller) {
  void *object = CALL(swift_allocObject)(metadata, size, alignment);
  uintptr_t place = place_of(caller);
  if (place != 0) watch_add_object(seat->watch, (uintptr_t)object, size, (uintptr_t)metadata, place);
  return object;
}
void *swift_allocObject(const void *metadata, size_t size, size_t alignment) {
  interleaving_seat *seat = seat_in_scenario();
  if (seat == NULL) return CALL(swift_allocObject)(metadata, size, alignment);
  return make_object(metadata, size, alignment, seat, __builtin_return_address(0));
}

typedef bool (*question)(void *object);
static __attribute__((noinline)) bool ask_and_forget(void *object, question real, interleaving_seat *seat) {
  if (!real(object)) return false;
  // Some bits of a bridged object are not its address.
  forget(seat, (void *)((uintptr_t)object & 0x00FFFFFFFFFFFFF8));
  return true;
}

#define UNIQUE(name) \
  REAL(bool, name, (void *object), (object)) \
  bool name(void *object) { \
    interleaving_seat *seat = seat_in_scenario(); \
    if (seat == NULL || !seat->is_watching) return CALL(name)(object); \
    return ask_and_forget(object, CALL(name), seat); \
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
REAL(
  box, swift_makeBoxUnique, (void **buffer, const void *type, size_t alignment),
  (buffer, type, alignment))
box swift_makeBoxUnique(void **buffer, const void *type, size_t alignment) {
  box unique = CALL(swift_makeBoxUnique)(buffer, type, alignment);
  interleaving_seat *seat = seat_in_scenario();
  if (seat != NULL && seat->is_watching) forget(seat, unique.object);
  return unique;
}
#endif
