import Dispatch

extension Async {
  /// The bytes of a pipe or a socket, in pieces as they come. It reads when its task asks, and not before.
  ///
  /// The descriptor is closed at the end, after an error, when the task is cancelled, and with the last reference.
  final class Connection: AsyncSequence, Sendable {
    private let descriptor: OwnedDescriptor
    private let readiness: Readiness

    /// Takes over a descriptor.
    ///
    /// - Parameter whenClosed: Called once, after the descriptor is closed.
    /// - Throws: ``DescriptorError``; the descriptor is the caller's then.
    init(taking descriptor: Int32, whenClosed: @escaping @Sendable () -> Void = {})
      throws(DescriptorError)
    {
      let owned = try OwnedDescriptor(taking: descriptor)
      self.descriptor = owned
      readiness = Readiness(of: DispatchSource.makeReadSource(fileDescriptor: descriptor)) {
        owned.closeOnce()
        whenClosed()
      }
    }

    struct Iterator: AsyncIteratorProtocol {
      fileprivate let connection: Connection

      func next(isolation: isolated (any Actor)?) async throws(any Error) -> [UInt8]? {
        try await connection.next(isolation: isolation)
      }
    }

    /// Makes what one task reads with.
    func makeAsyncIterator() -> Iterator { Iterator(connection: self) }

    private func next(isolation: isolated (any Actor)?) async throws -> [UInt8]? {
      do {
        while !readiness.isOver {
          try Task.checkCancellation()
          switch try descriptor.read() {
          case .bytes(let bytes): return bytes
          case .nothingYet: await readiness.wait()
          case .end: readiness.end()
          }
        }
      } catch {
        readiness.end()
        throw error
      }
      try Task.checkCancellation()
      return nil
    }
  }
}
