/// One piece of code that a demo runs: the old pattern, or a port of it.
public struct Side: Sendable {
  /// Which of the two worlds a side belongs to.
  public enum Era: String, Sendable, Codable {
    /// Grand Central Dispatch, Operation, run loop, thread, lock.
    case before
    /// Async function, actor, `Mutex`, atomics.
    case after
  }

  enum Work: Sendable {
    case here(@Sendable (Transcript) async throws -> String)
    case child(Hazard)
  }

  /// Which of the two worlds this side belongs to.
  public let era: Era
  /// What the side is made with, such as "serial queue".
  public let mechanism: String
  /// The outcomes that the side declares.
  public let outcomes: [Outcome]
  let work: Work
  /// The lines that it is about; nil where none are shown.
  public private(set) var code: CodeReference?

  /// A side that runs in this process, with outcomes that are worked out.
  ///
  /// - Parameters:
  ///   - era: Which of the two worlds it belongs to.
  ///   - mechanism: What the side is made with.
  ///   - outcomes: What it declares: at least one accepted and one forbidden outcome.
  ///   - run: The code; it returns the outcome. An error that it throws fails the claim.
  public init(
    _ era: Era, _ mechanism: String, _ outcomes: [Outcome],
    run: @escaping @Sendable (Transcript) async throws -> String
  ) {
    self.init(era: era, mechanism: mechanism, outcomes: outcomes, work: .here(run))
  }

  init(
    era: Era, mechanism: String, outcomes: [Outcome], work: Work, code: CodeReference? = nil
  ) {
    self.era = era
    self.mechanism = mechanism
    self.outcomes = outcomes
    self.work = work
    self.code = code
  }

  /// The same side, with the three lines of the chapter that matter.
  ///
  /// - Parameters:
  ///   - file: The file's name, such as "CounterLock.swift".
  ///   - anchor: What the first of the lines contains, for the first time in its file.
  public func code(_ file: String, _ anchor: String) -> Side {
    var side = self
    side.code = CodeReference(file: file, anchor: anchor)
    return side
  }

  /// A side in the old world that runs in this process.
  ///
  /// - Parameters:
  ///   - mechanism: What the side is made with.
  ///   - outcomes: What it declares: at least one accepted and one forbidden outcome.
  ///   - run: The code; it returns the outcome. An error that it throws fails the claim.
  public static func before(
    _ mechanism: String, _ outcomes: Outcome...,
    run: @escaping @Sendable (Transcript) async throws -> String
  ) -> Side {
    Side(.before, mechanism, outcomes, run: run)
  }

  /// A side in the new world that runs in this process; the parameters are those of ``before``.
  public static func after(
    _ mechanism: String, _ outcomes: Outcome...,
    run: @escaping @Sendable (Transcript) async throws -> String
  ) -> Side {
    Side(.after, mechanism, outcomes, run: run)
  }

  /// A side that races, traps or hangs, and therefore runs in a child process.
  ///
  /// - Parameters:
  ///   - era: Which of the two worlds it belongs to.
  ///   - mechanism: What the side is made with.
  ///   - hazard: The code.
  ///   - outcomes: What it declares. A trap gives the outcome `trap`, a hang `hang`, otherwise the
  ///     outcome is what the hazard's code returns.
  public static func hazard(
    _ era: Era, _ mechanism: String, _ hazard: Hazard, _ outcomes: Outcome...
  ) -> Side {
    Side(era: era, mechanism: mechanism, outcomes: outcomes, work: .child(hazard))
  }

  /// The hazard that this side runs in a child process, if it does.
  public var hazard: Hazard? {
    if case .child(let hazard) = work { hazard } else { nil }
  }

  /// Runs the side once.
  ///
  /// - Returns: What it did, and whether its claim held.
  public func run() async -> SideResult {
    do {
      switch work {
      case .here(let run):
        let transcript = Transcript()
        let outcome = try await run(transcript)
        return SideResult(side: self, outcome: outcome, steps: transcript.steps)
      case .child(let hazard):
        let report = try await hazard.run()
        return SideResult(
          side: self, outcome: report.outcome, steps: report.steps + report.remarks(for: hazard),
          isContradicted: !report.agreesWithSanitizer(hazard))
      }
    } catch {
      return SideResult(side: self, outcome: "error: \(error)", steps: [])
    }
  }

  var defects: [String] {
    var defects: [String] = []
    if !outcomes.contains(where: { $0.kind != .forbidden }) {
      defects.append(
        "it accepts no outcome; declare what it gives as allowed, or as surprising and why")
    }
    if !outcomes.contains(where: { $0.kind == .forbidden }) {
      defects.append(
        "it forbids no outcome, so nothing could falsify it; forbid what broken code would give")
    }
    if outcomes.contains(where: \.value.isEmpty) {
      defects.append(
        "it declares an outcome without a word; give it one, so that a page can show it")
    }
    for (value, count) in outcomes.map(\.value).counted where count > 1 {
      defects.append("it declares the outcome “\(value)” \(count) times; say it once")
    }
    return defects
  }
}

extension Sequence where Element: Hashable & Comparable {
  /// Each element with how often it occurs, in ascending order.
  var counted: [(Element, Int)] {
    Dictionary(map { ($0, 1) }, uniquingKeysWith: +).sorted { $0.key < $1.key }
  }
}
