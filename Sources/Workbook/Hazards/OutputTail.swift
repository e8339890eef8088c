import Foundation

/// The last million bytes that came out of a pipe, read without waiting.
struct OutputTail {
  private static let limit = 1_000_000

  private let handle: FileHandle
  private var bytes: [UInt8] = []
  private var isAtEnd = false
  /// How many bytes came, also those that are no longer kept.
  private(set) var count = 0

  init(_ handle: FileHandle) {
    self.handle = handle
    let flags = fcntl(handle.fileDescriptor, F_GETFL)
    _ = fcntl(handle.fileDescriptor, F_SETFL, flags | O_NONBLOCK)
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Whether a line of the text begins so.
  func contains(_ beginning: String) -> Bool {
    text.split(separator: "\n").contains { $0.hasPrefix(beginning) }
  }

  /// Takes what is there.
  mutating func read() {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while !isAtEnd {
      let count = Foundation.read(handle.fileDescriptor, &chunk, chunk.count)
      if count > 0 {
        bytes += chunk.prefix(count)
        self.count += count
        if bytes.count > 2 * Self.limit { bytes.removeFirst(bytes.count - Self.limit) }
      } else if count == 0 {
        isAtEnd = true
      } else if errno != EINTR {
        return
      }
    }
  }

  /// Waits until one of some pipes has more, the child has ended, or the time is over.
  static func waitForMore(_ tails: [OutputTail], orEndOf child: SpawnedProcess, milliseconds: Int32)
  {
    // A pipe at its end would always be ready, so it is left out.
    let handles = tails.filter { !$0.isAtEnd }.map(\.handle) + [child.end].compactMap(\.self)
    var waiting = handles.map {
      pollfd(fd: $0.fileDescriptor, events: Int16(POLLIN), revents: 0)
    }
    poll(&waiting, nfds_t(waiting.count), milliseconds)
  }
}
