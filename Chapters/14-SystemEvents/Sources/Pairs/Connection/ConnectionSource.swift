import Dispatch
import Synchronization

extension Sourced {
  /// Reads a pipe or a socket to its end, as its bytes come.
  // Sendable because Dispatch's sources may be used on any thread.
  final class Connection: @unchecked Sendable {
    private let source: any DispatchSourceRead
    private let descriptor: OwnedDescriptor
    private let ending = EndOfConnection()

    /// Takes over a descriptor and begins to read.
    ///
    /// - Parameters:
    ///   - whenOver: Called once, after the descriptor is closed, with `nil` at the end of the bytes,
    ///     `CancellationError` if it was cancelled before, and ``DescriptorError`` if it failed.
    /// - Throws: ``DescriptorError``; the descriptor is the caller's then.
    init(
      taking descriptor: Int32, queue: DispatchQueue,
      whenRead: @escaping @Sendable ([UInt8]) -> Void,
      whenOver: @escaping @Sendable ((any Error)?) -> Void
    ) throws(DescriptorError) {
      let owned = try OwnedDescriptor(taking: descriptor)
      self.descriptor = owned
      source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
      source.setEventHandler { [weak self] in self?.read(whenRead) }
      source.setCancelHandler { [ending] in
        // Not before: a handler that still reads would read what its number then stands for.
        owned.closeOnce()
        whenOver(ending.error)
      }
      source.activate()
      // Dispatch on Linux stays silent of what epoll does not take, such as a folder.
      queue.async { [weak self] in self?.read(whenRead) }
    }

    /// Linux tells once that the other side has hung up. So what is there is read until there is no more.
    private func read(_ whenRead: ([UInt8]) -> Void) {
      do {
        while !source.isCancelled {
          switch try descriptor.read() {
          case .bytes(let bytes): whenRead(bytes)
          case .nothingYet: return
          case .end: return ending.end(source, with: nil)
          }
        }
      } catch { ending.end(source, with: error) }
    }

    deinit { cancel() }

    /// Stops reading. The descriptor is closed when the handler has returned.
    func cancel() { ending.end(source, with: CancellationError()) }
  }
}

/// Why a connection is over: the first reason stays.
private final class EndOfConnection: Sendable {
  private let reason = Mutex<(any Error)??>(nil)

  var error: (any Error)? { reason.withLock { $0 ?? nil } }

  func end(_ source: any DispatchSourceRead, with error: (any Error)?) {
    reason.withLock { if $0 == nil { $0 = .some(error) } }
    source.cancel()
  }
}
