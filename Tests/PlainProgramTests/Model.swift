import PlainPrograms

/// What programs of a ``Machine`` can come to, by trying every order of their loads and stores: written from what the
/// instructions mean, and from what orders in C++'s memory model, without a line of the explorer.
struct Model: Hashable {
  enum Variable: String { case x, y, flag }

  /// A race between two lines, each known by its instruction.
  struct Race: Hashable, Comparable, CustomStringConvertible {
    let variable: String
    let lines: [String]

    init(_ variable: String, _ lines: [String]) {
      self.variable = variable
      self.lines = lines.sorted()
    }

    var description: String { "\(variable): \(lines.joined(separator: " and "))" }
    static func < (first: Self, second: Self) -> Bool { first.description < second.description }
  }

  private struct Use: Hashable {
    let strand: Int
    let line: String
    let isWrite: Bool
    let moment: Int
  }

  private struct Strand: Hashable {
    var instruction = 0
    var phase = 0
    /// What it has loaded within an instruction.
    var loaded = 0
    var register = 0
    var clock: [Int]
  }

  private var strands: [Strand]
  private var values: [Variable: Int] = [.x: 0, .y: 0, .flag: 0]
  private var atomic = 0
  private var atomicClock: [Int]
  /// Of the lock and of the mutex.
  private var holders: [Int?] = [nil, nil]
  private var lockClocks: [[Int]]
  private var uses: [Variable: Set<Use>] = [:]

  private init(_ count: Int) {
    let zero = Array(repeating: 0, count: count)
    strands = (0..<count).map { strand in
      var clock = zero
      clock[strand] = 1
      return Strand(clock: clock)
    }
    atomicClock = zero
    lockClocks = [zero, zero]
  }

  /// - Returns: The outcomes, nil for an end with strands that wait for ever, and the races of any order.
  static func explore(_ programs: [[Machine.Instruction]]) -> (
    outcomes: Set<String?>, races: Set<Race>
  ) {
    var outcomes: Set<String?> = []
    var races: Set<Race> = []
    var seen: Set<Model> = []
    var open = [Model(programs.count)]
    while let model = open.popLast() {
      guard seen.insert(model).inserted else { continue }
      var isStuck = true
      for strand in programs.indices
      where model.strands[strand].instruction < programs[strand].count {
        var next = model
        let instruction = programs[strand][model.strands[strand].instruction]
        guard next.step(strand, instruction, &races) else { continue }
        isStuck = false
        open.append(next)
      }
      guard isStuck else { continue }
      let hasEnded = programs.indices.allSatisfy {
        model.strands[$0].instruction == programs[$0].count
      }
      outcomes.insert(hasEnded ? model.outcome : nil)
    }
    return (outcomes, races)
  }

  private var outcome: String {
    let registers = strands.map { "\($0.register)" }.joined(separator: ",")
    return "\(values[.x]!) \(values[.y]!) \(values[.flag]! == 1) \(atomic) \(registers)"
  }

  // MARK: Loads and stores

  private mutating func use(
    _ variable: Variable, by strand: Int, _ line: String, isWrite: Bool, _ races: inout Set<Race>
  ) {
    for other in uses[variable, default: []]
    where other.strand != strand && (other.isWrite || isWrite)
      && strands[strand].clock[other.strand] < other.moment
    {
      races.insert(Race(variable.rawValue, [line, other.line]))
    }
    uses[variable, default: []].insert(
      Use(strand: strand, line: line, isWrite: isWrite, moment: strands[strand].clock[strand]))
  }

  private mutating func load(
    _ variable: Variable, by strand: Int, _ line: String, _ races: inout Set<Race>
  ) -> Int {
    use(variable, by: strand, line, isWrite: false, &races)
    return values[variable]!
  }

  private mutating func store(
    _ value: Int, in variable: Variable, by strand: Int, _ line: String, _ races: inout Set<Race>
  ) {
    use(variable, by: strand, line, isWrite: true, &races)
    values[variable] = value
  }

  private mutating func acquire(_ clock: [Int], by strand: Int) {
    for index in clock.indices {
      strands[strand].clock[index] = max(strands[strand].clock[index], clock[index])
    }
  }

  private mutating func release(by strand: Int) -> [Int] {
    defer { strands[strand].clock[strand] += 1 }
    return strands[strand].clock
  }

  private mutating func lock(_ lock: Int, by strand: Int) -> Bool {
    guard holders[lock] == nil else { return false }
    holders[lock] = strand
    acquire(lockClocks[lock], by: strand)
    return true
  }

  private mutating func unlock(_ lock: Int, by strand: Int) {
    holders[lock] = nil
    lockClocks[lock] = release(by: strand)
  }

  private mutating func note(_ value: Int, _ factor: Int, by strand: Int) {
    strands[strand].register = factor * strands[strand].register + value
  }

  // MARK: Instructions

  /// Does the next load or store of a strand, or what it does to an atomic or a lock; false if it has to wait.
  private mutating func step(
    _ strand: Int, _ instruction: Machine.Instruction, _ races: inout Set<Race>
  ) -> Bool {
    let line = instruction.rawValue
    let phase = strands[strand].phase
    var isDone = true
    switch (instruction, phase) {
    case (.incrementX, 0), (.addYToX, 1), (.lockedIncrementX, 1), (.mutexIncrementX, 1),
      (.tryToIncrementX, 1):
      strands[strand].loaded += load(.x, by: strand, line, &races)
      isDone = false
    case (.incrementX, _):
      store(strands[strand].loaded + 1, in: .x, by: strand, line, &races)
    case (.addYToX, 0):
      strands[strand].loaded = load(.y, by: strand, line, &races)
      isDone = false
    case (.addYToX, _): store(strands[strand].loaded, in: .x, by: strand, line, &races)
    case (.setX, _): store(5, in: .x, by: strand, line, &races)
    case (.setY, _): store(3, in: .y, by: strand, line, &races)
    case (.readX, _): note(load(.x, by: strand, line, &races), 2, by: strand)
    case (.readY, _): note(load(.y, by: strand, line, &races), 3, by: strand)
    case (.readXIfFlag, 0):
      isDone = load(.flag, by: strand, line, &races) == 0
    case (.readXIfFlag, _): note(load(.x, by: strand, line, &races), 5, by: strand)
    case (.setFlag, _): store(1, in: .flag, by: strand, line, &races)
    case (.toggleFlag, 0):
      strands[strand].loaded = load(.flag, by: strand, line, &races)
      isDone = false
    case (.toggleFlag, _): store(1 - strands[strand].loaded, in: .flag, by: strand, line, &races)
    case (.addAtomic, _): atomic += 1
    case (.storeAtomic, _):
      atomic = 2
      atomicClock = release(by: strand)
    case (.copyAtomic, 0):
      strands[strand].loaded = atomic
      acquire(atomicClock, by: strand)
      isDone = false
    case (.copyAtomic, _):
      atomic = strands[strand].loaded + 1
      atomicClock = release(by: strand)
    case (.exchangeAtomic, _):
      acquire(atomicClock, by: strand)
      if atomic == 0 {
        atomic = 7
        let mine = release(by: strand)
        for index in mine.indices { atomicClock[index] = max(atomicClock[index], mine[index]) }
      }
    case (.readXIfAtomic, 0):
      acquire(atomicClock, by: strand)
      isDone = atomic <= 1
    case (.readXIfAtomic, _): note(load(.x, by: strand, line, &races), 7, by: strand)
    case (.lock, _), (.lockedIncrementX, 0), (.lockedReadY, 0), (.lockedSetY, 0):
      guard lock(0, by: strand) else { return false }
      isDone = instruction == .lock
    case (.lockedIncrementX, 2), (.mutexIncrementX, 2), (.tryToIncrementX, 2):
      let more = instruction == .tryToIncrementX ? 4 : instruction == .mutexIncrementX ? 3 : 2
      store(strands[strand].loaded + more, in: .x, by: strand, line, &races)
      isDone = false
    case (.lockedReadY, 1):
      note(load(.y, by: strand, line, &races), 11, by: strand)
      isDone = false
    case (.lockedSetY, 1):
      store(4, in: .y, by: strand, line, &races)
      isDone = false
    case (.unlock, _), (.lockedIncrementX, _), (.lockedReadY, _), (.lockedSetY, _):
      unlock(0, by: strand)
    case (.mutexIncrementX, 0), (.mutexSetFlag, 0):
      guard lock(1, by: strand) else { return false }
      isDone = false
    case (.tryToIncrementX, 0): isDone = !lock(1, by: strand)
    case (.mutexSetFlag, 1):
      store(1, in: .flag, by: strand, line, &races)
      isDone = false
    case (.mutexIncrementX, _), (.mutexSetFlag, _), (.tryToIncrementX, _): unlock(1, by: strand)
    }
    strands[strand].phase = isDone ? 0 : phase + 1
    if isDone {
      strands[strand].instruction += 1
      strands[strand].loaded = 0
    }
    return true
  }
}
