extension Unawaited {
  /// The line-by-line port of an asynchronous write, and wrong: a task has no place in a line.
  actor PhotoManager {
    private(set) var photos: [PhotoValue] = []

    nonisolated let additions: AsyncStream<Void>
    private let added: AsyncStream<Void>.Continuation

    init() {
      (additions, added) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    nonisolated func addPhoto(_ photo: PhotoValue) {
      Task { await store(photo) }
      added.yield()
    }

    private func store(_ photo: PhotoValue) { photos.append(photo) }
  }
}
