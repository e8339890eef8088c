import Foundation

extension Sourced {
  /// Sends back what it is sent, to so many clients at a time.
  // Sendable because what changes is used on the queue alone, or when nobody else has it.
  final class EchoServer: @unchecked Sendable {
    private let queue: DispatchQueue
    private let listener: OwnedDescriptor
    private let source: any DispatchSourceRead
    private let limit: Int
    private let ending = Ending()
    private var connections: [Int32: Connection] = [:]
    private var isFull = false

    /// Takes over a socket that listens, and begins.
    ///
    /// - Parameters:
    ///   - limit: How many clients it serves at a time; others wait in the kernel.
    ///   - queue: A serial queue.
    ///   - whenOver: Called once, after its socket is closed, with ``DescriptorError`` if it failed.
    /// - Throws: ``DescriptorError``; the socket is the caller's then.
    init(
      taking number: Int32, limit: Int, queue: DispatchQueue,
      whenOver: @escaping @Sendable ((any Error)?) -> Void
    ) throws(DescriptorError) {
      listener = try OwnedDescriptor(taking: number)
      self.queue = queue
      self.limit = limit
      source = DispatchSource.makeReadSource(fileDescriptor: number, queue: queue)
      source.setEventHandler { [weak self] in self?.accept() }
      source.setCancelHandler { [listener, ending] in
        listener.closeOnce()
        whenOver(ending.error)
      }
      source.activate()
    }

    deinit {
      source.cancel()
      if isFull { source.resume() }
    }

    private func accept() {
      do {
        while connections.count < limit {
          guard let number = try listener.use(Loopback.accept), let number else { return }
          try? handOver(number, to: serve)
        }
      } catch {
        ending.end(with: error)
        return source.cancel()
      }
      // Otherwise the source would fire without end for clients that wait.
      isFull = true
      source.suspend()
    }

    private func serve(_ number: Int32) throws(DescriptorError) {
      connections[number] = try Connection(
        taking: number, readsAlways: false, queue: queue, whenRead: { $0.write($1) },
        whenOver: { [weak self] _ in self?.hasLeft(number) })
    }

    private func hasLeft(_ number: Int32) {
      connections[number] = nil
      guard isFull else { return }
      isFull = false
      source.resume()
    }
  }
}
