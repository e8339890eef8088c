import Foundation

/// What a check told: the events of Swift Testing, and what it found itself; one JSON object a line.
struct CheckEvents {
  /// Something that a test found.
  struct Issue {
    /// The test's name, which reads as what it claims.
    let claim: String
    /// What is wrong, a line each.
    let words: [String]
    /// What led to it, step by step, a line each.
    var trace: [String] = []
  }

  /// How many orders of a claim were run.
  struct Orders {
    var count = 0
    /// Whether these were all, but for those that come to the same.
    var isAll = true
  }

  /// The names of the check's tests, in the order of the file.
  private(set) var claims: [String] = []
  private(set) var issues: [Issue] = []
  private(set) var orders: [String: Orders] = [:]
  private var begun: [String] = []
  private var ended: Set<String> = []
  private var hasEnded = false
  /// The names of the tests by their identifiers, with their lines.
  private var tests: [String: (name: String, line: Int)] = [:]

  /// The claims whose tests did not end.
  var unchecked: [String] { claims.filter { !ended.contains($0) } }

  /// The claim that was being checked at the end.
  var current: String? { begun.last { !ended.contains($0) } }

  /// Whether there were tests and all of them ran to their end.
  var isWhole: Bool { hasEnded && !claims.isEmpty && unchecked.isEmpty }

  /// - Parameter records: As many whole lines as there are; a run that was stopped may have left half of one.
  init(_ records: String) {
    for line in records.split(separator: "\n") {
      guard let entry = try? JSONDecoder().decode(Entry.self, from: Data(line.utf8)) else {
        continue
      }
      read(entry)
    }
    claims = tests.values.sorted { $0.line < $1.line }.map(\.name)
  }

  private mutating func read(_ entry: Entry) {
    if let claim = entry.claim { return read(entry, of: claim) }
    guard let payload = entry.payload else { return }
    switch (entry.kind, payload.kind) {
    case ("test", "function"):
      // An answer's own tests are not the check's.
      guard let id = payload.id, let place = payload.sourceLocation,
        place.fileID.hasSuffix("/Check.swift")
      else { return }
      tests[id] = (payload.displayName ?? payload.name ?? id, place.line)
    case ("event", "testStarted"):
      if let name = name(of: payload) { begun.append(name) }
    case ("event", "issueRecorded"):
      guard payload.issue?.isKnown != true else { return }
      let texts = (payload.messages ?? []).map(\.text).filter { $0 != "Issue recorded" }
      let lines = texts.flatMap { $0.split(separator: "\n").map(String.init) }
      issues.append(Issue(claim: name(of: payload) ?? "the check", words: lines))
    case ("event", "testEnded"):
      if let name = name(of: payload) { ended.insert(name) }
    case ("event", "runEnded"):
      hasEnded = true
    default: break
    }
  }

  private mutating func read(_ entry: Entry, of claim: String) {
    if let words = entry.words {
      issues.append(Issue(claim: claim, words: words, trace: entry.trace ?? []))
    }
    if let count = entry.orders {
      orders[claim, default: Orders()].count += count
      if entry.isAll != true { orders[claim]!.isAll = false }
    }
  }

  private func name(of payload: Entry.Payload) -> String? {
    payload.testID.flatMap { tests[$0]?.name }
  }

  private struct Entry: Decodable {
    let kind: String
    let payload: Payload?
    // What the check found itself.
    let claim: String?
    let words: [String]?
    let trace: [String]?
    let orders: Int?
    let isAll: Bool?

    struct Payload: Decodable {
      let kind: String?
      let id: String?
      let name: String?
      let displayName: String?
      let testID: String?
      let sourceLocation: Place?
      let messages: [Message]?
      let issue: Issue?
    }

    struct Place: Decodable {
      let fileID: String
      let line: Int
    }

    struct Message: Decodable {
      let text: String
    }

    struct Issue: Decodable {
      let isKnown: Bool?
    }
  }
}
