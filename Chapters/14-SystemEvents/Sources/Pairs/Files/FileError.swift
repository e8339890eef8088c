import Foundation

/// What the system refused to do with a file: which call, where, why, and what to do.
struct FileError: Error, Equatable, CustomStringConvertible {
  /// The name of the system's function, or what was tried.
  let call: String
  /// A path, or `descriptor 5`.
  let place: String
  /// An error number of the system.
  let code: Int32
  let advice: String

  var description: String {
    "\(call) \(place): \(String(cString: strerror(code))) (error \(code)); \(advice)"
  }
}

extension FileError {
  static func opening(_ path: String, code: Int32) -> FileError {
    let advice =
      switch code {
      case ENOENT: "create it first, or pass another path"
      case ENOTDIR: "a part of the path is no folder"
      case EACCES: "ask its owner for the right to read it"
      case EMFILE: "close descriptors that are not needed"
      default: "pass the path of a file that can be read"
      }
    return FileError(call: "open", place: path, code: code, advice: advice)
  }

  static func watching(_ place: String, call: String, code: Int32) -> FileError {
    let advice =
      switch code {
      case ENOSPC: "cancel other watches, or raise fs.inotify.max_user_watches"
      case EMFILE: "close descriptors or other watches, or raise fs.inotify.max_user_instances"
      case EBADF: "pass a descriptor that is open"
      case EACCES: "ask its owner for the right to read it"
      default: "pass a file that can be watched"
      }
    return FileError(call: call, place: place, code: code, advice: advice)
  }
}
