extension Child {
  // region state
  private let watch: any ChildWatch
  // endregion

  // region init
  /// Begins to watch a child.
  init(_ watch: any ChildWatch) { self.watch = watch }
  // endregion

  // region status
  /// Waits until the child exits.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before.
  func exitStatus() async throws -> Int32 {
    // Was: watch.begin { status in completion(status) }
    // TODO: Begin the watch once and close it, give the status to all who wait, and let a cancelled waiter go.
    await withCheckedContinuation { waiter in
      watch.begin { status in waiter.resume(returning: status) }
    }
  }
  // endregion

  // region exit
  // endregion
}
