#define _GNU_SOURCE
#include "Code.h"

// Files, folders and the environment. These functions stand before libc's, also for Foundation, which uses files on the
// scenario's behalf, and say what is about to happen to which path. What the process reads, writes or waits for elsewhere,
// a terminal, a pipe or a socket, is none of this.

#if defined(__linux__) && !defined(SANITIZED)
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// MARK: Which file

/// How a path is used, besides that it is looked at: what is there is changed; it appears in its folder or goes from
/// there; what it has in it is listed.
enum { LOOKS = 0, CHANGES = 1, APPEARS = CHANGES | 2, LISTS = 4 };

/// Where in the program the running call comes from: Foundation keeps frame pointers.
static uintptr_t nearest_place(void **frame) {
  uintptr_t place = place_of(frame[1]);
  while (place == 0 && (void **)frame[0] > frame && (uintptr_t)frame[0] < code_of_thread.stack_top) {
    frame = frame[0];
    place = place_of(frame[1]);
  }
  return place;
}

static bool path_of_descriptor(int file, char *path) {
  char link[32];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  long length = syscall(SYS_readlink, link, path, PATH_MAX - 1);
  if (length <= 0) return false;
  path[length] = 0;
  return path[0] == '/';
}

/// Makes a path whole, and then the one that others find the same file by, whether it exists or not; false if it is none of
/// a file's.
static bool resolve(int folder, const char *path, bool follows, char *given, char *resolved) {
  char whole[2 * PATH_MAX + 2], base[PATH_MAX] = "";
  if (path == NULL || strlen(path) >= PATH_MAX) return false;
  if (path[0] != '/' && folder != AT_FDCWD && !path_of_descriptor(folder, base)) return false;
  if (path[0] != '/' && folder == AT_FDCWD && getcwd(base, sizeof base) == NULL) return false;
  snprintf(whole, sizeof whole, "%s%s%s", base, path[0] == '/' ? "" : "/", path);
  for (size_t end = strlen(whole); end > 1 && whole[end - 1] == '/'; end--) whole[end - 1] = 0;
  snprintf(given, PATH_MAX, "%s", whole);
  if (!follows || realpath(whole, resolved) == NULL) {
    char *name = strrchr(whole, '/');
    *name++ = 0;
    if (realpath(whole[0] == 0 ? "/" : whole, resolved) == NULL) snprintf(resolved, PATH_MAX, "%s", whole);
    size_t length = strlen(resolved);
    snprintf(resolved + length, PATH_MAX - length, "%s%s", length == 1 ? "" : "/", name);
  }
  return true;
}

/// Enough for who knows the line.
static const char *last_name(const char *path) { return strrchr(path, '/') + 1; }

static bool is_of_system(const char *path) {
  return strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0 || strncmp(path, "/sys/", 5) == 0;
}

/// The uses of one call.
typedef struct {
  kept_use uses[KEPT_USE_LIMIT];
  int count;
} use_list;

static void add_use(use_list *list, uint64_t number, bool is_write) {
  list->uses[list->count++] = (kept_use){kept_key(number), kept_key(number), is_write};
}

// Who adds to a folder, or removes from it, does not see who does so beside it; who lists it sees both: so these read the
// list, which is another thing than the folder, and who lists it writes it.
static void add_uses(use_list *list, const char *path, int use) {
  // Fowler, Noll and Vo's hash.
  uint64_t hash = 0xCBF29CE484222325, folder = (hash ^ '/') * 0x100000001B3;
  for (const char *next = path; *next != 0; next++) {
    if (*next == '/' && next != path) {
      folder = hash;
      // Each folder that leads there has to be there.
      if (list->count < KEPT_USE_LIMIT - 3) add_use(list, folder, false);
    }
    hash = (hash ^ (uint8_t)*next) * 0x100000001B3;
  }
  if (list->count > KEPT_USE_LIMIT - 3) list->count = KEPT_USE_LIMIT - 3;
  add_use(list, hash, (use & CHANGES) != 0);
  if ((use & APPEARS) == APPEARS) add_use(list, folder + 1, false);
  if ((use & LISTS) != 0) add_use(list, hash + 1, true);
}

// MARK: Telling

/// A call of the system's that the scenario's code makes, through Foundation or by itself.
typedef struct {
  interleaving_seat *seat;
  uintptr_t place;
  int error;
} call_of_system;

static call_of_system begin_call(void **frame) {
  interleaving_seat *seat = seat_in_scenario();
  if (seat == NULL || !seat->is_watching) return (call_of_system){0};
  return (call_of_system){seat, nearest_place(frame), errno};
}

static void tell_paths(
  call_of_system call, const char *verb, int deed, int folder, const char *path, int use, bool follows,
  int other_folder, const char *other) {
  char given[PATH_MAX], name[PATH_MAX], other_name[PATH_MAX], names[2 * PATH_MAX + 8];
  if (resolve(folder, path, follows, given, name) && !is_of_system(name)) {
    use_list list = {.count = 0};
    add_uses(&list, name, use);
    // Links lead there.
    if (strcmp(given, name) != 0) add_uses(&list, given, LOOKS);
    if (other != NULL && resolve(other_folder, other, false, given, other_name)) {
      add_uses(&list, other_name, use);
      snprintf(names, sizeof names, "%s to %s", last_name(name), last_name(other_name));
    } else {
      snprintf(names, sizeof names, "%s", last_name(name));
    }
    use_kept(call.seat, list.uses, list.count, verb, names, call.place, deed);
  }
  errno = call.error;
}

// What a descriptor stands for is who opened it, packed into a word: the watch and the strand.
enum { descriptor_count = 4096 };
static _Atomic(uint64_t) openers[descriptor_count];
static uint64_t opener_on(const interleaving_seat *seat) {
  return (uint64_t)(uintptr_t)seat->watch << 16 | (uint16_t)watch_running(seat->watch);
}

/// - Parameter moves: Whether it moves the descriptor's position, which all who have the descriptor share.
static void tell_descriptor(
  call_of_system call, const char *verb, int deed, int file, int use, bool moves) {
  char path[PATH_MAX];
  if (file > STDERR_FILENO && path_of_descriptor(file, path) && !is_of_system(path)) {
    bool is_own = file < descriptor_count && openers[file] == opener_on(call.seat);
    use_list list = {.count = 0};
    add_uses(&list, path, moves && !is_own ? use | CHANGES : use);
    use_kept(call.seat, list.uses, list.count, verb, last_name(path), call.place, deed);
  }
  errno = call.error;
}

static int note_opened(call_of_system call, int file) {
  if (file >= 0 && file < descriptor_count) openers[file] = opener_on(call.seat);
  return file;
}

// MARK: The functions

// Each tells of the call if it comes from the scenario's code, and goes on to the real one.

#define CALL call_of_system call = begin_call(__builtin_frame_address(0))
#define WATCHED (call.seat != NULL && call.place != 0)

/// What one call of Foundation's may do at one place, so that each is told apart.
enum {
  opening, looking, removing, renaming, making, linking, changing, listing, reading, writing, seeking, locking, getting,
  setting
};

#define OF_PATH(result, name, parameters, arguments, verb, deed, folder, path, use, follows) \
  REAL(result, name, parameters) \
  result name(parameters) { \
    CALL; \
    if (WATCHED) tell_paths(call, verb, deed, folder, path, use, follows, 0, NULL); \
    return real_##name() arguments; \
  }
#define LIST_OF(...) __VA_ARGS__
#define PATH(name, parameters, arguments, verb, deed, use, follows) \
  OF_PATH(int, name, LIST_OF parameters, arguments, verb, deed, AT_FDCWD, path, use, follows)
#define PATH_AT(name, parameters, arguments, verb, deed, use, follows) \
  OF_PATH(int, name, LIST_OF parameters, arguments, verb, deed, folder, path, use, follows)

static int use_by_opening(int flags) {
  return (flags & O_CREAT) != 0 ? APPEARS : (flags & O_TRUNC) != 0 ? CHANGES : LOOKS;
}

REAL(int, open, const char *, int, ...)
int open(const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = va_arg(list, mode_t);
  va_end(list);
  CALL;
  if (!WATCHED) return real_open()(path, flags, mode);
  tell_paths(call, "opens", opening, AT_FDCWD, path, use_by_opening(flags), true, 0, NULL);
  return note_opened(call, real_open()(path, flags, mode));
}

REAL(int, openat, int, const char *, int, ...)
int openat(int folder, const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = va_arg(list, mode_t);
  va_end(list);
  CALL;
  if (!WATCHED) return real_openat()(folder, path, flags, mode);
  tell_paths(call, "opens", opening, folder, path, use_by_opening(flags), true, 0, NULL);
  return note_opened(call, real_openat()(folder, path, flags, mode));
}

PATH(creat, (const char *path, mode_t mode), (path, mode), "opens", opening, APPEARS, true)
PATH(stat, (const char *path, struct stat *status), (path, status), "looks at", looking, LOOKS, true)
PATH(lstat, (const char *path, struct stat *status), (path, status), "looks at", looking, LOOKS, false)
PATH_AT(
  fstatat, (int folder, const char *path, struct stat *status, int flags), (folder, path, status, flags), "looks at",
  looking, LOOKS, (flags & AT_SYMLINK_NOFOLLOW) == 0)
PATH(access, (const char *path, int mode), (path, mode), "looks at", looking, LOOKS, true)
PATH_AT(
  faccessat, (int folder, const char *path, int mode, int flags), (folder, path, mode, flags), "looks at", looking, LOOKS,
  true)
PATH(unlink, (const char *path), (path), "removes", removing, APPEARS, false)
PATH_AT(unlinkat, (int folder, const char *path, int flags), (folder, path, flags), "removes", removing, APPEARS, false)
PATH(rmdir, (const char *path), (path), "removes", removing, APPEARS | LISTS, false)
PATH(mkdir, (const char *path, mode_t mode), (path, mode), "makes the folder", making, APPEARS, false)
PATH_AT(
  mkdirat, (int folder, const char *path, mode_t mode), (folder, path, mode), "makes the folder", making, APPEARS,
  false)
PATH(symlink, (const char *target, const char *path), (target, path), "makes the link", linking, APPEARS, false)
PATH(truncate, (const char *path, off_t size), (path, size), "changes", changing, CHANGES, true)
PATH(chmod, (const char *path, mode_t mode), (path, mode), "changes", changing, CHANGES, true)
OF_PATH(
  ssize_t, readlink, LIST_OF(const char *path, char *target, size_t size), (path, target, size), "looks at", looking,
  AT_FDCWD, path, LOOKS, false)

#define TWO_PATHS(name, parameters, arguments, verb, deed, folder, path, other_folder, other) \
  REAL(int, name, LIST_OF parameters) \
  int name parameters { \
    CALL; \
    if (WATCHED) tell_paths(call, verb, deed, folder, path, APPEARS, false, other_folder, other); \
    return real_##name() arguments; \
  }
TWO_PATHS(rename, (const char *from, const char *to), (from, to), "renames", renaming, AT_FDCWD, from, AT_FDCWD, to)
TWO_PATHS(
  renameat, (int folder, const char *from, int other, const char *to), (folder, from, other, to), "renames", renaming,
  folder, from, other, to)
TWO_PATHS(
  renameat2, (int folder, const char *from, int other, const char *to, unsigned flags), (folder, from, other, to, flags),
  "renames", renaming, folder, from, other, to)
TWO_PATHS(link, (const char *from, const char *to), (from, to), "links", linking, AT_FDCWD, from, AT_FDCWD, to)

OF_PATH(DIR *, opendir, LIST_OF(const char *path), (path), "opens", opening, AT_FDCWD, path, LOOKS, true)
OF_PATH(
  FTS *, fts_open, LIST_OF(char *const *paths, int options, int (*compare)(const FTSENT **, const FTSENT **)),
  (paths, options, compare), "lists", listing, AT_FDCWD, paths[0], LISTS, true)

// A folder that is met is listed by the next call.
REAL(FTSENT *, fts_read, FTS *)
FTSENT *fts_read(FTS *files) {
  CALL;
  FTSENT *met = real_fts_read()(files);
  if (WATCHED && met != NULL && met->fts_info == FTS_D && met->fts_level > 0) {
    call.error = errno;
    tell_paths(call, "lists", listing, AT_FDCWD, met->fts_path, LISTS, true, 0, NULL);
  }
  return met;
}

// The system is asked for all that fits into a buffer at once.
static _Thread_local const DIR *listed;
REAL(struct dirent *, readdir, DIR *)
struct dirent *readdir(DIR *folder) {
  CALL;
  if (WATCHED && listed != folder) {
    listed = folder;
    tell_descriptor(call, "lists", listing, dirfd(folder), LISTS, false);
  }
  return real_readdir()(folder);
}
REAL(void, rewinddir, DIR *)
void rewinddir(DIR *folder) {
  if (listed == folder) listed = NULL;
  real_rewinddir()(folder);
}
REAL(int, closedir, DIR *)
int closedir(DIR *folder) {
  if (listed == folder) listed = NULL;
  return real_closedir()(folder);
}

#define OF_DESCRIPTOR(result, name, parameters, arguments, verb, deed, use, moves) \
  REAL(result, name, LIST_OF parameters) \
  result name parameters { \
    CALL; \
    if (WATCHED) tell_descriptor(call, verb, deed, file, use, moves); \
    return real_##name() arguments; \
  }
OF_DESCRIPTOR(ssize_t, read, (int file, void *bytes, size_t count), (file, bytes, count), "reads", reading, LOOKS, true)
OF_DESCRIPTOR(
  ssize_t, pread, (int file, void *bytes, size_t count, off_t offset), (file, bytes, count, offset), "reads", reading,
  LOOKS, false)
OF_DESCRIPTOR(
  ssize_t, write, (int file, const void *bytes, size_t count), (file, bytes, count), "writes", writing, CHANGES, true)
OF_DESCRIPTOR(
  ssize_t, pwrite, (int file, const void *bytes, size_t count, off_t offset), (file, bytes, count, offset), "writes",
  writing, CHANGES, false)
OF_DESCRIPTOR(int, ftruncate, (int file, off_t size), (file, size), "changes", changing, CHANGES, false)
OF_DESCRIPTOR(int, fchmod, (int file, mode_t mode), (file, mode), "changes", changing, CHANGES, false)
OF_DESCRIPTOR(int, fstat, (int file, struct stat *status), (file, status), "looks at", looking, LOOKS, false)
OF_DESCRIPTOR(
  off_t, lseek, (int file, off_t offset, int from), (file, offset, from), "moves in", seeking, LOOKS, true)
OF_DESCRIPTOR(int, flock, (int file, int operation), (file, operation), "locks", locking, CHANGES, false)

REAL(ssize_t, sendfile, int, int, off_t *, size_t)
ssize_t sendfile(int to, int from, off_t *offset, size_t count) {
  CALL;
  if (WATCHED) tell_descriptor(call, "reads", reading, from, LOOKS, offset == NULL);
  if (WATCHED) tell_descriptor(call, "writes", writing, to, CHANGES, true);
  return real_sendfile()(to, from, offset, count);
}

/// A name that is another in each execution.
#define AT_RANDOM(result, name, parameters, arguments) \
  REAL(result, name, LIST_OF parameters) \
  result name parameters { \
    CALL; \
    if (WATCHED && place_of(__builtin_return_address(0)) != 0) { \
      use_kept(call.seat, NULL, 0, "names", NULL, call.place, 0); \
      tell_paths(call, "makes", making, AT_FDCWD, template, APPEARS, false, 0, NULL); \
    } \
    return real_##name() arguments; \
  }
AT_RANDOM(char *, mkdtemp, (char *template), (template))
AT_RANDOM(int, mkstemp, (char *template), (template))

// MARK: The environment

static void tell_environment(call_of_system call, const char *name, bool is_write) {
  kept_use use = use_of_environment(is_write);
  const char *verb = is_write ? "sets the environment's" : "reads the environment's";
  use_kept(call.seat, &use, 1, verb, name, call.place, is_write ? setting : getting);
  errno = call.error;
}

#define OF_ENVIRONMENT(result, name, parameters, arguments, is_write) \
  REAL(result, name, LIST_OF parameters) \
  result name parameters { \
    CALL; \
    if (WATCHED) tell_environment(call, variable, is_write); \
    return real_##name() arguments; \
  }
OF_ENVIRONMENT(char *, getenv, (const char *variable), (variable), false)
OF_ENVIRONMENT(char *, secure_getenv, (const char *variable), (variable), false)
OF_ENVIRONMENT(int, setenv, (const char *variable, const char *value, int replaces), (variable, value, replaces), true)
OF_ENVIRONMENT(int, unsetenv, (const char *variable), (variable), true)
OF_ENVIRONMENT(int, putenv, (char *variable), (variable), true)
#endif
