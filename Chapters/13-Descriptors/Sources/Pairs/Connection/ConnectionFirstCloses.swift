import Foundation

extension FirstCloses {
  /// Reads a socket on one queue, for nobody, and writes it on another. Its read source closes it, in its cancel handler.
  // Sendable because what changes is used on the queue of the writes alone.
  final class Connection: @unchecked Sendable {
    private let reading: any DispatchSourceRead
    private let writing: any DispatchSourceWrite
    private var output: [UInt8]

    /// Takes over a socket that does not block, and writes to it.
    init(
      taking descriptor: Int32, output: [UInt8], whenClosed: @escaping @Sendable () -> Void
    ) {
      self.output = output
      reading = DispatchSource.makeReadSource(
        fileDescriptor: descriptor, queue: DispatchQueue(label: "reads"))
      writing = DispatchSource.makeWriteSource(
        fileDescriptor: descriptor, queue: DispatchQueue(label: "writes"))
      reading.setEventHandler {
        while case .bytes(_) = try? nextChunk(of: descriptor) {}
      }
      reading.setCancelHandler {
        close(descriptor)
        whenClosed()
      }
      // The source keeps the connection until it is cancelled.
      writing.setEventHandler { [self] in writeSome(to: descriptor) }
      reading.activate()
      writing.activate()
    }

    func cancel() {
      reading.cancel()
      writing.cancel()
    }

    private func writeSome(to descriptor: Int32) {
      let count = try? put(output[...], into: descriptor, isSocket: true)
      output.removeFirst(count ?? 0)
      if output.isEmpty { writing.cancel() }
    }
  }
}
