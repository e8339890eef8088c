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

/// What one call of Foundation's may do at one place, so that each is told apart.
typedef enum {
  OPENING, LOOKING, REMOVING, RENAMING, MAKING, MAKING_FOLDER, MAKING_LINK, LINKING, CHANGING, LISTING, READING, WRITING,
  SEEKING, LOCKING, GETTING, SETTING
} deed;

static const char *const verbs[] = {
  [OPENING] = "opens", [LOOKING] = "looks at", [REMOVING] = "removes", [RENAMING] = "renames", [MAKING] = "makes",
  [MAKING_FOLDER] = "makes the folder", [MAKING_LINK] = "makes the link", [LINKING] = "links", [CHANGING] = "changes",
  [LISTING] = "lists", [READING] = "reads", [WRITING] = "writes", [SEEKING] = "moves in", [LOCKING] = "locks",
  [GETTING] = "reads the environment's", [SETTING] = "sets the environment's"};

/// A call of the system's that the scenario's code makes, through Foundation or by itself.
typedef struct {
  interleaving_seat *seat;
  uintptr_t place;
  int error;
} call_of_system;

/// Of who is not watched, or has no code of the program's beneath it, the seat is null.
static call_of_system begin_call(void **frame) {
  interleaving_seat *seat = seat_in_scenario();
  uintptr_t place = seat != NULL && seat->is_watching ? nearest_place(frame) : 0;
  return place == 0 ? (call_of_system){0} : (call_of_system){seat, place, errno};
}

static void tell_paths(
  call_of_system call, int folder, const char *path, int other_folder, const char *other, deed deed, int use,
  bool follows) {
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
    use_kept(call.seat, list.uses, list.count, verbs[deed], names, call.place, deed);
  }
  errno = call.error;
}

static void tell_path(call_of_system call, int folder, const char *path, deed deed, int use, bool follows) {
  tell_paths(call, folder, path, 0, NULL, deed, use, follows);
}

// What a descriptor stands for is who opened it, packed into a word: the watch and the strand.
enum { descriptor_count = 4096 };
static _Atomic(uint64_t) openers[descriptor_count];
static uint64_t opener_on(const interleaving_seat *seat) {
  return (uint64_t)(uintptr_t)seat->watch << 16 | (uint16_t)watch_running(seat->watch);
}

/// - Parameter moves: Whether it moves the descriptor's position, which all who have the descriptor share.
static void tell_descriptor(call_of_system call, int file, deed deed, int use, bool moves) {
  char path[PATH_MAX];
  if (file > STDERR_FILENO && path_of_descriptor(file, path) && !is_of_system(path)) {
    bool is_own = file < descriptor_count && openers[file] == opener_on(call.seat);
    use_list list = {.count = 0};
    add_uses(&list, path, moves && !is_own ? use | CHANGES : use);
    use_kept(call.seat, list.uses, list.count, verbs[deed], last_name(path), call.place, deed);
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
#define LIST_OF(...) __VA_ARGS__
#define TOLD(result, name, parameters, arguments, ...) \
  REAL(result, name, LIST_OF parameters) \
  result name parameters { \
    CALL; \
    if (call.seat != NULL) __VA_ARGS__; \
    return real_##name() arguments; \
  }
#define PATH(name, parameters, arguments, ...) \
  TOLD(int, name, parameters, arguments, tell_path(call, AT_FDCWD, path, __VA_ARGS__))
#define PATH_AT(name, parameters, arguments, ...) \
  TOLD(int, name, parameters, arguments, tell_path(call, folder, path, __VA_ARGS__))
#define PATHS(name, parameters, arguments, ...) \
  TOLD(int, name, parameters, arguments, tell_paths(call, __VA_ARGS__, APPEARS, false))
#define DESCRIPTOR(result, name, parameters, arguments, ...) \
  TOLD(result, name, parameters, arguments, tell_descriptor(call, file, __VA_ARGS__))

static int use_by_opening(int flags) {
  return (flags & O_CREAT) != 0 ? APPEARS : (flags & O_TRUNC) != 0 ? CHANGES : LOOKS;
}

/// Takes the mode, which is there if a file is to be made, and opens by what tells it.
#define OPEN(name, parameters, folder, ...) \
  REAL(int, name, LIST_OF parameters, int, ...) \
  int name(LIST_OF parameters, int flags, ...) { \
    va_list list; \
    va_start(list, flags); \
    mode_t mode = va_arg(list, mode_t); \
    va_end(list); \
    CALL; \
    if (call.seat == NULL) return real_##name()(__VA_ARGS__, flags, mode); \
    tell_path(call, folder, path, OPENING, use_by_opening(flags), true); \
    return note_opened(call, real_##name()(__VA_ARGS__, flags, mode)); \
  }
OPEN(open, (const char *path), AT_FDCWD, path)
OPEN(openat, (int folder, const char *path), folder, folder, path)

PATH(creat, (const char *path, mode_t mode), (path, mode), OPENING, APPEARS, true)
TOLD(DIR *, opendir, (const char *path), (path), tell_path(call, AT_FDCWD, path, OPENING, LOOKS, true))
PATH(stat, (const char *path, struct stat *status), (path, status), LOOKING, LOOKS, true)
PATH(lstat, (const char *path, struct stat *status), (path, status), LOOKING, LOOKS, false)
PATH_AT(
  fstatat, (int folder, const char *path, struct stat *status, int flags), (folder, path, status, flags), LOOKING, LOOKS,
  (flags & AT_SYMLINK_NOFOLLOW) == 0)
PATH(access, (const char *path, int mode), (path, mode), LOOKING, LOOKS, true)
PATH_AT(
  faccessat, (int folder, const char *path, int mode, int flags), (folder, path, mode, flags), LOOKING, LOOKS, true)
TOLD(
  ssize_t, readlink, (const char *path, char *target, size_t size), (path, target, size),
  tell_path(call, AT_FDCWD, path, LOOKING, LOOKS, false))
PATH(unlink, (const char *path), (path), REMOVING, APPEARS, false)
PATH_AT(unlinkat, (int folder, const char *path, int flags), (folder, path, flags), REMOVING, APPEARS, false)
PATH(rmdir, (const char *path), (path), REMOVING, APPEARS | LISTS, false)
PATH(mkdir, (const char *path, mode_t mode), (path, mode), MAKING_FOLDER, APPEARS, false)
PATH_AT(mkdirat, (int folder, const char *path, mode_t mode), (folder, path, mode), MAKING_FOLDER, APPEARS, false)
PATH(symlink, (const char *target, const char *path), (target, path), MAKING_LINK, APPEARS, false)
PATH(truncate, (const char *path, off_t size), (path, size), CHANGING, CHANGES, true)
PATH(chmod, (const char *path, mode_t mode), (path, mode), CHANGING, CHANGES, true)

PATHS(rename, (const char *from, const char *to), (from, to), AT_FDCWD, from, AT_FDCWD, to, RENAMING)
PATHS(
  renameat, (int folder, const char *from, int other, const char *to), (folder, from, other, to), folder, from, other, to,
  RENAMING)
PATHS(
  renameat2, (int folder, const char *from, int other, const char *to, unsigned flags), (folder, from, other, to, flags),
  folder, from, other, to, RENAMING)
PATHS(link, (const char *from, const char *to), (from, to), AT_FDCWD, from, AT_FDCWD, to, LINKING)

DESCRIPTOR(ssize_t, read, (int file, void *bytes, size_t count), (file, bytes, count), READING, LOOKS, true)
DESCRIPTOR(
  ssize_t, pread, (int file, void *bytes, size_t count, off_t offset), (file, bytes, count, offset), READING, LOOKS,
  false)
DESCRIPTOR(ssize_t, write, (int file, const void *bytes, size_t count), (file, bytes, count), WRITING, CHANGES, true)
DESCRIPTOR(
  ssize_t, pwrite, (int file, const void *bytes, size_t count, off_t offset), (file, bytes, count, offset), WRITING,
  CHANGES, false)
DESCRIPTOR(int, ftruncate, (int file, off_t size), (file, size), CHANGING, CHANGES, false)
DESCRIPTOR(int, fchmod, (int file, mode_t mode), (file, mode), CHANGING, CHANGES, false)
DESCRIPTOR(int, fstat, (int file, struct stat *status), (file, status), LOOKING, LOOKS, false)
DESCRIPTOR(off_t, lseek, (int file, off_t offset, int from), (file, offset, from), SEEKING, LOOKS, true)
DESCRIPTOR(int, flock, (int file, int operation), (file, operation), LOCKING, CHANGES, false)
TOLD(ssize_t, sendfile, (int to, int from, off_t *offset, size_t count), (to, from, offset, count), {
  tell_descriptor(call, from, READING, LOOKS, offset == NULL);
  tell_descriptor(call, to, WRITING, CHANGES, true);
})

/// A name that is another in each execution, if it is the program that asks for it.
#define AT_RANDOM(result, name) \
  TOLD(result, name, (char *template), (template), if (place_of(__builtin_return_address(0)) != 0) { \
    operate(call.seat, interleaving_name_at_random, template, call.place); \
    tell_path(call, AT_FDCWD, template, MAKING, APPEARS, false); \
  })
AT_RANDOM(char *, mkdtemp)
AT_RANDOM(int, mkstemp)

TOLD(
  FTS *, fts_open, (char *const *paths, int options, int (*compare)(const FTSENT **, const FTSENT **)),
  (paths, options, compare), tell_path(call, AT_FDCWD, paths[0], LISTING, LISTS, true))

// A folder that is met is listed by the next call.
REAL(FTSENT *, fts_read, FTS *)
FTSENT *fts_read(FTS *files) {
  CALL;
  FTSENT *met = real_fts_read()(files);
  if (call.seat != NULL && met != NULL && met->fts_info == FTS_D && met->fts_level > 0) {
    call.error = errno;
    tell_path(call, AT_FDCWD, met->fts_path, LISTING, LISTS, true);
  }
  return met;
}

// The system is asked for all that fits into a buffer at once.
static _Thread_local const DIR *listed;
REAL(struct dirent *, readdir, DIR *)
struct dirent *readdir(DIR *folder) {
  CALL;
  if (call.seat != NULL && listed != folder) {
    listed = folder;
    tell_descriptor(call, dirfd(folder), LISTING, LISTS, false);
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

// MARK: The environment

static void tell_environment(call_of_system call, const char *name, deed deed) {
  kept_use use = use_of_environment(deed == SETTING);
  use_kept(call.seat, &use, 1, verbs[deed], name, call.place, deed);
  errno = call.error;
}

#define ENVIRONMENT(result, name, parameters, arguments, deed) \
  TOLD(result, name, parameters, arguments, tell_environment(call, variable, deed))
ENVIRONMENT(char *, getenv, (const char *variable), (variable), GETTING)
ENVIRONMENT(char *, secure_getenv, (const char *variable), (variable), GETTING)
ENVIRONMENT(int, setenv, (const char *variable, const char *value, int replaces), (variable, value, replaces), SETTING)
ENVIRONMENT(int, unsetenv, (const char *variable), (variable), SETTING)
ENVIRONMENT(int, putenv, (char *variable), (variable), SETTING)
#endif
