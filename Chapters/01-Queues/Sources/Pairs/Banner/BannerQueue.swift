import Dispatch

extension Queued {
  /// Both functions make their work item on the main actor and run it on a global queue.
  @MainActor
  enum Banner {
    /// The closure is inferred to belong to the main actor, because it is written there; the queue
    /// does not know, and Swift ends the process when it runs elsewhere.
    static func prepareTrapping(completion: @escaping @Sendable () -> Void) {
      let item = DispatchWorkItem { completion() }
      DispatchQueue.global().async(execute: item)
    }

    /// `@Sendable` says that the closure belongs to nobody.
    static func prepare(completion: @escaping @Sendable () -> Void) {
      let item = DispatchWorkItem { @Sendable in completion() }
      DispatchQueue.global().async(execute: item)
    }
  }
}
