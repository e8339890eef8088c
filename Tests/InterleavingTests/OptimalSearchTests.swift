import Foundation
import Testing

@testable import Interleaving

/// The optimal reduction alone, without threads, against brute force over random models of operations that
/// wait: one execution of each class.
@Suite struct OptimalSearchTests {
  /// Strands that each do one operation after another.
  struct Model: CustomStringConvertible {
    var strands: [[VisibleOperation]]
    /// In what ways a strand may go on then, if it may go several.
    var ways: [Int: [[VisibleOperation]]] = [:]

    /// What an execution was so far: how far each strand has come, and the order of each two steps that
    /// conflict.
    struct Trace: Hashable {
      var positions: [Int]
      /// Which way a strand went.
      var chosen: [Int: Int] = [:]
      var pairs: Set<Int> = []
      var states: [ObjectID: ObjectState] = [:]
    }

    private var start: Trace { Trace(positions: strands.map { _ in 0 }) }

    /// What a strand does, as far as that is settled.
    func operations(of strand: Int, in trace: Trace) -> [VisibleOperation] {
      strands[strand] + (trace.chosen[strand].map { ways[strand]![$0] } ?? [])
    }

    private func next(_ strand: Int, in trace: Trace) -> VisibleOperation? {
      let operations = operations(of: strand, in: trace)
      let position = trace.positions[strand]
      return position < operations.count ? operations[position] : nil
    }

    /// The strand that has to choose, if one has; it does before others go on.
    private func chooser(in trace: Trace) -> Int? {
      strands.indices.first {
        ways[$0] != nil && trace.chosen[$0] == nil && trace.positions[$0] == strands[$0].count
      }
    }

    private func ready(in trace: Trace) -> [Int] {
      strands.indices.filter { strand in
        next(strand, in: trace)?.readiness { trace.states[$0.object] ?? $0.initial } ?? .later
          != .later
      }
    }

    private func take(_ strand: Int, in trace: inout Trace) -> Step {
      let operation = next(strand, in: trace)!
      let own = trace.positions[strand]
      for other in strands.indices where other != strand {
        let before = operations(of: other, in: trace).prefix(trace.positions[other])
        for (position, earlier) in before.enumerated()
        where operation.accesses.conflict(with: earlier.accesses) {
          trace.pairs.insert(((other * 64 + position) * 64 + strand) * 64 + own)
        }
      }
      trace.positions[strand] += 1
      let result = operation.apply(to: &trace.states)
      // How often it was empty depends on the order of enters and leaves, and nobody asks.
      if case .group(let entered, _)? = trace.states[.variable(103)] {
        trace.states[.variable(103)] = .group(entered: entered, emptied: 0)
      }
      return step(strand, operation, result)
    }

    private func step(
      _ strand: Int, _ operation: VisibleOperation, _ result: VisibleOperation.Result = .done
    ) -> Step {
      Step(
        strand: StrandID(strand), accesses: operation.accesses, operation: operation,
        result: result)
    }

    /// Runs a search over the model.
    ///
    /// - Returns: The trace of each execution; nil if there are more than the limit.
    func traces<S: Search>(_ search: S, limit: Int) throws -> [Trace]? {
      var search = search
      var traces: [Trace] = []
      while search.begin() {
        guard traces.count < limit else { return nil }
        var trace = start
        var previous: Int?
        while true {
          if let chooser = chooser(in: trace) {
            let strand = StrandID(chooser)
            let way = try search.choose(
              SchedulingPoint(
                strands: ways[chooser]!.map { _ in strand },
                previous: previous.map(StrandID.init), isChoice: true))
            trace.chosen[chooser] = way
            search.observe(Step(strand: strand, way: way))
            previous = chooser
            continue
          }
          let ready = ready(in: trace)
          guard !ready.isEmpty else { break }
          let strand = ready[
            try search.choose(
              SchedulingPoint(
                strands: ready.map(StrandID.init), previous: previous.map(StrandID.init)))]
          search.observe(take(strand, in: &trace))
          previous = strand
        }
        search.finish(
          strands.indices.compactMap { strand in next(strand, in: trace).map { step(strand, $0) } })
        if !search.isRedundant { traces.append(trace) }
      }
      return traces
    }

    /// Every trace, by extending all of one length; nil if there are more than the limit of one length.
    func allTraces(limit: Int) -> Set<Trace>? {
      var open: Set<Trace> = [start]
      var ended: Set<Trace> = []
      while !open.isEmpty {
        var longer: Set<Trace> = []
        for trace in open {
          if let chooser = chooser(in: trace) {
            for way in ways[chooser]!.indices {
              var next = trace
              next.chosen[chooser] = way
              longer.insert(next)
            }
            continue
          }
          let ready = ready(in: trace)
          if ready.isEmpty { ended.insert(trace) }
          for strand in ready {
            var next = trace
            _ = take(strand, in: &next)
            longer.insert(next)
          }
        }
        open = longer
        if open.count + ended.count > limit { return nil }
      }
      return ended
    }

    var description: String {
      func text(_ operations: [VisibleOperation]) -> String {
        operations.map { operation in
          operation.uses.map { "\($0.action) \($0.object)" }.joined(separator: " & ")
            + (operation.givesUp ? " or give up" : "")
        }.joined(separator: "; ")
      }
      return strands.enumerated().map { strand, operations in
        "  \(strand): " + text(operations)
          + (ways[strand] ?? []).map { "\n     or " + text($0) }.joined()
      }.joined(separator: "\n")
    }
  }

  @Test func `one execution of each class of random models`() throws {
    let environment = ProcessInfo.processInfo.environment
    let seed = environment["SEED"].flatMap(UInt64.init) ?? 2017
    let count = environment["MODELS"].flatMap(Int.init) ?? (SwiftRuntime.isSanitized ? 30 : 100)
    var generator = SplitMix64(seed: seed)
    var classes = 0
    var deadlocked = 0
    for number in 1...count {
      let (model, expected) = Model.random(using: &generator)
      let found = try #require(
        try? model.traces(OptimalSearch(), limit: 2 * expected.count + 10),
        "model \(number) of seed \(seed): it diverges, or has more executions than twice the \(expected.count) classes\n\(model)"
      )
      let isSame = Set(found) == expected && found.count == expected.count
      #expect(
        isSame,
        "model \(number) of seed \(seed): \(found.count) executions, \(expected.count) classes\n\(model)"
      )
      guard isSame else { return }
      classes += found.count
      deadlocked += found.count { trace in
        trace.positions.indices.contains {
          trace.positions[$0] < model.operations(of: $0, in: trace).count
        }
      }
    }
    print("seed \(seed): \(count) models, \(classes) classes, \(deadlocked) of them deadlocked")
    #expect(deadlocked > 0 && deadlocked < classes)
  }
}

extension OptimalSearchTests {
  /// Found by chance: whoever leaves a race for the sake of what followed must look at it again.
  @Test func `a race that was left is looked at again`() throws {
    let group = Model.object(1, .group(entered: 1, emptied: 0))
    let gate = Model.object(0, .gate(closed: 0))
    try compare(
      Model(strands: [
        Model.wait(by: 0) + [group([.enter]), group([.enter])],
        [group([.arrive]), gate([.goThrough])],
        [gate([.goThrough]), group([.arrive]), Model.notify, Model.notify],
        [gate([.goThrough]), gate([.close]), group([.enter])],
      ]))
  }

  /// Found by chance: a step that several others hindered may come before each of them for itself.
  @Test func `a race in which several steps make room hides no other`() throws {
    let holds = Model.object(0, .holds(Holds()))
    let gate = Model.object(1, .gate(closed: 0))
    let clock = Model.object(102, .clock([]))
    var timed = VisibleOperation(gate([.goThrough]).uses + clock([.expire(2)]).uses)
    timed.givesUp = true
    try compare(
      Model(strands: [
        [gate([.close]), Model.notify, gate([.goThrough])],
        [clock([.arm(2)]), timed] + Model.wait(by: 1)
          + [VisibleOperation(holds([.letGo(by: .variable(2))]).uses + gate([.close]).uses)]
          + Model.wait(by: 1),
        [
          clock([.arm(1)]),
          VisibleOperation(holds([.hold(by: .variable(2))]).uses + clock([.expire(1)]).uses),
        ],
        [gate([.close]), gate([.goThrough]), gate([.close]), holds([.hold(by: .variable(2))])],
      ]))
  }

  private func compare(_ model: Model) throws {
    let expected = try #require(model.allTraces(limit: 10_000))
    let found = try #require(try model.traces(OptimalSearch(), limit: 10_000))
    let isSame = Set(found) == expected
    #expect(isSame)
    #expect(found.count == expected.count)
  }
}

extension OptimalSearchTests.Model {
  private static let kinds: [(initial: ObjectState, actions: [Action])] = [
    (.variable, [.read, .write, .write, .update]),
    (.lock(isHeld: false), [.acquire, .release, .attempt]),
    (.count(0), [.take, .put, .attemptToTake]),
    (.gate(closed: 0), [.close, .open, .goThrough]),
    (.group(entered: 1, emptied: 0), [.enter, .leave, .arrive, .pass(emptied: 1)]),
    (
      .holds(Holds()),
      [
        .hold(by: .variable(1)), .hold(by: .variable(2)), .letGo(by: .variable(1)),
        .letGo(by: .variable(2)), .proceed,
      ]
    ),
  ]

  /// A model with few enough classes, and these.
  static func random(using generator: inout SplitMix64) -> (Self, Set<Trace>) {
    while true {
      let objects = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
        kinds.randomElement(using: &generator)!
      }
      func operations(of strand: Int, _ count: ClosedRange<Int>) -> [VisibleOperation] {
        (0..<Int.random(in: count, using: &generator)).flatMap { _ in
          Self.operations(of: strand, on: objects, using: &generator)
        }
      }
      var model = Self(
        strands: (0..<Int.random(in: 2...4, using: &generator)).map {
          operations(of: $0, 1...4)
        })
      for strand in model.strands.indices where Int.random(in: 0..<4, using: &generator) == 0 {
        model.ways[strand] = (0..<Int.random(in: 2...3, using: &generator)).map { _ in
          operations(of: strand, 0...2)
        }
      }
      if let traces = model.allTraces(limit: 200), traces.count > 1 { return (model, traces) }
    }
  }

  /// What a strand does next: something to one object or two, or a wait for a condition or with a limit.
  private static func operations(
    of strand: Int, on objects: [(initial: ObjectState, actions: [Action])],
    using generator: inout SplitMix64
  ) -> [VisibleOperation] {
    func use(_ index: Int) -> VisibleOperation.Use {
      let action = objects[index].actions.randomElement(using: &generator)!
      var use = VisibleOperation.Use(action, .variable(index), initially: objects[index].initial)
      // Left by anybody at any time, so that the order can be told.
      if action == .leave { use.mode = .write }
      return use
    }
    let index = objects.indices.randomElement(using: &generator)!
    switch Int.random(in: 0..<12, using: &generator) {
    case 0..<3:
      let other = objects.indices.randomElement(using: &generator)!
      return [VisibleOperation(other == index ? [use(index)] : [use(index), use(other)])]
    case 3: return wait(by: strand)
    case 4: return [Bool.random(using: &generator) ? notify : waiters([.notifyAll])]
    case 5:
      let moment = Int.random(in: 1...2, using: &generator)
      let clock = object(102, .clock([]))
      return [
        clock([.arm(moment)]),
        VisibleOperation(
          [use(index)] + clock([.expire(moment)]).uses, givesUp: Bool.random(using: &generator)),
      ]
    case 6:
      // Entered and left by the same strand, so that leaving commutes with entering.
      let group = object(103, .group(entered: 0, emptied: 0))
      let member = [group([.enter]), VisibleOperation([use(index)]), group([.leave])]
      return Bool.random(using: &generator) ? member : [group([.findEmpty])]
    default: return [VisibleOperation([use(index)])]
    }
  }

  /// Makes operations on one object.
  static func object(
    _ number: Int, _ initial: ObjectState
  ) -> @Sendable ([Action]) -> VisibleOperation {
    { VisibleOperation($0.map { .init($0, .variable(number), initially: initial) }) }
  }

  private static let lock = object(100, .lock(isHeld: false))
  private static let waiters = object(101, .condition(Waiters()))
  static let notify = waiters([.notify])

  /// Waiting for a condition, in a lock.
  static func wait(by strand: Int) -> [VisibleOperation] {
    [
      lock([.acquire]),
      VisibleOperation(lock([.release]).uses + waiters([.register(StrandID(strand))]).uses),
      VisibleOperation(waiters([.wake(StrandID(strand))]).uses + lock([.acquire]).uses),
      lock([.release]),
    ]
  }
}
