import Dispatch

extension Queued {
  // Sendable because `faces` is read and written on the main queue only.
  final class FaceOverlay: @unchecked Sendable {
    private(set) var faces: [Face] = []

    /// Call it on the main queue; `completion` comes back there.
    func show(
      _ photo: Photo, detect: @escaping @Sendable (Photo) -> [Face] = { $0.faces() },
      completion: @escaping @Sendable () -> Void
    ) {
      dispatchPrecondition(condition: .onQueue(.main))
      DispatchQueue.global(qos: .userInitiated).async {
        let found = detect(photo)
        DispatchQueue.main.async {
          self.faces = found
          completion()
        }
      }
    }
  }
}
