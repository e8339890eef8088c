/// A question about concurrent code, and the pieces of code that answer it: those that go wrong, and those that do not.
///
/// It is declared once, in a file that a chapter compiles twice or more: as the reader runs it, and against the stand-ins of
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
  ///   - right: What right code gives, under all schedules taken together; said once for all implementations. And
  ///     what it never gives, where no implementation shows that.
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
  ///
  /// - Parameters:
  ///   - chapter: The chapter, in kebab case.
  ///   - watched: The same subject of the module whose locks and queues are watched.
  func demo(of chapter: String, watched: Subject?) -> Demo? {
    let sides = implementations.indices.flatMap { index in
      let implementation = implementations[index]
      return [
        implementation.isPlayed ? side(of: implementation, in: chapter) : nil,
        implementation.verdict == nil
          ? nil : watched?.watchedSide(of: watched!.implementations[index], in: chapter),
      ].compactMap(\.self)
    }
    return sides.isEmpty ? nil : Demo(name, asks: question, sides: sides)
  }

  /// What of the subject is explored; nil if nothing is.
  var scenario: Scenario? {
    let versions = implementations.compactMap(version)
    return versions.isEmpty ? nil : Scenario(name, asks: question, versions: versions)
  }

  private func side(of implementation: Implementation, in chapter: String) -> Side {
    let outcomes = played(implementation)
    let work: Side.Work =
      implementation.needsChild
      ? .child(
        implementation.hazard("\(chapter)/\(name): \(implementation.mechanism)") {
          (Stage($0, mayHang: implementation.mayHang), { $0 })
        })
      : .here { try await implementation.run(Stage($0)) }
    return Side(
      era: implementation.era, mechanism: implementation.mechanism, outcomes: outcomes, work: work,
      code: implementation.code)
  }

  /// The same code under watch: its child ends with the word of the detector, before it blocks.
  ///
  /// Whatever is not said to be told of is expected to give what is right, and no word from the detector.
  func watchedSide(of implementation: Implementation, in chapter: String) -> Side {
    let mechanism = implementation.mechanism + ", watched"
    let hazard = implementation.hazard("\(chapter)/\(name): \(mechanism)") { transcript in
      let watch = Watch(transcript)
      return (Stage(watch.steps, mayHang: implementation.mayHang), watch.outcome)
    }
    let outcomes = implementation.verdict.map { [$0] } ?? played(implementation)
    return Side(
      era: implementation.era, mechanism: mechanism, outcomes: outcomes + [.forbidden("hang")],
      work: .child(hazard), code: implementation.code)
  }

  private func version(of implementation: Implementation) -> Version? {
    guard implementation.isExplored else { return nil }
    let right = implementation.isAlwaysWrong ? [] : right(of: implementation)
    let outcomes = right + implementation.outcomes.filter(\.isExplored)
    return Version(
      implementation.mechanism, outcomes, strategy: .reduced(assuming: implementation.assumption),
      time: implementation.time, isOnlyReduced: implementation.isOnlyReduced,
      era: implementation.era, findings: implementation.findings
    ) {
      try await implementation.run(Stage(nil))
    }
  }

  /// What right code gives, unless the implementation says that in words of its own.
  private func right(of implementation: Implementation) -> [Outcome] {
    implementation.outcomes.contains { $0.kind == .allowed }
      ? [] : right.filter { $0.kind == .allowed }
  }

  /// What a run of an implementation gives, and what it must not: of one that goes wrong, what is right, and the
  /// other way round.
  private func played(_ implementation: Implementation) -> [Outcome] {
    let own = implementation.outcomes.filter(\.isPlayed)
    let (expected, forbidden) =
      implementation.goesWrong
      ? (own, right.map { ($0, implementation) })
      : (
        own + right(of: implementation).filter(\.isPlayed),
        wrong + right.filter { $0.kind == .forbidden }.map { ($0, implementation) }
      )
    var known: Set<String> = []
    let outcomes =
      expected.map { implementation.spoken($0) }
      + forbidden.map {
        // Where nobody is stopped, nothing is said of B.
        (implementation.isUnstopped ? implementation : $1).spoken($0, as: .forbidden)
      }
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
