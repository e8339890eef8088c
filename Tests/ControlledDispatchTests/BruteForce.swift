// An independent reference model: all outcomes and all Mazurkiewicz traces of small programs of
// blocking strands, by exhaustive search. Sequentially consistent, one atomic step at a time.

// MARK: - Programs

/// One instruction of a strand; every strand has a single register, at first 0.
enum Instruction: Hashable, Sendable, CustomStringConvertible {
  /// The strand's register := the variable.
  case load(Int)
  /// The variable := a constant.
  case store(Int, constant: Int)
  /// The variable := the strand's register + 1.
  case storeRegisterPlusOne(Int)
  /// Takes a lock; enabled only while it is free.
  case lock(Int)
  /// Frees a lock the strand holds.
  case unlock(Int)
  /// Takes a lock if it is free; the register := 1 if taken, else 0.
  case tryLock(Int)
  /// Frees a lock if the strand holds it; otherwise it is no step at all.
  case unlockIfHeld(Int)
  /// Takes one from a semaphore; enabled only while its count is positive.
  case wait(Int)
  /// Adds one to a semaphore.
  case signal(Int)
  /// Two steps: registers as a waiter and frees the lock; then takes a token and the lock.
  case conditionWait(Int)
  /// Adds a token for those now waiting, unless each of them has one outstanding.
  case notify(Int)
  /// Adds tokens until each of those now waiting has one outstanding.
  case notifyAll(Int)

  /// The instruction in a few characters: `x` a variable, `l` a lock, `s` a semaphore, `c` a
  /// condition.
  var description: String {
    switch self {
    case .load(let variable): "r=x\(variable)"
    case .store(let variable, let constant): "x\(variable)=\(constant)"
    case .storeRegisterPlusOne(let variable): "x\(variable)=r+1"
    case .lock(let lock): "lock l\(lock)"
    case .unlock(let lock): "unlock l\(lock)"
    case .tryLock(let lock): "r=tryLock l\(lock)"
    case .unlockIfHeld(let lock): "unlockIfHeld l\(lock)"
    case .wait(let semaphore): "wait s\(semaphore)"
    case .signal(let semaphore): "signal s\(semaphore)"
    case .conditionWait(let condition): "wait c\(condition)"
    case .notify(let condition): "notify c\(condition)"
    case .notifyAll(let condition): "notifyAll c\(condition)"
    }
  }
}

/// A program of a few strands; variables are at first 0, locks free, and condition i is used with
/// lock i.
struct Program: Hashable, Sendable, CustomStringConvertible {
  /// The instructions of each strand.
  var strands: [[Instruction]]
  /// How many variables there are.
  var variableCount = 0
  /// How many locks there are.
  var lockCount = 0
  /// The initial count of each semaphore.
  var semaphores: [Int] = []
  /// How many conditions there are, at most as many as locks.
  var conditionCount = 0

  /// A listing: the objects in one line, then a line for each strand.
  var description: String {
    let objects =
      "variables \(variableCount), locks \(lockCount), semaphores \(semaphores), "
      + "conditions \(conditionCount)"
    let listing = strands.enumerated().map { strand, instructions in
      "  \(strand): " + instructions.map(\.description).joined(separator: "; ")
    }
    return ([objects] + listing).joined(separator: "\n")
  }

  /// A random well formed program with at most `prefixLimit` trace prefixes, so that
  /// `traces(of:limit:)` with that limit is never nil for it; those with several traces of which
  /// only some end in deadlock are favoured.
  static func random(
    using generator: inout some RandomNumberGenerator,
    strands strandCounts: ClosedRange<Int> = 2...4,
    length lengths: ClosedRange<Int> = 1...6,
    prefixLimit: Int = 8_000
  ) -> Program {
    while true {
      let program = draw(using: &generator, strandCounts: strandCounts, lengths: lengths)
      guard let found = traces(of: program, limit: prefixLimit) else { continue }
      let isDull = found.count == 1 || found.deadlocked == found.count
      let rarity = isDull ? 4 : found.deadlocked == 0 ? 2 : 1
      if Int.random(in: 0..<rarity, using: &generator) == 0 { return program }
    }
  }

  /// A random well formed program of bounded length.
  private static func draw(
    using generator: inout some RandomNumberGenerator,
    strandCounts: ClosedRange<Int>,
    lengths: ClosedRange<Int>
  ) -> Program {
    var program = Program(strands: [])
    program.variableCount = Int.random(in: 1...2, using: &generator)
    program.lockCount = Int.random(in: 1...2, using: &generator)
    if Bool.random(using: &generator) {
      program.semaphores = [Int.random(in: 0...2, using: &generator)]
    }
    program.conditionCount = Int.random(in: 0...1, using: &generator)

    let strandCount = Int.random(in: strandCounts, using: &generator)
    var strandLengths = (0..<strandCount).map { _ in
      max(Int.random(in: lengths, using: &generator), Int.random(in: lengths, using: &generator))
    }
    let lengthLimit = strandCount <= 2 ? 12 : 13
    while strandLengths.reduce(0, +) > lengthLimit, let longest = strandLengths.max(),
      longest > lengths.lowerBound, let index = strandLengths.firstIndex(of: longest)
    {
      strandLengths[index] -= 1
    }
    program.strands = strandLengths.map {
      program.drawStrand(length: $0, using: &generator)
    }
    return program
  }

  /// Random instructions for one strand, which end with what it holds being unlocked.
  private func drawStrand(
    length: Int,
    using generator: inout some RandomNumberGenerator
  ) -> [Instruction] {
    var instructions: [Instruction] = []
    // The locks the strand holds, or may hold after a tryLock, each with what unlocks it.
    var releases: [(lock: Int, instruction: Instruction)] = []

    while instructions.count + releases.count < length {
      let room = length - instructions.count - releases.count
      var choices: [(weight: Int, instruction: Instruction)] = []

      let variable = Int.random(in: 0..<variableCount, using: &generator)
      choices.append((3, .load(variable)))
      choices.append((1, .store(variable, constant: Int.random(in: 1...3, using: &generator))))
      choices.append((2, .storeRegisterPlusOne(variable)))

      let lock = Int.random(in: 0..<lockCount, using: &generator)
      if room >= 2, !releases.contains(where: { $0.lock == lock }) {
        choices.append((releases.isEmpty ? 8 : 16, .lock(lock)))
        choices.append((2, .tryLock(lock)))
      }
      if let release = releases.randomElement(using: &generator) {
        choices.append((2, release.instruction))
      }
      if let semaphore = semaphores.indices.randomElement(using: &generator) {
        choices.append((2, .wait(semaphore)))
        choices.append((2, .signal(semaphore)))
      }
      if let condition = (0..<conditionCount).randomElement(using: &generator) {
        if releases.contains(where: { $0.instruction == .unlock(condition) }) {
          choices.append((6, .conditionWait(condition)))
        }
        choices.append((2, .notify(condition)))
        choices.append((1, .notifyAll(condition)))
      }

      var point = Int.random(in: 0..<choices.reduce(0) { $0 + $1.weight }, using: &generator)
      let chosen = choices.first { choice in
        point -= choice.weight
        return point < 0
      }!.instruction

      instructions.append(chosen)
      switch chosen {
      case .lock(let lock): releases.append((lock, .unlock(lock)))
      case .tryLock(let lock): releases.append((lock, .unlockIfHeld(lock)))
      case .unlock, .unlockIfHeld: releases.removeAll { $0.instruction == chosen }
      default: break
      }
    }
    return instructions + releases.shuffled(using: &generator).map(\.instruction)
  }
}

/// What can be seen of a maximal execution once it has stopped.
struct Outcome: Hashable, Sendable {
  /// The register of each strand.
  var registers: [Int]
  /// The value of each variable.
  var variables: [Int]
  /// The strands that are unfinished, ascending; empty unless the execution ended in deadlock.
  var blocked: [Int]
}

// MARK: - Semantics

/// The state of a program between two steps.
private struct State: Hashable {
  /// An entry in the queue of a condition, in the order of arrival.
  enum Entry: Hashable {
    case waiter(strand: Int)
    case token
  }

  /// The index of the next instruction of each strand.
  var positions: [Int]
  /// Whether each strand has registered with the condition at its position.
  var registered: [Bool]
  var registers: [Int]
  var variables: [Int]
  /// The strand that holds each lock.
  var holders: [Int?]
  var semaphores: [Int]
  /// The waiters not yet woken and the tokens not yet taken of each condition.
  var queues: [[Entry]]

  init(_ program: Program) {
    positions = program.strands.map { _ in 0 }
    registered = program.strands.map { _ in false }
    registers = program.strands.map { _ in 0 }
    variables = Array(repeating: 0, count: program.variableCount)
    holders = Array(repeating: nil, count: program.lockCount)
    semaphores = program.semaphores
    queues = Array(repeating: [], count: program.conditionCount)
    for strand in program.strands.indices { skipReleases(of: strand, in: program) }
  }

  func isFinished(_ strand: Int, in program: Program) -> Bool {
    positions[strand] == program.strands[strand].count
  }

  func isEnabled(_ strand: Int, in program: Program) -> Bool {
    if isFinished(strand, in: program) { return false }
    switch program.strands[strand][positions[strand]] {
    case .lock(let lock):
      return holders[lock] == nil
    case .wait(let semaphore):
      return semaphores[semaphore] > 0
    case .conditionWait(let condition) where registered[strand]:
      return holders[condition] == nil && token(for: strand, of: condition) != nil
    default:
      return true
    }
  }

  /// The strands that can take a step.
  func enabled(in program: Program) -> [Int] {
    program.strands.indices.filter { isEnabled($0, in: program) }
  }

  /// The outcome if no strand can take a step.
  func outcome(in program: Program) -> Outcome {
    let blocked = program.strands.indices.filter { !isFinished($0, in: program) }
    return Outcome(registers: registers, variables: variables, blocked: blocked)
  }

  /// Takes the next step of a strand, which must be enabled.
  mutating func step(_ strand: Int, in program: Program) {
    precondition(isEnabled(strand, in: program))
    switch program.strands[strand][positions[strand]] {
    case .load(let variable):
      registers[strand] = variables[variable]
    case .store(let variable, let constant):
      variables[variable] = constant
    case .storeRegisterPlusOne(let variable):
      variables[variable] = registers[strand] + 1
    case .lock(let lock):
      holders[lock] = strand
    case .unlock(let lock), .unlockIfHeld(let lock):
      precondition(holders[lock] == strand, "unlock of a lock not held")
      holders[lock] = nil
    case .tryLock(let lock):
      precondition(holders[lock] != strand, "tryLock of a lock held")
      registers[strand] = holders[lock] == nil ? 1 : 0
      if holders[lock] == nil { holders[lock] = strand }
    case .wait(let semaphore):
      semaphores[semaphore] -= 1
    case .signal(let semaphore):
      semaphores[semaphore] += 1
    case .conditionWait(let condition):
      if !registered[strand] {
        precondition(holders[condition] == strand, "conditionWait without the lock")
        holders[condition] = nil
        queues[condition].append(.waiter(strand: strand))
        registered[strand] = true
        return
      }
      queues[condition].remove(at: token(for: strand, of: condition)!)
      queues[condition].removeAll { $0 == .waiter(strand: strand) }
      holders[condition] = strand
      registered[strand] = false
    case .notify(let condition):
      if waitersWithoutToken(of: condition) > 0 { queues[condition].append(.token) }
    case .notifyAll(let condition):
      let missing = waitersWithoutToken(of: condition)
      queues[condition] += Array(repeating: .token, count: missing)
    }
    positions[strand] += 1
    skipReleases(of: strand, in: program)
  }

  /// Passes over each `unlockIfHeld` of a lock the strand does not hold: those are no steps.
  private mutating func skipReleases(of strand: Int, in program: Program) {
    let instructions = program.strands[strand]
    while positions[strand] < instructions.count,
      case .unlockIfHeld(let lock) = instructions[positions[strand]], holders[lock] != strand
    {
      positions[strand] += 1
    }
  }

  /// The place in the queue of the oldest token added after the strand had registered.
  private func token(for strand: Int, of condition: Int) -> Int? {
    let queue = queues[condition]
    guard let place = queue.firstIndex(of: .waiter(strand: strand)) else { return nil }
    return queue[place...].firstIndex(of: .token)
  }

  /// How many more waiters than tokens a condition has.
  private func waitersWithoutToken(of condition: Int) -> Int {
    let tokens = queues[condition].count { $0 == .token }
    return queues[condition].count - 2 * tokens
  }
}

// MARK: - Dependency

/// An object that steps share.
private enum Object: Hashable {
  case variable(Int)
  case lock(Int)
  case semaphore(Int)
  case condition(Int)
}

/// How a step uses an object.
private enum Mode: Hashable {
  case read
  case write
  case post

  func conflicts(with other: Mode) -> Bool {
    switch (self, other) {
    case (.read, .read), (.post, .post): false
    default: true
    }
  }
}

/// The objects a step of this instruction uses, and how.
private func accesses(of instruction: Instruction) -> [(object: Object, mode: Mode)] {
  switch instruction {
  case .load(let variable):
    [(.variable(variable), .read)]
  case .store(let variable, _), .storeRegisterPlusOne(let variable):
    [(.variable(variable), .write)]
  case .lock(let lock), .unlock(let lock), .tryLock(let lock), .unlockIfHeld(let lock):
    [(.lock(lock), .write)]
  case .wait(let semaphore):
    [(.semaphore(semaphore), .write)]
  case .signal(let semaphore):
    [(.semaphore(semaphore), .post)]
  case .conditionWait(let condition):
    [(.lock(condition), .write), (.condition(condition), .write)]
  case .notify(let condition), .notifyAll(let condition):
    [(.condition(condition), .write)]
  }
}

/// The numbers of all steps a program might take, and which of them depend on each other.
private struct StepTable {
  /// The number of the first step of each strand.
  private var offsets: [Int] = []
  /// The strand of each step.
  private(set) var strands: [Int] = []
  /// Whether two steps are of one strand or conflict.
  private(set) var dependent: [[Bool]] = []

  /// Numbers the steps, two for each instruction, the second for the wake of a `conditionWait`.
  init(_ program: Program) {
    var instructions: [Instruction] = []
    for (strand, code) in program.strands.enumerated() {
      offsets.append(instructions.count)
      for instruction in code {
        instructions += [instruction, instruction]
        strands += [strand, strand]
      }
    }
    dependent = instructions.indices.map { first in
      instructions.indices.map { second in
        strands[first] == strands[second]
          || accesses(of: instructions[first]).contains { left in
            accesses(of: instructions[second]).contains { right in
              left.object == right.object && left.mode.conflicts(with: right.mode)
            }
          }
      }
    }
  }

  /// The number of the step that a strand takes next.
  func nextStep(of strand: Int, in state: State) -> Int {
    offsets[strand] + 2 * state.positions[strand] + (state.registered[strand] ? 1 : 0)
  }
}

// MARK: - Outcomes

/// All outcomes of a program's maximal executions, by a search over its states.
func outcomes(of program: Program) -> Set<Outcome> {
  var found: Set<Outcome> = []
  let start = State(program)
  var seen: Set<State> = [start]
  var stack = [start]
  while let state = stack.popLast() {
    let enabled = state.enabled(in: program)
    if enabled.isEmpty { found.insert(state.outcome(in: program)) }
    for strand in enabled {
      var next = state
      next.step(strand, in: program)
      if seen.insert(next).inserted { stack.append(next) }
    }
  }
  return found
}

// MARK: - Traces

/// A step in a Foata normal form.
private struct PlacedStep: Hashable {
  var level: Int
  var step: Int
}

/// The Foata normal form of a trace prefix: its steps ordered by level, then by number.
private struct FoataForm: Hashable {
  private var placed: [PlacedStep] = []

  /// Adds a step at the end, at the level after the last step it depends on.
  mutating func append(_ step: Int, _ table: StepTable) {
    let last = placed.last { table.dependent[$0.step][step] }
    let level = (last?.level ?? 0) + 1
    let place =
      placed.firstIndex { ($0.level, $0.step) > (level, step) } ?? placed.endIndex
    placed.insert(PlacedStep(level: level, step: step), at: place)
  }
}

/// How many classes of maximal executions a program has, and how many of them end in deadlock, by
/// a breadth-first search over trace prefixes; nil if there are more than `limit` prefixes.
func traces(of program: Program, limit: Int) -> (count: Int, deadlocked: Int)? {
  let table = StepTable(program)
  var count = 0
  var deadlocked = 0
  var prefixes = 0
  var layer = [FoataForm(): State(program)]
  while !layer.isEmpty {
    prefixes += layer.count
    if prefixes > limit { return nil }
    var nextLayer: [FoataForm: State] = [:]
    for (form, state) in layer {
      let enabled = state.enabled(in: program)
      if enabled.isEmpty {
        count += 1
        if !state.outcome(in: program).blocked.isEmpty { deadlocked += 1 }
      }
      for strand in enabled {
        var nextForm = form
        nextForm.append(table.nextStep(of: strand, in: state), table)
        var nextState = state
        nextState.step(strand, in: program)
        let other = nextLayer.updateValue(nextState, forKey: nextForm)
        precondition(other == nil || other == nextState, "one trace, two states")
        if prefixes + nextLayer.count > limit { return nil }
      }
    }
    layer = nextLayer
  }
  return (count, deadlocked)
}

/// A class of executions: the steps taken, and each pair of dependent ones in its order.
private struct OrderedPairs: Hashable {
  private var steps: [Int]
  private var pairs: [[Int]] = []

  init(_ execution: [Int], _ table: StepTable) {
    steps = execution.sorted()
    for (place, second) in execution.enumerated() {
      for first in execution[..<place] where table.dependent[first][second] {
        pairs.append([first, second])
      }
    }
    pairs.sort { $0.lexicographicallyPrecedes($1) }
  }
}

/// The same as `traces(of:limit:)`, and the outcomes, by going through all interleavings; nil if
/// there are more than `limit` of them.
func tracesByEnumeration(
  of program: Program,
  limit: Int
) -> (count: Int, deadlocked: Int, outcomes: Set<Outcome>)? {
  let table = StepTable(program)
  var classes: [OrderedPairs: Outcome] = [:]
  var interleavings = 0
  var execution: [Int] = []

  /// Goes through all that can follow; false if there were too many.
  func explore(_ state: State) -> Bool {
    let enabled = state.enabled(in: program)
    if enabled.isEmpty {
      interleavings += 1
      if interleavings > limit { return false }
      let outcome = state.outcome(in: program)
      let other = classes.updateValue(outcome, forKey: OrderedPairs(execution, table))
      precondition(other == nil || other == outcome, "one trace, two outcomes")
    }
    for strand in enabled {
      var next = state
      execution.append(table.nextStep(of: strand, in: state))
      next.step(strand, in: program)
      if !explore(next) { return false }
      execution.removeLast()
    }
    return true
  }

  if !explore(State(program)) { return nil }
  let deadlocked = classes.values.count { !$0.blocked.isEmpty }
  return (classes.count, deadlocked, Set(classes.values))
}
