import Foundation

extension Waiting {
  struct SyncPlan {
    private let queue = OperationQueue()

    /// Runs the features, each after what it needs, and waits for all.
    func run(_ features: [Feature], _ work: @escaping @Sendable (String) -> Void) {
      var operations: [String: Operation] = [:]
      for feature in features {
        operations[feature.name] = BlockOperation { work(feature.name) }
      }
      for feature in features {
        for need in feature.needs {
          operations[feature.name]!.addDependency(operations[need]!)
        }
      }
      queue.addOperations(features.map { operations[$0.name]! }, waitUntilFinished: false)
      queue.waitUntilAllOperationsAreFinished()
    }
  }
}
