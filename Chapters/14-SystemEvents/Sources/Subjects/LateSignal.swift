import Foundation
import Synchronization
import Workbook

extension Subject {
  static let lateSignal = Subject(
    "late-signal",
    asks: "A child ends as it is sent SIGTERM, and another one begins. Which one does SIGTERM end?",
    right: .allowed("the first"), .allowed("none"), .forbidden("the other one"),
    implementations: [
      .before(
        "sent to its number",
        .surprising("the other one", "the number was given away when the first was reaped")
          .onlyExplored
      ) { (_: Stage) in
        try whoIsHit { queue, whenEnded in
          let child = try Unguarded.Child(spawning: quick, queue: queue, whenEnded: whenEnded)
          return { child.send(.terminate) }
        }
      }
      .code("ChildUnguarded.swift", "func send")
      .notPlayed(takesNumbers),
      .before("sent under the lock of reaping") { (_: Stage) in
        try whoIsHit { queue, whenEnded in
          let child = try Sourced.Child(spawning: quick, queue: queue, whenEnded: whenEnded)
          return { child.send(.terminate) }
        }
      }
      .code("OwnedChild.swift", "func send")
      .notPlayed(takesNumbers),
      .after("sent to a child that is awaited") { _ in
        let end = Ending()
        let child = try Async.Child(spawning: quick)
        let sender = Task { _ = child.send(.terminate) }
        end.set(await child.ending)
        let other = try OwnedChild(spawning: lasting)
        await sender.value
        return try end.whoIsHit(other)
      }
      .code("ChildAsync.swift", "func send")
      .notPlayed(takesNumbers),
    ])
}

private let takesNumbers = "a number is given again after some thousands of processes"
private let quick = Command(path: "/bin/true")
private let lasting = Command(path: "/bin/sleep", arguments: ["1000"])

/// Begins a child that ends, sends it SIGTERM on another thread, and begins another one when the first has ended.
private func whoIsHit(
  _ begin: (
    DispatchQueue, @escaping @Sendable (Result<TerminationStatus, SystemError>) -> Void
  ) throws -> @Sendable () -> Void
) throws -> String {
  let (end, isOver) = (Ending(), DispatchSemaphore(value: 0))
  let terminate = try begin(DispatchQueue(label: "child")) {
    end.set($0)
    isOver.signal()
  }
  let sender = DispatchQueue(label: "sender")
  sender.async(execute: terminate)
  isOver.wait()
  let other = try OwnedChild(spawning: lasting)
  sender.sync {}
  return try end.whoIsHit(other)
}

/// How the first child ended.
private final class Ending: Sendable {
  private let end = Mutex<Result<TerminationStatus, SystemError>?>(nil)

  func set(_ end: Result<TerminationStatus, SystemError>) { self.end.withLock { $0 = end } }

  /// Looks which one was sent SIGTERM.
  func whoIsHit(_ other: OwnedChild) throws -> String {
    other.send(.kill)
    guard try other.reap() == .signalled(.kill) else { return "the other one" }
    let first = try end.withLock { $0! }.get()
    return first == .signalled(.terminate) ? "the first" : "none"
  }
}
