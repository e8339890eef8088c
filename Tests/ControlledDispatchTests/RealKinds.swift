import Dispatch
import Glibc
import Synchronization
import Testing

/// A queue of Dispatch.
struct RealQueue: KindQueue {
  private let queue: DispatchQueue

  init(_ label: String, isConcurrent: Bool, target: RealQueue?) {
    queue = DispatchQueue(
      label: label, attributes: isConcurrent ? .concurrent : [], target: target?.queue)
  }

  private init(_ queue: DispatchQueue) { self.queue = queue }

  static var global: RealQueue { RealQueue(.global()) }
  static var main: RealQueue { RealQueue(.main) }

  static func perform(_ iterations: Int, _ work: @Sendable (Int) -> Void) {
    withoutActuallyEscaping(work) { work in
      DispatchQueue.concurrentPerform(iterations: iterations) { work($0) }
    }
  }

  func sync(isBarrier: Bool, _ work: () -> Void) {
    // Without flags Dispatch goes another way.
    if isBarrier { queue.sync(flags: .barrier, execute: work) } else { queue.sync(execute: work) }
  }

  func async(isBarrier: Bool, _ work: @escaping @Sendable () -> Void) {
    if isBarrier {
      queue.async(flags: .barrier, execute: work)
    } else {
      queue.async(execute: work)
    }
  }
}

extension Kinds {
  /// Makes the calls for real, and ends the process with a code that says in what order the blocks ran.
  ///
  /// - Parameter limit: When they count as hanging, in seconds.
  func exitForReal(limit: UInt32) -> Never {
    alarm(limit)
    let heard = Heard()
    play(RealQueue.self) { character in
      heard.text.withLock { $0.append(character) }
      heard.count.signal()
    }
    for _ in 0..<3 { heard.count.wait() }
    exit(Int32(10 + (Fate.orders.firstIndex(of: heard.text.withLock { $0 }) ?? 10)))
  }
}

extension Kinds.Fate {
  fileprivate static let orders = ["[i]", "[]i", "i[]"]

  /// What has become of a process that has made the calls; nil if that cannot be told.
  init?(_ status: ExitStatus) {
    switch status {
    case .signal(SIGALRM): self = .hang
    case .signal(SIGILL), .signal(SIGTRAP): self = .trap
    case .exitCode(let code) where Self.orders.indices.contains(Int(code) - 10):
      self = .runs(Self.orders[Int(code) - 10])
    default: return nil
    }
  }
}

private final class Heard: Sendable {
  let text = Mutex("")
  let count = DispatchSemaphore(value: 0)
}
