#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/eventfd.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

int linux_pipe_close_on_exec(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int linux_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int linux_pidfd_open(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

int linux_adopt_orphans(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

int linux_spare_processor(void) {
  cpu_set_t processors;
  if (sched_getaffinity(0, sizeof processors, &processors) == -1) return -1;
  if (CPU_COUNT(&processors) < 2) return -1;
  int last = CPU_SETSIZE - 1;
  while (!CPU_ISSET(last, &processors)) last--;
  return last;
}

int linux_run_on(int processor) {
  cpu_set_t processors;
  CPU_ZERO(&processors);
  CPU_SET(processor, &processors);
  return sched_setaffinity(0, sizeof processors, &processors);
}

int linux_keep_off(int processor, int is_kept_off) {
  cpu_set_t processors;
  if (sched_getaffinity(0, sizeof processors, &processors) == -1) return -1;
  if (is_kept_off) CPU_CLR(processor, &processors);
  else CPU_SET(processor, &processors);
  return sched_setaffinity(0, sizeof processors, &processors);
}

unsigned long linux_limit_realtime(unsigned long time) {
  struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
  getrlimit(RLIMIT_RTTIME, &limit);
  rlim_t previous = limit.rlim_cur;
  limit.rlim_cur = time < limit.rlim_max ? time : limit.rlim_max;
  setrlimit(RLIMIT_RTTIME, &limit);
  return previous;
}

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE
#define LOAD(field) \
  BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
// Goes on with the next line if equal, else skips so many.
#define UNLESS_SKIP(value, lines) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)(value), 0, lines)
#define END BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
// The call may name this process itself; any other ends it. (The low half of the first argument.)
#define OWN_ONLY(call, process) \
  LOAD(nr), UNLESS_SKIP(call, 4), LOAD(args[0]), UNLESS_SKIP(process, 1), ALLOW, END
#define FORBID(call) LOAD(nr), UNLESS_SKIP(call, 1), END

int linux_confine(void) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == -1) return -1;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == -1) return -1;
  pid_t self = getpid();
  struct sock_filter lines[] = {
      LOAD(arch),
      UNLESS_SKIP(ARCHITECTURE, 1),
      BPF_STMT(BPF_JMP | BPF_JA, 1),
      END,
      OWN_ONLY(SYS_kill, self),
      OWN_ONLY(SYS_tgkill, self),
      OWN_ONLY(SYS_rt_sigqueueinfo, self),
      OWN_ONLY(SYS_rt_tgsigqueueinfo, self),
      FORBID(SYS_tkill),
      FORBID(SYS_ptrace),
      FORBID(SYS_process_vm_writev),
      FORBID(SYS_pidfd_send_signal),
      ALLOW,
  };
  struct sock_fprog filter = {sizeof lines / sizeof *lines, lines};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0);
}
#else
int linux_confine(void) {
  errno = ENOSYS;
  return -1;
}
#endif

int linux_spawn_close_from(posix_spawn_file_actions_t *actions, int descriptor) {
  return posix_spawn_file_actions_addclosefrom_np(actions, descriptor);
}

int linux_mount_memory(const char *folder, const char *options) {
  if (unshare(CLONE_NEWNS) == -1) return -1;
  if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == -1) return -1;
  return mount("tmpfs", folder, "tmpfs", 0, options);
}

int linux_unmount(const char *folder) { return umount2(folder, MNT_DETACH); }
