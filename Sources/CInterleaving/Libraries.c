#define _GNU_SOURCE
#include "Libraries.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <string.h>

// What objects of a library's keep. A class that may have subclasses is asked for its method: instrumented code tells
// that it loads the object's class, and then, from within that, the method's address. Symbols say which method that is.

#if defined(__linux__) && !defined(SANITIZED)
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__x86_64__)
enum { JUMP_SLOT = R_X86_64_JUMP_SLOT, GLOBAL_DATA = R_X86_64_GLOB_DAT };
#else
enum { JUMP_SLOT = R_AARCH64_JUMP_SLOT, GLOBAL_DATA = R_AARCH64_GLOB_DAT };
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

/// A name in a symbol; null where it repeats words of names before it.
typedef struct {
  const char *text;
  size_t length;
} name;

static bool is_digit(char character) { return character >= '0' && character <= '9'; }
static bool is_lower(char character) { return character >= 'a' && character <= 'z'; }
static bool is_upper(char character) { return character >= 'A' && character <= 'Z'; }

/// Reads a name and moves on behind it: its length comes before it, and after a 0 letters that stand for words, the last of
/// which is a capital. Returns whether there is one.
static bool read_name(const char **symbol, name *read) {
  const char *next = *symbol;
  if (!is_digit(*next)) return false;
  bool has_words = *next == '0', was_plain = !has_words;
  if (has_words) next++;
  do {
    while (has_words && (is_lower(*next) || is_upper(*next))) has_words = is_lower(*next++);
    if (!was_plain && *next == '0') {
      next++;
      break;
    }
    size_t length = 0;
    while (is_digit(*next)) length = 10 * length + (size_t)(*next++ - '0');
    if (length == 0 || strnlen(next, length) < length) return false;
    *read = (name){was_plain ? next : NULL, length};
    next += length;
  } while (has_words);
  if (!was_plain) read->text = NULL;
  *symbol = next;
  return true;
}

/// Moves on behind the module of an extension, if one follows.
static void skip_extension(const char **symbol) {
  const char *next = *symbol;
  name module;
  if (*next == 'A') {
    next++;
    while (is_digit(*next) || is_lower(*next)) next++;
    if (!is_upper(*next++)) return;
  } else if (!read_name(&next, &module)) {
    return;
  }
  if (*next == 'E') *symbol = next + 1;
}

// Locks are operations of their own; what files hold is seen where the system is called; and what has threads of its own
// is not under control.
static const char *const seen_otherwise[] = {
  "NSObject", "NSLock", "NSRecursiveLock", "NSCondition", "NSConditionLock", "FileManager", "Thread", "URLSession",
  "URLSessionTask", "URLSessionDataTask", NULL};
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

/// Whether a name is one of some, or ends on one.
static bool is_one_of(name name, const char *const *list, bool ends_on) {
  for (; name.text != NULL && *list != NULL; list++) {
    size_t length = strlen(*list);
    if (length > name.length || (length < name.length && !ends_on)) continue;
    if (strncmp(*list, name.text + name.length - length, length) == 0) return true;
  }
  return false;
}

/// What a method does, by its symbol: its module, its class, C, its name unless it is a subscript, and at the end what
/// kind of function it is.
static knowledge read_symbol(const char *symbol) {
  const knowledge none = {NOTHING, false};
  name module, class, method = {NULL, 0};
  size_t length = strlen(symbol);
  if (length < 4 || strncmp(symbol, "$s", 2) != 0) return none;
  const char *rest = symbol + 2;
  if (!read_name(&rest, &module) || !read_name(&rest, &class) || *rest++ != 'C') return none;
  if (is_one_of(class, seen_otherwise, false)) return none;
  char kind = symbol[length - 1], before = symbol[length - 2];
  bool is_function = kind == 'F', is_subscript = before == 'i', is_accessor = before == 'v' || is_subscript;
  if (!is_function && !is_accessor) return none;
  skip_extension(&rest);
  bool has_name = read_name(&rest, &method);
  // A type within the class has methods of its own; and of what is not understood it is not known whose it is.
  if (has_name ? strchr("CVOP", *rest) != NULL : !is_subscript) return none;
  if (is_one_of(class, process, false)) {
    return (knowledge){is_one_of(method, environment, false) ? READS_ENVIRONMENT : NOTHING, true};
  }
  bool is_look = is_function && is_one_of(class, looked_at, true) && is_one_of(method, looks, false);
  effect effect = WRITES;
  if (is_look || (is_accessor && kind == 'g') || is_one_of(class, immutable, false)) effect = READS;
  else if (is_accessor && kind == 'M') effect = HANDS_OUT;
  return (knowledge){effect, is_one_of(class, sharing, false)};
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
  interleaving_seat *seat, uintptr_t object, uintptr_t class, knowledge known, uintptr_t function, const void *caller) {
  kept_use use = {kept_key(object), kept_key(class), known.effect != READS};
  if (known.shares) use.key = use.identity;
  if (known.effect == READS_ENVIRONMENT) use = use_of_environment(false);
  uintptr_t place = place_of(caller);
  // To look for a symbol takes a while, and nobody asks for it elsewhere.
  const char *symbol = watch_is_point(seat->watch, kept_point(place, 0)) ? symbol_of(function) : NULL;
  use_kept(seat, &use, 1, symbol == NULL ? "calls a method of a library's" : symbol, NULL, place, 0);
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
  call_method(seat, object, class, known, function, caller);
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
  call_method(seat, (uintptr_t)object, *object, call->known, call->function, caller);
}

#define SWIFT __attribute__((swiftcall))
#define RESULT __attribute__((swift_indirect_result)) void *result
#define OBJECT __attribute__((swift_context)) const uintptr_t *object
// As many as come in registers; of vectors only the lower half is kept, which no method of these takes.
#if defined(__x86_64__)
#define WORDS uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e, uintptr_t f
#define ALL_WORDS a, b, c, d, e, f
#else
#define WORDS \
  uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e, uintptr_t f, uintptr_t g, uintptr_t h
#define ALL_WORDS a, b, c, d, e, f, g, h
#endif
#define NUMBERS double i, double j, double k, double l, double m, double n, double o, double p
typedef SWIFT void (*library_function)(RESULT, WORDS, NUMBERS, OBJECT);

#define GATE(number) \
  SWIFT static void gate_##number(RESULT, WORDS, NUMBERS, OBJECT) { \
    interleaving_seat *seat = seat_in_scenario(); \
    if (seat != NULL && seat->is_watching) meet_direct_call(seat, 0x##number, object, __builtin_return_address(0)); \
    __attribute__((musttail)) return ((library_function)direct_calls[0x##number].function)( \
      result, ALL_WORDS, i, j, k, l, m, n, o, p, object); \
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
  if (number == direct_call_count) direct_calls[direct_call_count++] = (direct_call){function, known};
  // The loader may have left the table to be read only.
  uintptr_t page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
  if (mprotect((void *)((uintptr_t)entry & ~(page_size - 1)), page_size, PROT_READ | PROT_WRITE) != 0) {
    has_missed_calls = true;
    return;
  }
  __atomic_store_n(entry, (uintptr_t)gates[number], __ATOMIC_RELEASE);
}

/// Where the program has a table of what it takes from others.
typedef struct {
  uintptr_t entries, size;
} table_of_others;

static void put_gates(uintptr_t base, table_of_others table, const ElfW(Sym) *symbols, const char *names) {
  const ElfW(Rela) *entries = (const void *)table.entries;
  for (size_t index = 0; index < table.size / sizeof *entries; index++) {
    uintptr_t type = ELF64_R_TYPE(entries[index].r_info);
    if (type != JUMP_SLOT && type != GLOBAL_DATA) continue;
    put_gate(
      (uintptr_t *)(base + entries[index].r_offset), names + symbols[ELF64_R_SYM(entries[index].r_info)].st_name);
  }
}

void find_direct_calls(uintptr_t base, const void *dynamic) {
  table_of_others calls = {0}, others = {0};
  uintptr_t symbols = 0, names = 0;
  for (const ElfW(Dyn) *part = dynamic; part->d_tag != DT_NULL; part++) {
    // Most of it is relocated already.
    uintptr_t address = part->d_un.d_ptr < base ? base + part->d_un.d_ptr : part->d_un.d_ptr;
    if (part->d_tag == DT_JMPREL) calls.entries = address;
    else if (part->d_tag == DT_PLTRELSZ) calls.size = part->d_un.d_val;
    else if (part->d_tag == DT_RELA) others.entries = address;
    else if (part->d_tag == DT_RELASZ) others.size = part->d_un.d_val;
    else if (part->d_tag == DT_SYMTAB) symbols = address;
    else if (part->d_tag == DT_STRTAB) names = address;
  }
  if (symbols == 0 || names == 0) return;
  put_gates(base, calls, (const void *)symbols, (const void *)names);
  put_gates(base, others, (const void *)symbols, (const void *)names);
}
#else
bool interleaving_has_missed_calls(void) { return false; }
void find_direct_calls(uintptr_t base, const void *dynamic) { (void)base, (void)dynamic; }
void meet_method(interleaving_seat *seat, uintptr_t slot, uintptr_t function, const void *caller) {
  (void)seat, (void)slot, (void)function, (void)caller;
}
void note_change(interleaving_seat *seat, const void *caller) { (void)seat, (void)caller; }
#endif
