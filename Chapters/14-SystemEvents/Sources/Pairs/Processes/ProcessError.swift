import Foundation

/// What the system refused to do with a process: which call, where, why, and what to do.
struct ProcessError: Error, Equatable, CustomStringConvertible {
  /// The name of the system's function, or what was tried.
  let call: String
  /// A path, or `process 123`.
  let place: String
  /// An error number of the system.
  let code: Int32
  let advice: String

  var description: String {
    "\(call) \(place): \(String(cString: strerror(code))) (error \(code)); \(advice)"
  }
}

extension ProcessError {
  static func spawning(_ path: String, code: Int32) -> ProcessError {
    let advice =
      switch code {
      case ENOENT: "pass the whole path of a program; no search path is used"
      case EACCES: "pass a file that may be executed, and is no folder"
      case ENOEXEC: "it is no program of this machine; a script begins with #!"
      case EINVAL: "leave null characters out of path, arguments and environment"
      case E2BIG: "pass fewer or shorter arguments"
      case EAGAIN, ENOMEM: "end processes that are not needed, and try again"
      default: "pass the path of a program"
      }
    return ProcessError(call: "posix_spawn", place: path, code: code, advice: advice)
  }

  static func watching(_ process: pid_t, call: String, code: Int32) -> ProcessError {
    let advice =
      switch code {
      case ESRCH: "it has ended, or never was; watch a child before it is reaped"
      case EINVAL: "pass the number of a process, 1 or more"
      case EMFILE, ENFILE: "close descriptors that are not needed"
      case ENOSYS: "it takes Linux 5.3"
      default: "pass a process that can be watched"
      }
    return ProcessError(call: call, place: "process \(process)", code: code, advice: advice)
  }

  static func waiting(for process: pid_t, code: Int32) -> ProcessError {
    ProcessError(
      call: "waitid", place: "process \(process)", code: code,
      advice: "it is no child, or was reaped by other code, or by the kernel as SIGCHLD is ignored")
  }
}
