import Foundation

/// Runs demos one after the other and prints what they showed.
public struct DemoRun: Sendable {
  /// A demo with the chapter that it belongs to.
  public struct Item: Sendable {
    let chapter: Chapter
    let demo: Demo
  }

  private let items: [Item]
  private let isJSON: Bool
  private let showsProgress: Bool
  private let terminal: Terminal

  /// Creates a run.
  ///
  /// - Parameters:
  ///   - items: The demos, in order.
  ///   - isJSON: Whether to print one JSON object a demo and one for the whole.
  ///   - showsProgress: Whether to say on standard error which demo is running.
  ///   - terminal: Where to print.
  public init(
    _ items: [Item], isJSON: Bool, showsProgress: Bool = false, on terminal: Terminal
  ) {
    self.items = items
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
    var failed: [String] = []
    for (index, item) in items.enumerated() {
      let name = "\(item.chapter.slug)/\(item.demo.name)"
      if showsProgress { Terminal.showProgress("[\(index + 1)/\(items.count)] \(name)") }
      let result = await item.demo.run()
      if showsProgress { Terminal.showProgress(nil) }
      if !result.isVerified { failed.append(name) }
      if isJSON {
        terminal.print(try jsonLine(DemoRecord(chapter: item.chapter, result: result)))
      } else {
        DemoPage(chapter: item.chapter, result: result).print(on: terminal)
      }
    }
    summarise(failed)
    return failed.isEmpty ? .success : .claimFailed
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
