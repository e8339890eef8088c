import Foundation

extension FirstCloses {
  /// Takes over a socket that does not block, reads it on one queue, for nobody, and writes to it on another. Its read
  /// source closes it, in its cancel handler.
  ///
  /// - Returns: What cancels both sources.
  static func write(
    _ output: [UInt8], taking descriptor: Int32, whenClosed: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void {
    let rest = Confined(output[...])
    // Sendable: sources may be used on any thread.
    nonisolated(unsafe) let reading = DispatchSource.makeReadSource(
      fileDescriptor: descriptor, queue: DispatchQueue(label: "reads"))
    nonisolated(unsafe) let writing = DispatchSource.makeWriteSource(
      fileDescriptor: descriptor, queue: DispatchQueue(label: "writes"))
    reading.setEventHandler {
      while case .bytes(_) = try? nextChunk(of: descriptor) {}
    }
    reading.setCancelHandler {
      close(descriptor)
      whenClosed()
    }
    writing.setEventHandler {
      let count = try? put(rest.value, into: descriptor, isSocket: true)
      rest.value = rest.value.dropFirst(count ?? 0)
      if rest.value.isEmpty { writing.cancel() }
    }
    reading.activate()
    writing.activate()
    return {
      reading.cancel()
      writing.cancel()
    }
  }
}
