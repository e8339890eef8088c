import Foundation

/// Which downloads wait and which are under way, and who waits for each: what a loader decides, without tasks.
struct Flights<Waiter> {
  struct Flight {
    let id: Int
    let url: URL
    fileprivate(set) var waiters: [(id: Int, waiter: Waiter)] = []
    fileprivate var isUnderWay = false
  }

  private let width: Int
  private var flights: [URL: Flight] = [:]
  /// Those that have begun and not ended, with those that nobody waits for any more.
  private var underWay: Set<Int> = []
  private var lastID = 0

  /// - Parameter width: How many downloads are under way at a time; 1 or more.
  init(width: Int) {
    precondition(width >= 1, "one download at a time is the least")
    self.width = width
  }

  var count: Int { flights.count }

  /// Joins the flight to an address, which waits to begin if it is new.
  ///
  /// - Returns: The flight's identity.
  mutating func join(_ url: URL, _ id: Int, _ waiter: Waiter) -> Int {
    if flights[url] == nil {
      lastID += 1
      flights[url] = Flight(id: lastID, url: url)
    }
    flights[url]!.waiters.append((id, waiter))
    return flights[url]!.id
  }

  /// Leaves the flight to an address. The last one to leave takes the flight along, so that nobody joins it any more.
  ///
  /// - Returns: The waiter, if it was still there, and the flight's identity, if it is under way for nobody.
  mutating func leave(_ url: URL, _ id: Int) -> (waiter: Waiter?, abandoned: Int?) {
    guard let index = flights[url]?.waiters.firstIndex(where: { $0.id == id }) else {
      return (nil, nil)
    }
    let waiter = flights[url]!.waiters.remove(at: index).waiter
    guard flights[url]!.waiters.isEmpty else { return (waiter, nil) }
    let flight = flights.removeValue(forKey: url)!
    return (waiter, flight.isUnderWay ? flight.id : nil)
  }

  /// Begins the most urgent flight that waits, if there is room; of several, the oldest. Takes a time that grows with
  /// their number.
  mutating func begin(by urgency: (Waiter) -> Urgency) -> Flight? {
    guard underWay.count < width else { return nil }
    let next = flights.values.filter { !$0.isUnderWay }
      .map { (flight: $0, urgency: $0.waiters.map { urgency($0.waiter) }.max()!) }
      .filter { $0.urgency > .leaving }
      .max { ($0.urgency, -$0.flight.id) < ($1.urgency, -$1.flight.id) }
    guard let flight = next?.flight else { return nil }
    flights[flight.url]!.isUnderWay = true
    underWay.insert(flight.id)
    return flight
  }

  /// A flight has ended.
  ///
  /// - Returns: Its waiters; nil if it was abandoned, and then there may be another flight to the same address.
  mutating func land(_ url: URL, _ id: Int) -> [Waiter]? {
    underWay.remove(id)
    guard flights[url]?.id == id else { return nil }
    return flights.removeValue(forKey: url)!.waiters.map(\.waiter)
  }
}
