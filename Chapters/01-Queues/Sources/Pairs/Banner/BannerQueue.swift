import Dispatch

extension Queued {
  /// Both functions make their work item on the main actor, and run it on a global queue.
  @MainActor
  enum Banner {
    /// The closure is inferred to belong to the main actor, because it is written there. The queue does not know that,
    /// and Swift ends the process when the closure runs elsewhere.
    static func prepareTrapping(_ photo: Photo, completion: @escaping @Sendable (Int) -> Void) {
      let item = DispatchWorkItem { completion(photo.faces().count) }
      DispatchQueue.global().async(execute: item)
    }

    /// `@Sendable` says that the closure belongs to nobody.
    static func prepare(_ photo: Photo, completion: @escaping @Sendable (Int) -> Void) {
      let item = DispatchWorkItem { @Sendable in completion(photo.faces().count) }
      DispatchQueue.global().async(execute: item)
    }
  }
}
