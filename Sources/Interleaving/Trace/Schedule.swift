/// Which of the tasks that could go on did, at each point where there was a choice.
///
/// Written down it is a short string, such as `0112.9c3e`, that replays the schedule in another
/// process: choices, a dot, and a check that what runs there is what ran here. In place of the check of a run that has
/// ended its process there are four dashes.
public struct Schedule: Hashable, Sendable {
  /// For each point with two or more candidates, the index of the one that went on.
  package let choices: [Int]
  /// A check over the steps and the outcome; nil if the run did not come to its end.
  package let check: UInt16?

  package init(choices: [Int], check: UInt16?) {
    self.choices = choices
    self.check = check
  }
}

extension Schedule: LosslessStringConvertible {
  public var description: String {
    let digits = choices.map { $0 < 36 ? String($0, radix: 36) : "(\($0))" }.joined()
    guard let check = check.map({ String($0, radix: 16) }) else { return digits + ".----" }
    return digits + "." + String(repeating: "0", count: 4 - check.count) + check
  }

  /// Reads a schedule as an exploration writes it; nil if the text is none.
  public init?(_ description: String) {
    let halves = description.split(separator: ".", omittingEmptySubsequences: false)
    guard halves.count == 2, halves[1].count == 4 else { return nil }
    let check = halves[1].allSatisfy(\.isHexDigit) ? UInt16(halves[1], radix: 16) : nil
    guard check != nil || halves[1] == "----" else { return nil }
    var choices: [Int] = []
    var rest = halves[0]
    while let character = rest.popFirst() {
      if character == "(" {
        guard let end = rest.firstIndex(of: ")"), rest[..<end].allSatisfy(\.isNumber),
          let choice = Int(rest[..<end]), choice >= 36
        else { return nil }
        choices.append(choice)
        rest = rest[rest.index(after: end)...]
      } else {
        guard character.isASCII, !character.isUppercase,
          let choice = Int(String(character), radix: 36)
        else { return nil }
        choices.append(choice)
      }
    }
    self.init(choices: choices, check: check)
  }
}

/// A running check over what an execution did; FNV-1a, folded to 16 bits.
struct Digest: Equatable {
  private var state: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func add(_ number: Int) {
    state = (state ^ UInt64(truncatingIfNeeded: number)) &* 0x0000_0100_0000_01b3
  }

  mutating func add(_ text: String) {
    for byte in text.utf8 { add(Int(byte)) }
  }

  var folded: UInt16 {
    let half = state ^ (state >> 32)
    return UInt16(truncatingIfNeeded: half ^ (half >> 16))
  }
}
