import Synchronization

// The schedules that the implementations are put under. In each, low is inside when high comes, and with high comes
// middle, which wants nothing but the processor.

/// What happens in an inversion.
enum Event: String, Sendable {
  case lowIsInside = "low is inside"
  case highAsks = "high asks"
  case middleBegins = "middle begins"
  case middleEnds = "middle ends"
  case lowLeaves = "low leaves"
  case highIsInside = "high is inside"
}

/// What happened, in its order, and when high was released and came inside.
final class Story<Instant: Sendable>: Sendable {
  private let entries = Mutex<[(event: Event, time: Instant)]>([])

  func tell(_ event: Event, at time: Instant) {
    entries.withLock { $0.append((event, time)) }
  }

  var events: [Event] { entries.withLock { $0.map(\.event) } }

  /// When something happened first.
  func time(of event: Event) -> Instant? {
    entries.withLock { $0.first { $0.event == event }?.time }
  }

  /// Whether high was inside before or after the middle's end.
  var verdict: String {
    let events = events
    guard let high = events.firstIndex(of: .highIsInside),
      let middle = events.firstIndex(of: .middleEnds)
    else { return "nobody came to an end" }
    return high < middle ? "high before middle" : "high after middle"
  }
}
