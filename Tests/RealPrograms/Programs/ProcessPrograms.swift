import CLinux
import Dispatch
import Foundation

// Processes that a program begins, and how they end.

extension Programs {
  private static func begin(_ path: String, _ argument: String? = nil) -> (code: Int32, id: pid_t) {
    let strings: [String] = [path] + (argument.map { [$0] } ?? [])
    let arguments: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    // Threads of Dispatch block most signals, and a child would inherit that.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var id: pid_t = -1
    let code = posix_spawn(&id, path, nil, &attributes, arguments, nil)
    return (code, id)
  }

  private static func end(of process: pid_t, _ options: Int32) -> String {
    var info = siginfo_t()
    let result = waitid(P_PID, id_t(process), &info, options)
    guard result == 0 else { return errno == ECHILD ? "no child" : "error \(errno)" }
    let (id, status) = (info._sifields._sigchld.si_pid, info._sifields._sigchld.si_status)
    guard id == process else { return "runs" }
    return "\(info.si_code == Int32(CLD_EXITED) ? "exited" : "killed") \(status)"
  }

  /// A process exits, is looked at, and reaped once.
  static func exits() -> [String] {
    let log = Log()
    for path in ["/bin/true", "/bin/false"] {
      let (code, child) = begin(path)
      log("\(code)")
      log(end(of: child, WEXITED | WNOWAIT))
      log("\(kill(child, SIGTERM))")
      log(end(of: child, WEXITED))
      log(end(of: child, WEXITED))
      log("\(kill(child, 0)) \(errno == ESRCH)")
    }
    log("\(begin("/none").code == ENOENT)")
    return log.entries
  }

  /// A process runs until it is sent a signal.
  static func isSentSignals() -> [String] {
    let log = Log()
    for number in [SIGTERM, SIGKILL] {
      let child = begin("/bin/sleep", "1000").id
      log(end(of: child, WEXITED | WNOHANG))
      log("\(kill(child, 0)) \(kill(child, SIGWINCH)) \(kill(child, SIGCONT))")
      log(end(of: child, WEXITED | WNOHANG))
      log("\(kill(child, number))")
      log(end(of: child, WEXITED))
    }
    return log.entries
  }

  /// A descriptor of a process is ready when that has ended.
  static func hasDescriptors() -> [String] {
    let log = Log()
    let child = begin("/bin/sleep", "1000").id
    let descriptor = linux_pidfd_open(child)
    func isReady() -> String {
      var asked = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      return "\(poll(&asked, 1, 0)) \(asked.revents & Int16(POLLIN) != 0)"
    }
    log(isReady())
    let over = DispatchSemaphore(value: 0)
    let source = DispatchSource.makeReadSource(
      fileDescriptor: descriptor, queue: DispatchQueue(label: "pidfd"))
    source.setEventHandler {
      log("ended")
      source.cancel()
    }
    source.setCancelHandler { over.signal() }
    source.activate()
    let result = kill(child, SIGHUP)
    over.wait()
    log("\(result)")
    log(isReady())
    log(end(of: child, WEXITED))
    log("\(close(descriptor)) \(linux_pidfd_open(child)) \(errno == ESRCH)")
    log("\(linux_pidfd_open(0)) \(errno == EINVAL)")
    var closed = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    log("\(poll(&closed, 1, 0)) \(closed.revents & Int16(POLLNVAL) != 0)")
    return log.entries
  }
}
