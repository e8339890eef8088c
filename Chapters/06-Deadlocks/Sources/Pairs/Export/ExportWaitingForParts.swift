import Foundation

extension Waiting {
  // The film's operation is on the queue on which it puts its parts, and waits for them.
  final class Export: Sendable {
    private let queue: OperationQueue

    /// - Parameter width: How many operations may run at once, 1 or more.
    init(width: Int) {
      queue = OperationQueue()
      queue.maxConcurrentOperationCount = width
    }

    func export(films: Int, parts: Int, _ work: @escaping @Sendable () -> Void) {
      for _ in 0..<films {
        queue.addOperation { [queue] in
          let parts = (0..<parts).map { _ in BlockOperation { work() } }
          queue.addOperations(parts, waitUntilFinished: false)
          for part in parts { part.waitUntilFinished() }
        }
      }
    }

    func waitForAll() { queue.waitUntilAllOperationsAreFinished() }
  }
}
