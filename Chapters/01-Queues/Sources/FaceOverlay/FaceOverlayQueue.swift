import Dispatch

// Sendable because `faces` is read and written on the main queue only.
public final class FaceOverlayQueue: @unchecked Sendable {
  public private(set) var faces: [Face] = []

  public init() {}

  /// Call it on the main queue; `completion` comes back there.
  public func show(
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
