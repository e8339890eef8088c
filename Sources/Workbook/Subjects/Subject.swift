/// A question about concurrent code, and the pieces of code that answer it: those that go wrong, and those that do not.
///
/// It is declared once, in a file that a chapter compiles twice: as the reader runs it, and against the stand-ins of
/// ControlledDispatch. The first gives a demo, which plays it for real; the second a scenario, which is explored
/// under every schedule.
public struct Subject: Sendable {
  /// The subject's name within its chapter, in kebab case.
  public let name: String
  /// What the reader should be able to answer after it.
  public let question: String
  /// What right code gives.
  public let right: [Outcome]
  /// The pieces of code, in the order in which they are shown.
  public let implementations: [Implementation]

  /// Creates a subject.
  ///
  /// - Parameters:
  ///   - name: Its name within its chapter, in kebab case.
  ///   - question: What the reader should be able to answer after it.
  ///   - right: What right code gives, under all schedules taken together; said once for all implementations.
  ///   - implementations: The pieces of code, in the order in which they are shown.
  public init(
    _ name: String, asks question: String, right: Outcome..., implementations: [Implementation]
  ) {
    self.name = name
    self.question = question
    self.right = right
    self.implementations = implementations
  }

  /// What of the subject is played, in a chapter; nil if nothing is.
  func demo(of chapter: String) -> Demo? {
    let sides = implementations.compactMap { side(of: $0, in: chapter) }
    return sides.isEmpty ? nil : Demo(name, asks: question, sides: sides)
  }

  /// What of the subject is explored; nil if nothing is.
  var scenario: Scenario? {
    let versions = implementations.compactMap(version)
    return versions.isEmpty ? nil : Scenario(name, asks: question, versions: versions)
  }

  private func side(of implementation: Implementation, in chapter: String) -> Side? {
    guard implementation.isPlayed else { return nil }
    let outcomes = played(implementation)
    guard implementation.needsChild else {
      return Side(implementation.era, implementation.mechanism, outcomes) { transcript in
        try await implementation.run(Stage(transcript))
      }
    }
    let hazard = Hazard.task(
      "\(chapter)/\(name): \(implementation.mechanism)", isDataRace: implementation.races
    ) { transcript in
      do {
        return try await implementation.run(Stage(transcript))
      } catch {
        return "error: \(error)"
      }
    }
    return Side(
      era: implementation.era, mechanism: implementation.mechanism, outcomes: outcomes,
      work: .child(hazard))
  }

  private func version(of implementation: Implementation) -> Version? {
    guard implementation.isExplored else { return nil }
    let right = implementation.isAlwaysWrong ? [] : right(of: implementation)
    let outcomes = right + implementation.outcomes.filter(\.isExplored)
    return Version(
      implementation.mechanism, outcomes, strategy: .reduced(assuming: .controlledSharing),
      era: implementation.era
    ) {
      try await implementation.run(Stage(nil))
    }
  }

  /// What right code gives, without what the implementation says of the same in words of its own.
  private func right(of implementation: Implementation) -> [Outcome] {
    right.filter { outcome in !implementation.outcomes.contains { $0.value == outcome.value } }
  }

  /// What a run of an implementation gives, and what it must not: of one that goes wrong, what is right, and the
  /// other way round.
  private func played(_ implementation: Implementation) -> [Outcome] {
    let own = implementation.outcomes.filter(\.isPlayed)
    let (expected, forbidden) =
      implementation.goesWrong
      ? (own, right.map { ($0, implementation) })
      : (own + right(of: implementation), wrong)
    var known: Set<String> = []
    let outcomes =
      expected.map { implementation.spoken($0) }
      + forbidden.map { $1.spoken($0, as: .forbidden) }
    return outcomes.filter { known.insert($0.value).inserted }
  }

  /// What is seen of the implementations that go wrong, each with whose it is.
  private var wrong: [(Outcome, Implementation)] {
    implementations.flatMap { implementation in
      implementation.outcomes.filter { $0.kind == .surprising && $0.isPlayed }
        .map { ($0, implementation) }
    }
  }
}
