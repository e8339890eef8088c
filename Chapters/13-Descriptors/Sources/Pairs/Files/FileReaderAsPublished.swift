import Foundation

extension AsPublished {
  /// Hands over what is in a file, piece by piece, until the receiver has enough.
  // Sendable because sources may be used on any thread.
  final class FileReader: @unchecked Sendable {
    /// Gets bytes and their number; returns whether it has enough.
    typealias Receiver = @Sendable (UnsafeMutableRawPointer, Int) -> Bool

    private let source: any DispatchSourceRead

    /// Opens a file; `nil` if that fails.
    convenience init?(path: String, receive: @escaping Receiver) {
      let descriptor = open(path, O_RDONLY)
      guard descriptor != -1 else { return nil }
      self.init(descriptor: descriptor, receive: receive)
    }

    /// Takes over what is open.
    init(descriptor: Int32, receive: @escaping Receiver) {
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
      source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
      source.setEventHandler { [self] in
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

    func cancel() { source.cancel() }
  }
}
