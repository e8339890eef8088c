import Foundation

extension Operated {
  /// Decodes on an operation queue that is one wide: of those that wait, the one with the highest queue priority
  /// is served next.
  final class Decoder: @unchecked Sendable {
    // `log` is used in operations only, one at a time, and when none is left; which makes it safe to share.
    private var log: [String] = []
    private let queue = OperationQueue()

    init() { queue.maxConcurrentOperationCount = 1 }

    func decode(_ photo: String, isVisible: Bool) async -> String {
      await withCheckedContinuation { continuation in
        let operation = BlockOperation { [self] in
          log.append(photo)
          continuation.resume(returning: "decoded \(photo)")
        }
        operation.queuePriority = isVisible ? .veryHigh : .veryLow
        queue.addOperation(operation)
      }
    }

    var decoded: [String] {
      queue.waitUntilAllOperationsAreFinished()
      return log
    }
  }
}
