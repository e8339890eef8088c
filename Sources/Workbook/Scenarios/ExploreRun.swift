import Foundation
import Interleaving

/// Explores scenarios one after the other and prints what was found.
public struct ExploreRun: Sendable {
  /// A scenario with the chapter that it belongs to.
  public struct Item: Sendable {
    let chapter: Chapter
    let scenario: Scenario
  }

  /// How to explore.
  public struct Options: Sendable {
    var strategy: Strategy?
    var limit = 100_000
    /// The schedule to replay, instead of exploring.
    var schedule: String?
    /// The side that is explored; `nil` for both.
    var side: Side.Era?
    /// Whether traces tell bookkeeping, too.
    var showsAll = false
    /// Where to write the first trace as a picture.
    var picture: String?
  }

  private let items: [Item]
  private let options: Options
  private let isJSON: Bool
  private let terminal: Terminal

  /// Creates a run.
  ///
  /// - Parameters:
  ///   - items: The scenarios, in order.
  ///   - options: How to explore them.
  ///   - isJSON: Whether to print one JSON object a version and one for the whole.
  ///   - terminal: Where to print.
  public init(_ items: [Item], _ options: Options, isJSON: Bool, on terminal: Terminal) {
    self.items = items
    self.options = options
    self.isJSON = isJSON
    self.terminal = terminal
  }

  /// The scenarios that a word of the command line names: `races`, `4`, `races/reentrancy`.
  ///
  /// - Throws: ``UsageError`` that suggests the nearest name.
  public static func items(named word: String, in course: [Chapter]) throws -> [Item] {
    let (chapter, part) = try course.chapter(named: word)
    guard let part else {
      if chapter.scenarios.isEmpty {
        throw UsageError("\(chapter.slug) has no scenario to explore")
      }
      return chapter.scenarios.map { Item(chapter: chapter, scenario: $0) }
    }
    guard let scenario = chapter.scenario(part) else {
      let name = "\(chapter.slug)/\(part)"
      if chapter.demo(part) != nil {
        throw UsageError("“\(name)” is a demo and no scenario; run it with: workbook demo \(name)")
      }
      let names = course.flatMap { chapter in
        chapter.scenarios.map { "\(chapter.slug)/\($0.name)" }
      }
      throw UsageError.unknown("scenario", name, among: names)
    }
    return [Item(chapter: chapter, scenario: scenario)]
  }

  /// Explores the scenarios.
  ///
  /// - Returns: Success, or that something other than what is declared was found.
  public func callAsFunction() async throws -> ExitStatus {
    var failed: [String] = []
    for item in items {
      let name = "\(item.chapter.slug)/\(item.scenario.name)"
      let results = try await explore(item, name)
      if !results.allSatisfy(\.holds) { failed.append(name) }
      if isJSON {
        for result in results {
          terminal.print(try jsonLine(VersionRecord(chapter: item.chapter, item.scenario, result)))
        }
      } else {
        let isAsDeclared = results.allSatisfy(\.holds)
        ScenarioPage(
          name: name, question: item.scenario.question, results: results,
          showsAll: options.showsAll,
          changedFiles: isAsDeclared ? [] : await item.chapter.changedFiles() ?? []
        ).print(on: terminal)
      }
      if let picture = options.picture { try draw(results, of: name, to: picture) }
    }
    if isJSON {
      let verified = items.count - failed.count
      terminal.print(
        #"{"scenarios":\#(items.count),"verified":\#(verified),"failed":\#(failed.count)}"#)
    } else {
      let count = items.count == 1 ? "1 scenario" : "\(items.count) scenarios"
      let summary =
        failed.isEmpty
        ? "\(count), as declared"
        : "\(failed.count) of \(count) not as declared: " + failed.joined(separator: ", ")
      terminal.print(
        StyledText(text: summary, style: failed.isEmpty ? .good : .bad).rendered(on: terminal))
    }
    return failed.isEmpty ? .success : .claimFailed
  }

  /// Writes a picture of the first trace that there is.
  private func draw(_ results: [VersionResult], of name: String, to path: String) throws {
    guard
      let trace = results.lazy.flatMap(\.entries).compactMap({ $0.failure?.trace }).first
    else {
      throw UsageError("\(name) has no trace to draw: nothing goes wrong there")
    }
    do {
      try Data(trace.svg(showsAll: options.showsAll).utf8).write(to: URL(filePath: path))
    } catch {
      throw UsageError("\(path) cannot be written: \(error.localizedDescription)")
    }
  }

  private func explore(_ item: Item, _ name: String) async throws -> [VersionResult] {
    let versions = item.scenario.versions.filter { version in
      options.side.map { version.era == $0 } ?? true
    }
    guard let first = versions.first else {
      throw UsageError("\(name) has nothing on the side \(options.side!.rawValue)")
    }
    if let schedule = options.schedule {
      do {
        return [try await first.replay(schedule)]
      } catch let error as MalformedSchedule {
        throw UsageError(error.description)
      }
    }
    var results: [VersionResult] = []
    for version in versions {
      Terminal.showProgress("\(name): \(version.mechanism)")
      results.append(await version.explore(options.strategy, limit: options.limit))
      Terminal.showProgress(nil)
    }
    return results
  }
}

extension ExploreRun.Options {
  /// The options of a command line that take a value.
  public static let names = ["--schedule", "--strategy", "--limit", "--seed", "--side", "--svg"]
  /// The others.
  public static let flags = ["--all"]

  /// Reads how to explore from a command line.
  ///
  /// - Parameters:
  ///   - values: What was given to the options that take a value.
  ///   - flags: The others that were given.
  /// - Throws: ``UsageError`` for a value that is none.
  public init(_ values: [String: String], _ flags: Set<String> = []) throws {
    showsAll = flags.contains("--all")
    picture = values["--svg"]
    if let picture {
      var isFolder: ObjCBool = false
      let folder = URL(filePath: picture).deletingLastPathComponent().path
      let exists = FileManager.default.fileExists(atPath: picture, isDirectory: &isFolder)
      if picture.isEmpty || exists && isFolder.boolValue {
        throw UsageError("--svg takes a file, and “\(picture)” is a folder")
      }
      guard FileManager.default.fileExists(atPath: folder) else {
        throw UsageError("--svg: there is no folder \(folder) for \(picture)")
      }
    }
    func number(_ name: String, atLeast least: Int) throws -> Int? {
      guard let text = values[name] else { return nil }
      guard let number = Int(text), number >= least else {
        throw UsageError("\(name) takes a number from \(least) on, not “\(text)”")
      }
      return number
    }
    schedule = values["--schedule"]
    if let text = values["--side"] {
      guard let known = Side.Era(rawValue: text) else {
        throw UsageError("--side takes before or after, not “\(text)”")
      }
      side = known
    }
    limit = try number("--limit", atLeast: 1) ?? limit
    let seed = UInt64(try number("--seed", atLeast: 0) ?? 0)
    guard let text = values["--strategy"] else {
      if values["--seed"] != nil { strategy = .random(seed: seed) }
      return
    }
    let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
    let argument = parts.count == 2 ? Int(parts[1]) : nil
    switch (parts.first, argument) {
    case ("exhaustive", nil): strategy = .exhaustive
    case ("reduced", nil): strategy = .reduced(assuming: .actorIsolation)
    case ("bounded", let bound?) where bound >= 0: strategy = .preemptionBounded(bound)
    case ("random", nil): strategy = .random(seed: seed)
    case ("pct", let depth?) where depth >= 1: strategy = .pct(seed: seed, depth: depth)
    default:
      throw UsageError(
        "“\(text)” is no strategy; there are exhaustive, reduced, bounded:PREEMPTIONS, random and "
          + "pct:DEPTH")
    }
  }
}
