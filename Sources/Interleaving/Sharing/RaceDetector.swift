import CInterleaving

/// Finds uses of memory and of shared variables that nothing orders, with vector clocks, which are kept in C: what
/// instrumented code does must be told without a line of Swift.
///
/// A strand's clock says up to which moment of each strand all comes before what it does now. A release leaves a copy
/// of the clock with a key, and who acquires that takes it over. In
///
///     let task = Task { count.value += 1 }    // moment 1: the runtime releases the task
///     count.value += 1                        // moment 2
///     await task.value
///
/// the task acquires the clock of moment 1, so that it knows nothing of moment 2: a race, though no schedule
/// runs the task before the step's end.
final class RaceDetector {
  let watch = interleaving_make_watch()
  /// The names of the variables that the explorer was told of.
  private var names: [UInt: String] = [:]
  /// Races as they were first met, in any execution: to name one takes time.
  private var known: [RawRace: Race] = [:]
  /// The places of instrumented code that race for plain values, or for what a library or the system keeps, in any
  /// execution.
  @exclusivity(unchecked) private(set) var places: Set<Place> = []
  /// Those of them that are scheduling points.
  @exclusivity(unchecked) private(set) var points: Set<Place> = []
  /// A variable that is raced for and is not plain, if there is one.
  private(set) var variableAtStake: String?
  /// Whether clocks are kept, which costs time: from the first execution on that begins after a scenario has
  /// used a shared variable, or instrumented code was met.
  @exclusivity(unchecked) private(set) var isWatching = false
  @exclusivity(unchecked) private var isAsked = false

  /// The ends of objects.
  @exclusivity(unchecked) private(set) var lifetimes = Lifetimes()

  private let findsLines: Bool

  /// - Parameter findsLines: Whether it says in which lines strands race; else in which functions.
  init(findsLines: Bool) { self.findsLines = findsLines }

  deinit { interleaving_drop_watch(watch) }

  /// - Parameters:
  ///   - isPossible: Whether it is told of all that orders strands.
  ///   - isNeeded: Whether that order is asked for.
  func reset(isPossible: Bool, isNeeded: Bool) {
    isAsked = isAsked || hasMetCode
    isWatching = (isAsked || isNeeded || lifetimes.isTracking) && isPossible
    interleaving_reset_watch(watch)
  }

  /// Whether instrumented code has been met, if only a copy of another module's function.
  var hasMetCode: Bool { interleaving_has_met_code(watch) }

  /// Whether what an execution shows may become scheduling points.
  var makesPoints: Bool { hasMetCode || lifetimes.isTracking }

  /// The libraries that ask code of the scenario, from 1.
  private var askers: [String] = []

  /// What a library is called by that asks.
  func number(ofAsker name: String) -> UInt8 {
    if let known = askers.firstIndex(of: name) { return UInt8(known + 1) }
    askers.append(name)
    return UInt8(askers.count)
  }

  /// What memory is used for from now on: a library that asks; 0 for the code itself.
  func setAsker(_ number: UInt8) { interleaving_set_asker(watch, number) }

  /// Keeps clocks from the next execution on.
  func watchFromNow() { isAsked = true }

  /// A step begins.
  ///
  /// - Parameter step: Its number.
  func begin(_ strand: StrandID, in step: Int) {
    interleaving_run(watch, Int32(strand.number))
    interleaving_begin_step(watch, Int32(step))
  }

  /// Steps that made possible what the one under way has gone on to.
  var awaited: [Int] {
    (0..<interleaving_count_awaited(watch)).map { Int(interleaving_get_awaited(watch, $0)) }
  }

  /// The strands of the tasks that had ended when the step under way awaited them.
  var ended: [StrandID] {
    (0..<interleaving_count_ended(watch)).map {
      StrandID(Int(interleaving_get_ended(watch, $0)))
    }
  }

  /// How many there are so far.
  var awaitedCount: Int { Int(interleaving_count_awaited(watch)) }

  /// The running strand begins a thread.
  func begin(thread strand: StrandID) {
    if isWatching { interleaving_fork(watch, Int32(strand.number)) }
  }

  /// The running strand takes over what others have released.
  func acquire(_ object: ObjectID) {
    if isWatching { interleaving_acquire(watch, key(of: object)) }
  }

  /// The running strand gives back what others may acquire.
  func release(_ object: ObjectID) {
    if isWatching { interleaving_release(watch, key(of: object)) }
  }

  /// Strands none of which runs give back what others may acquire.
  func release(_ object: ObjectID, of strands: [StrandID]) {
    guard isWatching else { return }
    for strand in strands {
      interleaving_run(watch, Int32(strand.number))
      interleaving_release(watch, key(of: object))
    }
    interleaving_run(watch, -1)
  }

  /// The running strand lets go of a task.
  func release(_ task: TaskReference) {
    if isWatching { interleaving_release_job(watch, UInt(bitPattern: task.address)) }
  }

  /// A job has the address of one that is no more, and nothing was released with it.
  func forget(_ job: UnownedJob) {
    if isWatching { interleaving_forget(watch, UInt(bitPattern: TaskReference(job).address)) }
  }

  /// The runtime may release a task that has a strand now, or has ended.
  func know(_ task: TaskReference, _ isKnown: Bool) {
    if isWatching { interleaving_know_task(watch, UInt(bitPattern: task.address), isKnown) }
  }

  /// The running strand uses a variable.
  func access(_ object: ObjectID, _ name: String, isWrite: Bool) {
    isAsked = true
    guard isWatching else { return }
    names[key(of: object)] = name
    interleaving_use_key(watch, key(of: object), isWrite)
  }

  /// What memory is called.
  func name(of memory: UnsafeRawPointer) -> String {
    let address = UInt(bitPattern: memory)
    return Variable(at: address, in: interleaving_find_object(watch, address)).name
  }

  /// What memory holds, in few words, if it is a plain value.
  func value(of memory: UnsafeRawPointer) -> String? {
    let address = UInt(bitPattern: memory)
    return Variable.value(at: address, in: interleaving_find_object(watch, address))
  }

  /// The first instrumented function with a name that was called since this was asked last; a closure, which only
  /// calls it, if there is no other. What makes an object, or tells where an actor runs, is none.
  func takeFunction() -> String? {
    var found: [SwiftRuntime.Function] = []
    while case let place = interleaving_take_function(watch), place != 0 {
      guard let function = SwiftRuntime.function(at: Place(place)), !function.isSwifts else {
        continue
      }
      if !function.name.hasSuffix("init"), function.name != "unownedExecutor.getter",
        !function.name.hasSuffix("unsafeMutableAddressor")
      {
        found.append(function)
      }
    }
    return (found.first { !$0.isClosure } ?? found.first)?.name
  }

  /// Which code of the scenario was watched, in all executions.
  var watchedCode: WatchedCode { WatchedCode(watch) }

  // MARK: What was found

  /// What is raced for at an address, by places that only tell where.
  private struct RawRace: Hashable {
    let strands: [StrandID]
    let places: [UInt]
    let areWrites: [Bool]
    let askers: [UInt8]
    let variable: String
  }

  /// The races of this execution, one for each variable, two strands and two lines.
  func findRaces() -> [Race] {
    lifetimes.look(at: watch)
    guard isWatching else { return [] }
    var races: [Race] = []
    for index in 0..<interleaving_count_races(watch) {
      let raw = interleaving_get_race(watch, index)
      if interleaving_is_kept(raw) {
        places.formUnion([Place(raw.first.place), Place(raw.second.place)])
        continue
      }
      let race = race(raw)
      if let index = races.firstIndex(where: { $0.isAlike(race) }) {
        races[index].merge(race)
      } else {
        races.append(race)
      }
    }
    return races
  }

  private func race(_ race: interleaving_race) -> Race {
    if let name = names[race.address] { return Race(race, of: name, nil, nil) }
    let variable = Variable(at: race.address, in: interleaving_find_object(watch, race.address))
    let raw = RawRace(
      strands: [race.first, race.second].map { StrandID(Int($0.strand)) },
      places: [race.first.place, race.second.place],
      areWrites: [race.first.is_write, race.second.is_write],
      askers: [race.first.asker, race.second.asker], variable: variable.name)
    if let known = known[raw] { return known }
    if variable.isPlain {
      places.formUnion(raw.places.map { Place($0) })
    } else {
      variableAtStake = variableAtStake ?? variable.name
    }
    let sites = raw.places.map {
      SwiftRuntime.line(at: Place(interleaving_partner(watch, $0)), isLookedUp: findsLines)
    }
    var named = Race(race, of: variable.name, sites[0], sites[1], askers)
    named.isMemoryAtStake = !variable.isPlain
    known[raw] = named
    return named
  }

  /// The places that must be scheduling points: where an `inout` access begins, what follows may stand for it.
  private var neededPoints: Set<Place> {
    places.filter { interleaving_meaning(watch, $0.offset) != Int32(interleaving_nothing) }
  }

  /// Whether a place races for plain values and is no scheduling point yet.
  var hasNewPlaces: Bool { !places.isEmpty && !neededPoints.isSubset(of: points) }

  /// Makes all places that race for plain values scheduling points, and so where the ends of objects matter.
  ///
  /// - Returns: Whether any was none.
  func makePoints(_ more: Set<Place> = []) -> Bool {
    if !more.isEmpty { isAsked = true }
    let learns = lifetimes.learn(watch)
    let needed = more.union(neededPoints)
    guard !needed.isSubset(of: points) else { return learns }
    points.formUnion(needed)
    let offsets = points.map(\.offset).sorted()
    interleaving_set_points(watch, offsets, Int32(offsets.count))
    return true
  }

  /// Objects have no addresses: those have this bit at 0.
  private func key(of object: ObjectID) -> UInt { UInt(bitPattern: object.code) | 1 << 63 }
}

extension Race {
  fileprivate init(
    _ race: interleaving_race, of variable: String, _ first: String?, _ second: String?,
    _ askers: [String] = []
  ) {
    func asker(_ use: interleaving_use) -> String? {
      askers.indices.contains(Int(use.asker) - 1) ? askers[Int(use.asker) - 1] : nil
    }
    self.init(
      of: variable,
      by: [
        Use(
          strand: StrandID(Int(race.first.strand)), isWrite: race.first.is_write, site: first,
          asker: asker(race.first)),
        Use(
          strand: StrandID(Int(race.second.strand)), isWrite: race.second.is_write, site: second,
          asker: asker(race.second)),
      ])
  }
}
