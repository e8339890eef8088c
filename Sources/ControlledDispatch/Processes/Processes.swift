import Foundation
import Interleaving

// Calls that begin processes and wait for them, each the stand-in of the system's of its name.

extension Kernel {
  /// Begins a process: the stand-in of `posix_spawn`, without what it does with descriptors and signals.
  ///
  /// There are three programs: `/bin/true` and `/bin/false`, which exit at any time, with 0 and with 1, and `/bin/sleep`,
  /// which runs until a signal ends it. The number of a process that was reaped is given again.
  ///
  /// - Returns: 0, or an error number.
  public static func spawn(
    _ process: UnsafeMutablePointer<pid_t>?, _ path: UnsafePointer<CChar>
  ) -> Int32 {
    let path = String(cString: path)
    let processes = ProcessTable.current("posix_spawn")
    guard let status = ProcessTable.programs[path] else { return ENOENT }
    guard let number = processes.begin(path, exitsWith: status) else { return EAGAIN }
    process?.pointee = number
    return 0
  }

  /// Waits until a process has ended, and gives its number back unless it is told not to: the stand-in of the system's call,
  /// for one process.
  @discardableResult
  public static func waitid(
    _ type: idtype_t, _ number: id_t, _ info: UnsafeMutablePointer<siginfo_t>!, _ options: Int32
  ) -> Int32 {
    let processes = ProcessTable.current("waitid")
    guard type == P_PID, options & WEXITED != 0 else {
      return KernelState.current("waitid").fail(EINVAL)
    }
    switch processes.wait(for: pid_t(number), options) {
    case .failure: return KernelState.current("waitid").fail(ECHILD)
    case .success(let ending):
      info?.pointee = siginfo_t()
      guard let ending else { return 0 }
      info?.pointee.si_signo = SIGCHLD
      info?.pointee.si_code = ending.code
      #if canImport(Darwin)
        info?.pointee.si_pid = pid_t(number)  // untested
        info?.pointee.si_status = ending.status
      #else
        info?.pointee._sifields._sigchld.si_pid = pid_t(number)
        info?.pointee._sifields._sigchld.si_status = ending.status
      #endif
      return 0
    }
  }

  /// Makes a descriptor that can be read when a process has ended: the stand-in of Linux's `pidfd_open`.
  @discardableResult
  public static func openDescriptor(of process: pid_t) -> Int32 {
    ProcessTable.current("pidfd_open").openDescriptor(of: process)
  }

  /// Asks which descriptors can be read or written now: the stand-in of the system's call, for no time to wait.
  @discardableResult
  public static func poll(
    _ descriptors: UnsafeMutablePointer<pollfd>!, _ count: nfds_t, _ milliseconds: Int32
  ) -> Int32 {
    let kernel = KernelState.current("poll")
    guard milliseconds == 0 else {
      kernel.control.trap("waits in poll, for which the explorer has no stand-in")
    }
    var ready: Int32 = 0
    for index in 0..<Int(count) {
      let asked = descriptors[index]
      guard let file = kernel.file(at: asked.fd, for: "poll") else {
        descriptors[index].revents = Int16(POLLNVAL)
        ready += 1
        continue
      }
      let ways: [(Direction, Int)] = [(.reading, Int(POLLIN)), (.writing, Int(POLLOUT))]
      var found = 0
      for (direction, bit) in ways where Int(asked.events) & bit != 0 {
        guard let waitable = file.waitable(direction) else { continue }
        kernel.control.perform(
          VisibleOperation([waitable.use(.load)]), "looks at \(file.name)")
        if waitable.amount(direction) != nil { found |= bit }
      }
      descriptors[index].revents = Int16(found)
      if found != 0 { ready += 1 }
    }
    return ready
  }
}
