// Looks right: one task waits for the child, and all await its value, also those that come late. Wrong: a waiter that
// is cancelled cancels it for all.

import Synchronization

/// Watches a child process until it exits. It stays as it is.
protocol ChildWatch: Sendable {
  /// Begins to watch.
  ///
  /// - Parameter exited: Called once with the status, on any thread, maybe before `begin` returns; released then.
  func begin(_ exited: @escaping @Sendable (Int32) -> Void)
  /// Lets go of the child and of what it was watched with. Call it once, when it has called back.
  func close()
}

/// A child process whose exit can be awaited.
///
/// The check uses `ChildWatch`, `init(_:)` and `exitStatus()`.
final class Child: Sendable {
  private let exit: Task<Int32, any Error>

  /// Begins to watch a child.
  init(_ watch: any ChildWatch) {
    let (statuses, status) = AsyncStream.makeStream(of: Int32.self)
    watch.begin {
      watch.close()
      status.yield($0)
    }
    exit = Task {
      for await status in statuses { return status }
      throw CancellationError()
    }
  }

  /// Waits until the child exits.
  func exitStatus() async throws -> Int32 {
    let exit = self.exit
    return try await withTaskCancellationHandler {
      try await exit.value
    } onCancel: {
      exit.cancel()
    }
  }
}
