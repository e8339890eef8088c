import Foundation

extension Sourced {
  /// Takes over a socket that listens, and sends back what it is sent, to so many clients at a time.
  ///
  /// - Parameters:
  ///   - limit: How many clients it serves at a time; others wait in the kernel.
  ///   - whenOver: Called once, after its socket is closed, with ``DescriptorError`` if it failed.
  /// - Returns: What stops it and cuts its clients off, from any thread.
  /// - Throws: ``DescriptorError``; the socket is the caller's then.
  static func serveEcho(
    at number: Int32, limit: Int, queue: DispatchQueue,
    whenOver: @escaping @Sendable ((any Error)?) -> Void
  ) throws(DescriptorError) -> @Sendable () -> Void {
    let listener = try OwnedDescriptor(taking: number)
    let (ending, connections) = (Ending(), Confined<[Int32: Connection]>([:]))
    let isFull = Confined(false)
    // Sendable: sources may be used on any thread.
    nonisolated(unsafe) let source = DispatchSource.makeReadSource(
      fileDescriptor: number, queue: queue)
    @Sendable func goOn() {
      guard isFull.value else { return }
      isFull.value = false
      source.resume()
    }
    source.setEventHandler {
      do {
        while connections.value.count < limit {
          guard let number = try listener.use(Loopback.accept), let number else { return }
          connections.value[number] = try echo(taking: number, queue: queue) { _ in
            connections.value[number] = nil
            goOn()
          }
        }
      } catch {
        ending.end(with: error)
        return source.cancel()
      }
      // Otherwise the source would fire without end for clients that wait.
      isFull.value = true
      source.suspend()
    }
    source.setCancelHandler {
      listener.closeOnce()
      whenOver(ending.error)
    }
    source.activate()
    return {
      queue.async {
        source.cancel()
        connections.value = [:]
        goOn()
      }
    }
  }

  /// Sends back what comes, to the end.
  ///
  /// - Returns: What its caller keeps.
  /// - Throws: ``DescriptorError``; the socket is the caller's then.
  static func echo(
    taking number: Int32, queue: DispatchQueue,
    whenOver: @escaping @Sendable ((any Error)?) -> Void
  ) throws(DescriptorError) -> Connection {
    try Connection(
      taking: number, readsAlways: false, queue: queue, whenRead: { $0.write($1) },
      whenOver: whenOver)
  }
}
