import Dispatch

/// The number of the request that code works for, kept by the queue that it runs on.
public enum RequestContextQueue {
  private static let key = DispatchSpecificKey<Int>()

  public static var request: Int? { DispatchQueue.getSpecific(key: key) }

  /// A queue for one request; queues that target it answer for the same request.
  public static func queue(for request: Int) -> DispatchQueue {
    let queue = DispatchQueue(label: "request \(request)")
    queue.setSpecific(key: key, value: request)
    return queue
  }
}
