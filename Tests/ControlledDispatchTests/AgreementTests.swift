import Glibc
import Interleaving
import Testing

@testable import ControlledDispatch

/// The reduction against brute force over random programs.
@Suite(unlessSanitized, .timeLimit(.minutes(60))) struct AgreementTests {
  @Test func `the hierarchy`() async {
    await compare(
      Program(
        strands: [
          [.lock(0), .lock(1), .unlock(1), .unlock(0)],
          [.lock(1), .lock(2), .unlock(2), .unlock(1)],
          [.lock(0), .lock(2), .unlock(2), .unlock(0)],
        ], lockCount: 3))
  }

  /// A sleeper may commute with all that leads to a race's reversal and yet not with what follows.
  @Test func `four strands whose reversals matter to their end`() async {
    await compare(
      Program(
        strands: [
          [.store(1, constant: 1)],
          [.store(0, constant: 1), .load(0)],
          [.lock(0), .store(1, constant: 2), .unlock(0)],
          [.store(0, constant: 2), .lock(0), .store(1, constant: 3), .unlock(0)],
        ], variableCount: 2, lockCount: 1))
  }

  /// A race that was left for the sake of what followed, which is another the next time.
  @Test func `four strands whose old races must be looked at again`() async {
    await compare(
      Program(
        strands: [
          [.lock(0), .unlock(0)],
          [.store(0, constant: 1)],
          [.store(1, constant: 1), .lock(0), .store(0, constant: 2), .unlock(0)],
          [.load(0), .store(0, constant: 3), .store(1, constant: 2)],
        ], variableCount: 2, lockCount: 1))
  }

  @Test func `who comes to a condition later takes no earlier notification`() async {
    await compare(
      Program(
        strands: [
          [.lock(0), .conditionWait(0), .unlock(0)],
          [.lock(0), .notify(0), .conditionWait(0), .unlock(0)],
        ], lockCount: 1, conditionCount: 1))
  }

  @Test func `random programs`() async {
    var generator = SplitMix64(seed: seed)
    print("seed \(seed), \(count) programs (PROGRAMS, SEED)")
    for _ in 0..<count {
      guard await compare(Program.random(using: &generator)) else { return }
    }
  }

  private var count: Int { number("PROGRAMS") ?? 18 }
  private var seed: UInt64 { number("SEED") ?? 2017 }
}

@discardableResult
private func compare(_ program: Program) async -> Bool {
  let classes = traces(of: program, limit: 8_000)!
  let expected = outcomes(of: program)
  let met = Met()
  let exploration = await explore(reduced, limit: classes.count * 2 + 10) { met.run(program) }
  let deadlocked = exploration.failures.filter { $0.kind == .deadlock }.map(\.schedules)
    .reduce(0, +)
  // Too many that deadlock end an exploration.
  if case .abandonedTaskLimit = exploration.completeness { return true }
  let found = Set(exploration.outcomes.keys)
  let ended = expected.filter(\.blocked.isEmpty)
  #expect(
    exploration.schedules == classes.count && deadlocked == classes.deadlocked && found == ended
      && exploration.isComplete,
    """
    \(program)
    executions \(exploration.schedules), classes \(classes.count)
    deadlocked \(deadlocked), classes \(classes.deadlocked)
    missing \(ended.subtracting(found)), too many \(found.subtracting(ended))
    \(exploration.completeness)
    """)
  return exploration.schedules == classes.count && deadlocked == classes.deadlocked
    && found == ended
}

private final class Met: Sendable {
  func run(_ program: Program) -> Outcome {
    let variables = (0..<program.variableCount).map { _ in Shared(0) }
    let locks = (0..<program.lockCount).map { index in
      index < program.conditionCount ? NSCondition() as any Lock : NSLock()
    }
    // A semaphore that is freed below its initial value is a trap.
    let semaphores = program.semaphores.map { count in
      let semaphore = DispatchSemaphore(value: 0)
      for _ in 0..<count { semaphore.signal() }
      return semaphore
    }
    let registers = program.strands.map { _ in Register() }
    strands(
      zip(program.strands, registers).map { instructions, register in
        { @Sendable in
          for instruction in instructions {
            switch instruction {
            case .load(let variable): register.value = variables[variable].value
            case .store(let variable, let constant): variables[variable].value = constant
            case .storeRegisterPlusOne(let variable):
              variables[variable].value = register.value + 1
            case .lock(let lock): locks[lock].lock()
            case .unlock(let lock): locks[lock].unlock()
            case .tryLock(let lock):
              let isTaken = locks[lock].try()
              register.value = isTaken ? 1 : 0
              if isTaken { register.held.insert(lock) }
            case .unlockIfHeld(let lock):
              if register.held.remove(lock) != nil { locks[lock].unlock() }
            case .wait(let semaphore): semaphores[semaphore].wait()
            case .signal(let semaphore): semaphores[semaphore].signal()
            case .conditionWait(let condition): (locks[condition] as! NSCondition).wait()
            case .notify(let condition): (locks[condition] as! NSCondition).signal()
            case .notifyAll(let condition): (locks[condition] as! NSCondition).broadcast()
            }
          }
        }
      })
    return Outcome(
      registers: registers.map(\.value), variables: variables.map(\.value), blocked: [])
  }
}

private final class Register: @unchecked Sendable {
  // Sendable: its own strand uses it, and after that strand's end the scenario.
  var value = 0
  var held: Set<Int> = []
}

private protocol Lock: Sendable {
  func lock()
  func unlock()
  func `try`() -> Bool
}

extension NSLock: Lock {}
extension NSCondition: Lock {
  func `try`() -> Bool { controlled.try() }
}

let unlessSanitized = ConditionTrait.enabled(
  if: !SwiftRuntime.isSanitized,
  "one strand runs at a time, so the sanitizer sees nothing new, and takes long")

func number<Number: FixedWidthInteger>(_ variable: String) -> Number? {
  getenv(variable).flatMap { Number(String(cString: $0)) }
}
