/// Finds uses of shared variables that nothing orders, with vector clocks over the order that one step
/// makes another possible.
///
/// An await that finds its task already complete, or a stream that holds a value already, goes on
/// without leaving a mark, so one execution cannot prove that two uses are unordered. They are once two
/// executions have shown them in both orders, each time unordered.
struct RaceDetector {
  /// One use, the same in every execution: the how-manieth of this variable by this strand.
  private struct Use: Hashable {
    let strand: StrandID
    let ordinal: Int
    let object: ObjectID
  }

  private struct Pair: Hashable {
    let first: Use
    let second: Use
  }

  private var clocks: [[StrandID: Int]] = []
  private var uses: [ObjectID: [(use: Use, step: Int, isWrite: Bool)]] = [:]
  private var released: [ObjectID: [StrandID: Int]] = [:]
  private var ordinals: [StrandID: [ObjectID: Int]] = [:]

  /// The pairs seen so far, and in which orders.
  private var seen: Set<Pair> = []
  /// Whether this execution showed two unordered uses of which only one order has been seen so far.
  private(set) var hasSuspicion = false
  /// The races of this execution.
  private(set) var confirmed: [Finding.Race] = []
  /// Whether the scenario has used a shared variable.
  private(set) var isWatching = false

  mutating func reset() {
    clocks.removeAll(keepingCapacity: true)
    uses.removeAll(keepingCapacity: true)
    ordinals.removeAll(keepingCapacity: true)
    if !released.isEmpty { released = [:] }
    confirmed.removeAll(keepingCapacity: true)
    hasSuspicion = false
  }

  mutating func begin(step: Int, strand: StrandID, after causes: [Int]) {
    guard isWatching else { return }
    while clocks.count < step { clocks.append([:]) }
    var clock: [StrandID: Int] = [:]
    for cause in causes { clock.merge(clocks[cause], uniquingKeysWith: max) }
    clock[strand] = step + 1
    clocks.append(clock)
  }

  /// Keeps clocks from the next execution on.
  mutating func watch() { isWatching = true }

  /// Whether a step of a strand comes before the step under way in every order.
  func isOrdered(_ step: Int, of strand: StrandID) -> Bool {
    clocks.last?[strand, default: 0] ?? 0 > step
  }

  /// A strand takes over what another has released.
  mutating func acquire(_ object: ObjectID) {
    guard isWatching, let last = clocks.indices.last, let released = released[object] else {
      return
    }
    clocks[last].merge(released, uniquingKeysWith: max)
  }

  /// A strand gives back what another may acquire.
  mutating func release(_ object: ObjectID) {
    guard isWatching, let clock = clocks.last else { return }
    released[object, default: [:]].merge(clock, uniquingKeysWith: max)
  }

  mutating func access(_ object: ObjectID, _ name: String, isWrite: Bool, strand: StrandID) {
    // The first execution only wakes the detector: its earlier steps have no clocks.
    guard isWatching else {
      isWatching = true
      return
    }
    guard let clock = clocks.last else { return }
    let ordinal = (ordinals[strand]?[object] ?? 0) + 1
    ordinals[strand, default: [:]][object] = ordinal
    let use = Use(strand: strand, ordinal: ordinal, object: object)
    for earlier in uses[object, default: []]
    where earlier.use.strand != strand && (isWrite || earlier.isWrite)
      && clock[earlier.use.strand, default: 0] <= earlier.step
    {
      let pair = Pair(first: earlier.use, second: use)
      seen.insert(pair)
      let reverse = Pair(first: use, second: earlier.use)
      guard seen.contains(reverse) else {
        hasSuspicion = true
        continue
      }
      confirmed.append(.init(variable: name, strands: [earlier.use.strand, strand].sorted()))
    }
    // What comes before a write races with nothing that the write does not race with.
    if isWrite {
      uses[object]?.removeAll { clock[$0.use.strand, default: 0] > $0.step }
    }
    uses[object, default: []].append((use, clocks.count - 1, isWrite))
  }
}
