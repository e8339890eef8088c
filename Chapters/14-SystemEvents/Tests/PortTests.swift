import ChapterTesting
import Dispatch
import Foundation
import Synchronization
import Testing
import Workbook

@testable import SystemEvents

@Suite(.serialized, .timeLimit(.minutes(30)))
struct PortTests {
  struct Running: Sendable {
    let send: @Sendable (UInt64) throws(DescriptorError) -> Void
    let close: @Sendable () -> Void
  }

  struct Form: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Sends first counts before the handler can run.
    let begin:
      @Sendable (
        _ first: [UInt64], _ handler: @escaping @Sendable (UInt64) -> Void,
        _ closed: @escaping @Sendable () -> Void
      ) throws -> Running

    static let all = [
      Form(testDescription: "source") { first, handler, closed in
        let queue = DispatchQueue(label: "port")
        queue.suspend()
        defer { queue.resume() }
        let port = try Sourced.Port(queue: queue, whenSent: handler, whenClosed: closed)
        for count in first { try port.send(count) }
        return Running(
          send: { (count) throws(DescriptorError) in try port.send(count) }, close: { port.close() }
        )
      },
      Form(testDescription: "sequence") { first, handler, closed in
        let port = try Async.Port(whenClosed: closed)
        for count in first { try port.send(count) }
        Task { for await count in port { handler(count) } }
        return Running(
          send: { (count) throws(DescriptorError) in try port.send(count) }, close: { port.close() }
        )
      },
    ]
  }

  @Test(arguments: Form.all)
  func `messages that nobody has read yet are one sum`(_ form: Form) async throws {
    let told = Deliveries<UInt64>()
    let closed = Deliveries<Void>()
    let running = try form.begin([1, 1, 3], { told.append($0) }, { closed.append(()) })
    await told.wait(count: 1)
    try running.send(7)
    #expect(await told.wait(count: 2) == [5, 7])
    running.close()
    await closed.wait(count: 1)
  }

  @Test(arguments: Form.all)
  func `messages that come while the handler runs bring one more run`(_ form: Form) async throws {
    let told = Deliveries<UInt64>()
    let closed = Deliveries<Void>()
    let own = Mutex<Running?>(nil)
    let begun = DispatchSemaphore(value: 0)
    let handler: @Sendable (UInt64) -> Void = { count in
      if told.all.isEmpty {
        begun.wait()
        let running = own.withLock { $0! }
        for count: UInt64 in [2, 3] { try? running.send(count) }
      }
      told.append(count)
    }
    let running = try form.begin([1], handler, { closed.append(()) })
    own.withLock { $0 = running }
    begun.signal()
    #expect(await told.wait(count: 2) == [1, 5])
    running.close()
    await closed.wait(count: 1)
    #expect(told.all.count == 2)
    own.withLock { $0 = nil }
  }

  @Test(arguments: Form.all)
  func `no message wakes nobody`(_ form: Form) async throws {
    let told = Deliveries<UInt64>()
    let closed = Deliveries<Void>()
    let running = try form.begin([0], { told.append($0) }, { closed.append(()) })
    try running.send(0)
    try running.send(3)
    #expect(await told.wait(count: 1) == [3])
    running.close()
    await closed.wait(count: 1)
  }

  @Test(arguments: Form.all)
  func `of 40,000 messages of four threads none is lost`(_ form: Form) async throws {
    let told = Deliveries<UInt64>()
    let closed = Deliveries<Void>()
    let running = try form.begin([], { told.append($0) }, { closed.append(()) })
    await blocking {
      DispatchQueue.concurrentPerform(iterations: 4) { _ in
        for _ in 0..<10_000 { try? running.send(1) }
      }
    }
    await told.wait { $0.reduce(0, +) >= 40_000 }
    running.close()
    await closed.wait(count: 1)
    #expect(told.all.reduce(0, +) == 40_000)
  }

  @Test(arguments: Form.all)
  func `a message for a closed port is refused with what, where and why`(_ form: Form) async throws
  {
    let told = Deliveries<UInt64>()
    let closed = Deliveries<Void>()
    let running = try form.begin([], { told.append($0) }, { closed.append(()) })
    running.close()
    running.close()
    await closed.wait(count: 1)
    let error = #expect(throws: DescriptorError.self) { try running.send(1) }
    #expect(error?.code == EBADF)
    let text = error?.description ?? ""
    #expect(text.hasPrefix("write of descriptor "))
    #expect(
      text.hasSuffix(": Bad file descriptor (error 9); the port is closed; send before it is"))
    #expect(told.all.isEmpty)
    #expect(closed.all.count == 1)
  }

  @Test(arguments: Form.all)
  func `a closed port refuses at once, though its descriptor is closed a little later`(
    _ form: Form
  ) async throws {
    for _ in 0..<300 {
      let closed = Deliveries<Void>()
      let running = try form.begin([], { _ in }, { closed.append(()) })
      running.close()
      do {
        try running.send(1)
        Issue.record("sent")
      } catch { #expect(error.code == EBADF) }
      await closed.wait(count: 1)
    }
  }

  @Test func `a counter that is full refuses more, and keeps what it has`() throws {
    let counter = try EventCounter()
    defer { counter.close() }
    try counter.add(UInt64.max - 1)
    let full = #expect(throws: DescriptorError.self) { try counter.add(1) }
    #expect(full?.code == EAGAIN)
    let never = #expect(throws: DescriptorError.self) { try counter.add(UInt64.max) }
    #expect(never?.advice == "send less than UInt64.max")
    #expect(counter.take() == UInt64.max - 1)
    #expect(counter.take() == 0)
    try counter.add(1)
    #expect(counter.take() == 1)
  }

  @Test(arguments: Form.all)
  func `a port without an owner is closed`(_ form: Form) async throws {
    let closed = Deliveries<String>()
    if form.testDescription == "source" {
      _ = try Sourced.Port(
        queue: DispatchQueue(label: "port"), whenSent: { _ in },
        whenClosed: { closed.append("closed") })
    } else {
      _ = try Async.Port(whenClosed: { closed.append("closed") })
    }
    #expect(await closed.wait(count: 1) == ["closed"])
  }

  @Test func `a task that is cancelled closes its port`() async throws {
    let closed = Deliveries<String>()
    let port = try Async.Port(whenClosed: { closed.append("closed") })
    let task = Task { await port.makeAsyncIterator().next(isolation: nil) }
    task.cancel()
    #expect(await task.value == nil)
    #expect(await closed.wait(count: 1) == ["closed"])
  }

  @Test func `a message and a close at once: no waiter is left behind, 1,000 times`() async throws {
    for _ in 0..<1_000 {
      let closed = Deliveries<Void>()
      let port = try Async.Port(whenClosed: { closed.append(()) })
      let task = Task { await port.makeAsyncIterator().next(isolation: nil) }
      async let sent: Void? = try? port.send(2)
      port.close()
      await sent
      let count = await task.value
      #expect(count == nil || count == 2)
      await closed.wait(count: 1)
    }
  }

  @Test func `without descriptors a port says so`() async {
    await #expect(processExitsWith: .success) {
      var none = rlimit(rlim_cur: 0, rlim_max: 0)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &none)
      do {
        _ = try Async.Port()
        exit(1)
      } catch {
        let expected =
          "eventfd: Too many open files (error 24); close descriptors that are not needed"
        exit("\(error)" == expected ? 0 : 2)
      }
    }
  }
}
