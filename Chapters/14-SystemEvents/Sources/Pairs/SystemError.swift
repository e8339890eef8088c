import Foundation

/// What the system refused: which call, where, why, and what to do.
struct SystemError: Error, Equatable, CustomStringConvertible {
  /// The name of the system's function, or what was tried.
  let call: String
  /// A path, `descriptor 5` or `process 123`.
  let place: String
  /// An error number of the system.
  let code: Int32
  let advice: String

  var description: String {
    "\(call) \(place): \(String(cString: strerror(code))) (error \(code)); \(advice)"
  }
}

// MARK: Files

extension SystemError {
  static func opening(_ path: String, code: Int32) -> SystemError {
    let advice =
      switch code {
      case ENOENT: "create it first, or pass another path"
      case ENOTDIR: "a part of the path is no folder"
      case EACCES: "ask its owner for the right to read it"
      case EMFILE: "close descriptors that are not needed"
      default: "pass the path of a file that can be read"
      }
    return SystemError(call: "open", place: path, code: code, advice: advice)
  }

  static func watchingFile(_ place: String, call: String, code: Int32) -> SystemError {
    let advice =
      switch code {
      case ENOSPC: "cancel other watches, or raise fs.inotify.max_user_watches"
      case EMFILE: "close descriptors or other watches, or raise fs.inotify.max_user_instances"
      case EBADF: "pass a descriptor that is open"
      case EACCES: "ask its owner for the right to read it"
      default: "pass a file that can be watched"
      }
    return SystemError(call: call, place: place, code: code, advice: advice)
  }
}

// MARK: Processes

extension SystemError {
  static func spawning(_ path: String, code: Int32) -> SystemError {
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
    return SystemError(call: "posix_spawn", place: path, code: code, advice: advice)
  }

  static func watchingProcess(_ process: pid_t, call: String, code: Int32) -> SystemError {
    let advice =
      switch code {
      case ESRCH: "it has ended, or never was; watch a child before it is reaped"
      case EINVAL: "pass the number of a process, 1 or more"
      case EMFILE, ENFILE: "close descriptors that are not needed"
      case ENOSYS: "it takes Linux 5.3"
      default: "pass a process that can be watched"
      }
    return SystemError(call: call, place: "process \(process)", code: code, advice: advice)
  }

  static func waiting(for process: pid_t, code: Int32) -> SystemError {
    SystemError(
      call: "waitid", place: "process \(process)", code: code,
      advice: "it is no child, or was reaped by other code, or by the kernel as SIGCHLD is ignored")
  }
}
