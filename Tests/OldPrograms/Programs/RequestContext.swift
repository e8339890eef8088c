import Foundation

/// The number of the request that a thread serves, for its log.
enum RequestContext {
  static var current: Int? {
    get { Thread.current.threadDictionary["request"] as? Int }
    set { Thread.current.threadDictionary["request"] = newValue }
  }
}

/// Serves requests, and logs that each was served.
///
/// The known bug: the thread that logs is not the thread that serves, and knows nothing of the request.
extension Wrong {
  final class Server: Sendable {
    private let log: @Sendable (Int?) -> Void

    init(log: @escaping @Sendable (Int?) -> Void) { self.log = log }

    func serve(_ number: Int, completion: @escaping @Sendable () -> Void) {
      RequestContext.current = number
      DispatchQueue.global().async { [log] in
        log(RequestContext.current)
        completion()
      }
      RequestContext.current = nil
    }
  }
}

extension Right {
  final class Server: Sendable {
    private let log: @Sendable (Int?) -> Void

    init(log: @escaping @Sendable (Int?) -> Void) { self.log = log }

    func serve(_ number: Int, completion: @escaping @Sendable () -> Void) {
      RequestContext.current = number
      DispatchQueue.global().async { [log, number = RequestContext.current] in
        RequestContext.current = number
        log(RequestContext.current)
        RequestContext.current = nil
        completion()
      }
      RequestContext.current = nil
    }
  }
}
