import Foundation

extension Async {
  /// Lets a child wait until its parent is gone, so that it does not go on alone.
  struct ParentWatch: Sendable {
    /// The parent's number. A child that was given it as an argument misses nothing; one that asks finds the process that
    /// has taken it over, if its parent was quick.
    var parent = getppid()

    /// Returns when the parent is gone.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before, ``SystemError`` if the parent cannot be watched.
    func wait() async throws {
      let (notices, gone) = AsyncStream<Void>.makeStream()
      let queue = DispatchQueue(label: "parent")
      let watch = try Sourced.ParentWatch(of: parent, queue: queue) { gone.finish() }
      defer { watch.cancel() }
      for await _ in notices {}
      if !watch.isParentGone { throw CancellationError() }
    }
  }
}
