/// Photos that wait to be decoded.
///
/// The check uses `init()`, `add(_:priority:at:)` and `next(at:)`. Times are ticks, and never go back.
struct Line: Sendable {
  private struct Request {
    let photo: String
    let priority: Int
    let time: Int
  }

  private var requests: [Request] = []

  init() {}

  /// Puts a photo at the end of the line; the greater its priority, the more urgent it is.
  mutating func add(_ photo: String, priority: Int, at time: Int) {
    requests.append(Request(photo: photo, priority: priority, time: time))
  }

  // region next
  /// Takes out the most urgent photo, or `nil` if nobody waits.
  mutating func next(at time: Int) -> String? {
    let urgencies = requests.map { $0.priority + (time - $0.time) / 10 }
    guard let highest = urgencies.max() else { return nil }
    return requests.remove(at: urgencies.firstIndex(of: highest)!).photo
  }
  // endregion
}
