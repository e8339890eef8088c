#define _GNU_SOURCE
#include "Images.h"

#include "CInterleaving.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

// Atomic, since threads ask while the first exploration finds them.
static _Atomic(uintptr_t) begins[FOUNDATION_IMAGE + 2], sizes[FOUNDATION_IMAGE + 2];
_Atomic(uintptr_t) concurrency_begin, concurrency_size;
range_of_code library_code[LIBRARY_COUNT];
_Atomic(uintptr_t) library_code_begin = UINTPTR_MAX, library_code_end;

image image_of(const void *address) {
  for (int index = OWN_IMAGE; index < FOUNDATION_IMAGE + 2; index++) {
    uintptr_t size = atomic_load_explicit(&sizes[index], memory_order_relaxed);
    uintptr_t begin = atomic_load_explicit(&begins[index], memory_order_relaxed);
    if ((uintptr_t)address - begin < size) return index > FOUNDATION_IMAGE ? FOUNDATION_IMAGE : (image)index;
  }
  return OTHER_IMAGE;
}

uintptr_t place_of(const void *address) {
  uintptr_t begin = atomic_load_explicit(&begins[OWN_IMAGE], memory_order_relaxed);
  uintptr_t size = atomic_load_explicit(&sizes[OWN_IMAGE], memory_order_relaxed);
  return (uintptr_t)address - begin < size ? (uintptr_t)address - begin : 0;
}

uintptr_t interleaving_place(uintptr_t address) { return place_of((const void *)address); }
uintptr_t interleaving_address(uintptr_t place) { return begins[OWN_IMAGE] + place; }

// Of the runtime's.
char *swift_demangle(
  const char *symbol, size_t length, char *output, size_t *output_length, uint32_t flags);
const void *swift_getTypeByMangledNameInContext(
  const void *name, size_t length, const void *context, const void *const *arguments);

char *interleaving_demangle(const char *symbol) {
  return swift_demangle(symbol, strlen(symbol), NULL, NULL, 0);
}

const void *interleaving_type_named(const void *name, intptr_t length) {
  return swift_getTypeByMangledNameInContext(name, (size_t)length, NULL, NULL);
}

#if defined(__linux__)
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
  const void *concurrency, *core;
} landmarks;

/// Where the own image was loaded, and what is said there to the loader.
static uintptr_t own_base;
static const void *own_dynamic;

/// Where an image lies, and where it ends.
static uintptr_t extent_of(const struct dl_phdr_info *info, uintptr_t *end) {
  uintptr_t begin = UINTPTR_MAX;
  *end = 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    if (info->dlpi_phdr[i].p_type != PT_LOAD) continue;
    uintptr_t first = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
    if (first < begin) begin = first;
    if (first + info->dlpi_phdr[i].p_memsz > *end) *end = first + info->dlpi_phdr[i].p_memsz;
  }
  return begin;
}

/// Notes where an image of Foundation's has its code.
static void find_library_code(const struct dl_phdr_info *info) {
  static int count;
  const char *slash = strrchr(info->dlpi_name, '/');
  if (count == LIBRARY_COUNT || strncmp(slash == NULL ? info->dlpi_name : slash + 1, "libFoundation", 13) != 0) return;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    if (segment->p_type != PT_LOAD || (segment->p_flags & PF_X) == 0) continue;
    uintptr_t begin = info->dlpi_addr + segment->p_vaddr, end = begin + segment->p_memsz;
    library_code[count++] = (range_of_code){begin, end};
    if (begin < library_code_begin) library_code_begin = begin;
    if (end > library_code_end) library_code_end = end;
    return;
  }
}

static int find_image(struct dl_phdr_info *info, size_t size, void *context) {
  const landmarks *in = context;
  (void)size;
  find_library_code(info);
  uintptr_t end, begin = extent_of(info, &end);
  image found;
  if ((uintptr_t)find_images - begin < end - begin) {
    found = OWN_IMAGE;
  } else if ((uintptr_t)in->concurrency - begin < end - begin) {
    found = CONCURRENCY_IMAGE;
  } else if ((uintptr_t)in->core - begin < end - begin) {
    found = RUNTIME_IMAGE;
  } else if (strstr(info->dlpi_name, "libFoundation.so") != NULL) {
    found = FOUNDATION_IMAGE;
  } else if (strstr(info->dlpi_name, "libFoundationEssentials.so") != NULL) {
    found = (image)(FOUNDATION_IMAGE + 1);
  } else {
    return 0;
  }
  if (found == CONCURRENCY_IMAGE) {
    concurrency_begin = begin;
    concurrency_size = end - begin;
  }
  begins[found] = begin;
  sizes[found] = end - begin;
  for (int i = 0; found == OWN_IMAGE && i < info->dlpi_phnum; i++) {
    if (info->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    own_base = info->dlpi_addr;
    own_dynamic = (const void *)(own_base + info->dlpi_phdr[i].p_vaddr);
  }
  return 0;
}

bool find_images(void) {
  // By functions that this library does not stand before.
  landmarks landmarks = {dlsym(RTLD_DEFAULT, "swift_task_getCurrent"), dlsym(RTLD_DEFAULT, "swift_getTypeByMangledName")};
  if (landmarks.concurrency == NULL) return false;
  dl_iterate_phdr(find_image, &landmarks);
  find_doors();
  if (own_dynamic != NULL) find_direct_calls(own_base, own_dynamic);
  // Linked statically, the runtime could not be told from the program.
  return sizes[OWN_IMAGE] != 0 && sizes[CONCURRENCY_IMAGE] != 0;
}

typedef struct {
  void (*body)(void *, const char *, uintptr_t, uintptr_t);
  void *context;
} listing;

static int list_image(struct dl_phdr_info *info, size_t size, void *context) {
  const listing *listing = context;
  (void)size;
  uintptr_t end, begin = extent_of(info, &end);
  char path[4096] = "";
  if (info->dlpi_name[0] == 0) {
    // The program itself.
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
  }
  if (begin < end) listing->body(listing->context, path[0] == 0 ? info->dlpi_name : path, begin, end - begin);
  return 0;
}

void interleaving_list_images(void (*body)(void *, const char *, uintptr_t, uintptr_t), void *context) {
  listing listing = {body, context};
  dl_iterate_phdr(list_image, &listing);
}

// MARK: Symbols

// The tables of files, which also have what is not exported.
typedef struct {
  uintptr_t place;
  const char *name;
} symbol;

typedef struct {
  symbol *symbols;
  size_t count;
} symbol_table;

static int compare(const void *one, const void *other) {
  uintptr_t first = ((const symbol *)one)->place, second = ((const symbol *)other)->place;
  return first < second ? -1 : first > second;
}

const char *map_file(const char *path) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (file < 0) return NULL;
  const char *bytes = MAP_FAILED;
  if (fstat(file, &status) == 0) {
    bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
  }
  close(file);
  return bytes == MAP_FAILED ? NULL : bytes;
}

static atomic_int readers;

void interleaving_begin_reading(void) { atomic_fetch_add(&readers, 1); }
void interleaving_end_reading(void) { atomic_fetch_sub(&readers, 1); }
bool interleaving_is_reading(void) { return atomic_load(&readers) > 0; }

static void read_symbols(symbol_table *read, const char *path) {
  const char *bytes = map_file(path);
  if (bytes == NULL) return;
  const ElfW(Ehdr) *header = (const void *)bytes;
  const ElfW(Shdr) *sections = (const void *)(bytes + header->e_shoff);
  for (int index = 0; index < header->e_shnum; index++) {
    if (sections[index].sh_type != SHT_SYMTAB) continue;
    const ElfW(Sym) *table = (const void *)(bytes + sections[index].sh_offset);
    size_t count = sections[index].sh_size / sizeof *table;
    const char *names = bytes + sections[sections[index].sh_link].sh_offset;
    symbol *found = malloc(count * sizeof *found);
    if (found == NULL) return;
    size_t kept = 0;
    for (size_t entry = 0; entry < count; entry++) {
      int type = ELF64_ST_TYPE(table[entry].st_info);
      if (type != STT_OBJECT && type != STT_FUNC) continue;
      found[kept++] = (symbol){table[entry].st_value, names + table[entry].st_name};
    }
    qsort(found, kept, sizeof *found, compare);
    *read = (symbol_table){found, kept};
    return;
  }
}

static const symbol *find_symbol(const symbol_table *table, uintptr_t place) {
  size_t low = 0, high = table->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (table->symbols[middle].place <= place) low = middle + 1;
    else high = middle;
  }
  return low == 0 ? NULL : &table->symbols[low - 1];
}

static symbol_table own_symbols, runtime_symbols;

static void read_own_symbols(void) {
  interleaving_begin_reading();
  read_symbols(&own_symbols, "/proc/self/exe");
  interleaving_end_reading();
}

static void read_runtime_symbols(void) {
  Dl_info info;
  interleaving_begin_reading();
  if (dladdr((const void *)concurrency_begin, &info) != 0) read_symbols(&runtime_symbols, info.dli_fname);
  interleaving_end_reading();
}

const char *interleaving_symbol(uintptr_t place, uintptr_t *offset) {
  static pthread_once_t has_read = PTHREAD_ONCE_INIT;
  pthread_once(&has_read, read_own_symbols);
  const symbol *found = find_symbol(&own_symbols, place);
  if (found != NULL) *offset = place - found->place;
  return found == NULL ? NULL : found->name;
}

const char *interleaving_runtime_caller(int *depth) {
  static pthread_once_t has_read = PTHREAD_ONCE_INIT;
  pthread_once(&has_read, read_runtime_symbols);
  // The runtime keeps no frame pointers, so that the system's own unwinder is asked.
  void *frames[40];
  int count = backtrace(frames, sizeof frames / sizeof *frames);
  while (*depth < count) {
    // It is where a call returns to: the call is before that.
    uintptr_t address = (uintptr_t)frames[(*depth)++] - 1;
    if (!is_concurrency((const void *)address)) continue;
    const symbol *found = find_symbol(&runtime_symbols, address - concurrency_begin);
    if (found != NULL) return found->name;
  }
  return NULL;
}

// `Task.sleep(for:)` and `Clock.sleep(for:)` are compiled into the program.
bool asks_for_itself(const void *address) {
  uintptr_t offset = 0;
  const char *name = interleaving_symbol(place_of(address), &offset);
  if (name == NULL) return false;
  return strncmp(name, "$s12Interleaving", 16) == 0 || strncmp(name, "$sScTss5NeverORszABRs_rlE5sleep", 31) == 0
    || strncmp(name, "$ss5ClockP", 10) == 0;
}

// A cache of metadata ends on ML, or on Ml where a type has but one; of what a name stands for on Md or MD; of a
// conformance on WL.
bool is_cache_of_metadata(const void *address) {
  uintptr_t place = place_of(address), offset = 0;
  if (place == 0) return image_of(address) != OTHER_IMAGE;
  const char *name = interleaving_symbol(place, &offset);
  size_t length = name == NULL ? 0 : strlen(name);
  if (length < 4 || offset >= 16 || strncmp(name, "$s", 2) != 0) return false;
  const char *end = name + length - 2;
  return strcmp(end, "ML") == 0 || strcmp(end, "Ml") == 0 || strcmp(end, "Md") == 0 || strcmp(end, "MD") == 0
    || strcmp(end, "WL") == 0 || strcmp(end, "MR") == 0;
}
#else
bool find_images(void) { return false; }
const char *interleaving_symbol(uintptr_t place, uintptr_t *offset) {
  (void)place, (void)offset;
  return NULL;
}
const char *interleaving_runtime_caller(int *depth) {
  (void)depth;
  return NULL;
}
bool is_cache_of_metadata(const void *address) {
  (void)address;
  return false;
}
#endif
