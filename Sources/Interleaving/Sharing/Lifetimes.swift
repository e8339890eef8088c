import CInterleaving

/// Finds out of which objects it matters when they come to their end, and where strands race for that.
///
/// An object matters if it is looked for through weak or unowned references, if its `deinit` does what others see, or if
/// its end drops what matters. That is learned by type, and where the race is, by place: an execution shows it, and from
/// the next round on the type's references are noted and the place is a scheduling point.
struct Lifetimes {
  struct Traits: OptionSet, Sendable {
    let rawValue: UInt32
    static let isLookedFor = Traits(rawValue: UInt32(interleaving_is_looked_for))
    static let endIsSeen = Traits(rawValue: UInt32(interleaving_end_is_seen))
    static let holdsWhatMatters = Traits(rawValue: UInt32(interleaving_holds_what_matters))
  }

  /// What is known of types, by their metadata.
  private var types: [UInt: Traits] = [:]
  /// The places that are scheduling points.
  private var points: Set<UInt> = []

  /// Whether references are noted.
  private(set) var isTracking = false

  /// Whether more is known than executions go by.
  private(set) var hasNews = false

  /// Lets executions go by all that is known; returns whether that is more than before.
  mutating func learn(_ watch: OpaquePointer) -> Bool {
    guard hasNews else { return false }
    (hasNews, isTracking) = (false, true)
    interleaving_track_lifetimes(
      watch, types.map { interleaving_type(metadata: $0, traits: $1.rawValue) }, Int32(types.count),
      Array(points), Int32(points.count))
    return true
  }

  /// Looks at an execution that has ended.
  mutating func look(at watch: OpaquePointer) {
    while interleaving_count_type_news(watch) > 0 {
      let news = interleaving_take_type_news(watch)
      add(Traits(rawValue: news.traits), to: news.metadata)
    }
    guard isTracking else { return }
    for number in 0..<interleaving_count_lives(watch) {
      let life = interleaving_get_life(watch, number)
      let traits = types[life.metadata] ?? []
      let references = References(
        events: (0..<life.event_count).map {
          References.Event(interleaving_get_life_event(watch, number, $0).pointee)
        })
      add(references.looks)
      if life.is_dead, !traits.isDisjoint(with: [.endIsSeen, .holdsWhatMatters]) {
        let drops = references.lastDrops
        add(drops)
        // Who lets it come to its end drops what it holds.
        if !drops.isEmpty { add(.endIsSeen, to: life.metadata) }
      }
    }
  }

  private mutating func add(_ traits: Traits, to type: UInt) {
    let known = types[type] ?? []
    guard !known.isSuperset(of: traits) else { return }
    types[type] = known.union(traits)
    hasNews = true
  }

  private mutating func add(_ new: Set<UInt>) {
    guard !new.isSubset(of: points) else { return }
    points.formUnion(new)
    hasNews = true
  }
}

/// What was done in one execution to the references to one object.
struct References {
  /// What a strand did while it learned nothing of others: it made and dropped some; or it looked for the object, and has
  /// made one if it has found it.
  struct Event {
    /// What is a scheduling point if it races: the look, or the last drop.
    var point: UInt
    var strand: Int
    var isLook = false
    var retains = 0
    var releases = 0
    /// The least of what it had made more than dropped so far, 0 or less.
    var lowest = 0
    /// Of a look: how many references there were that no event here has made.
    var base = 0
    /// The strand's moment, and by strands' numbers the moments of others that come before.
    var moment: UInt32
    var clock: [UInt32]
  }

  let events: [Event]

  /// Whether one comes before another in every order that nothing but scheduling decides.
  private func comes(_ one: Int, before other: Int) -> Bool {
    let (first, second) = (events[one], events[other])
    if first.strand == second.strand { return one < other }
    return first.strand < second.clock.count && first.moment <= second.clock[first.strand]
  }

  private func isOrdered(_ one: Int, _ other: Int) -> Bool {
    comes(one, before: other) || comes(other, before: one)
  }

  /// The points of looks that need not find the object, and of drops that may come before them.
  var looks: Set<UInt> {
    var points: Set<UInt> = []
    for look in events.indices where events[look].isLook && !findsAlways(look) {
      for drop in events.indices where events[drop].releases > 0 && !isOrdered(look, drop) {
        // Of a strand's, only the last that has no order with the look can be the object's end.
        let isLast = !events.indices.contains { later in
          later > drop && events[later].strand == events[drop].strand
            && events[later].releases > 0 && !isOrdered(look, later)
        }
        if isLast { points.formUnion([events[look].point, events[drop].point]) }
      }
    }
    return points
  }

  /// The points of drops each of which may be the last.
  var lastDrops: Set<UInt> {
    var points: Set<UInt> = []
    let drops = events.indices.filter { events[$0].releases > 0 && mayBeLast($0) }
    for one in drops {
      for other in drops where one != other && !isOrdered(one, other) {
        points.insert(events[one].point)
      }
    }
    return points
  }

  /// Whether a drop could be the last: nothing is done with a reference that comes after it in every order.
  private func mayBeLast(_ drop: Int) -> Bool {
    !events.indices.contains { other in
      other != drop && events[other].releases + events[other].retains > 0
        && comes(drop, before: other)
    }
  }

  /// Whether a look finds the object in every order: however many of the events that need not come after it come before,
  /// there is a reference left.
  private func findsAlways(_ look: Int) -> Bool {
    var count = events[look].base
    for strand in Set(events.map(\.strand)) {
      // Of a strand's events some come before, and of those that may, as many as leave the fewest.
      var (sum, least) = (0, 0)
      for index in events.indices where events[index].strand == strand {
        if index == look || comes(look, before: index) { break }
        let event = events[index]
        least = min(least, sum + event.lowest)
        sum += event.retains - event.releases
        if comes(index, before: look) { least = sum }
      }
      count += least
    }
    return count > 0
  }
}

extension References.Event {
  init(_ event: interleaving_life_event) {
    self.init(
      point: event.point, strand: Int(event.strand), isLook: event.is_look,
      retains: Int(event.retains), releases: Int(event.releases), lowest: Int(event.lowest),
      base: Int(event.base), moment: event.moment,
      clock: Array(UnsafeBufferPointer(start: event.clock, count: Int(event.clock_count))))
  }
}
