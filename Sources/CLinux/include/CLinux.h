// The few system calls of Linux that Swift's Glibc module does not show.
#ifndef CLINUX_H
#define CLINUX_H

#include <spawn.h>
#include <sys/types.h>

/// Makes a pipe whose ends no child inherits: pipe2(2) with O_CLOEXEC.
/// Returns 0, or -1 with errno set.
int linux_pipe_close_on_exec(int ends[2]);

/// Has a process that is spawned close all descriptors from one on: posix_spawn_file_actions_addclosefrom_np, glibc 2.34.
/// Returns 0, or an error number.
int linux_spawn_close_from(posix_spawn_file_actions_t *actions, int descriptor);

/// Opens a descriptor that becomes readable when a process ends: pidfd_open(2), Linux 5.3.
/// No child inherits it. Returns the descriptor, or -1 with errno set.
int linux_pidfd_open(pid_t process);

/// Makes a counter that wakes its reader: eventfd(2) with EFD_CLOEXEC and EFD_NONBLOCK, Linux 2.6.27.
/// Returns the descriptor, or -1 with errno set.
int linux_eventfd(void);

/// Makes orphans below this process its own children: prctl(2) with PR_SET_CHILD_SUBREAPER, Linux 3.4.
/// Returns 0, or -1 with errno set.
int linux_adopt_orphans(void);

/// Confines this process, what it executes and what it begins: it ends when the thread that began it
/// ends (prctl(2), PR_SET_PDEATHSIG), and a signal or a trace of another process ends it with SIGSYS
/// (seccomp(2), Linux 4.14, x86-64 and arm64). Returns 0, or -1 with errno set.
int linux_confine(void);

/// The last of the processors that the calling thread may run on, or -1 if there are fewer than two:
/// sched_getaffinity(2).
int linux_spare_processor(void);

/// Lets the calling thread run on one processor only: sched_setaffinity(2). Returns 0, or -1 with errno set.
int linux_run_on(int processor);

/// Takes a processor from those that the calling thread may run on, or gives it back (sched_setaffinity(2)).
/// Returns 0, or -1 with errno set.
int linux_keep_off(int processor, int is_kept_off);

/// Limits how long a thread with a fixed priority may compute without waiting, in microseconds, before the
/// kernel ends the process: setrlimit(2), RLIMIT_RTTIME. Returns the limit before.
unsigned long linux_limit_realtime(unsigned long time);

/// Lets a folder be a disk in memory for the calling thread and what it begins: unshare(2) with CLONE_NEWNS, mount(2) of a
/// tmpfs with options such as "size=64k". Returns 0, or -1 with errno set: it takes CAP_SYS_ADMIN.
int linux_mount_memory(const char *folder, const char *options);

/// Takes such a disk away: umount2(2) with MNT_DETACH. Returns 0, or -1 with errno set.
int linux_unmount(const char *folder);

#endif
