import DeadlockDetection

// What puts this module under watch, and all that it takes: a name of the module itself comes before one that
// is imported. So the very files that the chapter teaches are watched, unchanged.

public typealias NSLock = WatchedLock
public typealias Mutex<Value: ~Copyable> = WatchedMutex<Value>
public typealias DispatchQueue = WatchedQueue
public typealias DispatchGroup = WatchedGroup
public typealias DispatchSemaphore = WatchedSemaphore
public typealias DispatchWorkItem = WatchedWorkItem
public typealias Operation = WatchedOperation
public typealias BlockOperation = WatchedOperation
public typealias OperationQueue = WatchedOperationQueue
public typealias Task<Success: Sendable, Failure: Error> = WatchedTask<Success, Failure>
public typealias CheckedContinuation<Success: Sendable, Failure: Error> =
  WatchedContinuation<Success, Failure>

public nonisolated(nonsending) func withCheckedContinuation<Success: Sendable>(
  _ body: (CheckedContinuation<Success, Never>) -> Void
) async -> Success {
  await withWatchedContinuation { body($0) }
}

public func withTaskCancellationHandler<Success>(
  operation: () async throws -> Success, onCancel handler: @Sendable () -> Void,
  isolation: isolated (any Actor)? = #isolation
) async rethrows -> Success {
  try await withWatchedCancellationHandler(operation: operation, onCancel: handler)
}
