import Foundation

#if canImport(ObjectiveC)
  extension Concurrent {
    /// Tells of the states of an operation by key-value observing. For Apple's systems only, and untested.
    struct States: Sendable {
      /// - Returns: What has to be kept for as long as it is to tell.
      func watch(
        _ operation: Operation, tell: @escaping @Sendable (_ isExecuting: Bool) -> Void
      ) -> NSKeyValueObservation {
        operation.observe(\.isExecuting, options: [.initial, .new]) { operation, _ in
          tell(operation.isExecuting)
        }
      }
    }
  }
#endif
