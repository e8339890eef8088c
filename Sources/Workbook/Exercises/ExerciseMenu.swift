/// The list of the exercises as a screen to move in.
struct ExerciseMenu {
  /// What a key comes to.
  enum Choice: Equatable {
    case moved
    case chosen(Int)
    case left
    case nothing
  }

  /// How many exercises there are.
  private let count: Int
  /// The one that is marked, from 0 on.
  private(set) var selection: Int

  /// - Parameters:
  ///   - count: How many exercises there are, 1 or more.
  ///   - selection: The one that is marked at the start.
  init(count: Int, selection: Int) {
    precondition(count >= 1, "a menu has exercises")
    self.count = count
    self.selection = min(max(selection, 0), count - 1)
  }

  mutating func press(_ key: Key) -> Choice {
    switch key {
    case .up, .character("k"): return move(by: -1)
    case .down, .character("j"): return move(by: 1)
    case .enter, .character(" "): return .chosen(selection)
    case .escape, .character("q"), .character("l"), .end: return .left
    case .character: return .nothing
    }
  }

  private mutating func move(by step: Int) -> Choice {
    selection = (selection + step + count) % count
    return .moved
  }

  /// Which of the rows are shown, so that the marked one is among them.
  ///
  /// - Parameter height: How many rows there is place for, 1 or more.
  func shown(in height: Int) -> Range<Int> {
    let start = min(max(0, selection - height / 2), max(0, count - height))
    return start..<min(count, start + height)
  }
}
