import Foundation

/// What Swift Testing wrote of a run, as its stream of events has it: one JSON object a line.
struct CheckEvents {
  /// Something that a test found.
  struct Issue {
    /// The test's name, which reads as what it claims.
    let claim: String
    let message: String
  }

  /// The names of the tests, in the order of the events.
  private(set) var claims: [String] = []
  private(set) var issues: [Issue] = []
  private var ended: Set<String> = []
  private var hasEnded = false
  private var names: [String: String] = [:]

  /// The claims whose tests were begun or planned and did not end.
  var unchecked: [String] {
    names.filter { !ended.contains($0.key) }.map(\.value).sorted()
  }

  /// Whether there were tests and all of them ran to their end.
  var isWhole: Bool { hasEnded && !names.isEmpty && unchecked.isEmpty }

  /// Reads as many whole lines as there are; a run that was stopped may have left half of one.
  init(_ file: URL) {
    let text = (try? Data(contentsOf: file)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    for line in text.split(separator: "\n") {
      guard let entry = try? JSONDecoder().decode(Entry.self, from: Data(line.utf8)) else {
        continue
      }
      read(entry)
    }
  }

  private mutating func read(_ entry: Entry) {
    let payload = entry.payload
    switch (entry.kind, payload.kind) {
    case ("test", "function"):
      guard let id = payload.id else { return }
      names[id] = payload.displayName ?? payload.name ?? id
      claims.append(names[id]!)
    case ("event", "issueRecorded"):
      guard payload.issue?.isKnown != true else { return }
      let claim = payload.testID.flatMap { names[$0] } ?? "the check"
      let texts = (payload.messages ?? []).map(\.text).filter { $0 != "Issue recorded" }
      issues.append(Issue(claim: claim, message: texts.joined(separator: "\n")))
    case ("event", "testEnded"):
      if let id = payload.testID { ended.insert(id) }
    case ("event", "runEnded"):
      hasEnded = true
    default: break
    }
  }

  private struct Entry: Decodable {
    let kind: String
    let payload: Payload

    struct Payload: Decodable {
      let kind: String?
      let id: String?
      let name: String?
      let displayName: String?
      let testID: String?
      let messages: [Message]?
      let issue: Issue?
    }

    struct Message: Decodable {
      let text: String
    }

    struct Issue: Decodable {
      let isKnown: Bool?
    }
  }
}
