import ControlledDispatch
import Interleaving
import InterleavingTesting
import Testing

/// What the check uses.
private protocol Letters: Sendable {
  init()
  func add(_ reader: any Reader, _ number: Int)
  func cancel(_ number: Int)
  func deliver(_ letter: String)
}

extension Mailbox: Letters {}

/// A task as far as the runtime locks it. In Swift 6.3 `cancel()` calls the cancellation handler while it
/// holds the lock of the task's status, and `resume()` takes that lock, too, if the task is suspended.
private final class ModelTask: Reader {
  private let status = NSRecursiveLock()
  private let isSuspended = Atomic(false)
  private let isCancelled = Shared(false, "isCancelled")
  private let hasHandler = Shared(false, "hasHandler")
  private let results = Mutex<[String]>([])
  private let isResumed = DispatchSemaphore(value: 0)
  private let number: Int
  private let mailbox: any Letters

  init(_ number: Int, _ mailbox: any Letters) {
    self.number = number
    self.mailbox = mailbox
  }

  func resume(returning letter: String?) {
    results.withLock { $0.append(letter ?? "cancelled") }
    if isSuspended.load(ordering: .sequentiallyConsistent) { status.withLock {} }
    isResumed.signal()
  }

  func cancel() {
    status.withLock {
      isCancelled.value = true
      if hasHandler.value { mailbox.cancel(number) }
    }
  }

  /// `withTaskCancellationHandler` around `withCheckedContinuation`.
  func next() -> String {
    let isCancelled = status.withLock {
      hasHandler.value = true
      return self.isCancelled.value
    }
    if isCancelled { mailbox.cancel(number) }
    mailbox.add(self, number)
    isSuspended.store(true, ordering: .sequentiallyConsistent)
    isResumed.wait()
    status.withLock { hasHandler.value = false }
    return results.withLock { $0.joined(separator: ", then ") }
  }
}

/// A reader that is there already, and what comes to all of them.
private struct Waiting: Reader {
  let number: Int
  let results: Shared<[String]>

  func resume(returning letter: String?) {
    results.update { $0.append("\(number): \(letter ?? "cancelled")") }
  }
}

private let everyClass = Strategy.reduced(assuming: .controlledSharing)

@Test func `a reader gets the letter that is delivered`() async {
  let exploration = await explore(everyClass, stopsAtFailure: true, allowing: ["hello"].contains) {
    let mailbox: any Letters = Mailbox()
    let reader = ModelTask(1, mailbox)
    let result = Shared("", "result")
    strands({ result.value = reader.next() }, { mailbox.deliver("hello") })
    return result.value
  }
  exploration.expectNoFailures()
}

@Test func `a reader that is cancelled goes on, whenever that is`() async {
  let exploration = await explore(
    everyClass, stopsAtFailure: true, allowing: ["cancelled"].contains
  ) {
    let mailbox: any Letters = Mailbox()
    let reader = ModelTask(1, mailbox)
    let result = Shared("", "result")
    strands({ result.value = reader.next() }, { reader.cancel() })
    return result.value
  }
  exploration.expectNoFailures()
}

@Test func `a letter that comes while its reader is cancelled reaches it, or the next one`() async {
  let exploration = await explore(
    everyClass, stopsAtFailure: true,
    allowing: ["hello, cancelled", "cancelled, hello"].contains
  ) {
    let mailbox: any Letters = Mailbox()
    let reader = ModelTask(1, mailbox)
    let result = Shared("", "result")
    strands(
      { result.value = reader.next() }, { mailbox.deliver("hello") }, { reader.cancel() })
    let next = ModelTask(2, mailbox)
    if result.value == "hello" { next.cancel() }
    return "\(result.value), \(next.next())"
  }
  exploration.expectNoFailures()
}

@Test func `a reader that finds a letter while it is cancelled goes on`() async {
  let exploration = await explore(
    everyClass, stopsAtFailure: true, allowing: ["hello", "cancelled"].contains
  ) {
    let mailbox: any Letters = Mailbox()
    mailbox.deliver("hello")
    let reader = ModelTask(1, mailbox)
    let result = Shared("", "result")
    strands({ result.value = reader.next() }, { reader.cancel() })
    return result.value
  }
  exploration.expectNoFailures()
}

@Test func `who waits longest gets the next letter, and who is cancelled ends nobody else's wait`()
  async
{
  let right = ["5: a", "2: b", "3: cancelled", "7: c", "1: d", "6: e", "4: f"]
  let exploration = await explore(everyClass, stopsAtFailure: true, allowing: [right].contains) {
    let mailbox: any Letters = Mailbox()
    let results = Shared([String](), "results")
    for number in [5, 2, 7, 3, 1] { mailbox.add(Waiting(number: number, results: results), number) }
    mailbox.deliver("a")
    mailbox.deliver("b")
    mailbox.cancel(3)
    for letter in ["c", "d", "e", "f"] { mailbox.deliver(letter) }
    for number in [6, 4] { mailbox.add(Waiting(number: number, results: results), number) }
    return results.value
  }
  exploration.expectNoFailures()
}
