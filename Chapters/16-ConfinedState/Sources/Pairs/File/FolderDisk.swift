import Foundation

/// A folder of the system.
struct FolderDisk: Disk {
  let path: String

  func create(_ name: String) throws {
    try remove(name)
    try close(open(name, O_WRONLY | O_CREAT | O_EXCL))
  }

  func copyMode(of name: String, to other: String) throws {
    var status = stat()
    if stat(file(name), &status) < 0 {
      if errno == ENOENT { return }
      throw DiskError("stat", file(name))
    }
    try check(chmod(file(other), status.st_mode & 0o7777), "chmod", other)
  }

  func write(_ bytes: [UInt8], to name: String) throws {
    let descriptor = try open(name, O_WRONLY | O_APPEND)
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      try check(count, "write", name)
      rest = rest.dropFirst(count)
    }
  }

  func sync(_ name: String) throws {
    let descriptor = try open(name, O_RDONLY)
    defer { close(descriptor) }
    // On Apple systems fsync leaves bytes in the drive; F_FULLFSYNC does not.
    #if canImport(Darwin)
      try check(fcntl(descriptor, F_FULLFSYNC), "fcntl", name)
    #else
      try check(fsync(descriptor), "fsync", name)
    #endif
  }

  func rename(_ name: String, to other: String) throws {
    try check(Foundation.rename(file(name), file(other)), "rename", name)
  }

  func syncFolder() throws { try sync(".") }

  func remove(_ name: String) throws {
    if unlink(file(name)) < 0 && errno != ENOENT { throw DiskError("unlink", file(name)) }
  }

  func read(_ name: String) throws -> [UInt8]? {
    do {
      return [UInt8](try Data(contentsOf: URL(filePath: file(name))))
    } catch CocoaError.fileReadNoSuchFile {
      return nil
    }
  }

  private func file(_ name: String) -> String { "\(path)/\(name)" }

  private func open(_ name: String, _ flags: Int32) throws -> Int32 {
    let descriptor = Foundation.open(file(name), flags | O_CLOEXEC, 0o644)
    try check(descriptor, "open", name)
    return descriptor
  }

  private func check(_ result: some BinaryInteger, _ call: String, _ name: String) throws {
    if result < 0 { throw DiskError(call, file(name)) }
  }
}

extension StoreFile {
  /// The file of a folder.
  init(in folder: URL) { self.init(name: "users", disk: FolderDisk(path: folder.path)) }
}

/// A call that the system refused.
struct DiskError: Error, CustomStringConvertible {
  let call: String
  let path: String
  let code: Int32

  init(_ call: String, _ path: String) {
    code = errno
    self.call = call
    self.path = path
  }

  var description: String { "\(call) \(path): \(String(cString: strerror(code)))" }
}
