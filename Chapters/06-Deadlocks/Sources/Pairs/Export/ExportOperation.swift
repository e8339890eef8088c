import Foundation

extension Depending {
  final class Export: Sendable {
    private let queue: OperationQueue

    /// - Parameter width: How many operations may run at once, 1 or more.
    init(width: Int) {
      queue = OperationQueue()
      queue.maxConcurrentOperationCount = width
    }

    /// The film's end depends on its parts. It waits outside of the queue's width, since it is not ready.
    func export(
      films: Int, parts: Int, _ work: @escaping @Sendable () -> Void
    ) {
      for _ in 0..<films {
        let parts = (0..<parts).map { _ in BlockOperation { work() } }
        let film = BlockOperation {}
        for part in parts { film.addDependency(part) }
        queue.addOperations(parts + [film], waitUntilFinished: false)
      }
    }

    func waitForAll() { queue.waitUntilAllOperationsAreFinished() }
  }
}
