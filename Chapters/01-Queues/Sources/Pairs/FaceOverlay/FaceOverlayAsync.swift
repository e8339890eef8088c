extension Awaited {
  @MainActor
  final class FaceOverlay {
    private(set) var faces: [Face] = []

    func show(_ photo: Photo, detect: @Sendable (Photo) -> [Face] = { $0.faces() }) async {
      faces = await detectElsewhere(photo, detect)
    }

    @concurrent
    private func detectElsewhere(
      _ photo: Photo, _ detect: @Sendable (Photo) -> [Face]
    ) async -> [Face] {
      detect(photo)
    }
  }
}
