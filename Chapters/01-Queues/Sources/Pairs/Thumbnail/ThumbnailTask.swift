extension Tasked {
  struct Thumbnail: Sendable {
    private let task: Task<Photo, any Error>

    /// Starts to render.
    ///
    /// - Parameter row: Called before each row, with its number.
    init(of photo: Photo, row: @escaping @Sendable (Int) async -> Void = { _ in }) {
      task = Task {
        var rows: [[UInt8]] = []
        for number in stride(from: 0, to: photo.rows.count, by: 2) {
          await row(number)
          try Task.checkCancellation()
          rows.append(photo.rows[number].enumerated().filter { $0.offset % 2 == 0 }.map(\.element))
        }
        return Photo(rows: rows)
      }
    }

    /// The thumbnail, as soon as it is there.
    ///
    /// - Throws: `CancellationError` if it was cancelled before its last row.
    var photo: Photo {
      get async throws { try await task.value }
    }

    func cancel() {
      task.cancel()
    }
  }
}
