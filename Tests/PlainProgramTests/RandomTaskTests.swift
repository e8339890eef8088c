import Foundation
import PlainPrograms
import Testing

@testable import Interleaving

/// Tasks that are not made for any tool: what the reduction leaves out, and what real runs show.
@Suite(.serialized, .timeLimit(.minutes(60)), .enabled(if: !SwiftRuntime.isSanitized))
struct RandomTaskTests {
  @Test func `reduced equals exhaustive`() async {
    let wanted = number("TASK_PROGRAMS") ?? 4
    let limit = number("LIMIT") ?? 300
    var generator = SplitMix64(seed: UInt64(number("SEED") ?? 20_261_123))
    var (compared, drawn, all, some) = (0, 0, 0, 0)
    var kinds: [String: Int] = [:]
    while compared < wanted {
      let program = TaskProgram(using: &generator)
      drawn += 1
      guard let (reduced, exhaustive, _) = await compare(program, limit: limit) else { continue }
      compared += 1
      all += exhaustive.schedules
      some += reduced.schedules
      for failure in exhaustive.failures { kinds[failure.kind.rawValue, default: 0] += 1 }
      if compared.isMultiple(of: 100) { print("\(compared) programs") }
    }
    print(
      "\(compared) of \(drawn) programs: \(all) schedules, reduced \(some); \(kinds)")
  }

  @Test func `reduced equals exhaustive, in a tenth of the schedules, where code cancels`() async {
    let wanted = number("TASK_PROGRAMS") ?? 4
    let limit = number("LIMIT") ?? 1_000
    var generator = SplitMix64(seed: UInt64(number("SEED") ?? 20_261_128))
    var (shares, drawn) = ([Double](), 0)
    // How many times as long the reduction takes, by what it saves; where there is next to nothing to run, both take a
    // millisecond.
    var prices: [(share: Double, price: Double)] = []
    while shares.count < wanted {
      let program = TaskProgram(cancellingUsing: &generator)
      drawn += 1
      guard let results = await compare(program, limit: limit) else { continue }
      let share = Double(results.reduced.schedules) / Double(results.exhaustive.schedules)
      shares.append(share)
      if results.exhaustive.schedules >= 50 { prices.append((share, results.price)) }
    }
    let median = shares.sorted()[shares.count / 2]
    print(
      "\(shares.count) of \(drawn) programs that cancel: at median \(median) of all schedules;",
      "the least is saved by \(prices.max { $0.share < $1.share } ?? (0, 0)),",
      "and the dearest is \(prices.max { $0.price < $1.price } ?? (0, 0))")
    #expect(median <= 0.1)
  }

  /// Of sleepers, whom time wakes or who cancels them.
  @Test(arguments: [VirtualTime.passesAtAnyStep, .passesWhenIdle])
  func `reduced equals exhaustive where sleepers are cancelled`(time: VirtualTime) async {
    let wanted = number("TASK_PROGRAMS") ?? 4
    var generator = SplitMix64(seed: UInt64(number("SEED") ?? 20_261_130))
    var (compared, drawn) = (0, 0)
    while compared < wanted {
      let program = TaskProgram(sleepingUsing: &generator)
      drawn += 1
      guard await compare(program, time, limit: number("LIMIT") ?? 1_000) != nil else { continue }
      compared += 1
    }
    print("\(compared) of \(drawn) programs")
  }

  /// Found by chance: within the library it is asked whether the task is cancelled, and no lock shows that.
  @Test(arguments: [VirtualTime.passesAtAnyStep, .passesWhenIdle])
  func `who was cancelled before does not sleep, and has of a stream what is there`(
    time: VirtualTime
  ) async {
    for (program, outcomes) in [
      ([[.cancel(1), .sleep(1), .cancel(0)], [.cancel(0), .sleep(2)]], 4),
      ([[.cancel(0), .give, .sleep(1)], [.cancel(0)]], 2),
      ([[.cancel(1), .send], [.receive, .sleep(2)]], 3),
    ] as [([[TaskProgram.Instruction]], Int)] {
      let results = await compare(TaskProgram(program), time, limit: 5_000)
      #expect(results?.reduced.outcomes.count == outcomes, "\(program)")
    }
  }

  /// Such a program, found by chance: who sets a handler finds the lock of its status held, or not.
  @Test func `a step that is there only where a lock of the runtime's is held`() async {
    let program = TaskProgram([[.cancel(1)], [.receive, .beginOnMain, .cancelSelf]])
    let results = await compare(program, limit: 1_000)
    #expect(results?.reduced.schedules == 6)
  }

  /// Only who waits leaves the actor, so it matters whether what is awaited is there.
  @Test func `an actor is left, or it is not, where something is awaited`() async {
    for program: [[TaskProgram.Instruction]] in [
      [[.shareOnActor, .takeOnActor], [.takeOnActor]],
      [[.awaitOnActor(1), .call], [.say], [.call]],
      [[.awaitChildOnActor], [.call]], [[.groupOnActor], [.call]],
      [[.awaitOnMain(1)], [.hop, .say], [.mainActor]],
    ] {
      let results = await compare(TaskProgram(program), limit: 20_000)
      #expect(results != nil, "\(program)")
      for (outcome, occurrence) in results?.reduced.outcomes ?? [:] {
        let replayed = await onOwnThread(
          Options(strategy: .exhaustive, hasSurroundings: false), { (_: String) in true },
          { await TaskProgram(program).run() }, { $0.replay(occurrence.schedule) })
        #expect(Set(replayed.outcomes.keys) == [outcome], "\(program) \(replayed)")
      }
    }
  }

  @Test func `what real runs show is explored`() async {
    let wanted = number("REAL_PROGRAMS") ?? 3
    let runs = number("REAL_RUNS") ?? 200
    var generator = SplitMix64(seed: UInt64(number("SEED") ?? 20_261_124))
    var done = 0
    while done < wanted {
      let program =
        done.isMultiple(of: 2)
        ? TaskProgram(cancellingUsing: &generator) : TaskProgram(using: &generator)
      let reduced = await explored(program, .reduced(assuming: .controlledSharing), limit: 2_000)
      guard isWhole(reduced) else { continue }
      #expect(reduced.completeness == .complete(assuming: []), "\(program) \(reduced)")
      // What waits for ever or races is not for real threads.
      guard reduced.failures.isEmpty else { continue }
      done += 1
      var seen: Set<String> = []
      for _ in 0..<runs { seen.insert(await program.run()) }
      #expect(seen.isSubset(of: reduced.outcomes.keys), "\(program)")
    }
  }
}

/// Explores a program in two ways, and expects the same of both.
///
/// - Returns: What was found, and how many times as much processor time the reduction took; nil where it is too large.
private func compare(
  _ program: TaskProgram, _ time: VirtualTime = .passesAtAnyStep, limit: Int
) async -> (reduced: Exploration<String>, exhaustive: Exploration<String>, price: Double)? {
  let start = clock()
  let reduced = await explored(
    program, .reduced(assuming: .controlledSharing), time, limit: limit)
  guard isWhole(reduced) else { return nil }
  let middle = clock()
  let exhaustive = await explored(program, .exhaustive, time, limit: limit)
  guard isWhole(exhaustive) else { return nil }
  let price = Double(middle - start) / Double(clock() - middle)
  #expect(exhaustive.completeness == .complete(assuming: []), "\(program) \(exhaustive)")
  #expect(reduced.completeness == .complete(assuming: []), "\(program) \(reduced)")
  #expect(Set(reduced.outcomes.keys) == Set(exhaustive.outcomes.keys), "\(program)")
  #expect(Set(reduced.failures.map(\.kind)) == Set(exhaustive.failures.map(\.kind)), "\(program)")
  return (reduced, exhaustive, price)
}

/// Whether an exploration was not too large.
private func isWhole(_ exploration: Exploration<String>) -> Bool {
  switch exploration.completeness {
  case .scheduleLimit, .abandonedTaskLimit: false
  default: true
  }
}

private func number(_ name: String) -> Int? {
  ProcessInfo.processInfo.environment[name].flatMap(Int.init)
}

private func explored(
  _ program: TaskProgram, _ strategy: Strategy, _ time: VirtualTime = .passesAtAnyStep, limit: Int
) async -> Exploration<String> {
  await onOwnThread(
    Options(
      strategy: strategy, time: time, schedules: limit, hasSurroundings: false, shortens: false),
    { _ in true }, { await program.run() }, { $0.explore() })
}

extension TaskProgram {
  /// Tasks with cancellation handlers that resume, remove, log, submit and cancel others.
  init(cancellingUsing generator: inout SplitMix64) {
    let count = Int.random(in: 2...3, using: &generator)
    self.init(
      (0..<count).map { _ in
        (0..<Int.random(in: 1...(count == 2 ? 2 : 1), using: &generator)).map { _ in
          let other = Int.random(in: 0..<count, using: &generator)
          let all: [Instruction] = [
            .waitOrBeCancelled, .waitOrLog, .waitOrResumeAnother, .waitOrSubmit,
            .waitOrCancel(other), .take, .handler, .receive, .sleep(1),
            .cancel(other), .cancel(other), .cancel(other), .cancelSelf, .resume, .resumeUnderLock,
            .give, .send, .ask, .askOf(other), .groupThatIsCancelled, .say,
          ]
          return all.randomElement(using: &generator)!
        }
      })
  }

  /// Tasks that sleep, cancel one another, and wait for one another in other ways, too.
  init(sleepingUsing generator: inout SplitMix64) {
    let count = Int.random(in: 2...3, using: &generator)
    self.init(
      (0..<count).map { _ in
        (0..<Int.random(in: 1...3, using: &generator)).map { _ in
          let other = Int.random(in: 0..<count, using: &generator)
          let all: [Instruction] = [
            .sleep(1), .sleep(2), .sleep(3), .sleep(1 + other),
            .cancel(other), .cancel(other), .cancel(other), .say, .give, .take, .receive, .send,
          ]
          return all.randomElement(using: &generator)!
        }
      })
  }

  init(using generator: inout SplitMix64) {
    let count = Int.random(in: 2...3, using: &generator)
    self.init(
      (0..<count).map { _ in
        let length = count == 2 ? Int.random(in: 1...3, using: &generator) : 1
        return (0..<length).map { _ in
          let other = Int.random(in: 0..<count, using: &generator)
          let all: [Instruction] = [
            .say, .ask, .begin, .beginAtOnce, .beginAtOnceWithChild, .call, .hop, .cancel(other),
            .cancel(other),
            .cancelSelf,
            .askOf(other), .await(other), .send, .sendTwice, .finish, .receive, .wait,
            .waitOrBeCancelled, .waitOrBeCancelled, .resume, .resumeUnderLock, .take,
            .takeFromChild,
            .give, .lock, .add,
            .sleep(1 + other), .group, .groupThatThrows, .groupThatIsCancelled, .groupAtOnce,
            .handler, .leaveChild, .awaitChild, .beginOnActor, .beginOnMain, .mainActor,
            .awaitOnActor(other), .awaitOnMain(other), .shareOnActor, .takeOnActor,
            .awaitChildOnActor, .groupOnActor,
          ]
          return all.randomElement(using: &generator)!
        }
      })
  }
}
