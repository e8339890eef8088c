#include "Images.h"

#include "CInterleaving.h"

// The lines of the program's own code: DWARF, versions 4 and 5, section 6.2, as the compiler writes it. The toolchain's
// symbolicator runs through the line programs of all files for each address, some tenth of a second; here they are
// run once, to note where each sequence of code lies, and then that of one file.

#if defined(__linux__)
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const uint8_t *at, *end;
} reader;

static uint64_t number(reader *in, size_t size) {
  uint64_t value = 0;
  if ((size_t)(in->end - in->at) < size) {
    in->at = in->end;
    return 0;
  }
  memcpy(&value, in->at, size);
  in->at += size;
  return value;
}

static uint64_t unsigned_leb(reader *in) {
  uint64_t value = 0;
  for (unsigned shift = 0; in->at < in->end; shift += 7) {
    uint8_t byte = *in->at++;
    if (shift < 64) value |= (uint64_t)(byte & 0x7f) << shift;
    if (byte < 0x80) break;
  }
  return value;
}

static int64_t signed_leb(reader *in) {
  int64_t value = 0;
  unsigned shift = 0;
  while (in->at < in->end) {
    uint8_t byte = *in->at++;
    if (shift < 64) value |= (int64_t)((uint64_t)(byte & 0x7f) << shift);
    shift += 7;
    if (byte < 0x80) {
      if (byte & 0x40 && shift < 64) value |= -((int64_t)1 << shift);
      break;
    }
  }
  return value;
}

static const char *string(reader *in) {
  const uint8_t *start = in->at, *end = memchr(start, 0, (size_t)(in->end - start));
  in->at = end == NULL ? in->end : end + 1;
  return end == NULL ? "" : (const char *)start;
}

// MARK: What a file has

static reader lines, line_strings, strings;

static const char *string_at(reader section, uint64_t offset) {
  if (offset >= (size_t)(section.end - section.at)) return "";
  section.at += offset;
  return string(&section);
}

// The header of one file's line program, and the program.
typedef struct {
  reader program, directories, files;
  uint8_t version, instruction_length, opcode_base, line_range;
  int8_t line_base;
  const uint8_t *operands;
} unit;

// In version 5 a table says the form of its entries first.
typedef struct {
  uint64_t content, form;
} column;

enum { PATH = 1, DIRECTORY_INDEX = 2, MOST_COLUMNS = 8 };

static size_t columns(reader *in, column *found) {
  size_t count = number(in, 1);
  if (count > MOST_COLUMNS) in->at = in->end;
  for (size_t index = 0; index < count && index < MOST_COLUMNS; index++) {
    found[index] = (column){unsigned_leb(in), unsigned_leb(in)};
  }
  return count;
}

// Reads one entry: its path, and which directory it is in.
static const char *entry(reader *in, const column *form, size_t count, uint64_t *directory) {
  const char *path = "";
  for (size_t index = 0; index < count; index++) {
    const char *text = NULL;
    uint64_t value = 0;
    switch (form[index].form) {
      case 0x08: text = string(in); break;
      case 0x0e: text = string_at(strings, number(in, 4)); break;
      case 0x1f: text = string_at(line_strings, number(in, 4)); break;
      case 0x0b: value = number(in, 1); break;
      case 0x05: value = number(in, 2); break;
      case 0x06: value = number(in, 4); break;
      case 0x07: value = number(in, 8); break;
      case 0x0f: value = unsigned_leb(in); break;
      case 0x1e: number(in, 8), number(in, 8); break;
      default: in->at = in->end;
    }
    if (form[index].content == PATH && text != NULL) path = text;
    if (form[index].content == DIRECTORY_INDEX) *directory = value;
  }
  return path;
}

// Entry `index` of a table of version 5.
static const char *numbered_entry(reader table, uint64_t index, uint64_t *directory) {
  column form[MOST_COLUMNS];
  size_t count = columns(&table, form);
  uint64_t entries = unsigned_leb(&table);
  if (index >= entries) return "";
  for (uint64_t skipped = 0; skipped < index && table.at < table.end; skipped++) {
    entry(&table, form, count, directory);
  }
  return entry(&table, form, count, directory);
}

static void skip_table(reader *in) {
  column form[MOST_COLUMNS];
  uint64_t directory = 0;
  size_t count = columns(in, form);
  for (uint64_t left = unsigned_leb(in); left > 0 && in->at < in->end; left--) entry(in, form, count, &directory);
}

// Reads the unit that begins there, and goes on behind it; false where it is none that we can read.
static bool next_unit(reader *in, unit *found) {
  reader rest = *in;
  uint64_t length = number(&rest, 4);
  if (length == 0 || length > (size_t)(rest.end - rest.at)) return false;
  rest.end = rest.at + length;
  in->at = rest.end;
  found->version = (uint8_t)number(&rest, 2);
  if (found->version != 4 && found->version != 5) return false;
  if (found->version == 5) number(&rest, 2); // the sizes of an address and of a segment
  uint64_t header = number(&rest, 4);
  if (header > (size_t)(rest.end - rest.at)) return false;
  found->program = (reader){rest.at + header, rest.end};
  rest.end = found->program.at;
  found->instruction_length = (uint8_t)number(&rest, 1);
  number(&rest, 2); // how many operations an instruction has, and whether rows begin statements
  found->line_base = (int8_t)number(&rest, 1);
  found->line_range = (uint8_t)number(&rest, 1);
  found->opcode_base = (uint8_t)number(&rest, 1);
  found->operands = rest.at;
  if (found->line_range == 0 || found->opcode_base == 0) return false;
  rest.at += found->opcode_base - 1;
  if (rest.at > rest.end) return false;
  found->directories = rest;
  if (found->version == 5) {
    skip_table(&rest);
  } else {
    while (*string(&rest) != 0) {}
  }
  found->files = rest;
  return true;
}

static void name_file(const unit *of, uint64_t index, interleaving_source *source) {
  uint64_t directory = 0;
  source->directory = "";
  if (of->version == 5) {
    source->file = numbered_entry(of->files, index, &directory);
    uint64_t none = 0;
    source->directory = numbered_entry(of->directories, directory, &none);
    return;
  }
  reader files = of->files, directories = of->directories;
  source->file = "";
  for (uint64_t number = 1; files.at < files.end; number++) {
    const char *name = string(&files);
    if (*name == 0) return;
    directory = unsigned_leb(&files);
    unsigned_leb(&files), unsigned_leb(&files); // when it was changed, and its size
    if (number < index) continue;
    source->file = name;
    break;
  }
  // 0 is where the compiler was called.
  for (uint64_t number = 1; number <= directory && directories.at < directories.end; number++) {
    const char *path = string(&directories);
    if (number == directory) source->directory = path;
  }
}

// MARK: Line programs

typedef struct {
  uint64_t address, file, line;
  bool is_end;
} row;

// Tells of a row and of the one before it in its sequence; ends the program by returning true.
typedef bool (*row_function)(const row *before, const row *row, void *context);

static void run(const unit *of, row_function tell, void *context) {
  static const row first = {0, 1, 1, false};
  reader in = of->program;
  row now = first, before = first;
  bool has_before = false;
  while (in.at < in.end) {
    uint8_t opcode = *in.at++;
    bool is_row = false;
    if (opcode >= of->opcode_base) {
      uint8_t advance = opcode - of->opcode_base;
      now.address += (uint64_t)(advance / of->line_range) * of->instruction_length;
      now.line += (uint64_t)(int64_t)(of->line_base + advance % of->line_range);
      is_row = true;
    } else {
      switch (opcode) {
        case 0: {
          uint64_t length = unsigned_leb(&in);
          if (length == 0 || length > (size_t)(in.end - in.at)) return;
          reader extended = {in.at, in.at + length};
          in.at = extended.end;
          switch (number(&extended, 1)) {
            case 1: now.is_end = is_row = true; break;
            case 2: now.address = number(&extended, sizeof now.address); break;
          }
          break;
        }
        case 1: is_row = true; break;
        case 2: now.address += unsigned_leb(&in) * of->instruction_length; break;
        case 3: now.line += (uint64_t)signed_leb(&in); break;
        case 4: now.file = unsigned_leb(&in); break;
        case 8: now.address += (uint64_t)((255 - of->opcode_base) / of->line_range) * of->instruction_length; break;
        case 9: now.address += number(&in, 2); break;
        default:
          for (uint8_t left = of->operands[opcode - 1]; left > 0; left--) unsigned_leb(&in);
      }
    }
    if (!is_row) continue;
    if (has_before && tell(&before, &now, context)) return;
    has_before = !now.is_end;
    before = now;
    if (now.is_end) now = first;
  }
}

// MARK: Where code lies

// A sequence of code without a gap, of the unit that begins there.
typedef struct {
  uint64_t begin, end;
  const uint8_t *unit;
} sequence;

static sequence *sequences;
static size_t count, capacity;

typedef struct {
  const uint8_t *unit;
  uint64_t begin;
  bool has_begun;
} indexing;

static bool note_sequence(const row *before, const row *row, void *context) {
  indexing *of = context;
  if (!of->has_begun) of->begin = before->address;
  of->has_begun = !row->is_end;
  // Of code that the linker has left out the address is 0.
  if (!row->is_end || of->begin == 0) return false;
  if (count == capacity) {
    size_t more = capacity == 0 ? 4096 : 2 * capacity;
    sequence *larger = realloc(sequences, more * sizeof *larger);
    if (larger == NULL) return true;
    sequences = larger;
    capacity = more;
  }
  sequences[count++] = (sequence){of->begin, row->address, of->unit};
  return false;
}

static int compare(const void *one, const void *other) {
  uint64_t first = ((const sequence *)one)->begin, second = ((const sequence *)other)->begin;
  return first < second ? -1 : first > second;
}

static void index_lines(void) {
  const uint8_t *bytes = (const uint8_t *)map_file("/proc/self/exe");
  if (bytes == NULL) return;
  const ElfW(Ehdr) *header = (const void *)bytes;
  const ElfW(Shdr) *sections = (const void *)(bytes + header->e_shoff);
  const char *names = (const char *)bytes + sections[header->e_shstrndx].sh_offset;
  for (int index = 0; index < header->e_shnum; index++) {
    if (sections[index].sh_flags & SHF_COMPRESSED) continue;
    const char *name = names + sections[index].sh_name;
    const uint8_t *begin = bytes + sections[index].sh_offset;
    reader section = {begin, begin + sections[index].sh_size};
    if (strcmp(name, ".debug_line") == 0) lines = section;
    if (strcmp(name, ".debug_line_str") == 0) line_strings = section;
    if (strcmp(name, ".debug_str") == 0) strings = section;
  }
  reader in = lines;
  while (in.at < in.end) {
    const uint8_t *begin = in.at;
    unit found;
    if (next_unit(&in, &found)) {
      indexing of = {begin, 0, false};
      run(&found, note_sequence, &of);
    } else if (in.at == begin) {
      break;
    }
  }
  if (count > 0) qsort(sequences, count, sizeof *sequences, compare);
}

typedef struct {
  uint64_t address;
  row found;
} search;

static bool find_row(const row *before, const row *row, void *context) {
  search *of = context;
  if (of->address < before->address || of->address >= row->address) return false;
  of->found = *before;
  return true;
}

static void read_lines(void) {
  interleaving_begin_reading();
  index_lines();
  interleaving_end_reading();
}

bool interleaving_source_of(uintptr_t place, interleaving_source *source) {
  static pthread_once_t has_read = PTHREAD_ONCE_INIT;
  pthread_once(&has_read, read_lines);
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (sequences[middle].begin <= place) low = middle + 1;
    else high = middle;
  }
  if (low == 0 || place >= sequences[low - 1].end) return false;
  reader in = {sequences[low - 1].unit, lines.end};
  unit found;
  search of = {place, {0, 0, 0, false}};
  if (!next_unit(&in, &found)) return false;
  run(&found, find_row, &of);
  if (of.found.line == 0) return false;
  source->line = of.found.line;
  name_file(&found, of.found.file, source);
  return true;
}
#else
bool interleaving_source_of(uintptr_t place, interleaving_source *source) {
  (void)place, (void)source;
  return false;
}
#endif
