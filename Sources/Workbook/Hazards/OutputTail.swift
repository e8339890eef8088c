import Foundation

/// The last million bytes that came out of a pipe, read without waiting.
struct OutputTail {
  private static let limit = 1_000_000

  private let handle: FileHandle
  private var bytes: [UInt8] = []
  private var isAtEnd = false
  /// How many bytes came, also those that are no longer kept.
  private(set) var count = 0
  /// Whether a line came that begins as was asked for.
  private(set) var hasLine = false
  private let beginning: Data?
  /// The end of what has been searched, in which such a line may have begun.
  private var searched = Data("\n".utf8)

  /// - Parameters:
  ///   - handle: The end of the pipe that is read.
  ///   - beginning: How a line has to begin for ``hasLine``, if that is asked for.
  init(_ handle: FileHandle, lookingFor beginning: String? = nil) {
    self.handle = handle
    self.beginning = beginning.map { Data("\n\($0)".utf8) }
    let flags = fcntl(handle.fileDescriptor, F_GETFL)
    _ = fcntl(handle.fileDescriptor, F_SETFL, flags | O_NONBLOCK)
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Takes what is there, at most a million bytes: whoever writes without end shall not hold up the reader.
  mutating func read() {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    for _ in 0..<16 where !isAtEnd {
      let count = Foundation.read(handle.fileDescriptor, &chunk, chunk.count)
      if count > 0 {
        bytes += chunk.prefix(count)
        self.count += count
        search(chunk.prefix(count))
        if bytes.count > 2 * Self.limit { bytes.removeFirst(bytes.count - Self.limit) }
      } else if count == 0 {
        isAtEnd = true
      } else if errno != EINTR {
        return
      }
    }
  }

  /// Looks at what is new only: a child may write without end.
  private mutating func search(_ new: ArraySlice<UInt8>) {
    guard let beginning, !hasLine else { return }
    searched += new
    hasLine = searched.range(of: beginning) != nil
    searched = Data(searched.suffix(beginning.count - 1))
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
