#ifndef IMAGES_H
#define IMAGES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

// Whose code an address lies in.

typedef enum {
  OTHER_IMAGE,
  /// What this library is linked into: the program, and whatever of it is no library of its own.
  OWN_IMAGE,
  CONCURRENCY_IMAGE,
  /// The standard library's.
  RUNTIME_IMAGE,
  FOUNDATION_IMAGE,
} image;

/// Whose code an address lies in; quick, once the images have been found.
image image_of(const void *address);

extern _Atomic(uintptr_t) concurrency_begin, concurrency_size;

/// The same for libswift_Concurrency, whose locks are by far the most.
static inline bool is_concurrency(const void *address) {
  return (uintptr_t)address - atomic_load_explicit(&concurrency_begin, memory_order_relaxed)
    < atomic_load_explicit(&concurrency_size, memory_order_relaxed);
}

/// Where Foundation's libraries have their code: Foundation, its essentials, networking and the like.
enum { LIBRARY_COUNT = 8 };
typedef struct {
  uintptr_t begin, end;
} range_of_code;
extern range_of_code library_code[LIBRARY_COUNT];
extern _Atomic(uintptr_t) library_code_begin, library_code_end;

/// Whether a word is the address of code of theirs.
static inline bool is_library_code(uintptr_t word) {
  uintptr_t begin = atomic_load_explicit(&library_code_begin, memory_order_relaxed);
  if (word - begin >= atomic_load_explicit(&library_code_end, memory_order_relaxed) - begin) return false;
  for (int index = 0; index < LIBRARY_COUNT; index++) {
    if (word - library_code[index].begin < library_code[index].end - library_code[index].begin) return true;
  }
  return false;
}

/// Finds the images; called once, before they are asked for.
bool find_images(void);

/// Finds where Foundation's locks call libc's.
void find_doors(void);

/// Finds where the program calls methods of libraries, by what the loader was told of it.
void find_direct_calls(uintptr_t base, const void *dynamic);

/// Where in the own image; 0 if elsewhere.
uintptr_t place_of(const void *address);

/// Whether the program's code there asks for the time on the explorer's behalf, or to sleep.
bool asks_for_itself(const void *address);

/// The bytes of a file, for as long as the process lives; null if it cannot be read.
const char *map_file(const char *path);

/// Whether an address is that of something of the runtime's that instrumented code uses by itself.
bool is_cache_of_metadata(const void *address);

#endif
