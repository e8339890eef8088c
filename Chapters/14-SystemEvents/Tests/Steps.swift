import ChapterTesting
import Foundation
import Synchronization
import Testing

@testable import SystemEvents

/// A test as a row of a table.
struct Row: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let steps: [Step]

  init(_ description: String, _ steps: Step...) {
    testDescription = description
    self.steps = steps
  }
}

/// A step of a test in a folder of its own.
enum Step: Sendable {
  /// Begins with the path of this name.
  case begin(String)
  case does(@Sendable (TemporaryFolder) -> Void)
  /// Waits until all of this has been told, too.
  case waits([String])
  /// Takes no more notice of this being told.
  case drops(String)
  case several([Step])
  /// What the form does: `hold` keeps the next event handler until `goOn`, `look` tells where the file is, and `settle`
  /// waits until no handler runs.
  case activate, suspend, resume, cancel, hold, goOn, look, settle
  /// One of these is an error.
  indirect case refuses(Step)

  var isLook: Bool { if case .look = self { true } else { false } }

  static func tells(_ told: String...) -> Step { .waits(told) }
  static func events(_ events: LogEvent...) -> Step { .waits(events.map { "\($0)" }) }
  static func ignores(_ event: LogEvent) -> Step { .drops("\(event)") }
  static func lines(_ lines: String...) -> Step { .waits(lines.map { "\(LogEvent.line($0))" }) }
  /// Steps for each number from 0.
  static func each(_ count: Int, _ steps: (Int) -> [Step]) -> Step {
    .several((0..<count).flatMap(steps))
  }
  static func file(_ name: String, _ text: String = "") -> Step { .does { $0.file(name, text) } }
  static func folder(_ name: String) -> Step { .does { $0.folder(name) } }
  static func append(_ text: String, to file: String) -> Step {
    .does { $0.append(text, to: file) }
  }
  static func move(_ name: String, to new: String) -> Step { .does { $0.move(name, to: new) } }
  static func link(_ name: String, _ second: String) -> Step {
    .does { #expect(Foundation.link($0.at(name), $0.at(second)) == 0) }
  }
  /// Removes a file, or a folder with nothing in it.
  static func remove(_ name: String) -> Step { .system(name) { Foundation.remove($0) } }
  /// Calls a function of the system with a path.
  static func system(_ name: String, _ call: @escaping @Sendable (String) -> Int32) -> Step {
    .does { #expect(call($0.at(name)) == 0) }
  }
}

/// One side of a pair, or a source.
struct Form: Sendable, CustomTestStringConvertible {
  typealias Calls = @Sendable (Step) throws -> Void

  let testDescription: String
  /// Begins with a path, and tells as text what happens to the file that is there. Gives what takes the form's steps.
  let begin: @Sendable (String, _ tell: @escaping @Sendable (String) -> Void) throws -> Calls

  /// Takes steps in a folder of its own. Where it waits, all that has been told is what was to be told until then.
  func take(_ steps: Step...) async throws {
    let folder = try TemporaryFolder()
    let told = Deliveries<String>()
    let dropped = Mutex("")
    var expected: [String] = []
    var calls: Calls = { _ in }
    var rest = steps[...]
    while let step = rest.popFirst() {
      switch step {
      case .begin(let name):
        // Told of names instead of paths.
        calls = try begin(folder.at(name)) {
          let text = $0.replacing(folder.at(""), with: "")
          if text != dropped.withLock({ $0 }) { told.append(text) }
        }
      case .does(let deed): deed(folder)
      case .waits(let more):
        expected += more
        let all = await told.wait(count: expected.count)
        #expect(all == expected)
      case .drops(let text): dropped.withLock { $0 = text }
      case .several(let first): rest = first + rest
      case .refuses(let step): #expect(throws: SourceMisuse.self) { try calls(step) }
      default: try calls(step)
      }
    }
  }

  /// What it says when it refuses to begin.
  func refusal(of path: String) -> String? {
    let error = #expect(throws: SystemError.self) { _ = try begin(path) { _ in } }
    return error?.description
  }
}
