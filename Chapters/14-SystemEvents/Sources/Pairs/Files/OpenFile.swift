import Foundation
import Synchronization

/// A file that is open for reading, and stays the same file when it is renamed or removed.
final class OpenFile: Sendable {
  let descriptor: Int32
  let identity: FileIdentity
  /// The path that it was opened with.
  let path: String
  private let isOpen = Mutex(true)

  /// - Throws: ``SystemError`` with the path and the reason.
  init(path: String) throws(SystemError) {
    // A path with a zero in it would be cut there. And a pipe must not wait for its writer.
    guard !path.utf8.contains(0) else { throw .opening(path, code: EINVAL) }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor != -1 else { throw .opening(path, code: errno) }
    guard let facts = FileFacts(descriptor: descriptor) else {
      let code = errno
      close(descriptor)
      throw .opening(path, code: code)
    }
    self.descriptor = descriptor
    self.identity = facts.identity
    self.path = path
  }

  deinit { closeOnce() }

  /// How it is now, or `nil` if it is closed.
  var facts: FileFacts? { isOpen.withLock { $0 ? FileFacts(descriptor: descriptor) : nil } }

  /// Where it is now. `nil` if it has no name any more, or if the name that it was opened with is gone.
  var currentPath: String? {
    isOpen.withLock { isOpen in
      guard isOpen else { return nil }
      // Renamed between the two questions, it is asked again; renamed all the time, not for ever.
      for _ in 0..<100 {
        guard let path = pathOfDescriptor(descriptor) else { return nil }
        if FileFacts(path: path)?.identity == identity { return path }
        // Linux adds this to the name that it had.
        if path.hasSuffix(" (deleted)") { return nil }
      }
      return nil
    }
  }

  /// Reads what there is from a place on, up to 64 KiB; nothing at the end.
  ///
  /// - Throws: ``SystemError``, also if it is closed.
  func read(from offset: Int) throws(SystemError) -> [UInt8] {
    let size = 65_536
    while true {
      var count = -1
      var code = EBADF
      let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
        // Closed meanwhile, its number may be another file's.
        isOpen.withLock { isOpen in
          guard isOpen else { return }
          count = pread(descriptor, buffer.baseAddress, size, off_t(offset))
          code = errno
        }
        filled = max(count, 0)
      }
      if count >= 0 { return bytes }
      guard code == EINTR else {
        throw SystemError(call: "read", place: path, code: code, advice: "open it again")
      }
    }
  }

  /// Closes the descriptor; once it is closed, does nothing.
  func closeOnce() {
    isOpen.withLock {
      if $0 { _ = close(descriptor) }
      $0 = false
    }
  }
}

/// The path that the system knows a descriptor by. It may lead to another file, or nowhere.
func pathOfDescriptor(_ descriptor: Int32) -> String? {
  var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
  #if canImport(Darwin)
    guard fcntl(descriptor, F_GETPATH, &bytes) == 0 else { return nil }
    return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  #else
    let count = bytes.withUnsafeMutableBytes {
      readlink("/proc/self/fd/\(descriptor)", $0.baseAddress!, $0.count)
    }
    guard count > 0 else { return nil }
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  #endif
}
