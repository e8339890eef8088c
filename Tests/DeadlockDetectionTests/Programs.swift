/// One step of a strand.
enum Step: Hashable, CustomStringConvertible {
  case take(Int)
  case release(Int)

  var description: String {
    switch self {
    case .take(let lock): "+\(lock)"
    case .release(let lock): "-\(lock)"
    }
  }
}

/// Every strand that takes locks up to so many times, never one that it holds, and releases them all.
///
/// - Parameter isNested: Whether the last that was taken is released first.
func words(locks: Int, takings: Int, isNested: Bool) -> [[Step]] {
  var words: [[Step]] = []
  func extend(_ word: [Step], _ held: [Int], _ left: Int) {
    if held.isEmpty, !word.isEmpty { words.append(word) }
    if left > 0 {
      for lock in 0..<locks where !held.contains(lock) {
        extend(word + [.take(lock)], held + [lock], left - 1)
      }
    }
    for lock in isNested ? Array(held.suffix(1)) : held {
      extend(word + [.release(lock)], held.filter { $0 != lock }, left)
    }
  }
  extend([], [], takings)
  return words
}

/// Whether some schedule of these strands deadlocks, by trying them all; sets of locks are bits.
func canDeadlock(_ program: [[Step]]) -> Bool {
  // What a strand holds after each number of steps.
  let held = program.map { steps in
    steps.reduce(into: [0]) { held, step in
      switch step {
      case .take(let lock): held.append(held.last! | 1 << lock)
      case .release(let lock): held.append(held.last! & ~(1 << lock))
      }
    }
  }
  var seen: Set<Int> = []
  func search(_ at: [Int]) -> Bool {
    guard seen.insert(at.reduce(0) { $0 * 64 + $1 }).inserted else { return false }
    let taken = program.indices.reduce(0) { $0 | held[$1][at[$1]] }
    var (canGoOn, isOver) = (false, true)
    for strand in program.indices where at[strand] < program[strand].count {
      isOver = false
      let (before, after) = (held[strand][at[strand]], held[strand][at[strand] + 1])
      if after & ~before & taken != 0 { continue }
      canGoOn = true
      var next = at
      next[strand] += 1
      if search(next) { return true }
    }
    return !canGoOn && !isOver
  }
  return search(program.map { _ in 0 })
}

/// All orders of a few things.
func permutations<Element>(_ elements: [Element]) -> [[Element]] {
  guard let first = elements.first else { return [[]] }
  return permutations(Array(elements.dropFirst())).flatMap { rest in
    (0...rest.count).map { rest[..<$0] + [first] + rest[$0...] }
  }
}

/// Steele, Lea and Flood's generator: the same numbers for the same seed.
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
