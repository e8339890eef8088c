#define _GNU_SOURCE
#include "Libraries.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <string.h>

// What objects of a library's keep. A class that may have subclasses is asked for its method: instrumented code tells
// that it loads the object's class, and then, from within that, the method's address. Symbols say which method that is.

#if defined(__linux__) && !defined(SANITIZED)
#include <link.h>

#if defined(__x86_64__)
#define JUMP_SLOT R_X86_64_JUMP_SLOT
#else
#define JUMP_SLOT R_AARCH64_JUMP_SLOT
#endif

/// What a method does to its object.
typedef enum {
  /// Nothing that others see, or it is seen otherwise.
  NOTHING = 1,
  READS,
  WRITES,
  /// It hands out what is changed in place.
  HANDS_OUT,
  READS_ENVIRONMENT,
} effect;

/// What is known of a function; `shares` is whether all objects of its class share what they keep.
typedef struct {
  effect effect;
  bool shares;
} knowledge;

static bool is_one_of(const char *name, size_t length, const char *const *list) {
  for (; *list != NULL; list++) {
    if (strlen(*list) == length && strncmp(*list, name, length) == 0) return true;
  }
  return false;
}

/// Reads a name with its length before it, and moves on behind it; null if there is none.
static const char *read_name(const char **symbol, size_t *length) {
  *length = 0;
  while (**symbol >= '0' && **symbol <= '9') *length = 10 * *length + (size_t)(*(*symbol)++ - '0');
  const char *name = *symbol;
  if (*length == 0 || strnlen(name, *length) < *length) return NULL;
  *symbol += *length;
  return name;
}

// Locks are operations of their own; what files hold is seen where the system is called; and what has threads of its own
// is not under control.
static const char *const seen_otherwise[] = {
  "NSObject", "NSLock", "NSRecursiveLock", "NSCondition", "NSConditionLock", "FileManager", "Thread", "Operation",
  "BlockOperation", "Timer", "URLSession", "URLSessionTask", "URLSessionDataTask", NULL};
// What never changes. What may is a class derived from it, whose own methods change it.
static const char *const immutable[] = {
  "NSString", "NSNumber", "NSDecimalNumber", "NSValue", "NSURL", "NSError", "NSDate", "NSData", "NSArray", "NSDictionary",
  "NSSet", "NSOrderedSet", "NSUUID", "NSLocale", "NSTimeZone", "NSCalendar", "NSURLRequest", "URLResponse",
  "HTTPURLResponse", "CachedURLResponse", "NSAttributedString", "NSIndexSet", "NSIndexPath", "NSPredicate",
  "NSSortDescriptor", "NSRegularExpression", "NSTextCheckingResult", "NSCharacterSet", "NSNotification", "NSNull", "Bundle",
  "Unit", "Dimension", NULL};
static const char *const sharing[] = {"UserDefaults", "Progress", "HTTPCookieStorage", NULL};
static const char *const process[] = {"ProcessInfo", NULL}, *const environment[] = {"environment", NULL};
// Classes, or what their names end on, of which these methods only look.
static const char *const looked_at[] = {
  "NSCache", "UserDefaults", "URLCache", "Formatter", "Encoder", "Decoder", NULL};
static const char *const looks[] = {
  "object", "string", "stringArray", "array", "dictionary", "data", "integer", "float", "double", "bool", "url",
  "dictionaryRepresentation", "cachedResponse", "number", "date", "encode", "decode", NULL};

static bool ends_on_one_of(const char *name, size_t length, const char *const *list) {
  for (; *list != NULL; list++) {
    size_t end = strlen(*list);
    if (end <= length && strncmp(*list, name + length - end, end) == 0) return true;
  }
  return false;
}

/// What a method does, by its symbol: its module, its class, C, and at the end what kind of function it is.
static knowledge read_symbol(const char *symbol) {
  const knowledge none = {NOTHING, false};
  size_t length, name_length;
  size_t whole = strlen(symbol);
  if (strncmp(symbol, "$s", 2) != 0) return none;
  const char *rest = symbol + 2;
  if (read_name(&rest, &length) == NULL) return none;
  const char *class = read_name(&rest, &length);
  if (class == NULL || *rest++ != 'C' || is_one_of(class, length, seen_otherwise)) return none;
  const char *name = read_name(&rest, &name_length);
  // In an extension, its module comes first.
  if (name == NULL) rest = strchr(rest, 'E');
  if (rest != NULL && *rest == 'E') rest++, name = read_name(&rest, &name_length);
  // A type within the class has methods of its own.
  if (rest == NULL || (name != NULL && strchr("CVOP", *rest) != NULL)) return none;
  char kind = symbol[whole - 1], before = symbol[whole - 2];
  bool is_function = kind == 'F', is_accessor = before == 'v' || before == 'i';
  if (!is_function && !is_accessor) return none;
  if (is_one_of(class, length, process)) {
    return (knowledge){name != NULL && is_one_of(name, name_length, environment) ? READS_ENVIRONMENT : NOTHING, true};
  }
  bool is_look = is_function && name != NULL && ends_on_one_of(class, length, looked_at)
    && is_one_of(name, name_length, looks);
  effect effect = WRITES;
  if (is_look || (is_accessor && kind == 'g') || is_one_of(class, length, immutable)) effect = READS;
  else if (is_accessor && kind == 'M') effect = HANDS_OUT;
  return (knowledge){effect, is_one_of(class, length, sharing)};
}

/// The symbol of a function; null if it has none of its own.
static const char *symbol_of(uintptr_t function) {
  Dl_info info;
  if (dladdr((void *)function, &info) == 0 || info.dli_saddr != (void *)function) return NULL;
  return info.dli_sname;
}

/// What a function does; looked up once, for as long as no other takes its place in the table.
static knowledge knowledge_of(uintptr_t function) {
  enum { size = 1024, effects = 8 };
  static _Atomic(uintptr_t) known[size];
  _Atomic(uintptr_t) *entry = &known[hash(function) % size];
  // Addresses have 48 bits.
  uintptr_t found = atomic_load_explicit(entry, memory_order_relaxed);
  if (found >> 8 != function) {
    const char *symbol = symbol_of(function);
    // A method without a name may do anything.
    knowledge read = symbol == NULL ? (knowledge){WRITES, false} : read_symbol(symbol);
    found = function << 8 | (uintptr_t)read.effect | (read.shares ? effects : 0);
    atomic_store_explicit(entry, found, memory_order_relaxed);
  }
  return (knowledge){(effect)(found & (effects - 1)), (found & effects) != 0};
}

/// The scenario's code calls a method.
static void call_method(
  interleaving_seat *seat, uintptr_t object, uintptr_t class, knowledge known, const char *symbol, const void *caller) {
  kept_use use = {kept_key(object), kept_key(class), known.effect != READS};
  if (known.shares) use.key = use.identity;
  if (known.effect == READS_ENVIRONMENT) use = use_of_environment(false);
  use_kept(seat, &use, 1, symbol == NULL ? "calls a method of a library's" : symbol, NULL, place_of(caller), 0);
  if (known.effect == HANDS_OUT) code_of_thread.changing = use;
}

void meet_method(interleaving_seat *seat, uintptr_t slot, uintptr_t function, const void *caller) {
  code_state *code = &code_of_thread;
  // A class begins with some words about itself.
  enum { first_slot = 56, last_slot = 1 << 14 };
  uintptr_t object = 0, class = 0;
  for (unsigned back = 1; back <= 4 && object == 0; back++) {
    unsigned index = (code->load_count - back) % 4;
    uintptr_t distance = slot - code->loads[index].word;
    if (distance < first_slot || distance > last_slot) continue;
    object = code->loads[index].address;
    class = code->loads[index].word;
  }
  if (object == 0) return;
  knowledge known = knowledge_of(function);
  if (known.effect == NOTHING) return;
  call_method(seat, object, class, known, symbol_of(function), caller);
}

void note_change(interleaving_seat *seat, const void *caller) {
  kept_use use = code_of_thread.changing;
  code_of_thread.changing.identity = 0;
  if (seat->is_watching) use_kept(seat, &use, 1, "changes it", NULL, place_of(caller), 1);
}

// MARK: Direct calls

// A method in an extension, or of a class that can have no subclass, is called directly, through the program's table of
// the functions that it takes from others. There, functions of ours take their places, and go on to them with all that
// they were given.

typedef struct {
  const char *symbol;
  uintptr_t function;
  knowledge known;
} direct_call;

enum { direct_call_limit = 256 };
static direct_call direct_calls[direct_call_limit];
static int direct_call_count;
/// Whether there were more.
static bool has_missed_calls;
bool interleaving_has_missed_calls(void) { return has_missed_calls; }

static __attribute__((noinline)) void meet_direct_call(
  interleaving_seat *seat, int number, const uintptr_t *object, const void *caller) {
  const direct_call *call = &direct_calls[number];
  // A native object begins with its class.
  call_method(seat, (uintptr_t)object, *object, call->known, call->symbol, caller);
}

#define SWIFT __attribute__((swiftcall))
#define RESULT __attribute__((swift_indirect_result)) void *result
#define OBJECT __attribute__((swift_context)) const uintptr_t *object
#define WORDS uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e, uintptr_t f
#define NUMBERS double i, double j, double k, double l, double m, double n, double o, double p
typedef SWIFT void (*library_function)(RESULT, WORDS, NUMBERS, OBJECT);

#define GATE(number) \
  SWIFT static void gate_##number(RESULT, WORDS, NUMBERS, OBJECT) { \
    interleaving_seat *seat = seat_in_scenario(); \
    if (seat != NULL && seat->is_watching) meet_direct_call(seat, 0x##number, object, __builtin_return_address(0)); \
    __attribute__((musttail)) return ((library_function)direct_calls[0x##number].function)( \
      result, a, b, c, d, e, f, i, j, k, l, m, n, o, p, object); \
  }
#define SIXTEEN(of, high) \
  of(high##0) of(high##1) of(high##2) of(high##3) of(high##4) of(high##5) of(high##6) of(high##7) of(high##8) \
    of(high##9) of(high##A) of(high##B) of(high##C) of(high##D) of(high##E) of(high##F)
#define ALL(of) \
  SIXTEEN(of, 0) SIXTEEN(of, 1) SIXTEEN(of, 2) SIXTEEN(of, 3) SIXTEEN(of, 4) SIXTEEN(of, 5) SIXTEEN(of, 6) \
    SIXTEEN(of, 7) SIXTEEN(of, 8) SIXTEEN(of, 9) SIXTEEN(of, A) SIXTEEN(of, B) SIXTEEN(of, C) SIXTEEN(of, D) \
    SIXTEEN(of, E) SIXTEEN(of, F)
ALL(GATE)
#define POINTER(number) gate_##number,
static const library_function gates[direct_call_limit] = {ALL(POINTER)};

/// Puts a gate before a function in the program's table.
static void put_gate(uintptr_t *entry, const char *symbol) {
  knowledge known = read_symbol(symbol);
  if (known.effect == NOTHING) return;
  uintptr_t function = (uintptr_t)dlsym(RTLD_DEFAULT, symbol);
  if (!is_library_code(function)) return;
  int number = 0;
  while (number < direct_call_count && direct_calls[number].function != function) number++;
  if (number == direct_call_limit) {
    has_missed_calls = true;
    return;
  }
  if (number == direct_call_count) direct_calls[direct_call_count++] = (direct_call){symbol, function, known};
  __atomic_store_n(entry, (uintptr_t)gates[number], __ATOMIC_RELEASE);
}

static void put_gates(uintptr_t base, const ElfW(Rela) *entries, size_t size, const ElfW(Sym) *symbols, const char *names) {
  for (size_t index = 0; index < size / sizeof *entries; index++) {
    if (ELF64_R_TYPE(entries[index].r_info) != JUMP_SLOT) continue;
    put_gate(
      (uintptr_t *)(base + entries[index].r_offset), names + symbols[ELF64_R_SYM(entries[index].r_info)].st_name);
  }
}

void find_direct_calls(uintptr_t base, const void *dynamic) {
  uintptr_t entries = 0, size = 0, symbols = 0, names = 0;
  for (const ElfW(Dyn) *part = dynamic; part->d_tag != DT_NULL; part++) {
    // Most of it is relocated already.
    uintptr_t address = part->d_un.d_ptr < base ? base + part->d_un.d_ptr : part->d_un.d_ptr;
    if (part->d_tag == DT_JMPREL) entries = address;
    else if (part->d_tag == DT_PLTRELSZ) size = part->d_un.d_val;
    else if (part->d_tag == DT_SYMTAB) symbols = address;
    else if (part->d_tag == DT_STRTAB) names = address;
  }
  if (entries == 0 || symbols == 0 || names == 0) return;
  put_gates(base, (const void *)entries, size, (const void *)symbols, (const void *)names);
}
#else
bool interleaving_has_missed_calls(void) { return false; }
void find_direct_calls(uintptr_t base, const void *dynamic) { (void)base, (void)dynamic; }
void meet_method(interleaving_seat *seat, uintptr_t slot, uintptr_t function, const void *caller) {
  (void)seat, (void)slot, (void)function, (void)caller;
}
void note_change(interleaving_seat *seat, const void *caller) { (void)seat, (void)caller; }
#endif
