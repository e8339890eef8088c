// What puts a module under watch for deadlocks, and all that it takes. A name of the module itself comes before one that
// is imported; so here, in ordinary code that imports Dispatch, Foundation or Synchronization, each name below means a
// type that tells the detector who waits for what.

import DeadlockDetection

typealias NSLock = WatchedLock
typealias Mutex<Value: ~Copyable> = WatchedMutex<Value>
typealias DispatchQueue = WatchedQueue
typealias DispatchGroup = WatchedGroup
typealias DispatchSemaphore = WatchedSemaphore
typealias DispatchWorkItem = WatchedWorkItem
typealias Thread = WatchedThread
typealias Operation = WatchedOperation
typealias BlockOperation = WatchedOperation
typealias OperationQueue = WatchedOperationQueue
typealias Task<Success: Sendable, Failure: Error> = WatchedTask<Success, Failure>
typealias CheckedContinuation<Success: Sendable, Failure: Error> =
  WatchedContinuation<Success, Failure>

nonisolated(nonsending) func withCheckedContinuation<Success: Sendable>(
  file: StaticString = #fileID, line: UInt = #line,
  _ body: (CheckedContinuation<Success, Never>) -> Void
) async -> Success {
  await withWatchedContinuation(file: file, line: line) { body($0) }
}

func withTaskCancellationHandler<Success>(
  operation: () async throws -> Success, onCancel handler: @Sendable () -> Void,
  isolation: isolated (any Actor)? = #isolation
) async rethrows -> Success {
  try await withWatchedCancellationHandler(operation: operation, onCancel: handler)
}
