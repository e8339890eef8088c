#define _GNU_SOURCE
#include "CLinux.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

int linux_pipe_close_on_exec(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int linux_pidfd_open(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }
