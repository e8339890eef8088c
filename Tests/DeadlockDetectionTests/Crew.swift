import Dispatch

@testable import DeadlockDetection

/// Threads that run one body after another, all at a time.
final class Crew: Sendable {
  private let gates: [(start: DispatchSemaphore, stop: DispatchSemaphore)]
  private let body = Guarded<(@Sendable (Int) -> Void)?>(nil)
  private let workers = Guarded<[Worker]>([])

  convenience init(_ count: Int) { self.init(0..<count) }

  /// - Parameter numbers: What the threads are called by, after a “w”, and what their bodies are given.
  init(_ numbers: Range<Int>) {
    gates = numbers.map { _ in (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)) }
    for (number, (start, stop)) in zip(numbers, gates) {
      let worker = Worker("w\(number)") { [body] in
        while true {
          start.wait()
          guard let body = body({ $0 }) else { return }
          body(number)
          stop.signal()
        }
      }
      workers { $0.append(worker) }
    }
  }

  /// Returns when all have run it.
  func run(_ body: @escaping @Sendable (Int) -> Void) {
    self.body { $0 = body }
    for gate in gates { gate.start.signal() }
    for gate in gates { gate.stop.wait() }
  }

  /// Returns when all have ended.
  func end() {
    body { $0 = nil }
    for gate in gates { gate.start.signal() }
    for worker in workers({ $0 }) { worker.join() }
  }
}
