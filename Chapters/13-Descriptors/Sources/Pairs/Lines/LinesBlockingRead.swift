import Foundation

extension BlockingRead {
  /// Reads the lines of a pipe that blocks, on a queue that others use.
  static func lines(
    of descriptor: Int32, queue: DispatchQueue, whenLine: @escaping @Sendable (String) -> Void
  ) {
    queue.async {
      var splitter = LineSplitter(limit: 65_536)
      var piece = [UInt8](repeating: 0, count: 65_536)
      while case let count = read(descriptor, &piece, piece.count), count > 0 {
        splitter.append(Array(piece.prefix(count)))
        while let line = try? splitter.next() { whenLine(line) }
      }
      if let last = splitter.finish() { whenLine(last) }
      close(descriptor)
    }
  }
}
