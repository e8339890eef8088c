import Foundation
import Interleaving
import Testing
import Workbook

@testable import Operations

/// Sequences that are drawn, against pure models. SEQUENCES says how many; SEED draws those of a seed that was printed.
@Suite(.timeLimit(.minutes(30))) struct ModelTests {
  static let count =
    ProcessInfo.processInfo.environment["SEQUENCES"].flatMap { Int($0) } ?? 2_000
  static let seed =
    ProcessInfo.processInfo.environment["SEED"].flatMap { UInt64($0) }
    ?? .random(in: 1...UInt64.max)

  // MARK: Operations in a queue

  /// Of some operations in one queue: what has begun and ended, by what was done to them.
  ///
  /// A queue gives its places to operations that are ready, and to the first of those that were ready already. Which
  /// comes first of those that one end has made ready, nobody says; the model takes what the queue did.
  struct Model {
    struct Member: Equatable {
      var needs: Set<Int> = []
      var isCancelled = false
      var isExecuting = false
      var isFinished = false
    }

    let width: Int
    var members: [Member] = []
    /// What was ready before the last thing was done.
    private var wereReady: [Int] = []

    init(width: Int) { self.width = width }

    mutating func add(needs: Set<Int>) {
      wereReady = ready
      members.append(Member(needs: needs))
    }

    mutating func cancel(_ index: Int) {
      wereReady = ready
      if !members[index].isFinished { members[index].isCancelled = true }
    }

    /// The work of one that executes has ended.
    mutating func end(_ index: Int) {
      wereReady = ready
      members[index].isExecuting = false
      members[index].isFinished = true
    }

    /// The model after the queue has given its places so that it is as it was seen; nil if it may not be so.
    func settled(as seen: [Member]) -> Model? {
      var settled = self
      while settled.members.count(where: \.isExecuting) < width {
        // One that is cancelled needs no dependency. It is finished when it has a place, and gives it back.
        if let index = settled.ready.first(where: {
          members[$0].isCancelled && seen[$0].isFinished
        }) {
          settled.members[index].isFinished = true
        } else if let index = settled.ready.first(where: { seen[$0].isExecuting }) {
          settled.members[index].isExecuting = true
        } else {
          break
        }
      }
      let hasFreePlace = settled.members.count(where: \.isExecuting) < width
      guard settled.members == seen, !hasFreePlace || settled.ready.isEmpty else { return nil }
      // Of those that were ready before, the first have begun.
      let waits = wereReady.map { !seen[$0].isExecuting && !seen[$0].isFinished }
      return waits == waits.sorted { !$0 && $1 } ? settled : nil
    }

    private var ready: [Int] {
      members.indices.filter { index in
        let member = members[index]
        guard !member.isExecuting, !member.isFinished else { return false }
        return member.isCancelled || member.needs.allSatisfy { members[$0].isFinished }
      }
    }
  }

  final class Job: ConcurrentOperation, @unchecked Sendable {
    // Sendable: nothing of its own changes.
    override func main() {}
  }

  @Test func `operations in a queue do what the model does`() async {
    let seed = Self.seed
    print("operations against the model: seed \(seed), \(Self.count) sequences")
    var random = SplitMix64(seed: seed)
    for _ in 0..<Self.count {
      let width = Int.random(in: 1...3, using: &random)
      let queue = OperationQueue()
      queue.maxConcurrentOperationCount = width
      var (model, jobs, said) = (Model(width: width), [Job](), ["width \(width)"])
      for _ in 0..<12 {
        switch Int.random(in: 0..<4, using: &random) {
        case 0...1 where jobs.count < 6:
          let needs = Set(jobs.indices.filter { _ in Int.random(in: 0..<3, using: &random) == 0 })
          let job = Job()
          for need in needs { job.addDependency(jobs[need]) }
          jobs.append(job)
          model.add(needs: needs)
          queue.addOperation(job)
          said.append("add \(jobs.count - 1) after \(needs.sorted())")
        case 2 where !jobs.isEmpty:
          let index = Int.random(in: jobs.indices, using: &random)
          model.cancel(index)
          jobs[index].cancel()
          said.append("cancel \(index)")
        default:
          guard
            let index = model.members.indices.filter({ model.members[$0].isExecuting })
              .randomElement(using: &random)
          else { continue }
          model.end(index)
          jobs[index].finish()
          said.append("end \(index)")
        }
        guard await settles(jobs, in: queue, as: &model) else {
          Issue.record("seed \(seed): \(said.joined(separator: ", "))")
          return
        }
      }
      // Nothing is left behind.
      while let index = model.members.firstIndex(where: \.isExecuting) {
        model.end(index)
        jobs[index].finish()
        guard await settles(jobs, in: queue, as: &model) else {
          Issue.record("seed \(seed): \(said.joined(separator: ", ")), end \(index)")
          return
        }
      }
      let isAllFinished = model.members.allSatisfy { $0.isFinished }
      #expect(isAllFinished, "seed \(seed): \(said)")
    }
  }

  /// Waits until the operations are as the model allows; false if that takes too long.
  private func settles(
    _ jobs: [Job], in queue: OperationQueue, as model: inout Model
  ) async -> Bool {
    func look() -> [Model.Member] {
      // One that ends leaves the queue after that. On Linux, what is added before that may miss the end, and is never
      // started.
      let inQueue = Set(queue.operations.map(ObjectIdentifier.init))
      return zip(jobs, model.members).map { job, member in
        Model.Member(
          needs: member.needs, isCancelled: job.isCancelled, isExecuting: job.isExecuting,
          isFinished: job.isFinished && !inQueue.contains(ObjectIdentifier(job)))
      }
    }
    let guardAgainstHanging = ContinuousClock.now + .seconds(300)
    while ContinuousClock.now < guardAgainstHanging {
      // Nothing comes back to what it was. So what two looks see alike was so in between, all of it at once.
      let seen = look()
      if seen == look(), let settled = model.settled(as: seen) {
        model = settled
        return true
      }
      await Task.yield()
    }
    return false
  }

  // MARK: A graph

  @Test func `a graph's plan does what the model does`() throws {
    let seed = Self.seed
    print("graphs against the model: seed \(seed), \(Self.count) sequences")
    var random = SplitMix64(seed: seed)
    struct Failure: Error {}
    for _ in 0..<Self.count {
      let count = Int.random(in: 1...8, using: &random)
      // Names in an order of their own, so that what is needed may be added later.
      let names = (0..<count).map { "\($0)" }
      let pieces = names.indices.map { index in
        (
          name: names[index],
          needs: Set(names[..<index].filter { _ in Int.random(in: 0..<3, using: &random) == 0 })
        )
      }.shuffled(using: &random)
      var plan = try GraphPlan(pieces)
      var running: [String] = []
      var (done, failed): (Set<String>, Set<String>) = ([], [])
      let stopsAfter = Int.random(in: 0...12, using: &random)
      for step in 0...2 * count {
        let begins = Bool.random(using: &random) || running.isEmpty
        if step < stopsAfter, begins, let name = plan.begin() {
          let needs = pieces.first { $0.name == name }!.needs
          #expect(needs.isSubset(of: done), "seed \(seed): \(name) begins too early")
          running.append(name)
        } else if let index = running.indices.randomElement(using: &random) {
          let name = running.remove(at: index)
          let fails = Int.random(in: 0..<5, using: &random) == 0
          if fails { failed.insert(name) } else { done.insert(name) }
          plan.end(name, throwing: fails ? Failure() : nil)
        }
      }
      for name in running {
        done.insert(name)
        plan.end(name, throwing: nil)
      }
      plan.stop()
      var downstream = failed
      for name in names {
        let needs = pieces.first { $0.name == name }!.needs
        if !needs.isDisjoint(with: downstream) { downstream.insert(name) }
      }
      for name in names {
        let expected =
          done.contains(name)
          ? "done"
          : failed.contains(name) ? "failed" : downstream.contains(name) ? "skipped" : "not"
        let ending = try #require(plan.endings[name].map(short), "seed \(seed): \(name)")
        #expect(ending.hasPrefix(expected), "seed \(seed): \(name) \(ending), \(expected)")
      }
    }
  }
}
