import ControlledDispatch
import Foundation
import Interleaving
import InterleavingTesting
import PlainPrograms
import Testing

/// Programs drawn by lot, explored as they stand and tried in every order by a ``Model``.
@Suite(.requiresWatching) struct RandomProgramTests {
  /// How many; `PROGRAMS` sets another number.
  static let count = ProcessInfo.processInfo.environment["PROGRAMS"].flatMap { Int($0) } ?? 14

  @Test func `strands have the races and the outcomes that every order of their accesses has`()
    async throws
  {
    let lines = try Lines()
    var random = Lottery(seed: 16)
    for number in 0..<Self.count {
      let programs = random.programs()
      let model = Model.explore(programs)
      let exploration = await explore(.reduced(assuming: .controlledSharing)) {
        let machine = Machine(strands: programs.count)
        let results = programs.map { _ in Result() }
        strands(
          programs.indices.map { index in
            { @Sendable in results[index].value = machine.run(programs[index]) }
          })
        return machine.outcome(results.map(\.value))
      }
      compare(exploration, model, lines, "program \(number): \(programs)")
    }
  }

  @Test func `so have tasks`() async throws {
    let lines = try Lines()
    var random = Lottery(seed: 17)
    for number in 0..<Self.count / 3 {
      let programs = random.programs(strands: 2, length: 2)
      let model = Model.explore(programs)
      let exploration = await explore {
        let machine = Machine(strands: 2)
        async let first = machine.run(programs[0])
        async let second = machine.run(programs[1])
        return await machine.outcome([first, second])
      }
      compare(exploration, model, lines, "program \(number): \(programs)")
    }
  }

  @Test func `what is passed on in an order does not race`() async {
    var random = Lottery(seed: 18)
    for number in 0..<Self.count {
      let relays = (0..<2).map { _ in
        (0..<Int.random(in: 1...3, using: &random)).map { _ in
          Relay.Pass.allCases.randomElement(using: &random)!
        }
      }
      let exploration = await explore(.random(seed: UInt64(number)), limit: 10) {
        async let first = Relay.run(relays[0])
        async let second = Relay.run(relays[1])
        return await [first, second]
      }
      #expect(exploration.failures.isEmpty, "relay \(number): \(relays)\n\(exploration)")
      #expect(exploration.outcomes.count == 1, "relay \(number): \(relays)\n\(exploration)")
    }
  }

  private func compare(
    _ exploration: Exploration<String>, _ model: (outcomes: Set<String?>, races: Set<Model.Race>),
    _ lines: Lines, _ program: String
  ) {
    #expect(exploration.isComplete, "\(program)\n\(exploration)")
    #expect(
      Set(exploration.outcomes.keys) == Set(model.outcomes.compactMap { $0 }),
      "\(program)\n\(exploration)")
    #expect(
      exploration.failures.contains { $0.kind == .deadlock } == model.outcomes.contains(nil),
      "\(program)\n\(exploration)")
    let races = Set(exploration.failures.filter { $0.kind == .race }.compactMap(lines.race))
    #expect(races == model.races, "\(program)\n\(exploration)")
  }

  private final class Result: @unchecked Sendable {
    var value = 0
  }
}

extension Machine {
  fileprivate func outcome(_ registers: [Int]) -> String {
    "\(x) \(y) \(flag) \(atomic.load(ordering: .relaxed)) "
      + registers.map { "\($0)" }.joined(separator: ",")
  }
}

/// Which instruction is at which line of Machine.swift.
private struct Lines {
  private var instructions: [String: String] = [:]

  init() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "PlainPrograms/Machine.swift")
    let text = try String(contentsOf: file, encoding: .utf8)
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      guard let mark = line.range(of: "  // ") else { continue }
      instructions["Machine.swift:\(index + 1)"] = String(line[mark.upperBound...])
    }
  }

  func race(_ failure: Failure) -> Model.Race? {
    let sites = failure.message.split(separator: "(").dropFirst().compactMap { part in
      instructions[String(part.prefix { $0 != ")" })]
    }
    return Model.Race(failure.variable, sites)
  }
}

/// SplitMix64.
struct Lottery: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// Programs of two strands or three; one of them may hold a lock over other instructions.
  mutating func programs(strands: Int? = nil, length: Int = 3) -> [[Machine.Instruction]] {
    let count = strands ?? Int.random(in: 2...3, using: &self)
    let longest = count == 2 ? length : 2
    return (0..<count).map { _ in
      var program = (0..<Int.random(in: 1...longest, using: &self)).map { _ in
        Machine.Instruction.allCases.dropLast(2).randomElement(using: &self)!
      }
      if Int.random(in: 0..<4, using: &self) == 0, !program.contains(where: \.usesLock) {
        program = [.lock] + program + [.unlock]
      }
      return program
    }
  }
}

extension Machine.Instruction {
  fileprivate var usesLock: Bool { [.lockedIncrementX, .lockedReadY, .lockedSetY].contains(self) }
}
