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

static void forget(void *memory) {
  interleaving_seat *seat = interleaving_seat_of_thread;
  if (memory == NULL || seat == NULL) return;
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

void free(void *memory) {
  forget(memory);
  __libc_free(memory);
}

void *realloc(void *memory, size_t size) {
  forget(memory);
  return __libc_realloc(memory, size);
}

static void *find(_Atomic(uintptr_t) *known, const char *name) {
  uintptr_t address = atomic_load_explicit(known, memory_order_relaxed);
  if (address == 0) {
    address = (uintptr_t)dlsym(RTLD_NEXT, name);
    atomic_store_explicit(known, address, memory_order_relaxed);
  }
  return (void *)address;
}

#define BEFORE(result, name, ...) \
  static inline result (*real_##name(void))(__VA_ARGS__) { \
    static _Atomic(uintptr_t) known; \
    return (result(*)(__VA_ARGS__))find(&known, #name); \
  } \
  result name(__VA_ARGS__)

BEFORE(void *, swift_allocObject, const void *metadata, size_t size, size_t alignment) {
  void *object = real_swift_allocObject()(metadata, size, alignment);
  interleaving_seat *seat = seat_in_scenario();
  if (seat != NULL) {
    uintptr_t place = place_of(__builtin_return_address(0));
    if (place != 0) watch_add_object(seat->watch, (uintptr_t)object, size, (uintptr_t)metadata, place);
  }
  return object;
}

#define UNIQUE(name) \
  BEFORE(bool, name, void *object) { \
    bool is_unique = real_##name()(object); \
    /* Some bits of a bridged object are not its address. */ \
    if (is_unique) forget((void *)((uintptr_t)object & 0x00FFFFFFFFFFFFF8)); \
    return is_unique; \
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
BEFORE(box, swift_makeBoxUnique, void **buffer, const void *type, size_t alignment) {
  box unique = real_swift_makeBoxUnique()(buffer, type, alignment);
  forget(unique.object);
  return unique;
}
#endif
