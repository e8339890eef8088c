import DeadlocksExplored
import Interleaving
import Workbook

import class ControlledDispatch.DispatchSemaphore
import class ControlledDispatch.NSRecursiveLock
import func ControlledDispatch.strands

extension Scenario {
  static let twoLocks = Scenario(
    "two-locks",
    asks: "A pays B and B pays A at the same time; each purse has a lock. What happens?",
    versions: [
      Version(
        "NSLock, payer first", .allowed("70 and 130"),
        .surprising("deadlock", "each holds one lock and waits for the other"),
        strategy: .everyClass
      ) {
        transfers(DeadlocksExplored.TransferCrosswise.self) {
          $0.transfer($2, to: $1) {}
        } _: {
          $0.balance
        }
      },
      Version(
        "Mutex, payer first", .allowed("70 and 130"),
        .surprising("deadlock", "each holds one and waits for the other"),
        strategy: .everyClass
      ) {
        transfers(DeadlocksExplored.TransferCrosswiseMutex.self) {
          $0.transfer($2, to: $1) {}
        } _: {
          $0.balance
        }
      },
      Version("NSLock, lower number first", .allowed("70 and 130"), strategy: .everyClass) {
        transfers(DeadlocksExplored.TransferLock.self) {
          $0.transfer($2, to: $1) {}
        } _: {
          $0.balance
        }
      },
      Version("Mutex, one at a time", .allowed("70 and 130"), strategy: .everyClass) {
        transfers(DeadlocksExplored.TransferMutex.self) {
          $0.transfer($2, to: $1) {}
        } _: {
          $0.balance
        }
      },
    ])

  static let philosophers = Scenario(
    "philosophers",
    asks: "Three philosophers eat with three forks, two each. Does each get to eat?",
    versions: [
      Version(
        "left fork first", .allowed("all ate"),
        .surprising("deadlock", "each has the left fork and waits for the right"),
        strategy: .everyClass
      ) { dinner(at: DeadlocksExplored.TableLeftFirst(seats: 3)) { $0.eat(at: $1) {} } },
      Version("lower fork first", .allowed("all ate"), strategy: .everyClass) {
        dinner(at: DeadlocksExplored.TableLock(seats: 3)) { $0.eat(at: $1) {} }
      },
      Version("two of three at the table", .allowed("all ate"), strategy: .everyClass) {
        dinner(at: DeadlocksExplored.TableSemaphore(seats: 3)) { $0.eat(at: $1) {} }
      },
    ])

  static let cancelUnderLock = Scenario(
    "cancel-under-lock",
    asks: "A letter is delivered while its reader is cancelled. What happens?",
    versions: [
      Version(
        "resumed under the lock", .allowed("letter"), .allowed("cancelled"),
        .surprising("deadlock", "the task's own lock and the mailbox's, crosswise"),
        strategy: .everyClass
      ) {
        let mailbox = DeadlocksExplored.MailboxResumingLocked<ModelTask>()
        return deliveryAgainstCancellation(mailbox.add, mailbox.cancel) {
          mailbox.deliver("letter")
        }
      },
      Version(
        "resumed after it", .allowed("letter"), .allowed("cancelled"), strategy: .everyClass
      ) {
        let mailbox = DeadlocksExplored.MailboxMutex<ModelTask>()
        return deliveryAgainstCancellation(mailbox.add, mailbox.cancel) {
          mailbox.deliver("letter")
        }
      },
    ])
}

// MARK: What they do

private func transfers<P: DeadlocksExplored.Purse>(
  _ type: P.Type, _ transfer: @escaping @Sendable (P, P, Int) -> Void, _ balance: (P) -> Int
) -> String {
  let purses = (1...2).map { P(number: $0, balance: 100) }
  strands({ transfer(purses[0], purses[1], 50) }, { transfer(purses[1], purses[0], 20) })
  return "\(balance(purses[0])) and \(balance(purses[1]))"
}

private func dinner<T: DeadlocksExplored.Table>(
  at table: T, _ eat: @escaping @Sendable (T, Int) -> Void
) -> String {
  strands((0..<3).map { seat in { eat(table, seat) } })
  return "all ate"
}

private final class ModelTask: DeadlocksExplored.LetterReader {
  private let status = NSRecursiveLock()
  let result = Shared("", "result")
  let isResumed = DispatchSemaphore(value: 0)

  func resume(returning letter: String?) {
    status.withLock {
      result.value = letter ?? "cancelled"
      isResumed.signal()
    }
  }

  func cancel(_ handler: () -> Void) {
    status.withLock { handler() }
  }
}

private func deliveryAgainstCancellation(
  _ add: (ModelTask) -> Void, _ cancel: @escaping @Sendable () -> Void,
  _ deliver: @escaping @Sendable () -> Void
) -> String {
  let task = ModelTask()
  add(task)
  strands(deliver, { task.cancel(cancel) })
  task.isResumed.wait()
  return task.result.value
}
