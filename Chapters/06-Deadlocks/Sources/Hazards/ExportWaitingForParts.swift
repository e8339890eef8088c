#if EXPLORED
  import ControlledDispatch
#else
  import Foundation
#endif

// The film's operation is on the queue on which it puts its parts, and waits for them.
public final class ExportWaitingForParts: Sendable {
  private let queue: OperationQueue

  /// - Parameter width: How many operations may run at once, 1 or more.
  public init(width: Int) {
    queue = OperationQueue()
    queue.maxConcurrentOperationCount = width
  }

  public func export(
    films: Int, parts: Int, aboutToWait: @escaping @Sendable () -> Void = {},
    _ work: @escaping @Sendable () -> Void
  ) {
    for _ in 0..<films {
      queue.addOperation { [queue] in
        let parts = (0..<parts).map { _ in BlockOperation { work() } }
        queue.addOperations(parts, waitUntilFinished: false)
        aboutToWait()
        for part in parts { part.waitUntilFinished() }
      }
    }
  }

  public func waitForAll() { queue.waitUntilAllOperationsAreFinished() }
}
