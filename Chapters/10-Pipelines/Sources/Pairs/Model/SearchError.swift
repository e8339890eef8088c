import Foundation

/// Why there are no repositories: what failed, where, and the cause.
struct SearchError: Error, CustomStringConvertible {
  enum Step: String, Sendable {
    case fetch, parse
  }

  let step: Step
  let url: URL?
  let cause: any Error

  var description: String { "\(step) \(url?.absoluteString ?? "nowhere"): \(cause)" }
}

/// A response that says that there is no page.
struct StatusError: Error, Equatable {
  let status: Int
}

extension Result where Failure == any Error {
  /// The same, and an error says what failed, and where. A cancellation stays what it is.
  func explained(_ step: SearchError.Step, at url: URL?) -> Result {
    mapError { error in
      error is CancellationError ? error : SearchError(step: step, url: url, cause: error)
    }
  }
}
