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

  // TODO: Let a photo count as one more urgent for each 10 ticks that it has waited.
  /// Takes out the most urgent photo, or `nil` if nobody waits.
  mutating func next(at time: Int) -> String? {
    guard let highest = requests.map(\.priority).max() else { return nil }
    let index = requests.firstIndex { $0.priority == highest }!
    return requests.remove(at: index).photo
  }
}
