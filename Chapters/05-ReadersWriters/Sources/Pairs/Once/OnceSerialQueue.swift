import Dispatch

extension Queued {
  // Sendable because `isDone` is used on `queue` only.
  final class Once: @unchecked Sendable {
    private let queue = DispatchQueue(label: "com.example.once")
    private var isDone = false

    func run(_ body: () -> Void) {
      queue.sync {
        if isDone { return }
        body()
        isDone = true
      }
    }
  }
}
