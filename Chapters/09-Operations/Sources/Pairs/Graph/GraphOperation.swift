import Foundation
import Synchronization

extension Depending {
  /// Pieces of work that depend on each other.
  final class Graph: Sendable {
    private let operations = Mutex<(all: [BlockOperation], byName: [String: BlockOperation])>(
      ([], [:]))

    /// - Parameter needs: Names of what was added before it, and has to end before it begins.
    func add(_ name: String, after needs: [String] = [], _ work: @escaping @Sendable () -> Void) {
      operations.withLock { operations in
        let operation = BlockOperation(block: work)
        for need in needs { operation.addDependency(operations.byName[need]!) }
        operations.all.append(operation)
        operations.byName[name] = operation
      }
    }

    /// Runs all of it, and returns when it has ended.
    ///
    /// - Parameter width: How many pieces run at once at most, 1 or more.
    func run(width: Int) {
      precondition(width > 0, "nothing would ever begin")
      let queue = OperationQueue()
      queue.maxConcurrentOperationCount = width
      queue.addOperations(operations.withLock(\.all), waitUntilFinished: true)
    }
  }
}
