public import Foundation

/// A chapter of the course: a pattern of Grand Central Dispatch, Operation or run loops beside its
/// port to async/await and actors.
public struct Chapter: Sendable {
  /// The chapter's place in the course, from 1.
  public let number: Int
  /// The name of the chapter's module, such as `ReadersWriters`.
  public let name: String
  /// What the chapter is about, in one line.
  public let summary: String
  /// The chapter's demos, in the order in which the text needs them.
  public let demos: [Demo]
  /// What of the chapter is explored under every schedule.
  public let scenarios: [Scenario]
  /// What of it is played, as it is declared.
  public private(set) var subjects: [Subject] = []
  /// All of it that is played, under watch.
  public private(set) var watchedSides: [Side] = []
  /// The chapter's folder, where it was compiled.
  public let folder: URL

  /// Creates a chapter.
  ///
  /// - Parameters:
  ///   - number: The chapter's place in the course, from 1.
  ///   - name: The name of the chapter's module, in upper camel case.
  ///   - summary: What the chapter is about, in one line.
  ///   - demos: The chapter's demos.
  ///   - scenarios: What of it is explored.
  ///   - file: A file in the chapter's folder `Sources`.
  public init(
    _ number: Int, _ name: String, _ summary: String, demos: [Demo], scenarios: [Scenario] = [],
    file: String = #filePath
  ) {
    folder = URL(filePath: file).deletingLastPathComponent().deletingLastPathComponent()
    self.number = number
    self.name = name
    self.summary = summary
    self.demos = demos
    self.scenarios = scenarios
  }

  /// Creates a chapter of subjects.
  ///
  /// - Parameters:
  ///   - number: The chapter's place in the course, from 1.
  ///   - name: The name of the chapter's module, in upper camel case.
  ///   - summary: What the chapter is about, in one line.
  ///   - subjects: What it plays: the subjects as the chapter's own module has them.
  ///   - explored: What it explores: the same subjects, of the module that is compiled against stand-ins.
  ///   - watched: The same subjects, of the module whose locks and queues are watched, if there is one.
  ///   - demos: What it plays besides: what is simulated or measured, and has no schedules to explore.
  ///   - file: A file in the chapter's folder `Sources`.
  public init(
    _ number: Int, _ name: String, _ summary: String, _ subjects: [Subject], explored: [Subject],
    watched: [Subject] = [], demos: [Demo] = [], file: String = #filePath
  ) {
    let slug = name.inKebabCase
    func twin(of subject: Subject) -> Subject? { watched.first { $0.name == subject.name } }
    self.init(
      number, name, summary,
      demos: demos + subjects.compactMap { $0.demo(of: slug, watched: twin(of: $0)) },
      scenarios: explored.compactMap(\.scenario), file: file)
    self.subjects = subjects
    watchedSides = watched.flatMap { subject in
      subject.implementations.filter { $0.isPlayed || $0.verdict != nil }
        .map { subject.watchedSide(of: $0, in: slug) }
    }
  }

  /// The module's name in kebab case, as the command line spells it: `readers-writers`.
  public var slug: String { name.inKebabCase }

  /// The module's name in lower camel case, as code spells the chapter: `readersWriters`.
  public var member: String { name.prefix(1).lowercased() + name.dropFirst() }

  /// The demo of that name, or `nil`.
  public func demo(_ name: String) -> Demo? {
    demos.first { $0.name == name }
  }

  /// The scenario of that name, or `nil`.
  public func scenario(_ name: String) -> Scenario? {
    scenarios.first { $0.name == name }
  }

  /// What of this chapter runs in child processes.
  public var hazards: [Hazard] {
    let hazards = (demos.flatMap(\.sides) + watchedSides).compactMap(\.hazard)
    var known: Set<String> = []
    return hazards.filter { known.insert($0.id).inserted }
  }

  /// What makes a claim of this chapter unfit to be checked, one sentence a defect.
  ///
  /// A claim that nothing could falsify is a defect: each side accepts some outcomes, forbids at
  /// least one that broken code would give, and lists none twice.
  public var defects: [String] {
    var defects: [String] = []
    // A demo and a scenario may share a name: one plays a schedule, the other explores all.
    for (names, kind) in [(demos.map(\.name), "demos"), (scenarios.map(\.name), "scenarios")] {
      for (name, count) in names.counted where count > 1 {
        defects.append(
          "\(slug)/\(name) is the name of \(count) \(kind); call them by their problems")
      }
    }
    for demo in demos {
      if demo.sides.isEmpty {
        defects.append("\(slug)/\(demo.name) has no side; give it an old one and a new one")
      }
      for side in demo.sides {
        defects += side.defects.map { "\(slug)/\(demo.name), \(side.mechanism): \($0)" }
      }
    }
    for scenario in scenarios {
      if scenario.versions.isEmpty {
        defects.append("\(slug)/\(scenario.name) has no version; leave it out")
      }
      for version in scenario.versions where version.outcomes.allSatisfy({ $0.kind == .forbidden })
      {
        defects.append(
          "\(slug)/\(scenario.name), \(version.mechanism): it accepts no outcome; declare what its schedules give"
        )
      }
    }
    return defects
  }
}

extension String {
  /// The name of a type as the command line spells it: `readers-writers`.
  var inKebabCase: String {
    var slug = ""
    for character in self {
      if character.isUppercase, !slug.isEmpty { slug += "-" }
      slug += character.lowercased()
    }
    return slug
  }
}
