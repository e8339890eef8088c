import ChapterTesting
import Foundation
import Testing

@testable import SystemEvents

@Suite(.serialized, .timeLimit(.minutes(30)))
struct PortTests {
  @Test func `no message wakes nobody, and one for a closed port is refused`() async throws {
    let (told, closed) = (Deliveries<UInt64>(), Deliveries<Void>())
    let source = try Sourced.Port(
      queue: DispatchQueue(label: "port"), whenSent: { told.append($0) },
      whenClosed: { closed.append(()) })
    let sequence = try Async.Port(whenClosed: { closed.append(()) })
    let task = Task { for await count in sequence { told.append(count) } }
    let ports: [(send: (UInt64) throws -> Void, close: () -> Void)] = [
      ({ try source.send($0) }, { source.close() }),
      ({ try sequence.send($0) }, { sequence.close() }),
    ]
    for (i, port) in ports.enumerated() {
      for count: UInt64 in [0, 0, 3] { try port.send(count) }
      await told.wait(count: i + 1)
      port.close()
      port.close()
      await closed.wait(count: i + 1)
      let error = #expect(throws: DescriptorError.self) { try port.send(1) }
      #expect(error?.description.hasPrefix("write of descriptor ") == true)
      let text = ": Bad file descriptor (error 9); the port is closed; send before it is"
      #expect(error?.description.hasSuffix(text) == true)
    }
    await task.value
    #expect(told.all == [3, 3])
    #expect(closed.all.count == 2)
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

  @Test func `a port is closed without its owner, or when its task is cancelled`() async throws {
    let ends = Deliveries<String>()
    _ = try Sourced.Port(
      queue: .global(), whenSent: { _ in }, whenClosed: { ends.append("source") })
    await ends.wait(count: 1)
    _ = try Async.Port(whenClosed: { ends.append("sequence") })
    await ends.wait(count: 2)
    let port = try Async.Port(whenClosed: { ends.append("task") })
    let task = Task { await port.makeAsyncIterator().next(isolation: nil) }
    task.cancel()
    #expect(await task.value == nil)
    #expect(await ends.wait(count: 3) == ["source", "sequence", "task"])
  }

  @Test func `without descriptors a port says so`() async {
    await #expect(processExitsWith: .success) {
      let taken = takeDescriptors(leaving: 0)
      let error = #expect(throws: DescriptorError.self) { _ = try Async.Port() }
      for descriptor in taken { close(descriptor) }
      let text = "eventfd: Too many open files (error 24); close descriptors that are not needed"
      #expect(error?.description == text)
    }
  }

  // A process of its own: descriptors and threads belong to the whole process.
  @Test func `fifty rounds of ports and merged sources leave nothing behind`() async {
    await #expect(processExitsWith: .success) {
      // Everything once, on both sides, errors included.
      try await expectNothingLeft(after: 50, behindFirst: 50, fewerThan: 10) {
        let (ports, merged) = (PortTests(), MergedTests())
        try await ports.`no message wakes nobody, and one for a closed port is refused`()
        try await ports.`a port is closed without its owner, or when its task is cancelled`()
        for form in MergedTests.Form.allCases {
          await merged.`what comes while the handler waits is merged`(form)
        }
        await merged.`a sequence gives what it was sent in one value, and ends`()
      }
    }
  }
}
