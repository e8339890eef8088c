/// Finds uses of shared variables that nothing orders, with vector clocks over the order that one step
/// makes another possible.
///
/// An await that finds its task already complete, or a stream that holds a value already, goes on
/// without leaving a mark, so one execution cannot prove that two uses are unordered. They are once two
/// executions have shown them in both orders, each time unordered.
final class RaceDetector {
  /// One use, the same in every execution: the how-manieth of this variable by this strand.
  private struct Use: Hashable {
    let strand: Int
    let ordinal: Int
    let object: Int
  }

  private struct Pair: Hashable {
    let first: Use
    let second: Use
  }

  private var clocks: [[Int: Int]] = []
  private var uses: [Int: [(use: Use, step: Int, isWrite: Bool)]] = [:]
  private var ordinals: [Int: [Int: Int]] = [:]

  /// The pairs seen so far, and in which orders.
  private var seen: Set<Pair> = []
  private var reported: Set<Pair> = []
  /// The strands of races that this execution completed the proof of, with the variable.
  private(set) var confirmed: [(object: Int, strands: (Int, Int))] = []
  /// Whether the scenario has used a shared variable.
  private(set) var isWatching = false

  func reset() {
    clocks.removeAll(keepingCapacity: true)
    uses.removeAll(keepingCapacity: true)
    ordinals.removeAll(keepingCapacity: true)
    confirmed.removeAll(keepingCapacity: true)
  }

  func begin(step: Int, strand: Int, after causes: [Int]) {
    guard isWatching else { return }
    while clocks.count < step { clocks.append([:]) }
    var clock: [Int: Int] = [:]
    for cause in causes { clock.merge(clocks[cause], uniquingKeysWith: max) }
    clock[strand] = step + 1
    clocks.append(clock)
  }

  func access(_ object: Int, isWrite: Bool, strand: Int) {
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
      if seen.contains(reverse), !reported.contains(pair), !reported.contains(reverse) {
        reported.insert(pair)
        confirmed.append((object, (earlier.use.strand, strand)))
      }
    }
    uses[object, default: []].append((use, clocks.count - 1, isWrite))
  }
}
