import Dispatch

extension Queued {
  /// The number of the request that code works for, kept by the queue that it runs on.
  enum RequestContext {
    private static let key = DispatchSpecificKey<Int>()

    static var request: Int? { DispatchQueue.getSpecific(key: key) }

    /// A queue for one request; queues that target it answer for the same request.
    static func queue(for request: Int) -> DispatchQueue {
      let queue = DispatchQueue(label: "request \(request)")
      queue.setSpecific(key: key, value: request)
      return queue
    }
  }
}
