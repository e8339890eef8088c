#include "Watch.h"

#include "Images.h"

#include <stdlib.h>
#include <string.h>

// All tables last for an exploration and are emptied for each execution by raising `generation`: an entry of
// another generation is an empty one, whose memory is used again.

typedef struct {
  uint32_t count, capacity;
  /// By a strand's number, the latest of its moments that comes before; what is not there is 0.
  uint32_t *moments;
} clock;

typedef struct {
  uintptr_t place;
  uint32_t strand, moment;
  /// Which of the granule's bytes.
  uint8_t bytes;
  bool is_write;
  uint8_t asker;
} use;

/// What was done to eight bytes of memory.
typedef struct {
  uintptr_t granule;
  uint32_t generation, count, capacity;
  use *uses;
} cell;

/// Steps or strands, each once.
typedef LIST(int32_t) number_list;

/// What was released.
typedef struct {
  uintptr_t key;
  uint32_t generation;
  /// Of a task: whether the explorer knows it, and the steps that come before what acquires it, and whose the last is.
  bool is_known;
  number_list steps;
  int32_t releaser;
  clock clock;
} edge;

typedef struct {
  uintptr_t place, partner;
  int meaning;
} beginning;

struct interleaving_watch {
  call_table calls;
  lifetimes *lifetimes;
  uint32_t generation;
  /// By a strand's number; the running one has begun its moment.
  clock *clocks;
  uint32_t clock_count;
  int32_t running;
  /// The step under way, and those that made possible what it has gone on to.
  int32_t step;
  uint8_t asker;
  number_list awaited;
  /// Strands whose tasks had ended when the step under way awaited them.
  number_list ended;
  cell *cells;
  size_t cell_count, cell_capacity;
  edge *edges;
  size_t edge_count, edge_capacity;
  LIST(interleaving_race) races;
  /// By a race's hash, its index, from 1; 0 where there is none.
  uint32_t *race_table;
  size_t race_table_size;
  uintptr_t *points;
  int point_count;
  /// Where `inout` accesses begin.
  beginning *beginnings;
  int beginning_count, beginning_capacity;
  interleaving_object *objects;
  size_t object_count, object_capacity;
  /// Of each line of the cache, by its hash, the generation that used it last; and the last that used any.
  uint32_t lines[1024], used_generation;
};

// This library's own memory is none of a scenario's.
#if defined(__GLIBC__) && !defined(SANITIZED)
void __libc_free(void *memory);
void *__libc_realloc(void *memory, size_t size);
#define free __libc_free
#define realloc __libc_realloc
#endif

static void *allocate(void *old, size_t count, size_t size) {
  void *memory = realloc(old, count * size);
  if (memory == NULL) abort();
  return memory;
}

void *make_room(void *items, int *capacity, size_t size) {
  *capacity = *capacity == 0 ? 8 : 2 * *capacity;
  return allocate(items, (size_t)*capacity, size);
}

void give_room(void *items) { free(items); }

static void *make_table(size_t count, size_t size) {
  void *memory = calloc(count, size);
  if (memory == NULL) abort();
  return memory;
}

static uint32_t *line(interleaving_watch *watch, uintptr_t address) {
  return &watch->lines[hash(address >> 6) % 1024];
}

// MARK: Clocks

static void reserve(clock *clock, uint32_t count) {
  if (clock->capacity < count) {
    clock->capacity = count < 8 ? 8 : 2 * count;
    clock->moments = allocate(clock->moments, clock->capacity, sizeof(uint32_t));
  }
  while (clock->count < count) clock->moments[clock->count++] = 0;
}

static void join(clock *mine, const clock *other) {
  reserve(mine, other->count);
  for (uint32_t strand = 0; strand < other->count; strand++) {
    if (other->moments[strand] > mine->moments[strand]) mine->moments[strand] = other->moments[strand];
  }
}

static clock *clock_of(interleaving_watch *watch, uint32_t strand) {
  if (watch->clock_count <= strand) {
    uint32_t count = 2 * strand + 8;
    watch->clocks = allocate(watch->clocks, count, sizeof(clock));
    memset(watch->clocks + watch->clock_count, 0, (count - watch->clock_count) * sizeof(clock));
    watch->clock_count = count;
  }
  return &watch->clocks[strand];
}

/// The clock of a strand, whose time has begun.
static inline clock *started_clock(interleaving_watch *watch, uint32_t strand) {
  if (strand < watch->clock_count) {
    clock *known = &watch->clocks[strand];
    if (strand < known->count && known->moments[strand] != 0) return known;
  }
  clock *clock = clock_of(watch, strand);
  if (clock->count <= strand) reserve(clock, strand + 1);
  if (clock->moments[strand] == 0) clock->moments[strand] = 1;
  return clock;
}

/// What follows a release does not come before what acquires it.
static void pass_moment(interleaving_watch *watch, uint32_t strand) {
  started_clock(watch, strand)->moments[strand]++;
}

void interleaving_run(interleaving_watch *watch, int32_t strand) {
  watch->running = strand;
  if (strand >= 0) started_clock(watch, (uint32_t)strand);
}

void interleaving_fork(interleaving_watch *watch, int32_t strand) {
  if (watch->running < 0) return;
  started_clock(watch, (uint32_t)strand);
  clock *mine = started_clock(watch, (uint32_t)watch->running);
  join(clock_of(watch, (uint32_t)strand), mine);
  pass_moment(watch, (uint32_t)watch->running);
}

// MARK: Edges

static edge *find_edge(interleaving_watch *watch, uintptr_t key) {
  size_t mask = watch->edge_capacity - 1;
  for (size_t index = hash(key) & mask;; index = (index + 1) & mask) {
    edge *edge = &watch->edges[index];
    if (edge->generation != watch->generation || edge->key == key) return edge;
  }
}

static void grow_edges(interleaving_watch *watch) {
  edge *old = watch->edges;
  size_t count = watch->edge_capacity;
  watch->edge_capacity = 2 * count;
  watch->edges = make_table(watch->edge_capacity, sizeof(edge));
  for (size_t index = 0; index < count; index++) {
    if (old[index].generation == watch->generation) {
      *find_edge(watch, old[index].key) = old[index];
    } else {
      free(old[index].clock.moments);
      free(old[index].steps.items);
    }
  }
  free(old);
}

static edge *known_edge(interleaving_watch *watch, uintptr_t key) {
  edge *edge = find_edge(watch, key);
  return edge->generation == watch->generation ? edge : NULL;
}

static edge *make_edge(interleaving_watch *watch, uintptr_t key) {
  edge *edge = find_edge(watch, key);
  if (edge->generation == watch->generation) return edge;
  if (2 * watch->edge_count >= watch->edge_capacity) {
    grow_edges(watch);
    edge = find_edge(watch, key);
  }
  watch->edge_count++;
  edge->key = key;
  edge->generation = watch->generation;
  edge->is_known = false;
  edge->steps.count = 0;
  edge->clock.count = 0;
  return edge;
}

void interleaving_acquire(interleaving_watch *watch, uintptr_t key) {
  if (watch->running < 0) return;
  edge *edge = known_edge(watch, key);
  if (edge != NULL) join(started_clock(watch, (uint32_t)watch->running), &edge->clock);
}

void interleaving_release(interleaving_watch *watch, uintptr_t key) {
  if (watch->running < 0) return;
  uint32_t running = (uint32_t)watch->running;
  join(&make_edge(watch, key)->clock, started_clock(watch, running));
  pass_moment(watch, running);
}

void watch_overwrite(interleaving_watch *watch, uintptr_t key, bool is_release) {
  interleaving_forget(watch, key);
  if (is_release) interleaving_release(watch, key);
}

void interleaving_forget(interleaving_watch *watch, uintptr_t key) {
  edge *edge = known_edge(watch, key);
  if (edge != NULL) edge->clock.count = edge->steps.count = 0;
}

void interleaving_know_task(interleaving_watch *watch, uintptr_t task, bool is_known) {
  make_edge(watch, task)->is_known = is_known;
}

static void add_number(number_list *list, int32_t number) {
  for (int index = 0; index < list->count; index++) {
    if (list->items[index] == number) return;
  }
  APPEND(*list, number);
}

static void add_numbers(number_list *list, const number_list *more, int32_t except) {
  for (int index = 0; index < more->count; index++) {
    if (more->items[index] != except) add_number(list, more->items[index]);
  }
}

void interleaving_begin_step(interleaving_watch *watch, int32_t step) {
  watch->step = step;
  watch->awaited.count = watch->ended.count = 0;
}

int interleaving_count_awaited(const interleaving_watch *watch) { return watch->awaited.count; }
int32_t interleaving_get_awaited(const interleaving_watch *watch, int index) {
  return watch->awaited.items[index];
}
int interleaving_count_ended(const interleaving_watch *watch) { return watch->ended.count; }
int32_t interleaving_get_ended(const interleaving_watch *watch, int index) { return watch->ended.items[index]; }

void watch_acquire_job(interleaving_watch *watch, uintptr_t job) {
  edge *edge = known_edge(watch, job);
  // What the strand did itself comes before anyway.
  if (edge != NULL && edge->releaser != watch->running) {
    add_numbers(&watch->awaited, &edge->steps, watch->step);
    if (!edge->is_known) add_number(&watch->ended, edge->releaser);
  }
  interleaving_acquire(watch, job);
}

void interleaving_release_job(interleaving_watch *watch, uintptr_t job) {
  interleaving_release(watch, job);
  edge *edge = known_edge(watch, job);
  if (edge == NULL || watch->step < 0) return;
  edge->releaser = watch->running;
  edge->steps.count = 0;
  add_number(&edge->steps, watch->step);
  add_numbers(&edge->steps, &watch->awaited, watch->step);
}

void watch_release_task(interleaving_watch *watch, uintptr_t task) {
  // One that is not known yet may have the address of one that has ended.
  edge *edge = known_edge(watch, task);
  if (edge == NULL || !edge->is_known) interleaving_forget(watch, task);
  interleaving_release_job(watch, task);
}

// MARK: Uses

static cell *find_cell(interleaving_watch *watch, uintptr_t granule) {
  size_t mask = watch->cell_capacity - 1;
  for (size_t index = hash(granule) & mask;; index = (index + 1) & mask) {
    cell *cell = &watch->cells[index];
    if (cell->generation != watch->generation || cell->granule == granule) return cell;
  }
}

static void grow_cells(interleaving_watch *watch) {
  cell *old = watch->cells;
  size_t count = watch->cell_capacity;
  watch->cell_capacity = 2 * count;
  watch->cells = make_table(watch->cell_capacity, sizeof(cell));
  for (size_t index = 0; index < count; index++) {
    if (old[index].generation == watch->generation) {
      *find_cell(watch, old[index].granule) = old[index];
    } else {
      free(old[index].uses);
    }
  }
  free(old);
}

static cell *make_cell(interleaving_watch *watch, uintptr_t granule) {
  cell *cell = find_cell(watch, granule);
  if (cell->generation == watch->generation) return cell;
  if (2 * watch->cell_count >= watch->cell_capacity) {
    grow_cells(watch);
    cell = find_cell(watch, granule);
  }
  watch->cell_count++;
  cell->granule = granule;
  cell->generation = watch->generation;
  cell->count = 0;
  return cell;
}

static interleaving_use told(const use *use) {
  return (interleaving_use){
    .place = use->place, .strand = (int32_t)use->strand, .is_write = use->is_write,
    .asker = use->asker};
}

static bool is_same(interleaving_use one, interleaving_use other) {
  return one.place == other.place && one.strand == other.strand && one.is_write == other.is_write &&
         one.asker == other.asker;
}

static bool is_same_race(const interleaving_race *one, const interleaving_race *other) {
  return one->address == other->address && is_same(one->first, other->first) && is_same(one->second, other->second);
}

/// Where a race is in the table, or would be.
static uint32_t *find_race(interleaving_watch *watch, const interleaving_race *race) {
  size_t mask = watch->race_table_size - 1;
  for (size_t index = hash(race->address * 31 + race->first.place * 7 + race->second.place) & mask;;
       index = (index + 1) & mask) {
    uint32_t *known = &watch->race_table[index];
    if (*known == 0 || is_same_race(&watch->races.items[*known - 1], race)) return known;
  }
}

static void add_race(interleaving_watch *watch, uintptr_t address, const use *first, const use *second) {
  interleaving_race race = {address, told(first), told(second)};
  if (2 * ((size_t)watch->races.count + 1) > watch->race_table_size) {
    free(watch->race_table);
    watch->race_table_size = watch->race_table_size == 0 ? 32 : 2 * watch->race_table_size;
    watch->race_table = make_table(watch->race_table_size, sizeof *watch->race_table);
    for (int index = 0; index < watch->races.count; index++) {
      *find_race(watch, &watch->races.items[index]) = (uint32_t)index + 1;
    }
  }
  uint32_t *known = find_race(watch, &race);
  if (*known != 0) return;
  APPEND(watch->races, race);
  *known = (uint32_t)watch->races.count;
}

/// - Parameter origin: The address of the granule's first byte.
static void add_use(interleaving_watch *watch, uintptr_t granule, uintptr_t origin, use mine) {
  cell *cell = make_cell(watch, granule);
  const clock *clock = &watch->clocks[mine.strand];
  uint32_t kept = 0;
  bool is_known = false;
  for (uint32_t index = 0; index < cell->count; index++) {
    use *other = &cell->uses[index];
    uint8_t common = other->bytes & mine.bytes;
    if (other->strand == mine.strand) {
      if (other->place == mine.place && other->is_write == mine.is_write && other->bytes == mine.bytes &&
          other->asker == mine.asker) {
        if (other->moment == mine.moment) return;
        // The later of two alike races with all that the earlier races with.
        other->moment = mine.moment;
        is_known = true;
      }
    } else if (common != 0) {
      bool is_before = other->strand < clock->count && other->moment <= clock->moments[other->strand];
      // What comes before a write races with nothing that the write does not race with.
      if (is_before && mine.is_write && common == other->bytes) continue;
      // So it is with a read at the same place, of which another strand each may make one.
      if (is_before && !other->is_write && other->place == mine.place && other->bytes == mine.bytes &&
          other->asker == mine.asker && mine.place != 0) {
        continue;
      }
      if (!is_before && (other->is_write || mine.is_write)) {
        add_race(watch, origin + (uintptr_t)__builtin_ctz(common), other, &mine);
      }
    }
    if (kept != index) cell->uses[kept] = *other;
    kept++;
  }
  cell->count = kept;
  if (is_known) return;
  if (cell->count == cell->capacity) {
    cell->capacity = 2 * cell->capacity + 4;
    cell->uses = allocate(cell->uses, cell->capacity, sizeof(use));
  }
  cell->uses[cell->count++] = mine;
}

void watch_memory(
  interleaving_watch *watch, uintptr_t address, size_t size, bool is_write, uintptr_t place) {
  if (watch->running < 0 || size == 0) return;
  uint32_t running = (uint32_t)watch->running;
  use mine = {
    .place = place, .strand = running, .moment = watch->clocks[running].moments[running],
    .asker = watch->asker,
    .is_write = is_write};
  uintptr_t end = address + size;
  while (address < end) {
    uintptr_t granule = address >> 3, origin = granule << 3;
    unsigned first = (unsigned)(address - origin);
    unsigned count = end - address < 8 - first ? (unsigned)(end - address) : 8 - first;
    mine.bytes = (uint8_t)(((1u << count) - 1) << first);
    *line(watch, address) = watch->used_generation = watch->generation;
    add_use(watch, granule, origin, mine);
    address += count;
  }
}

void interleaving_use_key(interleaving_watch *watch, uintptr_t key, bool is_write) {
  if (watch->running < 0) return;
  uint32_t running = (uint32_t)watch->running;
  use mine = {
    .place = 0, .strand = running, .moment = watch->clocks[running].moments[running],
    .asker = watch->asker, .bytes = 1,
    .is_write = is_write};
  add_use(watch, key, key, mine);
}

bool watch_knows_memory(const interleaving_watch *watch) {
  return watch->used_generation == watch->generation;
}

void watch_forget_memory(interleaving_watch *watch, uintptr_t address, size_t size) {
  uintptr_t end = address + size;
  if (size / 8 > watch->cell_capacity) {
    for (size_t index = 0; index < watch->cell_capacity; index++) {
      cell *cell = &watch->cells[index];
      if (cell->granule >= address >> 3 && cell->granule < end >> 3) cell->count = 0;
    }
    return;
  }
  for (uintptr_t start = address; start < end; start = (start | 63) + 1) {
    if (*line(watch, start) != watch->generation) continue;
    uintptr_t last = (start | 63) < end ? start | 63 : end - 1;
    for (uintptr_t granule = start >> 3; granule <= last >> 3; granule++) {
      cell *cell = find_cell(watch, granule);
      if (cell->generation == watch->generation) cell->count = 0;
    }
  }
}

// MARK: Points

void interleaving_set_points(interleaving_watch *watch, const uintptr_t *places, int count) {
  watch->points = allocate(watch->points, (size_t)count + 1, sizeof *places);
  if (count > 0) memcpy(watch->points, places, (size_t)count * sizeof *places);
  watch->point_count = count;
}

bool watch_is_point(const interleaving_watch *watch, uintptr_t place) {
  for (int index = 0; index < watch->point_count; index++) {
    if (watch->points[index] == place) return true;
  }
  return false;
}

int interleaving_meaning(const interleaving_watch *watch, uintptr_t place) {
  for (int index = 0; index < watch->beginning_count; index++) {
    if (watch->beginnings[index].place == place) return watch->beginnings[index].meaning;
  }
  return interleaving_itself;
}

uintptr_t interleaving_partner(const interleaving_watch *watch, uintptr_t place) {
  for (int index = 0; index < watch->beginning_count; index++) {
    if (watch->beginnings[index].place == place) return watch->beginnings[index].partner;
  }
  return place;
}

void watch_learn(interleaving_watch *watch, uintptr_t place, int meaning, uintptr_t partner) {
  for (int index = 0; index < watch->beginning_count; index++) {
    beginning *known = &watch->beginnings[index];
    if (known->place != place) continue;
    // Of two ways to go on, the one with more to it.
    if (known->meaning < meaning) known->meaning = meaning;
    if (known->partner == place) known->partner = partner;
    return;
  }
  if (watch->beginning_count == watch->beginning_capacity) {
    watch->beginning_capacity = 2 * watch->beginning_capacity + 8;
    watch->beginnings =
      allocate(watch->beginnings, (size_t)watch->beginning_capacity, sizeof *watch->beginnings);
  }
  watch->beginnings[watch->beginning_count++] = (beginning){place, partner, meaning};
}

static interleaving_call *find_call(call_table *table, interleaving_call call) {
  size_t mask = table->capacity - 1;
  for (size_t index = hash(call.caller * 31 + call.function) & mask;; index = (index + 1) & mask) {
    interleaving_call *known = &table->calls[index];
    if (known->function == 0) return known;
    if (known->caller == call.caller && known->function == call.function) return known;
  }
}

void watch_meet_new_call(interleaving_watch *watch, interleaving_call call) {
  call_table *table = &watch->calls;
  interleaving_call *known = find_call(table, call);
  if (known->function != 0) return;
  *known = call;
  if (2 * ++table->count < table->capacity) return;
  call_table larger = *table;
  larger.capacity = 2 * table->capacity;
  larger.calls = make_table(larger.capacity, sizeof call);
  for (size_t index = 0; index < table->capacity; index++) {
    if (table->calls[index].function != 0) *find_call(&larger, table->calls[index]) = table->calls[index];
  }
  free(table->calls);
  *table = larger;
}

bool watch_has_met(const interleaving_watch *watch, uintptr_t begin, uintptr_t end) {
  for (size_t index = 0; index < watch->calls.capacity; index++) {
    uintptr_t function = watch->calls.calls[index].function;
    if (begin <= function && function < end) return true;
  }
  return false;
}

uintptr_t interleaving_take_function(interleaving_watch *watch) {
  call_table *calls = &watch->calls;
  if (calls->taken_count < calls->first_count) return place_of((const void *)calls->first[calls->taken_count++]);
  calls->taken_count = calls->first_count = 0;
  return 0;
}

bool interleaving_has_met_code(const interleaving_watch *watch) { return watch->calls.count > 0; }

int interleaving_count_met_calls(const interleaving_watch *watch) { return (int)watch->calls.capacity; }
interleaving_call interleaving_get_met_call(const interleaving_watch *watch, int index) {
  interleaving_call call = watch->calls.calls[index];
  return (interleaving_call){
    place_of((const void *)call.caller), place_of((const void *)call.function)};
}

// MARK: Objects

void watch_add_object(
  interleaving_watch *watch, uintptr_t address, size_t size, uintptr_t metadata, uintptr_t place) {
  if (watch->running < 0) return;
  forget_life(watch->lifetimes, address);
  if (watch->object_count == watch->object_capacity) {
    watch->object_capacity = 2 * watch->object_capacity + 64;
    watch->objects = allocate(watch->objects, watch->object_capacity, sizeof *watch->objects);
  }
  watch->objects[watch->object_count++] = (interleaving_object){
    .address = address, .size = size, .metadata = metadata, .place = place, .strand = watch->running};
}

interleaving_object interleaving_find_object(const interleaving_watch *watch, uintptr_t address) {
  // The newest has the memory of older ones.
  for (size_t index = watch->object_count; index-- > 0;) {
    const interleaving_object *object = &watch->objects[index];
    if (address - object->address >= object->size) continue;
    interleaving_object found = *object;
    for (size_t earlier = 0; earlier < index; earlier++) {
      const interleaving_object *other = &watch->objects[earlier];
      if (other->strand == found.strand && other->place == found.place) found.ordinal++;
    }
    return found;
  }
  return (interleaving_object){0};
}

// MARK: Lifetimes

lifetimes *watch_lifetimes(const interleaving_watch *watch) { return watch->lifetimes; }

int32_t watch_running(const interleaving_watch *watch) { return watch->running; }

uint32_t watch_copy_clock(interleaving_watch *watch, uint32_t **moments, uint32_t *count, uint32_t *capacity) {
  const clock *mine = started_clock(watch, (uint32_t)watch->running);
  if (*capacity < mine->count) {
    *capacity = mine->count + 4;
    *moments = allocate(*moments, *capacity, sizeof(uint32_t));
  }
  memcpy(*moments, mine->moments, mine->count * sizeof(uint32_t));
  *count = mine->count;
  return mine->moments[watch->running];
}

// MARK: The watch

interleaving_watch *interleaving_make_watch(void) {
  interleaving_watch *watch = make_table(1, sizeof *watch);
  watch->cell_capacity = watch->edge_capacity = watch->calls.capacity = 256;
  watch->calls.calls = make_table(watch->calls.capacity, sizeof(interleaving_call));
  watch->cells = make_table(watch->cell_capacity, sizeof(cell));
  watch->edges = make_table(watch->edge_capacity, sizeof(edge));
  watch->lifetimes = make_lifetimes();
  watch->generation = 1;
  watch->running = -1;
  return watch;
}

void interleaving_drop_watch(interleaving_watch *watch) {
  for (uint32_t index = 0; index < watch->clock_count; index++) free(watch->clocks[index].moments);
  for (size_t index = 0; index < watch->cell_capacity; index++) free(watch->cells[index].uses);
  for (size_t index = 0; index < watch->edge_capacity; index++) {
    free(watch->edges[index].clock.moments);
    free(watch->edges[index].steps.items);
  }
  free(watch->awaited.items);
  free(watch->ended.items);
  free(watch->points);
  free(watch->calls.calls);
  free(watch->beginnings);
  free(watch->objects);
  free(watch->clocks);
  free(watch->cells);
  free(watch->edges);
  free(watch->races.items);
  free(watch->race_table);
  drop_lifetimes(watch->lifetimes);
  free(watch);
}

void interleaving_reset_watch(interleaving_watch *watch) {
  watch->generation++;
  for (uint32_t index = 0; index < watch->clock_count; index++) watch->clocks[index].count = 0;
  watch->cell_count = watch->edge_count = 0;
  if (watch->races.count > 0) memset(watch->race_table, 0, watch->race_table_size * sizeof *watch->race_table);
  watch->races.count = 0;
  watch->asker = 0;
  watch->running = -1;
  watch->step = -1;
  watch->awaited.count = watch->ended.count = 0;
  watch->object_count = 0;
  reset_lifetimes(watch->lifetimes);
}

void interleaving_set_asker(interleaving_watch *watch, uint8_t asker) { watch->asker = asker; }

int interleaving_count_races(const interleaving_watch *watch) { return watch->races.count; }

interleaving_race interleaving_get_race(const interleaving_watch *watch, int index) {
  return watch->races.items[index];
}
