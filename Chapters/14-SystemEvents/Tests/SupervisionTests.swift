import Foundation
import Testing

@testable import SystemEvents

/// The decisions of a supervisor, without processes.
@Suite(.timeLimit(.minutes(30)))
struct SupervisionTests {
  typealias Place = Supervision.Place
  typealias Order = Supervision.Order

  static let commands = ["/a", "/b"].map { Command(path: $0) }
  static let error = ProcessError.spawning("/a", code: ENOENT)

  /// A supervision whose time is said in seconds.
  struct Subject {
    var supervision: Supervision
    init(_ count: Int = 1, restarts: Int = 2) {
      supervision = Supervision(
        of: Array(commands.prefix(count)), restarts: restarts, within: .seconds(10))
    }

    mutating func take(_ event: Supervision.Event, at seconds: Int = 0) -> [Order] {
      supervision.take(event, at: .seconds(seconds))
    }
    mutating func begin() {
      for case (.spawn(let place, _), let id) in zip(take(.begin), pid_t(100)...) {
        #expect(take(.began(place, id)) == [])
      }
    }
  }

  private let first = Place(index: 0)
  private let second = Place(index: 1)
  private func spawn(_ place: Place) -> Order { .spawn(place, Self.commands[place.index]) }
  private func period(_ number: Int) -> Supervision.GracePeriod { .init(number: number) }

  @Test func `all children are begun, in order`() {
    var subject = Subject(2)
    #expect(subject.take(.begin) == [spawn(first), spawn(second)])
  }

  @Test func `a child that ends is begun again`() {
    var subject = Subject(2)
    subject.begin()
    #expect(subject.take(.ended(second, .success(.exited(0)))) == [spawn(second)])
    #expect(subject.take(.began(second, 200)) == [])
  }

  @Test func `a child that ends too often within the window ends all with an error`() {
    var subject = Subject(2)
    subject.begin()
    for second in [0, 9] {
      #expect(subject.take(.ended(first, .success(.exited(1))), at: second) == [spawn(first)])
      #expect(subject.take(.began(first, 200), at: second) == [])
    }
    #expect(
      subject.take(.ended(first, .success(.exited(3))), at: 9)
        == [.send(.terminate, to: second), .beginGracePeriod(period(0))])
    let error = SupervisorError.endsTooOften(
      Self.commands[0], .exited(3), restarts: 2, within: .seconds(10))
    #expect(subject.take(.ended(second, .success(.signalled(.terminate)))) == [.end(error)])
    #expect(
      "\(error)"
        == "/a: exited with 3; it had its 2 restarts within 10.0 seconds; mend it or allow more")
  }

  @Test func `restarts that are older than the window do not count`() {
    var subject = Subject()
    subject.begin()
    for second in [0, 9, 10, 19, 20, 29] {
      #expect(subject.take(.ended(first, .success(.exited(1))), at: second) == [spawn(first)])
      #expect(subject.take(.began(first, 200), at: second) == [])
    }
    #expect(subject.take(.ended(first, .success(.exited(1))), at: 29).count == 1)
  }

  @Test func `without restarts the first end is the last`() {
    var subject = Subject(restarts: 0)
    subject.begin()
    let error = SupervisorError.endsTooOften(
      Self.commands[0], .exited(0), restarts: 0, within: .seconds(10))
    #expect(subject.take(.ended(first, .success(.exited(0)))) == [.end(error)])
  }

  @Test func `SIGHUP replaces all children, and counts no restart`() {
    var subject = Subject(2, restarts: 0)
    subject.begin()
    for number in 0..<5 {
      #expect(
        subject.take(.signal(.hangUp)) == [
          .send(.terminate, to: first), .send(.terminate, to: second),
          .beginGracePeriod(period(number)),
        ])
      for place in [second, first] {
        #expect(subject.take(.ended(place, .success(.exited(0)))) == [spawn(place)])
        #expect(subject.take(.began(place, 200)) == [])
      }
    }
  }

  @Test func `SIGHUP between a spawn and its begin is not lost`() {
    var subject = Subject()
    #expect(subject.take(.begin) == [spawn(first)])
    #expect(subject.take(.signal(.hangUp)) == [])
    #expect(
      subject.take(.began(first, 100))
        == [.send(.terminate, to: first), .beginGracePeriod(period(0))])
    #expect(subject.take(.ended(first, .success(.signalled(.terminate)))) == [spawn(first)])
    #expect(subject.take(.began(first, 101)) == [])
  }

  @Test func `SIGHUP while children are replaced replaces none twice`() {
    var subject = Subject()
    subject.begin()
    #expect(subject.take(.signal(.hangUp)).count == 2)
    #expect(subject.take(.signal(.hangUp)) == [])
    #expect(subject.take(.ended(first, .success(.exited(0)))) == [spawn(first)])
  }

  @Test func `SIGTERM ends all children, and then the supervisor`() {
    var subject = Subject(2)
    subject.begin()
    #expect(
      subject.take(.signal(.terminate)) == [
        .send(.terminate, to: first), .send(.terminate, to: second), .beginGracePeriod(period(0)),
      ])
    #expect(subject.take(.signal(.terminate)) == [])
    #expect(subject.take(.signal(.hangUp)) == [])
    #expect(subject.take(.ended(first, .success(.exited(0)))) == [])
    #expect(subject.take(.ended(second, .success(.exited(0)))) == [.end(nil)])
    #expect(subject.take(.signal(.terminate)) == [])
    #expect(subject.take(.signal(.user1)) == [])
    #expect(subject.take(.gracePeriodOver(period(0))) == [])
  }

  @Test func `SIGTERM between a spawn and its begin is not lost`() {
    var subject = Subject()
    _ = subject.take(.begin)
    #expect(subject.take(.signal(.terminate)) == [])
    #expect(
      subject.take(.began(first, 100))
        == [.send(.terminate, to: first), .beginGracePeriod(period(0))])
    #expect(subject.take(.ended(first, .success(.exited(0)))) == [.end(nil)])

    var other = Subject()
    _ = other.take(.begin)
    _ = other.take(.signal(.terminate))
    #expect(other.take(.failed(first, Self.error)) == [.end(nil)])
  }

  @Test func `after the grace period those that have not ended are killed`() {
    var subject = Subject(2)
    subject.begin()
    _ = subject.take(.signal(.terminate))
    _ = subject.take(.ended(first, .success(.exited(0))))
    #expect(subject.take(.gracePeriodOver(period(0))) == [.send(.kill, to: second)])
    #expect(subject.take(.ended(second, .success(.signalled(.kill)))) == [.end(nil)])
  }

  @Test func `a grace period is for those that were asked when it began`() {
    var subject = Subject()
    subject.begin()
    _ = subject.take(.signal(.hangUp))
    _ = subject.take(.ended(first, .success(.exited(0))))
    _ = subject.take(.began(first, 200))
    #expect(
      subject.take(.signal(.terminate))
        == [.send(.terminate, to: first), .beginGracePeriod(period(1))])
    #expect(subject.take(.gracePeriodOver(period(0))) == [])
    #expect(subject.take(.gracePeriodOver(period(1))) == [.send(.kill, to: first)])
  }

  @Test func `a child that cannot begin ends all with its error`() {
    var subject = Subject(2)
    _ = subject.take(.begin)
    _ = subject.take(.began(second, 101))
    #expect(
      subject.take(.failed(first, Self.error))
        == [.send(.terminate, to: second), .beginGracePeriod(period(0))])
    #expect(
      subject.take(.ended(second, .success(.exited(0))))
        == [.end(.lost(Self.commands[0], Self.error))])
  }

  @Test func `a child that other code has reaped ends all with an error`() {
    var subject = Subject()
    subject.begin()
    let error = ProcessError.waiting(for: 100, code: ECHILD)
    #expect(
      subject.take(.ended(first, .failure(error))) == [.end(.lost(Self.commands[0], error))])
  }

  @Test func `SIGUSR1 reports each child`() {
    var subject = Subject(2)
    _ = subject.take(.begin)
    _ = subject.take(.began(first, 100))
    #expect(subject.take(.signal(.user1)) == [.report("/a: runs as 100\n/b: is begun")])
    _ = subject.take(.began(second, 101))
    _ = subject.take(.signal(.terminate))
    _ = subject.take(.ended(second, .success(.exited(0))))
    #expect(
      subject.take(.signal(.user1))
        == [.report("/a: is asked to end, as 100\n/b: has ended")])
  }

  @Test func `other signals do nothing, and without children SIGTERM is the end`() {
    var subject = Subject(0)
    #expect(subject.take(.begin) == [])
    #expect(subject.take(.signal(.interrupt)) == [])
    #expect(subject.take(.signal(.terminate)) == [.end(nil)])
  }

  // MARK: All sequences

  @Test(arguments: [(1, 0, 5), (1, 1, 5), (2, 0, 4), (2, 1, 4)])
  func `whatever happens, in all sequences of events`(
    _ children: Int, _ restarts: Int, _ length: Int
  ) {
    var world = World(Subject(children, restarts: restarts).supervision, restarts: restarts)
    world.take(.begin)
    var count = 0
    explore(world, length, &count)
    #expect(count > 100)
  }

  private func explore(_ world: World, _ length: Int, _ count: inout Int) {
    count += 1
    if let violation = world.violation {
      Issue.record("\(violation) in \(world.history)")
      return
    }
    guard length > 0 else {
      var rest = world
      rest.settle()
      if rest.ends != 1 || rest.violation != nil {
        Issue.record("\(rest.violation ?? "no end") in \(rest.history)")
      }
      return
    }
    for event in world.possibleEvents {
      var next = world
      next.take(event)
      explore(next, length - 1, &count)
    }
  }
}

/// What drives a supervision: it does what is ordered, and says what must not be.
private struct World {
  var supervision: Supervision
  let restarts: Int
  var spawning: Set<Int> = []
  var alive: [Int: Bool] = [:]  // whether it was asked to end
  var needsReplacement: Set<Int> = []
  var periods: [Supervision.GracePeriod] = []
  var isTerminated = false
  var hasFailed = false
  var ends = 0
  var unasked: [Int: Int] = [:]
  var nextID: pid_t = 100
  var history: [Supervision.Event] = []
  var violation: String?

  init(_ supervision: Supervision, restarts: Int) {
    self.supervision = supervision
    self.restarts = restarts
  }

  var possibleEvents: [Supervision.Event] {
    var events: [Supervision.Event] = [.hangUp, .terminate, .user1].map { .signal($0) }
    for index in spawning.sorted() {
      events.append(.began(.init(index: index), nextID))
      events.append(.failed(.init(index: index), SupervisionTests.error))
    }
    for index in alive.keys.sorted() {
      events.append(.ended(.init(index: index), .success(.exited(1))))
    }
    for period in periods { events.append(.gracePeriodOver(period)) }
    return events
  }

  mutating func take(_ event: Supervision.Event) {
    history.append(event)
    let wasOver = ends > 0
    switch event {
    case .signal(.hangUp):
      if !isTerminated, !hasFailed { needsReplacement.formUnion(spawning.union(alive.keys)) }
    case .signal(.terminate): isTerminated = true
    case .began(let place, _):
      nextID += 1
      spawning.remove(place.index)
      alive[place.index] = false
    case .failed(let place, _):
      spawning.remove(place.index)
      hasFailed = true
    case .ended(let place, _):
      if alive.removeValue(forKey: place.index) == false {
        unasked[place.index, default: 0] += 1
        // It has had its restarts.
        if unasked[place.index]! > restarts { hasFailed = true }
      }
      needsReplacement.remove(place.index)
    case .gracePeriodOver(let period): periods.removeAll { $0 == period }
    case .begin, .signal: break
    }
    let orders = supervision.take(event, at: .zero)
    for order in orders { perform(order) }
    if wasOver, !orders.isEmpty { violation = "orders after the end: \(orders)" }
    let isEnding = isTerminated || hasFailed
    for (index, isAsked) in alive where !isAsked {
      if isEnding || needsReplacement.contains(index) { violation = "\(index) is not asked to end" }
    }
    if isEnding, alive.isEmpty, spawning.isEmpty, ends == 0 { violation = "no end" }
  }

  private mutating func perform(_ order: Supervision.Order) {
    if ends > 0 { violation = "\(order) after the end" }
    switch order {
    case .spawn(let place, _):
      if isTerminated || hasFailed { violation = "a spawn while ending" }
      if alive[place.index] != nil || !spawning.insert(place.index).inserted {
        violation = "two children at \(place.index)"
      }
    case .send(let signal, let place):
      guard let isAsked = alive[place.index] else {
        violation = "\(signal) to \(place.index), which is not there"
        return
      }
      if signal == .terminate, isAsked { violation = "\(place.index) is asked twice" }
      if signal == .terminate, !needsReplacement.contains(place.index), !isTerminated, !hasFailed {
        violation = "\(place.index) is asked for no reason"
      }
      if signal == .kill, !isAsked { violation = "\(place.index) is killed and was not asked" }
      alive[place.index] = true
    case .beginGracePeriod(let period): periods.append(period)
    case .report: break
    case .end(let error):
      ends += 1
      if !alive.isEmpty || !spawning.isEmpty { violation = "an end with children" }
      if error == nil, !isTerminated { violation = "an end that nobody asked for" }
    }
  }

  /// Lets all that is under way come to its end.
  mutating func settle() {
    if ends == 0 { take(.signal(.terminate)) }
    while let event = possibleEvents.first(where: {
      switch $0 {
      case .began, .ended, .gracePeriodOver: true
      default: false
      }
    }) { take(event) }
  }
}
