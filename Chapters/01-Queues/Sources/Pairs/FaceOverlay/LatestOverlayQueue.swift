import Dispatch

extension Queued {
  // Sendable because `faces` and `latest` are read and written on the main queue only.
  final class LatestOverlay: @unchecked Sendable {
    private(set) var faces: [Face] = []
    /// The number of the photo that was asked for last.
    private var latest = 0

    /// Call it on the main queue; `completion` comes back there, for a photo that was left, too.
    func show(
      _ photo: Photo, detect: @escaping @Sendable (Photo) -> [Face] = { $0.faces() },
      completion: @escaping @Sendable () -> Void
    ) {
      dispatchPrecondition(condition: .onQueue(.main))
      latest += 1
      let number = latest
      DispatchQueue.global(qos: .userInitiated).async {
        let found = detect(photo)
        DispatchQueue.main.async {
          if number == self.latest { self.faces = found }
          completion()
        }
      }
    }
  }
}
