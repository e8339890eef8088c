import ControlledDispatch
import ExerciseChecking
import Interleaving
import Testing

@testable import Answer

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

/// What comes to some readers that are there already.
private final class Results: Sendable {
  struct Waiting: Reader {
    let number: Int
    let results: Results

    func resume(returning letter: String?) {
      results.all.withLock { $0.append("\(number): \(letter ?? "cancelled")") }
      results.isOne.signal()
    }
  }

  private let all = Mutex<[String]>([])
  private let isOne = DispatchSemaphore(value: 0)

  /// Has some readers wait, one after the other.
  func add(_ numbers: [Int], to mailbox: any Letters) {
    for number in numbers { mailbox.add(Waiting(number: number, results: self), number) }
  }

  /// What so many readers got, by their numbers; waits for them, as any thread may resume them.
  func first(_ count: Int) -> String {
    for _ in 1...count { isOne.wait() }
    return all.withLock { $0.sorted() }.joined(separator: ", ")
  }
}

@Test func `a reader gets the letter that is delivered`() async {
  await everyOrder(gives: "hello") {
    let mailbox: any Letters = Mailbox()
    let reader = ModelTask(1, mailbox)
    let result = Shared("", "result")
    strands({ result.value = reader.next() }, { mailbox.deliver("hello") })
    return result.value
  }
}

@Test func `a reader that is cancelled goes on, whenever that is`() async {
  await everyOrder(gives: "cancelled") {
    let mailbox: any Letters = Mailbox()
    let reader = ModelTask(1, mailbox)
    let result = Shared("", "result")
    strands({ result.value = reader.next() }, { reader.cancel() })
    return result.value
  }
}

@Test func `a letter that comes while its reader is cancelled reaches it, or the next one`() async {
  await everyOrder(gives: "hello, cancelled", "cancelled, hello") {
    let mailbox: any Letters = Mailbox()
    let reader = ModelTask(1, mailbox)
    let result = Shared("", "result")
    strands(
      { result.value = reader.next() }, { mailbox.deliver("hello") }, { reader.cancel() })
    let next = ModelTask(2, mailbox)
    if result.value == "hello" { next.cancel() }
    return "\(result.value), \(next.next())"
  }
}

@Test func `a reader that finds a letter while it is cancelled goes on`() async {
  await everyOrder(gives: "hello", "cancelled") {
    let mailbox: any Letters = Mailbox()
    mailbox.deliver("hello")
    let reader = ModelTask(1, mailbox)
    let result = Shared("", "result")
    strands({ result.value = reader.next() }, { reader.cancel() })
    return result.value
  }
}

@Test func `the longest waiter gets the next letter, and a cancelled one ends nobody else's wait`()
  async
{
  let right = "1: d, 2: b, 3: cancelled, 4: f, 5: a, 6: e, 7: c"
  await everyOrder(gives: right) {
    let mailbox: any Letters = Mailbox()
    let results = Results()
    results.add([5, 2, 7, 3, 1], to: mailbox)
    mailbox.deliver("a")
    mailbox.deliver("b")
    mailbox.cancel(3)
    for letter in ["c", "d", "e", "f"] { mailbox.deliver(letter) }
    results.add([6, 4], to: mailbox)
    return results.first(7)
  }
}

@Test func `of two readers, one may be cancelled while the other's letter comes`() async {
  await everyOrder(
    gives: "cancelled, hello", "hello, cancelled",
    within: .upTo(classes: 1_500, preempted: 400, drawn: 200)
  ) {
    let mailbox: any Letters = Mailbox()
    let readers = [ModelTask(1, mailbox), ModelTask(2, mailbox)]
    let results = [Shared("", "first"), Shared("", "second")]
    strands(
      { results[0].value = readers[0].next() },
      {
        readers[0].cancel()
        mailbox.deliver("hello")
      })
    // Where the first has the letter, the second would wait for ever.
    if results[0].value == "hello" { readers[1].cancel() }
    results[1].value = readers[1].next()
    return results.map(\.value).joined(separator: ", ")
  }
}

@Test func `letters that nobody waits for are kept in order`() async {
  await everyOrder(gives: "1: a, 2: b, 3: cancelled, 4: c") {
    let mailbox: any Letters = Mailbox()
    let results = Results()
    for letter in ["a", "b", "c"] { mailbox.deliver(letter) }
    mailbox.cancel(3)
    results.add([1, 2, 3, 4], to: mailbox)
    return results.first(4)
  }
}

@Test func `two may be cancelled before they come`() async {
  await everyOrder(gives: "1: cancelled, 2: cancelled, 3: a, 4: b") {
    let mailbox: any Letters = Mailbox()
    let results = Results()
    mailbox.cancel(1)
    mailbox.cancel(2)
    mailbox.deliver("a")
    results.add([3, 1, 2, 4], to: mailbox)
    mailbox.deliver("b")
    return results.first(4)
  }
}
