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

  @Test func `a counter that is full refuses more, and keeps what it has`() throws {
    let counter = try EventCounter()
    defer { counter.close() }
    try counter.add(UInt64.max - 1)
    let full = #expect(throws: DescriptorError.self) { try counter.add(1) }
    #expect(full?.code == EAGAIN)
    let never = #expect(throws: DescriptorError.self) { try counter.add(UInt64.max) }
    #expect(never?.advice == "send less than UInt64.max")
    #expect(counter.take() == UInt64.max - 1)
    #expect(counter.take() == nil)
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
