/// Turns as long as anything is under way. It belongs to the main queue.
// Sendable because `count` is used on the main queue only. The main actor runs on that queue, so both kinds of screen may
// share it.
final class BusyIndicator: @unchecked Sendable {
  private var count = 0

  var isOn: Bool { count > 0 }

  func begin() { count += 1 }

  func end() { count -= 1 }
}
