#define _GNU_SOURCE
#include "Lifetimes.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// Who drops the last reference to an object, and who looks for one through a weak or unowned reference.
//
// That matters of few objects: those of a type to which such references are formed, or whose end others see. What a
// scenario shows of that is noted here; what follows from it is found in Swift, and holds from the next round on. Then the
// retains and releases of such objects are noted, each with its strand's clock, and where one races for the last
// reference, it is an operation of the exploration. Of all other objects a release costs a look at its count.

#if defined(__GLIBC__) && !defined(SANITIZED)
void __libc_free(void *memory);
#define free __libc_free
#endif

// MARK: Tables

typedef struct {
  uintptr_t key;
  uint32_t value;
} entry;

/// What is known of keys that are not 0.
typedef struct {
  entry *entries;
  size_t count, capacity;
} table;

static entry *find(const table *table, uintptr_t key) {
  size_t mask = table->capacity - 1;
  for (size_t index = hash(key) & mask;; index = (index + 1) & mask) {
    entry *known = &table->entries[index];
    if (known->key == key || known->key == 0) return known;
  }
}

static inline uint32_t get(const table *table, uintptr_t key) {
  return table->count == 0 ? 0 : find(table, key)->value;
}

static void put(table *table, uintptr_t key, uint32_t value) {
  if (2 * (table->count + 1) > table->capacity) {
    entry *old = table->entries;
    size_t count = table->capacity;
    table->capacity = count == 0 ? 32 : 2 * count;
    table->entries = calloc(table->capacity, sizeof(entry));
    if (table->entries == NULL) abort();
    for (size_t index = 0; index < count; index++) {
      if (old[index].key != 0) *find(table, old[index].key) = old[index];
    }
    free(old);
  }
  entry *place = find(table, key);
  if (place->key == 0) table->count++;
  *place = (entry){key, value};
}

static void empty(table *table) {
  if (table->count > 0) memset(table->entries, 0, table->capacity * sizeof(entry));
  table->count = 0;
}

// MARK: Lives

typedef struct {
  interleaving_life_event told;
  uint32_t clock_capacity;
} event;

/// An object of the scenario's whose references are noted.
typedef struct {
  interleaving_life told;
  /// How many more references were made than dropped, as far as that was noted.
  int64_t balance;
  LIST(event) events;
} life;

struct lifetimes {
  bool is_tracking;
  /// By their metadata, what is known of types.
  table types;
  /// Places that are scheduling points.
  table points;
  /// What was met of types that is not known yet.
  LIST(interleaving_type) news;
  /// Those of this execution, and behind them memory of earlier ones.
  LIST(life) lives;
  int used;
  /// The number of a life, from 1, by its object's address, and by that of its table of weak references.
  table by_address, by_side;
};

lifetimes *make_lifetimes(void) {
  lifetimes *lifetimes = calloc(1, sizeof *lifetimes);
  if (lifetimes == NULL) abort();
  return lifetimes;
}

void drop_lifetimes(lifetimes *lifetimes) {
  for (int index = 0; index < lifetimes->lives.count; index++) {
    life *life = &lifetimes->lives.items[index];
    for (int event = 0; event < life->events.capacity; event++) free((void *)life->events.items[event].told.clock);
    free(life->events.items);
  }
  free(lifetimes->lives.items);
  free(lifetimes->news.items);
  free(lifetimes->types.entries);
  free(lifetimes->points.entries);
  free(lifetimes->by_address.entries);
  free(lifetimes->by_side.entries);
  free(lifetimes);
}

void reset_lifetimes(lifetimes *lifetimes) {
  lifetimes->used = 0;
  empty(&lifetimes->by_address);
  empty(&lifetimes->by_side);
}

void forget_life(lifetimes *lifetimes, uintptr_t address) {
  if (get(&lifetimes->by_address, address) != 0) put(&lifetimes->by_address, address, 0);
}

void interleaving_track_lifetimes(
  interleaving_watch *watch, const interleaving_type *types, int type_count, const uintptr_t *points, int point_count) {
  lifetimes *lifetimes = watch_lifetimes(watch);
  lifetimes->is_tracking = true;
  empty(&lifetimes->types);
  empty(&lifetimes->points);
  for (int index = 0; index < type_count; index++) put(&lifetimes->types, types[index].metadata, types[index].traits);
  for (int index = 0; index < point_count; index++) put(&lifetimes->points, points[index], 1);
}

int interleaving_count_type_news(const interleaving_watch *watch) { return watch_lifetimes(watch)->news.count; }

interleaving_type interleaving_take_type_news(interleaving_watch *watch) {
  lifetimes *lifetimes = watch_lifetimes(watch);
  return lifetimes->news.items[--lifetimes->news.count];
}

int interleaving_count_lives(const interleaving_watch *watch) { return watch_lifetimes(watch)->used; }

interleaving_life interleaving_get_life(const interleaving_watch *watch, int number) {
  const life *life = &watch_lifetimes(watch)->lives.items[number];
  interleaving_life told = life->told;
  told.event_count = life->events.count;
  return told;
}

const interleaving_life_event *interleaving_get_life_event(const interleaving_watch *watch, int life, int index) {
  return &watch_lifetimes(watch)->lives.items[life].events.items[index].told;
}

// MARK: What matters

static uintptr_t metadata_of(const void *object) { return *(const uintptr_t *)object; }

/// Something of a type matters from the next round on.
static void learn(lifetimes *lifetimes, uintptr_t metadata, uint32_t traits) {
  if ((get(&lifetimes->types, metadata) & traits) == traits) return;
  for (int index = 0; index < lifetimes->news.count; index++) {
    interleaving_type *known = &lifetimes->news.items[index];
    if (known->metadata != metadata) continue;
    known->traits |= traits;
    return;
  }
  APPEND(lifetimes->news, (interleaving_type){metadata, traits});
}

static void learn_of_ends(interleaving_seat *seat, uint32_t traits) {
  code_state *code = &code_of_thread;
  for (int index = 0; index < code->ends.count; index++) {
    learn(watch_lifetimes(seat->watch), code->ends.items[index].metadata, traits);
  }
}

void note_effect_of_end(interleaving_seat *seat) { learn_of_ends(seat, interleaving_end_is_seen); }

void interleaving_note_effect(void) {
  interleaving_seat *seat = interleaving_seat_of_thread;
  if (seat != NULL) note_effect(seat);
}

void interleaving_begin_operation(void) {
  interleaving_seat *seat = seat_in_scenario();
  if (seat == NULL) return;
  notice_unlocks(seat);
  note_effect(seat);
}

/// An object's life; null if it is none of the scenario's.
static life *life_of(interleaving_watch *watch, const void *object, bool is_living) {
  lifetimes *lifetimes = watch_lifetimes(watch);
  uint32_t number = get(&lifetimes->by_address, (uintptr_t)object);
  if (number != 0) {
    life *known = &lifetimes->lives.items[number - 1];
    // What lives where one has died is another.
    if (!known->told.is_dead || !is_living) return known;
  }
  interleaving_object made = interleaving_find_object(watch, (uintptr_t)object);
  // What lives is of its own type; what is no more may have been where this one is.
  bool is_known = made.address == (uintptr_t)object && (!is_living || made.metadata == metadata_of(object));
  // What was made before the scenario, or by the explorer, is not the scenario's to end.
  if (!is_known && is_living) return NULL;
  if (lifetimes->used == lifetimes->lives.count) APPEND(lifetimes->lives, (life){0});
  life *new = &lifetimes->lives.items[lifetimes->used++];
  new->told = (interleaving_life){
    .address = (uintptr_t)object, .metadata = is_living ? metadata_of(object) : 0, .maker = made.strand,
    .place = made.place, .ordinal = made.ordinal, .is_dead = !is_living};
  new->events.count = 0;
  new->balance = 0;
  put(&lifetimes->by_address, (uintptr_t)object, (uint32_t)lifetimes->used);
  return new;
}

/// What is done at a place to objects of one type that were made at one place.
static uintptr_t point_of(const life *life, uintptr_t place) {
  return place ^ life->told.place * 0x9E3779B97F4A7C15u ^ life->told.metadata * 0xC2B2AE3D27D4EB4Fu;
}

static int index_of(const lifetimes *lifetimes, const life *life) { return (int)(life - lifetimes->lives.items); }

/// What the running strand does to an object from now on. What it does to no other strand's knowledge is one event.
static event *add(interleaving_watch *watch, life *life, bool is_look) {
  if (life->events.count == life->events.capacity) {
    int old = life->events.capacity;
    life->events.items = make_room(life->events.items, &life->events.capacity, sizeof(event));
    memset(life->events.items + old, 0, (size_t)(life->events.capacity - old) * sizeof(event));
  }
  event *new = &life->events.items[life->events.count];
  int32_t strand = watch_running(watch);
  uint32_t *clock = (uint32_t *)new->told.clock;
  new->told.moment = watch_copy_clock(watch, &clock, &new->told.clock_count, &new->clock_capacity);
  new->told.clock = clock;
  new->told.strand = strand;
  for (int index = life->events.count - 1; index >= 0 && !is_look; index--) {
    event *known = &life->events.items[index];
    if (known->told.strand != strand) continue;
    if (known->told.is_look || known->told.clock_count != new->told.clock_count
        || memcmp(known->told.clock, clock, new->told.clock_count * sizeof(uint32_t)) != 0) {
      break;
    }
    return known;
  }
  life->events.count++;
  new->told.is_look = is_look;
  new->told.point = 0;
  new->told.releases = new->told.retains = 0;
  new->told.lowest = new->told.base = 0;
  return new;
}

static void note_release(interleaving_watch *watch, life *life, uint32_t count, uintptr_t place) {
  if (watch_running(watch) < 0) return;
  interleaving_life_event *told = &add(watch, life, false)->told;
  told->releases += count;
  told->point = point_of(life, place);
  life->balance -= count;
  int64_t left = (int64_t)told->retains - (int64_t)told->releases;
  if (left < told->lowest) told->lowest = left;
}

static void note_retain(interleaving_watch *watch, life *life, uint32_t count) {
  if (watch_running(watch) < 0) return;
  add(watch, life, false)->told.retains += count;
  life->balance += count;
}

/// Whether others could go on where this calls. A library that the explorer does not know may hold a lock there, as the
/// one of tests does that looks after every error that is thrown.
static bool is_known_caller(const void *caller) { return image_of(caller) != OTHER_IMAGE; }

/// Ends what came before a use of a reference: who takes a lock that was unlocked then does not know of the use.
static void end_before(interleaving_seat *seat, const void *caller) {
  if (code_of_thread.held.count > 0 && is_known_caller(caller)) notice_unlocks(seat);
}

/// Lets the explorer know of what is done to an object, if that is a scheduling point. Others may go on before, and meet
/// other objects, so what was known of lives is to be asked for anew.
static void reach_point(interleaving_seat *seat, const life *life, int operation, const void *caller) {
  lifetimes *lifetimes = watch_lifetimes(seat->watch);
  if (get(&lifetimes->points, point_of(life, (uintptr_t)caller)) == 0 || code_of_thread.setting_up > 0
      || !is_known_caller(caller)) {
    return;
  }
  code_of_thread.reaching = caller;
  operate(seat, operation, (const void *)(uintptr_t)(index_of(lifetimes, life) + 1), place_of(caller));
  code_of_thread.reaching = NULL;
}

/// Where the program has called what calls from a place in a library; null if it has not.
static const void *caller_of_library(const void *caller) {
  if (image_of(caller) == OWN_IMAGE) return caller;
  void *frames[40];
  int count = backtrace(frames, sizeof frames / sizeof *frames), index = 0;
  while (index < count && frames[index] != caller) index++;
  while (index < count && image_of(frames[index]) != OWN_IMAGE) index++;
  return index < count ? frames[index] : NULL;
}

/// Whether a call comes from what stands in for Dispatch, perhaps through the standard library.
static bool is_of_stand_ins(const void *caller) {
  uintptr_t offset = 0;
  const char *name = interleaving_symbol(place_of(caller_of_library(caller)), &offset);
  return name != NULL && strncmp(name, "$s18ControlledDispatch", 22) == 0;
}

bool interleaving_is_in_stand_in(void) {
  const code_state *code = &code_of_thread;
  if (code->reaching != NULL && is_of_stand_ins(code->reaching)) return true;
  for (int index = 0; index < code->ends.count; index++) {
    if (is_of_stand_ins(code->ends.items[index].caller)) return true;
  }
  return false;
}

#if defined(__linux__) && defined(__x86_64__) && !defined(SANITIZED)
// Others see what is written where an object comes to its end, unless it is the object itself or on the stack.
void note_write_of_end(interleaving_seat *seat, uintptr_t address) {
  code_state *code = &code_of_thread;
  if (address < code->stack_top && address >= (uintptr_t)__builtin_frame_address(0)) return;
  for (int index = 0; index < code->ends.count; index++) {
    uintptr_t object = code->ends.items[index].object;
    if (address - object < usable_size((void *)object)) return;
  }
  note_effect_of_end(seat);
}

// MARK: Counts of references

// Of an object's second word, or of its table of weak references: RefCount.h of the runtime.
static const uint64_t one_reference = 1ull << 33, is_deiniting = 1ull << 32;

static uint64_t bits_of(const void *object) { return ((const uint64_t *)object)[1]; }

/// The table of weak references, once there has been one; null if nothing is counted.
static const uint64_t *side_of(uint64_t bits) {
  if ((uint32_t)bits == 0xFFFFFFFF) return NULL;
  return (const uint64_t *)((bits & 0x3FFFFFFFFFFFFFFF) << 3);
}

/// The word that counts; null if nothing does.
static const uint64_t *count_of(const void *object) {
  uint64_t bits = bits_of(object);
  if ((int64_t)bits >= 0) return (const uint64_t *)object + 1;
  const uint64_t *side = side_of(bits);
  return side == NULL ? NULL : side + 2;
}

static bool lives(const uint64_t *count) { return count != NULL && (*count & is_deiniting) == 0; }

// MARK: Releases and retains

typedef void (*release_function)(void *object);
typedef void (*release_n_function)(void *object, uint32_t count);
typedef void *(*retain_function)(void *object);
typedef void *(*retain_n_function)(void *object, uint32_t count);
typedef void *(*alloc_function)(const void *metadata, size_t size, size_t alignment);
static release_function real_release;
static release_n_function real_release_n;
static retain_function real_retain;
static retain_n_function real_retain_n;
static alloc_function real_alloc;

static void release_really(void *object, uint32_t count) {
  if (count == 1) real_release(object);
  else real_release_n(object, count);
}

static __attribute__((noinline)) void release_apart(
  interleaving_seat *seat, void *object, uint32_t count, const void *caller) {
  if (!lives(count_of(object))) return release_really(object, count);
  lifetimes *lifetimes = watch_lifetimes(seat->watch);
  uint32_t traits = lifetimes->is_tracking ? get(&lifetimes->types, metadata_of(object)) : 0;
  if (traits != 0) end_before(seat, caller);
  life *life = traits != 0 ? life_of(seat->watch, object, true) : NULL;
  if (life != NULL) {
    // Who lets an object come to its end that holds this one is who may do so with this.
    if (code_of_thread.ends.count > 0) learn_of_ends(seat, interleaving_holds_what_matters);
    int index = index_of(lifetimes, life);
    bool is_seen = (traits & interleaving_end_is_seen) != 0;
    reach_point(seat, life, is_seen ? interleaving_end_life : interleaving_drop, caller);
    life = &lifetimes->lives.items[index];
    note_release(seat->watch, life, count, (uintptr_t)caller);
  }
  bool is_last = *count_of(object) < (uint64_t)count * one_reference;
  if (!is_last) return release_really(object, count);
  if (life != NULL) life->told.is_dead = true;
  APPEND(code_of_thread.ends, (end_of_object){(uintptr_t)object, metadata_of(object), caller});
  release_really(object, count);
  // The thread may have left what it did meanwhile for good.
  if (code_of_thread.ends.count > 0) code_of_thread.ends.count--;
}

static void on_release(void *object) {
  interleaving_seat *seat = seat_in_scenario();
  if (seat == NULL || (intptr_t)object <= 0) return real_release(object);
  if (!seat->tracks_lifetimes && (int64_t)bits_of(object) >= (int64_t)one_reference) return real_release(object);
  release_apart(seat, object, 1, __builtin_return_address(0));
}

static void on_release_n(void *object, uint32_t count) {
  interleaving_seat *seat = seat_in_scenario();
  if (seat == NULL || (intptr_t)object <= 0 || count == 0) return real_release_n(object, count);
  release_apart(seat, object, count, __builtin_return_address(0));
}

static __attribute__((noinline)) void retain_apart(
  interleaving_seat *seat, const void *object, uint32_t count, const void *caller) {
  // Some bits of a bridged object are not its address.
  object = (const void *)((uintptr_t)object & 0x00FFFFFFFFFFFFF8);
  if (get(&watch_lifetimes(seat->watch)->types, metadata_of(object)) == 0 || !lives(count_of(object))) return;
  end_before(seat, caller);
  life *life = life_of(seat->watch, object, true);
  if (life != NULL) note_retain(seat->watch, life, count);
}

static inline interleaving_seat *tracking_seat(void) {
  interleaving_seat *seat = seat_in_scenario();
  return seat != NULL && seat->tracks_lifetimes ? seat : NULL;
}

static void *on_retain(void *object) {
  interleaving_seat *seat = tracking_seat();
  if (seat != NULL && (intptr_t)object > 0) retain_apart(seat, object, 1, __builtin_return_address(0));
  return real_retain(object);
}

static void *on_retain_n(void *object, uint32_t count) {
  interleaving_seat *seat = tracking_seat();
  if (seat != NULL && (intptr_t)object > 0) retain_apart(seat, object, count, __builtin_return_address(0));
  return real_retain_n(object, count);
}

// What the program's own code makes is told by the function that stands before the runtime's.
static void *on_alloc(const void *metadata, size_t size, size_t alignment) {
  void *object = real_alloc(metadata, size, alignment);
  interleaving_seat *seat = seat_in_scenario();
  if (seat == NULL) return object;
  code_of_thread.made = object;
  code_of_thread.made_size = size;
  if (seat->tracks_lifetimes && !code_of_thread.is_making) {
    watch_add_object(seat->watch, (uintptr_t)object, size, (uintptr_t)metadata, (uintptr_t)__builtin_return_address(0));
  }
  return object;
}

// MARK: The runtime's slots

/// Says whether the runtime calls what is in its slots, which it does for those who measure.
static _Atomic(bool) *flag;

/// Where the runtime keeps what retains an object once the flag is set. Its own takes what is no object for one, such as
/// a small string, whose sign it does not look at. The function ends with a jump through it: mov, pop, jmp.
static void **find_retain_adapter(const uint8_t *code) {
  static const uint8_t load[] = {0x48, 0x8b, 0x05}, jump[] = {0x5d, 0xff, 0xe0};
  for (int index = 0; code != NULL && index < 0x90; index++) {
    if (memcmp(code + index, load, 3) != 0 || memcmp(code + index + 7, jump, 3) != 0) continue;
    int32_t distance;
    memcpy(&distance, code + index + 3, sizeof distance);
    return (void **)(code + index + 7 + distance);
  }
  return NULL;
}

static bool find_slots(void) {
  release_function *release = dlsym(RTLD_DEFAULT, "_swift_release");
  release_n_function *release_n = dlsym(RTLD_DEFAULT, "_swift_release_n");
  retain_function *retain = dlsym(RTLD_DEFAULT, "_swift_retain");
  retain_n_function *retain_n = dlsym(RTLD_DEFAULT, "_swift_retain_n");
  alloc_function *alloc = dlsym(RTLD_DEFAULT, "_swift_allocObject");
  retain_function *adapter = (retain_function *)find_retain_adapter(dlsym(RTLD_DEFAULT, "swift_retain"));
  flag = dlsym(RTLD_DEFAULT, "_swift_enableSwizzlingOfAllocationAndRefCountingFunctions_forInstrumentsOnly");
  if (release == NULL || release_n == NULL || retain == NULL || retain_n == NULL || alloc == NULL || adapter == NULL
      || flag == NULL || *flag) {
    return false;
  }
  real_release = *release;
  real_release_n = *release_n;
  // This one looks at the sign, and returns what it was given.
  real_retain = *retain;
  real_retain_n = *retain_n;
  real_alloc = *alloc;
  *release = on_release;
  *release_n = on_release_n;
  *adapter = on_retain;
  *retain_n = on_retain_n;
  *alloc = on_alloc;
  return true;
}

bool interleaving_find_lifetimes(void) {
  static bool is_found;
  static _Atomic(int) state;
  int unknown = 0;
  if (atomic_compare_exchange_strong(&state, &unknown, 1)) {
    is_found = find_slots();
    state = 2;
  }
  while (state != 2) {}
  return is_found;
}

// Executions run beside one another, and each for itself comes here.
void interleaving_use_slots(bool is_more) {
  static atomic_flag is_taken = ATOMIC_FLAG_INIT;
  static int users;
  while (atomic_flag_test_and_set_explicit(&is_taken, memory_order_acquire)) {}
  users += is_more ? 1 : -1;
  atomic_store_explicit(flag, users > 0, memory_order_relaxed);
  atomic_flag_clear_explicit(&is_taken, memory_order_release);
}

// MARK: Weak and unowned references

/// What is asked of an object, by its table of weak references or itself; its index, from 1, or 0 if it does not matter.
static __attribute__((noinline)) int look_for(
  interleaving_seat *seat, const void *object, const uint64_t *side, int operation, const void *caller) {
  lifetimes *lifetimes = watch_lifetimes(seat->watch);
  const uint64_t *counted = side != NULL ? side + 2 : count_of(object);
  bool is_living = lives(counted);
  // What has died may have left its place to another.
  uint32_t number = side != NULL ? get(&lifetimes->by_side, (uintptr_t)side) : 0;
  if (is_living) learn(lifetimes, metadata_of(object), interleaving_is_looked_for);
  if (!lifetimes->is_tracking) return 0;
  life *life = number != 0 ? &lifetimes->lives.items[number - 1] : NULL;
  if (life == NULL) {
    if (!is_living && get(&lifetimes->by_address, (uintptr_t)object) == 0) return 0;
    life = life_of(seat->watch, object, is_living);
    if (life == NULL) return 0;
    if (side != NULL) put(&lifetimes->by_side, (uintptr_t)side, (uint32_t)index_of(lifetimes, life) + 1);
  }
  if (code_of_thread.ends.count > 0) learn_of_ends(seat, interleaving_holds_what_matters);
  int index = index_of(lifetimes, life);
  reach_point(seat, life, operation, caller);
  if (watch_running(seat->watch) < 0) return 0;
  life = &lifetimes->lives.items[index];
  counted = side != NULL ? side + 2 : count_of(object);
  int64_t count = lives(counted) ? (int64_t)(*counted >> 33 & 0x3FFFFFFF) + 1 : 0;
  interleaving_life_event *told = &add(seat->watch, life, true)->told;
  told->point = point_of(life, (uintptr_t)caller);
  // Whether there is no other reference is answered otherwise with each that goes.
  told->base = operation == interleaving_look ? count - life->balance : INT32_MIN;
  return index + 1;
}

/// Whether an object is of a class of the program's own, other than of storage that the standard library shares.
static bool is_of_own_class(const void *object) {
  enum { class_kind = 0, description = 5 };
  const uintptr_t *metadata = *(const uintptr_t *const *)object;
  return metadata[0] == class_kind && image_of((const void *)metadata[description]) == OWN_IMAGE;
}

void ask_whether_shared(interleaving_seat *seat, const void *object, const void *caller) {
  object = (const void *)((uintptr_t)object & 0x00FFFFFFFFFFFFF8);
  if (object != NULL && is_of_own_class(object)) look_for(seat, object, NULL, interleaving_ask_whether_shared, caller);
}

/// The running strand has found what it looked for, and has one more reference to it.
static void have_found(int number) {
  life *life = &watch_lifetimes(interleaving_seat_of_thread->watch)->lives.items[number - 1];
  life->events.items[life->events.count - 1].told.retains = 1;
  life->balance++;
}

/// The seat, if a call is the scenario's.
static inline interleaving_seat *seat_of_look(const void *caller) {
  interleaving_seat *seat = seat_in_scenario();
  if (seat == NULL || !is_known_caller(caller)) return NULL;
  notice_unlocks(seat);
  return seat;
}

/// A weak reference is a pointer to the table of its object's weak references.
static inline int look_through(const void *const *reference, const void *caller) {
  interleaving_seat *seat = seat_of_look(caller);
  const uint64_t *side = *reference;
  if (seat == NULL || side == NULL) return 0;
  return look_for(seat, *(const void *const *)side, side, interleaving_look, caller);
}

#define LOAD(name) \
  REAL(void *, name, const void **reference) \
  void *name(const void **reference) { \
    int number = look_through(reference, __builtin_return_address(0)); \
    void *object = real_##name()(reference); \
    if (number != 0 && object != NULL) have_found(number); \
    return object; \
  }
LOAD(swift_weakLoadStrong)
LOAD(swift_weakTakeStrong)

// A copy refers to nothing if the object does not live.
#define COPY(name) \
  REAL(const void **, name, const void **reference, const void **other) \
  const void **name(const void **reference, const void **other) { \
    look_through(other, __builtin_return_address(0)); \
    return real_##name()(reference, other); \
  }
COPY(swift_weakCopyInit)
COPY(swift_weakCopyAssign)

// To form one shows nothing, but what it is formed to matters.
static __attribute__((noinline)) void have_formed(interleaving_seat *seat, const void *object) {
  lifetimes *lifetimes = watch_lifetimes(seat->watch);
  learn(lifetimes, metadata_of(object), interleaving_is_looked_for);
  uint64_t bits = bits_of(object);
  const uint64_t *side = (int64_t)bits < 0 ? side_of(bits) : NULL;
  if (!lifetimes->is_tracking || side == NULL) return;
  life *life = life_of(seat->watch, object, lives(side + 2));
  if (life != NULL) put(&lifetimes->by_side, (uintptr_t)side, (uint32_t)index_of(lifetimes, life) + 1);
}

#define FORM(name) \
  REAL(const void **, name, const void **reference, void *object) \
  const void **name(const void **reference, void *object) { \
    const void **result = real_##name()(reference, object); \
    interleaving_seat *seat = seat_of_look(__builtin_return_address(0)); \
    if (seat != NULL && (intptr_t)object > 0) have_formed(seat, object); \
    return result; \
  }
FORM(swift_weakInit)
FORM(swift_weakAssign)

static inline int look_at(const void *object, const void *caller) {
  interleaving_seat *seat = seat_of_look(caller);
  return seat != NULL && (intptr_t)object > 0 ? look_for(seat, object, NULL, interleaving_look, caller) : 0;
}
REAL(void *, swift_unownedRetainStrong, void *object)
void *swift_unownedRetainStrong(void *object) {
  int number = look_at(object, __builtin_return_address(0));
  void *result = real_swift_unownedRetainStrong()(object);
  if (number != 0) have_found(number);
  return result;
}
REAL(void, swift_unownedRetainStrongAndRelease, void *object)
void swift_unownedRetainStrongAndRelease(void *object) {
  int number = look_at(object, __builtin_return_address(0));
  real_swift_unownedRetainStrongAndRelease()(object);
  if (number != 0) have_found(number);
}
REAL(void, swift_unownedCheck, void *object)
void swift_unownedCheck(void *object) {
  look_at(object, __builtin_return_address(0));
  real_swift_unownedCheck()(object);
}

#else
void note_write_of_end(interleaving_seat *seat, uintptr_t address) { (void)seat, (void)address; }
void ask_whether_shared(interleaving_seat *seat, const void *object, const void *caller) {
  (void)seat, (void)object, (void)caller;
}
bool interleaving_find_lifetimes(void) { return false; }
void interleaving_use_slots(bool is_more) { (void)is_more; }
#endif
