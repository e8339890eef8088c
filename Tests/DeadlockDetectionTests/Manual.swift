import DeadlockDetection
import Foundation

// The code of the manual, block by block; the lines are those that its reports name.

#sourceLocation(file:"DeadlockDetectionTests/Bank.swift",line:1)
struct Bank {
  let money = WatchedLock("money")
  let log = WatchedLock("log")

  func pay(pause: () -> Void) {
    money.withLock {
      pause()
      log.withLock { print("paid") }
    }
  }

  func audit(pause: () -> Void) {
    log.withLock {
      pause()
      money.withLock { print("audited") }
    }
  }
}
#sourceLocation()

#sourceLocation(file:"DeadlockDetectionTests/Screen.swift",line:1)
struct Screen {
  let queue = WatchedQueue("screen")

  func show() {
    let shown = WatchedSemaphore("shown", value: 0, discipline: .promised)
    let promise = shown.promise()
    queue.async(keeping: [promise], name: "draw") { promise.keep() }
    shown.wait()
  }

  func refresh() {
    queue.sync { show() }
  }
}
#sourceLocation()

#sourceLocation(file:"DeadlockDetectionTests/Import.swift",line:1)
func importTwice() {
  let slot = WatchedSemaphore("slot", value: 1)
  slot.wait()
  slot.signal()
  slot.wait()
  slot.wait()
}
#sourceLocation()

#sourceLocation(file:"DeadlockDetectionTests/Answer.swift",line:1)
func answer() async throws -> String {
  try await withWatchedThrowingContinuation("answer") { continuation in
    // Nobody keeps it.
  }
}
#sourceLocation()

func responses() {
  let detector = DeadlockDetector { finding in
    print(finding)
    return finding.kind == .deadlock ? .trap : .goOn
  }
  let money = WatchedLock("money", detector: detector)
  money.withLock { print("paid") }

  DeadlockDetector.shared.handle { finding in
    NSLog("%@", "\(finding)")
    return .goOn
  }
}

func move(from: WatchedLock, to: WatchedLock) -> Bool {
  from.lock()
  defer { from.unlock() }
  do {
    try to.lockOrThrow()
  } catch {
    return false  // Nothing was done; the caller may try again.
  }
  defer { to.unlock() }
  return true
}

func page() async -> String {
  let first = WatchedTask("first") { "page 1" }
  let second = WatchedTask("second") { await first.value() }
  return await second.value()
}

func answerOfWorker() async -> Int {
  let worker = WatchedQueue("worker")
  let answer: Int = await withWatchedContinuation("answer") { continuation in
    worker.async {
      continuation.own()
      continuation.resume(returning: 42)
    }
  }
  return answer
}

func accounts() -> [WatchedLock] {
  let accounts = (0..<100).map { WatchedLock("account \($0)", class: "account") }
  return accounts
}

func listWaiting() {
  for member in DeadlockDetector.shared.waiting {
    print("\(member.participant) waits for \(member.resource) at \(member.place)")
  }
}

enum UnderWatch {
  typealias NSLock = WatchedLock
  typealias DispatchQueue = WatchedQueue
  typealias DispatchSemaphore = WatchedSemaphore
}
