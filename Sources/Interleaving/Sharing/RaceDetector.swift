/// Finds uses of shared variables that nothing orders, with vector clocks; after Flanagan and Freund,
/// *FastTrack: Efficient and Precise Dynamic Race Detection*, PLDI 2009, without its compression.
///
/// Time is counted in *moments*: one passes at the beginning of each step, and one in it before what follows a
/// release. A strand's clock says up to which moment of each strand all comes before what it does now. A
/// release leaves a copy of the clock with an object, and who acquires that takes it over. In
///
///     let task = Task { count.value += 1 }    // moment 1: the runtime releases the task
///     count.value += 1                        // moment 2
///     await task.value
///
/// the task acquires the clock of moment 1, so that it knows nothing of moment 2: a race, though no schedule
/// runs the task before the step's end.
struct RaceDetector {
  /// By a strand's number, the latest of its moments that comes before.
  private typealias Clock = [Int]

  private struct Use {
    let strand: StrandID
    let moment: Int
    let isWrite: Bool
  }

  private var moment = 0
  /// By a strand's number.
  private var clocks: [Clock] = []
  private var running: StrandID?
  /// Whether the running strand has released anything in this moment, or has just become the running one.
  private var hasReleased = false
  private var released: [ObjectID: Clock] = [:]
  private var uses: [ObjectID: [Use]] = [:]
  /// The races of this execution.
  private(set) var races: [Finding] = []
  /// Whether clocks are kept, which costs time: from the first execution on that begins after a scenario has
  /// used a shared variable.
  private(set) var isWatching = false
  private var isAsked = false

  /// - Parameter isPossible: Whether it is told of all that orders strands.
  mutating func reset(isPossible: Bool) {
    isWatching = isAsked && isPossible
    guard isWatching else { return }
    moment = 0
    clocks.removeAll(keepingCapacity: true)
    released.removeAll(keepingCapacity: true)
    uses.removeAll(keepingCapacity: true)
    races.removeAll(keepingCapacity: true)
  }

  /// Keeps clocks from the next execution on.
  mutating func watch() { isAsked = true }

  /// A step begins.
  ///
  /// - Parameter others: Strands all of whose steps so far come before it.
  mutating func begin(_ strand: StrandID, after others: [StrandID] = []) {
    guard isWatching else { return }
    running = strand
    for other in others { self[strand].join(self[other]) }
    hasReleased = true
    passMoment()
  }

  /// The running strand begins a thread.
  mutating func begin(thread strand: StrandID) {
    guard isWatching, let running else { return }
    self[strand] = self[running]
    hasReleased = true
  }

  /// The running strand takes over what others have released.
  mutating func acquire(_ object: ObjectID) {
    guard isWatching, let running, let clock = released[object] else { return }
    self[running].join(clock)
  }

  /// The running strand gives back what others may acquire.
  ///
  /// - Parameter isNew: Whether nothing was released there before; an address may have been another's.
  mutating func release(_ object: ObjectID, isNew: Bool = false) {
    guard isWatching, let running else { return }
    if isNew { released[object] = nil }
    released[object, default: []].join(self[running])
    hasReleased = true
  }

  /// What had this identity is no more.
  mutating func forget(_ object: ObjectID) { released[object] = nil }

  /// The running strand uses a variable.
  mutating func access(_ object: ObjectID, _ name: String, isWrite: Bool) {
    isAsked = true
    guard isWatching, let running else { return }
    passMoment()
    let clock = self[running]
    func isBefore(_ use: Use) -> Bool {
      use.strand.number < clock.count && use.moment <= clock[use.strand.number]
    }
    for use in uses[object, default: []] where (isWrite || use.isWrite) && !isBefore(use) {
      races.append(.race(of: name, by: [use.strand, running].sorted()))
    }
    // What comes before a write races with nothing that the write does not race with.
    if isWrite { uses[object]?.removeAll(where: isBefore) }
    uses[object, default: []].append(Use(strand: running, moment: moment, isWrite: isWrite))
  }

  /// What follows a release does not come before what acquires it.
  private mutating func passMoment() {
    guard hasReleased, let running else { return }
    hasReleased = false
    moment += 1
    self[running].reserve(running.number + 1)
    self[running][running.number] = moment
  }

  private subscript(strand: StrandID) -> Clock {
    get { clocks.indices.contains(strand.number) ? clocks[strand.number] : [] }
    _modify {
      while clocks.count <= strand.number { clocks.append([]) }
      yield &clocks[strand.number]
    }
  }
}

extension [Int] {
  /// Makes room for so many strands.
  fileprivate mutating func reserve(_ size: Int) {
    while count < size { append(0) }
  }

  /// Takes over what is later in another clock.
  fileprivate mutating func join(_ other: [Int]) {
    reserve(other.count)
    for index in other.indices where other[index] > self[index] { self[index] = other[index] }
  }
}
