import Foundation

/// Decodes on an operation queue that is one wide: of those that wait, the one with the highest queue priority
/// is served next.
public final class DecoderOperation: Decoder, @unchecked Sendable {
  // `log` is used in operations only, one at a time, and when none is left; which makes it safe to share.
  private var log: [String] = []
  private let queue = OperationQueue()

  public init() { queue.maxConcurrentOperationCount = 1 }

  public func decode(
    _ photo: String, isVisible: Bool, inside pause: @escaping @Sendable () -> Void
  ) async -> String {
    await withCheckedContinuation { continuation in
      let operation = BlockOperation { [self] in
        pause()
        log.append(photo)
        continuation.resume(returning: "decoded \(photo)")
      }
      operation.queuePriority = isVisible ? .veryHigh : .veryLow
      queue.addOperation(operation)
    }
  }

  public var decoded: [String] {
    queue.waitUntilAllOperationsAreFinished()
    return log
  }
}
