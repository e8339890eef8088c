public import Interleaving

/// One of the pieces of code that answer a subject's question.
public struct Implementation: Sendable {
  enum Body: Sendable {
    case code(@Sendable (Stage) async throws -> String)
    case blocking(@Sendable (Stage) throws -> String)
    case encounter(@Sendable () -> Encounter)
  }

  let era: Side.Era
  /// What it is made with, such as "serial queue".
  public let mechanism: String
  /// What it gives besides what is right, or in words of its own.
  let outcomes: [Outcome]
  /// What B does while A is stopped.
  let interruption: Interruption?
  /// Whether no schedule gives what is right.
  private(set) var isAlwaysWrong = false
  private(set) var isPlayed = true
  private(set) var isExplored = true
  /// What is vouched for where it is explored, so that schedules can be left out.
  private(set) var assumption = Strategy.Assumption.controlledSharing
  private let body: Body

  /// An implementation in the old world, which A and B use at the same time.
  ///
  /// - Parameters:
  ///   - mechanism: What it is made with.
  ///   - outcomes: What it gives besides what is right: what goes wrong, if anything does. Or what is right, with
  ///     words on why.
  ///   - interruption: What B does while A is stopped. `nil` stands for what is usual: where something goes wrong B
  ///     comes in, otherwise, and where the run would not end, it waits.
  ///   - encounter: Makes all that is used, and the two.
  public static func before(
    _ mechanism: String, _ outcomes: Outcome..., meanwhile interruption: Interruption? = nil,
    encounter: @escaping @Sendable () -> Encounter
  ) -> Implementation {
    Implementation(.before, mechanism, outcomes, interruption, encounter)
  }

  /// An implementation in the new world, which A and B use at the same time; the parameters are those of ``before``.
  public static func after(
    _ mechanism: String, _ outcomes: Outcome..., meanwhile interruption: Interruption? = nil,
    encounter: @escaping @Sendable () -> Encounter
  ) -> Implementation {
    Implementation(.after, mechanism, outcomes, interruption, encounter)
  }

  /// An implementation in the old world that is run as it is.
  ///
  /// - Parameters:
  ///   - mechanism: What it is made with.
  ///   - outcomes: What it gives besides what is right.
  ///   - run: The code; it returns the outcome.
  public static func before(
    _ mechanism: String, _ outcomes: Outcome...,
    run: @escaping @Sendable (Stage) async throws -> String
  ) -> Implementation {
    Implementation(era: .before, mechanism, outcomes, nil, .code(run))
  }

  /// An implementation in the new world that is run as it is; the parameters are those of ``before``.
  public static func after(
    _ mechanism: String, _ outcomes: Outcome...,
    run: @escaping @Sendable (Stage) async throws -> String
  ) -> Implementation {
    Implementation(era: .after, mechanism, outcomes, nil, .code(run))
  }

  /// An implementation in the old world that is run as it is, and blocks its thread: the main thread where it goes wrong.
  ///
  /// - Parameters:
  ///   - mechanism: What it is made with.
  ///   - outcomes: What it gives besides what is right.
  ///   - run: The code; it returns the outcome.
  public static func before(
    _ mechanism: String, _ outcomes: Outcome..., run: @escaping @Sendable (Stage) throws -> String
  ) -> Implementation {
    Implementation(era: .before, mechanism, outcomes, nil, .blocking(run))
  }

  /// An implementation in the new world that blocks its thread; the parameters are those of ``before``.
  public static func after(
    _ mechanism: String, _ outcomes: Outcome..., run: @escaping @Sendable (Stage) throws -> String
  ) -> Implementation {
    Implementation(era: .after, mechanism, outcomes, nil, .blocking(run))
  }

  private init(
    _ era: Side.Era, _ mechanism: String, _ outcomes: [Outcome], _ interruption: Interruption?,
    _ encounter: @escaping @Sendable () -> Encounter
  ) {
    let comesIn =
      outcomes.contains { $0.kind == .surprising } && !outcomes.contains(where: \.isEnding)
    self.init(
      era: era, mechanism, outcomes, interruption ?? (comesIn ? .comesIn : .waits),
      .encounter(encounter))
  }

  private init(
    era: Side.Era, _ mechanism: String, _ outcomes: [Outcome], _ interruption: Interruption?,
    _ body: Body
  ) {
    self.era = era
    self.mechanism = mechanism
    self.outcomes = outcomes
    self.interruption = interruption
    self.body = body
  }

  // MARK: What is left out

  /// What the detector of deadlocks says of it in a live program, where that is asked.
  public private(set) var verdict: Outcome?

  /// The same, which is watched in a live program, too.
  ///
  /// - Parameters:
  ///   - verdict: What the detector says, as in "deadlock, confirmed: A, B"; or what it gives, and what is said then.
  ///   - why: When it says so, or why not more.
  public func watched(_ verdict: String, _ why: String) -> Implementation {
    changed { $0.verdict = .surprising(verdict, why) }
  }

  /// What the explorer says of its deadlocks, places aside; of one that it suspects, who waits for what.
  private(set) var findings: [String] = []

  /// The same, of which it is said what deadlocks the explorer finds.
  ///
  /// - Parameter findings: On what the message of each ends, places aside: "A waits for NSLock, held by B; …".
  public func found(_ findings: String...) -> Implementation { changed { $0.findings = findings } }

  /// The same, of which fewer schedules are run where it is explored.
  ///
  /// - Parameter assumption: What has to hold for that; the result says so.
  public func reduced(assuming assumption: Strategy.Assumption) -> Implementation {
    changed { $0.assumption = assumption }
  }

  /// How virtual time goes by where it is explored.
  private(set) var time = VirtualTime.passesAtAnyStep

  /// The same, explored as if all work took no time: nothing is due before all else has come to rest.
  public var whereWorkTakesNoTime: Implementation { changed { $0.time = .passesWhenIdle } }

  /// Whether its suite explores it with its reduction only.
  private(set) var isOnlyReduced = false

  /// The same, which its suite does not explore without a reduction, too.
  ///
  /// - Parameter reason: Why not, for who reads the declaration.
  public func onlyReduced(_ reason: String) -> Implementation {
    changed { $0.isOnlyReduced = true }
  }

  /// The same, of which no schedule gives what is right.
  public var alwaysWrong: Implementation { changed { $0.isAlwaysWrong = true } }

  /// The same, which is not played.
  ///
  /// - Parameter reason: Why not, for who reads the declaration.
  public func notPlayed(_ reason: String) -> Implementation { changed { $0.isPlayed = false } }

  /// The same, which is not explored.
  ///
  /// - Parameter reason: Why not, for who reads the declaration.
  public func notExplored(_ reason: String) -> Implementation { changed { $0.isExplored = false } }

  /// The lines that it is about; nil where none are shown.
  private(set) var code: CodeReference?

  /// The same, with the three lines of the chapter that matter.
  ///
  /// - Parameters:
  ///   - file: The file's name, such as "CounterLock.swift".
  ///   - anchor: What the first of the lines contains, for the first time in its file.
  public func code(_ file: String, _ anchor: String) -> Implementation {
    changed { $0.code = CodeReference(file: file, anchor: anchor) }
  }

  private func changed(_ change: (inout Implementation) -> Void) -> Implementation {
    var changed = self
    change(&changed)
    return changed
  }

  // MARK: What follows from it

  /// Whether it is there to go wrong.
  var goesWrong: Bool { outcomes.contains { $0.kind == .surprising } }

  /// Whether it has a data race.
  var races: Bool { outcomes.contains(where: \.isRace) }

  /// Whether both are run at once, and neither is stopped.
  var isUnstopped: Bool { interruption == .atOnce }

  /// Whether a run may not come to its end.
  var mayHang: Bool { outcomes.contains(where: \.isEnding) }

  /// Whether it is run in a child process.
  var needsChild: Bool { races || mayHang }

  /// An outcome in the words in which it is played: with what B does, if it comes to its end.
  func spoken(_ outcome: Outcome, as kind: Outcome.Kind? = nil) -> Outcome {
    let doing = isUnstopped || outcome.isEnding ? nil : interruption?.rawValue
    let value = [doing, outcome.played].compactMap(\.self).joined(separator: ", ")
    return Outcome(kind: kind ?? outcome.kind, value: value, why: kind == nil ? outcome.why : "")
  }

  /// Runs it once, on a stage.
  func run(_ stage: Stage) async throws -> String {
    switch body {
    case .code(let run): return try await run(stage)
    case .blocking(let run) where stage.isExplored: return try run(stage)
    case .blocking(let run): return try await blocking { Result { try run(stage) } }.get()
    case .encounter(let make) where stage.isExplored: return await make().explore()
    case .encounter(let make) where isUnstopped:
      return await Encounter.playAtOnce(make).sorted().joined(separator: " or ")
    case .encounter(let make):
      return await make().play(meanwhile: interruption ?? .waits) {
        stage.aboutToBlock("A goes on, and B waits")
      }
    }
  }

  /// It in a child process.
  ///
  /// - Parameters:
  ///   - id: The hazard's name.
  ///   - stage: Sets the child's stage, and says what the child makes of its outcome.
  func hazard(
    _ id: String,
    on stage: @escaping @Sendable (Transcript) -> (Stage, @Sendable (String) -> String)
  ) -> Hazard {
    // What blocks for ever begins on the main thread.
    if mayHang, case .blocking(let run) = body {
      return Hazard(id, isDataRace: races) { transcript in
        let (stage, end) = stage(transcript)
        do { return end(try run(stage)) } catch { return "error: \(error)" }
      }
    }
    return .task(id, isDataRace: races) { transcript in
      let (stage, end) = stage(transcript)
      do { return end(try await self.run(stage)) } catch { return "error: \(error)" }
    }
  }

  /// Runs what A and B do at once, a thousand times, each time on something new.
  ///
  /// - Returns: The outcomes; `nil` where there are no A and B.
  public func runAtOnce() async -> Set<String>? {
    guard case .encounter(let make) = body else { return nil }
    return await Encounter.playAtOnce(make)
  }

  /// Whether it is there to go right, and is played.
  public var isCure: Bool { !goesWrong && isPlayed }
}
