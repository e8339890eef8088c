/// Permits and the line for them: what a semaphore decides, without tasks.
struct Permits<Waiter> {
  private(set) var free: Int
  /// To leave it takes a time that grows with it. For thousands of waiters take a deque.
  private var line: [(id: Int, waiter: Waiter)] = []

  init(_ count: Int) {
    precondition(count >= 0, "a semaphore has 0 permits or more")
    free = count
  }

  var waiting: Int { line.count }

  /// Takes a permit, or joins the line.
  ///
  /// - Returns: Whether it took one.
  mutating func take(_ id: Int, _ waiter: Waiter) -> Bool {
    if free > 0 {
      // Nobody is in line then: a permit that comes back goes to the first waiter.
      free -= 1
      return true
    }
    line.append((id, waiter))
    return false
  }

  /// Gives a permit back.
  ///
  /// - Returns: The first in line, which has it now.
  mutating func giveBack() -> Waiter? {
    if line.isEmpty {
      free += 1
      return nil
    }
    return line.removeFirst().waiter
  }

  /// Leaves the line.
  ///
  /// - Returns: The waiter; nil if it is in no line, because it has its permit or has not come yet.
  mutating func leave(_ id: Int) -> Waiter? {
    line.firstIndex { $0.id == id }.map { line.remove(at: $0).waiter }
  }
}
