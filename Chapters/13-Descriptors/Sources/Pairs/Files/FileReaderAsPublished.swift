import Foundation

extension AsPublished {
  /// Takes over a file that is open, and hands over what is in it, piece by piece, until the receiver has enough.
  ///
  /// - Parameter receive: Gets bytes and their number; returns whether it has enough.
  static func readFile(
    _ descriptor: Int32, receive: @escaping @Sendable (UnsafeMutableRawPointer, Int) -> Bool
  ) {
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
    source.setEventHandler {
      let estimate = Int(source.data) + 1
      guard let buffer = malloc(estimate) else { return }
      let count = read(descriptor, buffer, estimate)
      let hasEnough = receive(buffer, count)
      free(buffer)
      if hasEnough { source.cancel() }
    }
    source.setCancelHandler { close(descriptor) }
    source.activate()
  }
}
