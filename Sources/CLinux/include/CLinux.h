// The few system calls of Linux that Swift's Glibc module does not show.
#ifndef CLINUX_H
#define CLINUX_H

#include <sys/types.h>

/// Makes a pipe whose ends no child inherits: pipe2(2) with O_CLOEXEC.
/// Returns 0, or -1 with errno set.
int linux_pipe_close_on_exec(int ends[2]);

/// Opens a descriptor that becomes readable when a process ends: pidfd_open(2), Linux 5.3.
/// No child inherits it. Returns the descriptor, or -1 with errno set.
int linux_pidfd_open(pid_t process);

#endif
