import Foundation

/// Which file it is, whatever it is called. It is given to no other file while this one is open.
struct FileIdentity: Hashable, Sendable {
  let device: UInt64
  let number: UInt64
}

/// What is known of a file at one moment.
struct FileFacts: Sendable {
  let identity: FileIdentity
  /// With the kind of file.
  let mode: UInt32
  let owner: UInt32
  let group: UInt32
  let size: Int
  let links: Int
  /// When the bytes were changed, in nanoseconds.
  let modified: Int
  /// When anything was changed, in nanoseconds.
  let changed: Int

  var kind: UInt32 { mode & UInt32(S_IFMT) }
  var isFolder: Bool { kind == UInt32(S_IFDIR) }
  var isRegular: Bool { kind == UInt32(S_IFREG) }

  init(_ status: stat) {
    identity = FileIdentity(
      device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino))
    mode = UInt32(status.st_mode)
    owner = status.st_uid
    group = status.st_gid
    size = Int(status.st_size)
    links = Int(status.st_nlink)
    #if canImport(Darwin)
      let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
    #else
      let (modified, changed) = (status.st_mtim, status.st_ctim)
    #endif
    self.modified = modified.tv_sec * 1_000_000_000 + modified.tv_nsec
    self.changed = changed.tv_sec * 1_000_000_000 + changed.tv_nsec
  }

  /// The facts of the file that a descriptor is open on, or `nil` with `errno` set.
  init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The facts of the file that a path leads to, or `nil` with `errno` set.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }
}
