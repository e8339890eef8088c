import Synchronization
import Testing
import Workbook

@testable import Limits

@Suite(.timeLimit(.minutes(30))) struct ChannelTests {
  @Test func `threads and tasks receive all in order, and keep no more than they may`() async throws
  {
    let old = Conditioned.Channel<Int>(capacity: 2)
    let received = Mutex<[Int]>([])
    await blocking {
      onTwoThreads {
        for number in 0..<100 { #expect(old.send(number)) }
        old.finish()
      } _: {
        while let number = old.next() { received.withLock { $0.append(number) } }
      }
    }
    #expect(received.withLock { $0 } == Array(0..<100))
    #expect(!old.send(1))

    let new = Channel<Int>(capacity: 2)
    async let sent: Void = {
      for number in 0..<100 { try await new.send(number) }
      new.finish()
    }()
    var numbers: [Int] = []
    while let number = try await new.next() { numbers.append(number) }
    try await sent
    #expect(numbers == Array(0..<100))
    await #expect(throws: ChannelFinished.self) { try await new.send(1) }
  }

  @Test(arguments: 0...3)
  func `a sender waits when the buffer is full, and goes on when one is taken`(
    _ capacity: Int
  ) async throws {
    let channel = Channel<Int>(capacity: capacity)
    for number in 0..<capacity { try await channel.send(number) }
    let last = Task.immediate { try await channel.send(capacity) }
    #expect(channel.waitingSenders == 1)
    for number in 0...capacity { #expect(try await channel.next() == number) }
    try await last.value
  }

  @Test func `two senders and two receivers are served in the order in which they came`()
    async throws
  {
    let channel = Channel<String>()
    let senders = ["a", "b"].map { photo in Task.immediate { try await channel.send(photo) } }
    #expect(try await channel.next() == "a")
    #expect(try await channel.next() == "b")
    for sender in senders { try await sender.value }
    let receivers = (0..<2).map { _ in Task.immediate { try await channel.next() } }
    for photo in ["c", "d"] { try await channel.send(photo) }
    #expect(try await receivers[0].value == "c")
    #expect(try await receivers[1].value == "d")
  }

  @Test func `at its end what is buffered is received, and all that wait are told`() async throws {
    let channel = Channel<String>(capacity: 1)
    try await channel.send("a")
    let sender = Task.immediate { try await channel.send("b") }
    channel.finish()
    await #expect(throws: ChannelFinished.self) { try await sender.value }
    #expect(try await channel.next() == "a")
    #expect(try await channel.next() == nil)
    let empty = Channel<String>()
    let receiver = Task.immediate { try await empty.next() }
    empty.finish()
    #expect(try await receiver.value == nil)
  }

  @Test func `what is cancelled beforehand neither sends nor takes`() async throws {
    let channel = Channel<String>(capacity: 2)
    try await channel.send("a")
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      await #expect(throws: CancellationError.self) { try await channel.send("b") }
      await #expect(throws: CancellationError.self) { try await channel.next() }
    }
    await task.value
    channel.finish()
    #expect(try await channel.next() == "a")
    #expect(try await channel.next() == nil)
  }
}
