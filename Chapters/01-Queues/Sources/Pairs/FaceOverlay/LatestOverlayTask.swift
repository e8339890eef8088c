extension Tasked {
  @MainActor
  final class LatestOverlay {
    private(set) var faces: [Face] = []
    /// The search of the photo that was asked for last.
    private(set) var search: Task<Void, Never>?

    /// Takes back the search before it, which may ask `Task.isCancelled` and end early.
    func show(_ photo: Photo, detect: @escaping @Sendable (Photo) -> [Face] = { $0.faces() }) {
      search?.cancel()
      search = Task {
        let found = await detectElsewhere(photo, detect)
        if !Task.isCancelled { faces = found }
      }
    }

    @concurrent
    private func detectElsewhere(
      _ photo: Photo, _ detect: @Sendable (Photo) -> [Face]
    ) async -> [Face] {
      detect(photo)
    }
  }
}
