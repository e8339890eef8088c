import Dispatch

/// Where code runs: on the main queue, or anywhere else.
///
/// The question is asked of the queue, not of the thread: on Linux the main queue is not always
/// served by the main thread. (`nonisolated`, for where the main actor is the default.)
nonisolated enum Place: String, Sendable {
  case mainQueue = "main queue"
  case elsewhere = "elsewhere"

  private static let key: DispatchSpecificKey<Place> = {
    let key = DispatchSpecificKey<Place>()
    DispatchQueue.main.setSpecific(key: key, value: .mainQueue)
    return key
  }()

  /// Where the caller runs.
  static var current: Place { DispatchQueue.getSpecific(key: key) ?? .elsewhere }
}
