extension Plain {
  // Sendable is false on purpose: this races. It runs in a child process, or under the explorer, only.
  final class Counter: @unchecked Sendable {
    private(set) var value = 0

    func increment() { value += 1 }
  }
}
