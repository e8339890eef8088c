import Foundation
import PrioritySimulation

/// SplitMix64 (Steele, Lea and Flood 2014), with draws that are the same everywhere.
struct SplitMix64 {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  mutating func int(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(next() % UInt64(range.count))
  }

  mutating func chance(_ percent: Int) -> Bool { int(1...100) <= percent }
}

/// What random task sets are like.
struct Shape {
  enum Nesting { case none, ordered, anyOrder }

  var nesting = Nesting.none
  /// Whether jobs suspend themselves, inside sections, too.
  var hasWaits = false
  /// Whether some jobs are equally urgent.
  var hasTies = false
  var hasPeriods = true

  /// Until when jobs are released.
  static let horizon = 150

  func taskSet(_ random: inout SplitMix64) -> TaskSet {
    let locks = (0..<random.int(1...4)).map { Lock("L\($0)") }
    let count = random.int(2...6)
    var priorities = Array(1...count)
    for index in priorities.indices.reversed() { priorities.swapAt(index, random.int(0...index)) }
    let jobs = (0..<count).map { index in
      var segments: [Segment] = []
      for _ in 0..<random.int(1...3) { addBlock(to: &segments, held: [], locks.count, &random) }
      if random.chance(50) { segments.append(.compute(random.int(1...3))) }
      let priority = hasTies && random.chance(40) ? random.int(1...count) : priorities[index]
      return Job(
        "J\(index)", priority: priority, release: random.int(0...30),
        period: hasPeriods ? random.int(40...200) : nil, segments)
    }
    return TaskSet(jobs: jobs, locks: locks)
  }

  private func addBlock(
    to segments: inout [Segment], held: [Int], _ locks: Int, _ random: inout SplitMix64
  ) {
    if random.chance(50) { segments.append(.compute(random.int(1...4))) }
    if hasWaits, random.chance(20) { segments.append(.wait(random.int(1...6))) }
    let free = (0..<locks).filter { lock in
      nesting == .ordered ? lock > held.last ?? -1 : !held.contains(lock)
    }
    guard !free.isEmpty, random.chance(80) else { return }
    let lock = free[random.int(0...free.count - 1)]
    segments.append(.lock("L\(lock)"))
    if random.chance(90) { segments.append(.compute(random.int(1...6))) }
    if nesting != .none, random.chance(50) {
      addBlock(to: &segments, held: held + [lock], locks, &random)
      if random.chance(50) { segments.append(.compute(random.int(1...3))) }
    }
    segments.append(.unlock("L\(lock)"))
  }
}

/// The seed of this run: the environment's `SEED`, or 1990.
let seed = ProcessInfo.processInfo.environment["SEED"].flatMap { UInt64($0) } ?? 1990

/// How many task sets each property is tried on: the environment's `SETS`, or 400; `.ci/theory` takes 10,000.
let count = ProcessInfo.processInfo.environment["SETS"].flatMap { Int($0) } ?? 400

/// Whether there are enough of them to expect that what is rare occurs.
let isEnough = count >= 400

/// Calls a closure with random task sets of some shapes, each set from a seed of its own, and returns what
/// the closure reports, with the set.
func forRandomTaskSets(
  _ shapes: Shape..., salt: UInt64, _ body: (TaskSet, inout SplitMix64) throws -> String?
) throws -> [String] {
  print("seed \(seed), salt \(salt), \(count) task sets (SETS, SEED)")
  var reports: [String] = []
  for index in 0..<count {
    var random = SplitMix64(seed: seed &+ salt &* 1_000_003 &+ UInt64(index) &* 0x1000_0000_1b3)
    let tasks = shapes[index % shapes.count].taskSet(&random)
    if let report = try body(tasks, &random) {
      reports.append("set \(index) of seed \(seed): \(report)\n\(tasks)")
      if reports.count == 3 { break }
    }
  }
  return reports
}

// MARK: An oracle that knows nothing of the library's own analysis

/// A critical section of a job.
struct Section {
  let lock: String
  let depth: Int
  /// From which to which tick of the job's computing.
  var work: Range<Int>
}

extension Job {
  var demand: Int {
    segments.reduce(0) { if case .compute(let time) = $1 { $0 + time } else { $0 } }
  }

  var sections: [Section] {
    var done: [Section] = []
    var open: [Section] = []
    var work = 0
    for segment in segments {
      switch segment {
      case .compute(let time): work += time
      case .wait: break
      case .lock(let lock): open.append(Section(lock: lock, depth: open.count, work: work..<work))
      case .unlock:
        var section = open.removeLast()
        section.work = section.work.lowerBound..<work
        done.append(section)
      }
    }
    return done
  }
}

extension TaskSet {
  func ceiling(of lock: String) -> Int {
    jobs.filter { $0.sections.contains { $0.lock == lock } }.map(\.priority).max() ?? .min
  }

  /// The longest section of a less urgent job at a lock whose ceiling is not below a priority, in ticks.
  func longestSection(below priority: Int) -> Int {
    jobs.filter { $0.priority < priority }.flatMap(\.sections)
      .filter { ceiling(of: $0.lock) >= priority }.map(\.work.count).max() ?? 0
  }
}

extension Simulation {
  /// The spans in which a job runs, with its core.
  var runs: [(span: Span, core: Int)] {
    spans.compactMap { if case .running(let core, _) = $0.activity { ($0, core) } else { nil } }
  }

  /// For each tick the name of the job that runs on a core, or a space.
  func order(core: Int = 0) -> String {
    var order = Array(repeating: " ", count: end)
    for (span, place) in runs where place == core {
      for tick in span.time { order[tick] = tasks.jobs[span.job].name }
    }
    return order.joined()
  }

  func completion(of job: String) -> Int? { responses(of: job).first?.completion }
}
