import DeadlockDetection
import Foundation
import Synchronization

/// Ends a child when something is found in it, or when it stands still.
final class Watch: Sendable {
  /// What the hazard says. It is said aloud at the end only: a child that has said that it is about to block
  /// may be ended as one that hangs.
  let steps = Transcript()
  private let transcript: Transcript
  private let potential = Mutex<[Finding]>([])
  private let isOver = Atomic(false)

  init(_ transcript: Transcript) {
    self.transcript = transcript
    DeadlockDetector.shared.handle { [self] finding in
      if case .potential = finding.certainty {
        potential.withLock { $0.append(finding) }
        return .goOn
      }
      let certainty = finding.certainty == .confirmed ? "confirmed" : "suspected"
      end(
        "\(finding.kind.rawValue), \(certainty): \(names(of: finding.members))",
        sentences(finding))
    }
    whenStill { [self] in
      let waiting = DeadlockDetector.shared.waiting
      if waiting.isEmpty { end("hang: nothing that is watched is waited for", []) }
      end("suspected: \(names(of: waiting))", Array(waiting.map(sentence).sorted().prefix(6)))
    }
  }

  /// What a hazard that came to its end is said to have given.
  @Sendable func outcome(_ outcome: String) -> String {
    let findings = potential.withLock { $0 }
    for step in steps.steps { transcript.say(step) }
    for finding in findings { for line in sentences(finding) { transcript.say(line) } }
    return ([outcome] + findings.map { "\($0.kind.rawValue), potential" }).joined(separator: "; ")
  }

  private func end(_ outcome: String, _ lines: [String]) -> Never {
    // Two threads may find something at once; the first has the word.
    while isOver.exchange(true, ordering: .sequentiallyConsistent) { pause() }
    for line in steps.steps + lines { transcript.say(line) }
    transcript.end(with: outcome)
  }
}

// MARK: What is said

// The numbers of threads and tasks, which a report gives, are left out: they are others in every run.

private func sentences(_ finding: Finding) -> [String] {
  // Where a cycle is entered is chance.
  let first = finding.members.indices.min { key(finding.members[$0]) < key(finding.members[$1]) }!
  return (finding.members[first...] + finding.members[..<first]).map { member in
    finding.kind == .lockOrderInversion
      ? "\(name(of: member.participant)) took \(member.resource) at \(member.place)\(held(member))"
      : sentence(member)
  }
}

private func sentence(_ member: Finding.Member) -> String {
  "\(name(of: member.participant)) waits at \(member.place) for \(member.resource)\(held(member))"
}

private func held(_ member: Finding.Member) -> String {
  guard let holds = member.holds else { return "" }
  return ", and holds \(holds.resource)" + (holds.place.map { " since \($0)" } ?? "")
}

private func key(_ member: Finding.Member) -> String {
  "\(name(of: member.participant)) \(member.resource)"
}

/// As in: A, B. As in: 3 operations.
private func names(of members: [Finding.Member]) -> String {
  var names = members.map { name(of: $0.participant) }.sorted()
  if names.count > 6 { return "\(names.count) wait" }
  for kind in ["block", "operation", "task", "thread"] {
    let count = names.count { $0 == "a \(kind)" || $0 == "an \(kind)" }
    if count > 1 {
      names.removeAll { $0 == "a \(kind)" || $0 == "an \(kind)" }
      names.append("\(count) \(kind)s")
    }
  }
  return names.joined(separator: ", ")
}

private func name(of participant: Participant) -> String {
  let isNumber = Int(participant.name) != nil
  let queue = participant.queue.flatMap {
    // Operation queues have one whose label is an address; the pool for tasks is nobody's name.
    $0.contains("0x") || $0.hasPrefix("Swift ") || $0.hasPrefix("com.apple.") ? nil : $0
  }
  let isMain = participant.thread == "main" || participant.queue == "com.apple.main-thread"
  switch participant.kind {
  case .task where !isNumber: return participant.name
  case .thread where !isNumber: return participant.name
  case .operation where !participant.name.contains(".swift:"): return participant.name
  case .operation: return "an operation"
  case .block: return queue.map { "a block of \($0)" } ?? "a block"
  case .task where isMain, .thread where isMain: return "main"
  default: return "a \(participant.kind.rawValue)" + (queue.map { " of \($0)" } ?? "")
  }
}
