import Synchronization

/// A program drawn by lot, of who has references to objects, hands them on, looks for them and drops them.
public struct LifetimePlan: Sendable, CustomStringConvertible {
  public struct Object: Sendable, Hashable {
    /// Whether its end logs.
    public var isLoud: Bool
    /// An earlier object that it has a reference to.
    public var held: Int?

    public init(isLoud: Bool, held: Int?) { (self.isLoud, self.held) = (isLoud, held) }
  }

  public enum Action: Sendable, Hashable {
    case log
    /// Drops its own reference to an object, if it has one.
    case drop(Int)
    /// Asks a weak reference for an object, says whether that was found, and drops it.
    case look(Int)
    /// Puts its own reference where others take it, and drops what was there.
    case put(Int)
    /// Takes what is there, says what that was, and drops it.
    case take
  }

  public var objects: [Object]
  /// What each strand has references to, and what it does; then it drops what it has left, in order.
  public var strands: [(owned: Set<Int>, actions: [Action])]

  public init(objects: [Object], strands: [(owned: Set<Int>, actions: [Action])]) {
    (self.objects, self.strands) = (objects, strands)
  }

  public var description: String {
    objects.enumerated().map { number, object in
      "\(number)\(object.isLoud ? " loud" : "")\(object.held.map { " holds \($0)" } ?? "")"
    }.joined(separator: ", ") + "; "
      + strands.map { "\($0.owned.sorted()): \($0.actions)" }.joined(separator: "; ")
  }

  /// Runs it.
  ///
  /// - Returns: What was logged, in order.
  public func run(_ runner: Runner) async -> String {
    let diary = Diary()
    let place = Place()
    await runner.together(parts(diary, place))
    var left: Thing?
    place.exchange(&left)
    left = nil
    return diary.text
  }

  private func parts(_ diary: Diary, _ place: Place) -> [Part] {
    var things: [Thing] = []
    for (number, object) in objects.enumerated() {
      let held = object.held.map { things[$0] }
      things.append(
        object.isLoud ? LoudThing(number, held, diary) : Thing(number, held))
    }
    let references = things.map { WeakReference(thing: $0) }
    return strands.enumerated().map { strand, plan in
      let own = Own(things.indices.map { plan.owned.contains($0) ? things[$0] : nil })
      return Part {
        for action in plan.actions {
          switch action {
          case .log: diary("\(strand)")
          case .drop(let number): own.things[number] = nil
          case .look(let number):
            if let thing = references[number].thing {
              withExtendedLifetime(thing) { diary("found-\(number)") }
            } else {
              diary("gone-\(number)")
            }
          case .put(let number):
            guard own.things[number] != nil else { continue }
            place.exchange(&own.things[number])
            own.things[number] = nil
          case .take:
            var taken: Thing?
            place.exchange(&taken)
            diary("took-" + (taken.map { "\($0.number)" } ?? ""))
            taken = nil
          }
        }
        for index in own.things.indices { own.things[index] = nil }
      }
    }
  }
}

private class Thing: @unchecked Sendable {
  // Sendable: nothing changes.
  let number: Int
  let held: Thing?
  init(_ number: Int, _ held: Thing?) { (self.number, self.held) = (number, held) }
}

private final class LoudThing: Thing, @unchecked Sendable {
  // Sendable: nothing changes.
  let diary: Diary
  init(_ number: Int, _ held: Thing?, _ diary: Diary) {
    self.diary = diary
    super.init(number, held)
  }
  deinit { diary("end-\(number)") }
}

private struct WeakReference: @unchecked Sendable {
  // Sendable: nothing is assigned; that the object is no more is seen by all.
  weak var thing: Thing?
}

/// What a strand has references to.
private final class Own: @unchecked Sendable {
  // Sendable: one strand has it.
  var things: [Thing?]
  init(_ things: [Thing?]) { self.things = things }
}

/// Where strands hand on what they have.
private final class Place: Sendable {
  private let thing = Mutex<Thing?>(nil)

  func exchange(_ other: inout Thing?) { thing.withLock { swap(&$0, &other) } }
}
