import Interleaving

@testable import ControlledDispatch

/// A few strands that use what blocks, drawn by chance.
struct BlockingProgram: Sendable {
  /// Which stand-ins meet in one program; with few of them they meet often.
  enum Theme: CaseIterable, Sendable {
    case groups, operations, queues, semaphores, items, deadlines, everything
  }

  enum Queue: CaseIterable, Sendable { case serial, concurrent, global }

  /// What an item or an operation does.
  enum Body: Hashable, Sendable {
    case nothing, say, leave, enterAndLeave, signal, addOperation, cancelOperation, add
  }

  let theme: Theme
  private(set) var strands: [[Step]]
  /// How often each group is entered before the strands begin.
  private(set) var entered: [Int]
  /// What each work item and each operation does.
  private(set) var items: [Body]
  private(set) var operations: [Body]
  let width: Int
  let completes: Bool
  let startsSuspended: Bool
  /// How many workers there are; nil for as many as needed.
  let workers: Int?
  /// Whether the scenario waits for what the strands have submitted.
  let isAwaited: Bool

  init(_ theme: Theme, using generator: inout SplitMix64) {
    self.theme = theme
    func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &generator) == 0 }
    let bodies: [Body] = [
      .nothing, .say, .say, .leave, .enterAndLeave, .signal, .addOperation, .cancelOperation, .add,
    ]
    func body() -> Body { bodies.randomElement(using: &generator)! }
    // Few kinds in one program.
    let kinds = Step.Kind.of(theme).shuffled(using: &generator).prefix(3) + [.say]
    let usesOperations = kinds.contains { Step.Kind.ofOperations.contains($0) }
    // Each strand and each operation has more schedules than a step.
    let count = usesOperations ? Int.random(in: 1...2, using: &generator) : chance(2) ? 3 : 2
    let total = count == 3 ? 3...5 : 3...4
    strands = Array(repeating: [], count: count)
    for step in 0..<Int.random(in: total, using: &generator) {
      let strand = step < count ? step : Int.random(in: 0..<count, using: &generator)
      strands[strand].append(
        Step(kinds.randomElement(using: &generator)!, bodies, using: &generator))
    }
    entered = (0..<2).map { _ in chance(3) ? 1 : 0 }
    items = (0..<2).map { _ in body() }
    operations = usesOperations ? (0..<(chance(3) ? 3 : 2)).map { _ in body() } : []
    width = [1, 1, 2, -1].randomElement(using: &generator)!
    completes = chance(4)
    startsSuspended = chance(4)
    workers = chance(4) ? Int.random(in: 1...2, using: &generator) : nil
    isAwaited = chance(2)
    // Sometimes ill formed, on purpose.
    if !chance(4) { putInOrder() }
  }

  /// Leaves as often as entered, submits nothing twice and resumes what was suspended.
  private mutating func putInOrder() {
    items = items.map { $0 == .leave ? .enterAndLeave : $0 }
    operations = operations.map { $0 == .leave ? .enterAndLeave : $0 }
    var seen: Set<Step> = []
    // What may be left for the enters that come before the strands.
    var spare = entered
    for index in strands.indices {
      var (own, suspended) = ([0, 0], [Queue: Int]())
      func isInOrder(_ step: Step) -> Bool {
        switch step {
        case .enter(let group): own[group] += 1
        case .leave(let group) where own[group] > 0: own[group] -= 1
        case .leave(let group):
          guard spare[group] > 0 else { return false }
          spare[group] -= 1
        case .addOperation, .submit: return seen.insert(step).inserted
        case .suspend(let queue): suspended[queue, default: 0] += 1
        case .resume(let queue):
          guard suspended[queue, default: 0] > 0 else { return false }
          suspended[queue]! -= 1
        default: break
        }
        return true
      }
      strands[index] = strands[index].filter(isInOrder).flatMap { step in
        step.body == .leave ? [.enter(0), step] : [step]
      }
      for group in own.indices {
        strands[index] += Array(repeating: .leave(group), count: own[group])
      }
      for queue in Queue.allCases {
        strands[index] += Array(repeating: .resume(queue), count: suspended[queue] ?? 0)
      }
    }
    for group in entered.indices { entered[group] -= spare[group] }
  }

  var usesTime: Bool { strands.joined().contains(where: \.usesTime) }
}
