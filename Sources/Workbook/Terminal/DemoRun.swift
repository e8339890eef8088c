import Foundation

/// Runs demos one after the other and prints what they showed.
public struct DemoRun: Sendable {
  /// A demo with the chapter that it belongs to.
  public struct Item: Sendable {
    let chapter: Chapter
    let demo: Demo
  }

  /// What is done with the demos.
  public enum Mode: Sendable {
    /// They are run.
    case run
    /// The reader is asked what they will give, and then they are run.
    case ask
    /// What they declare is shown.
    case outcomes
  }

  private let items: [Item]
  private let mode: Mode
  private let isJSON: Bool
  private let showsProgress: Bool
  private let terminal: Terminal

  /// Creates a run.
  ///
  /// - Parameters:
  ///   - items: The demos, in order.
  ///   - mode: What is done with them.
  ///   - isJSON: Whether to print one JSON object a demo and one for the whole.
  ///   - showsProgress: Whether to say on standard error which demo is running.
  ///   - terminal: Where to print.
  public init(
    _ items: [Item], _ mode: Mode = .run, isJSON: Bool, showsProgress: Bool = false,
    on terminal: Terminal
  ) {
    self.items = items
    self.mode = mode
    self.isJSON = isJSON
    self.showsProgress = showsProgress
    self.terminal = terminal
  }

  /// Every demo of some chapters.
  public static func all(of chapters: [Chapter]) -> [Item] {
    chapters.flatMap { chapter in
      chapter.demos.map { Item(chapter: chapter, demo: $0) }
    }
  }

  /// Runs the demos.
  ///
  /// - Returns: Success, or that some claim did not hold.
  public func callAsFunction() async throws -> ExitStatus {
    if mode == .outcomes {
      for item in items {
        DemoOutcomes(chapter: item.chapter, demo: item.demo).print(on: terminal)
      }
      return .success
    }
    var failed: [String] = []
    for (index, item) in items.enumerated() {
      let name = "\(item.chapter.slug)/\(item.demo.name)"
      let answers =
        mode == .ask
        ? DemoQuiz(chapter: item.chapter, demo: item.demo) { readLine() }.ask(on: terminal) : []
      if showsProgress { Terminal.showProgress("[\(index + 1)/\(items.count)] \(name)") }
      let result = await item.demo.run()
      if showsProgress { Terminal.showProgress(nil) }
      if !result.isVerified { failed.append(name) }
      if isJSON {
        terminal.print(try jsonLine(DemoRecord(chapter: item.chapter, result: result)))
      } else {
        let changed = result.isVerified ? [] : await item.chapter.changedFiles() ?? []
        DemoPage(chapter: item.chapter, result: result, changedFiles: changed).print(on: terminal)
        if mode == .ask { DemoQuiz.review(answers, of: result, on: terminal) }
      }
    }
    summarise(failed)
    return failed.isEmpty ? .success : .claimFailed
  }

  /// The modes that options of a command line mean.
  private static let modes: [String: Mode] = ["--ask": .ask, "--outcomes": .outcomes]

  /// The options that choose what is done with demos.
  public static let flags = ["--ask", "--outcomes"]

  /// Reads from a command line what is done with the demos.
  ///
  /// - Parameter flags: The options that were given.
  /// - Throws: ``UsageError`` where they do not go together.
  public static func mode(_ flags: Set<String>) throws -> Mode {
    let chosen = Self.flags.filter(flags.contains)
    if chosen.count > 1 { throw UsageError("\(chosen[0]) and \(chosen[1]) do not go together") }
    if let flag = chosen.first, flags.contains("--json") {
      throw UsageError("\(flag) is for readers, and --json for programs: leave one of them out")
    }
    return chosen.first.flatMap { modes[$0] } ?? .run
  }

  private func summarise(_ failed: [String]) {
    let verified = items.count - failed.count
    if isJSON {
      terminal.print(
        #"{"demos":\#(items.count),"verified":\#(verified),"failed":\#(failed.count)}"#)
    } else if failed.isEmpty {
      let summary = items.count == 1 ? "1 demo, verified" : "\(items.count) demos, all verified"
      terminal.print(StyledText(text: summary, style: .good).rendered(on: terminal))
    } else {
      let summary = "\(failed.count) of \(items.count) demos failed: "
      terminal.print(
        StyledText(text: summary + failed.joined(separator: ", "), style: .bad)
          .rendered(on: terminal))
    }
  }
}
