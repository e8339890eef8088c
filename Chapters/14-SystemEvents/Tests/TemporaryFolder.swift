import Foundation
import Testing

/// A folder of its own for a test, removed with its last reference.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appending(path: "files-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of something in the folder.
  func at(_ name: String) -> String { "\(path)/\(name)" }

  /// Creates a file, and gives its path.
  @discardableResult
  func file(_ name: String, _ text: String = "") -> String {
    let descriptor = open(at(name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    #expect(descriptor != -1)
    #expect(write(descriptor, text, text.utf8.count) == text.utf8.count)
    close(descriptor)
    return at(name)
  }

  @discardableResult
  func folder(_ name: String) -> String {
    #expect(mkdir(at(name), 0o755) == 0)
    return at(name)
  }

  @discardableResult
  func move(_ name: String, to newName: String) -> String {
    #expect(rename(at(name), at(newName)) == 0)
    return at(newName)
  }

  func append(_ text: String, to name: String) { append(Array(text.utf8), to: name) }

  func append(_ bytes: [UInt8], to name: String) {
    let descriptor = open(at(name), O_WRONLY | O_APPEND | O_CLOEXEC)
    #expect(write(descriptor, bytes, bytes.count) == bytes.count)
    close(descriptor)
  }
}

/// Takes all descriptors but some, of a process that may have 256.
func takeDescriptors(leaving free: Int) -> [Int32] {
  var limit = rlimit()
  getrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit)
  limit.rlim_cur = 256
  setrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit)
  var taken: [Int32] = []
  while case let descriptor = fcntl(0, F_DUPFD_CLOEXEC, 0), descriptor != -1 {
    taken.append(descriptor)
  }
  for descriptor in taken.suffix(free) { close(descriptor) }
  return taken.dropLast(free)
}
