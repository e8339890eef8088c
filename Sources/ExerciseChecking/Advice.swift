import Interleaving

/// What a learner is told of a failure: what came of it, what should, why, and how.
struct Advice {
  var words: [String]
  /// What led to it, step by step.
  var trace: [String] = []

  init(words: [String]) { self.words = words }

  /// - Parameters:
  ///   - right: The outcomes that are right.
  ///   - steps: How many steps one order may take.
  init(_ failure: Failure, right: [String], steps: Int) {
    switch failure.kind {
    case .outcome:
      words = ["it comes to  \(failure.message.trimming("the outcome "))"]
      for (index, outcome) in right.enumerated() {
        words.append((index == 0 ? "it should be " : "or           ") + outcome)
      }
    case .livelock:
      words = [
        "it does not end: after \(steps) steps it still goes on. Do not ask again and again whether something has "
          + "changed; wait for what wakes you when it has."
      ]
    case .blocked:
      words = [
        "\(failure.message.prefix { $0 != ":" }): it blocks its thread, or it has a loop without end. Await "
          + "instead of blocking."
      ]
    case .nondeterminism:
      words = [
        "two runs of one order differ: the answer depends on chance, on addresses (as the order of a dictionary does whose "
          + "keys are ObjectIdentifiers), or on what outlives a run (a global variable)."
      ]
    case .error: words = ["it throws \(failure.message)"]
    default: words = ["\(failure.kind.rawValue): \(failure.message)"]
    }
    if let cause = failure.cause { words.append("cause: \(cause)") }
    guard let text = failure.trace?.text(width: Failure.width) else { return }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    trace = lines.reversed().drop { $0.isEmpty }.reversed()
  }
}

extension String {
  fileprivate func trimming(_ prefix: String) -> Substring {
    hasPrefix(prefix) ? dropFirst(prefix.count) : self[...]
  }
}
