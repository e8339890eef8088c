import ChapterTesting
import Dispatch
import Foundation
import Synchronization
import Testing

@testable import SystemEvents

#if canImport(CLinux)
  import CLinux
#endif

#if os(Linux)
  @Suite(.serialized, .timeLimit(.minutes(30)), whereHangUpsAreSafe)
  struct LeftoverTests {
    // A process of its own: descriptors and threads belong to the whole process.
    @Test func `fifty rounds of connections, ports and merged sources leave nothing behind`() async
    {
      await #expect(processExitsWith: .success) {
        await expectNothingLeft(after: 50, behindFirst: 50, fewerThan: 10, round)
      }
    }
  }

  /// Everything once, on both sides, errors included; returns when all is over.
  private func round() async {
    await connections()
    await refusals()
    await ports()
    await merged()
  }

  private func connections() async {
    let queue = DispatchQueue(label: "connection")
    for isCancelled in [false, true] {
      let over = Deliveries<Void>()
      let (near, far) = socketPair()
      sendAll([1, 2, 3], to: far)
      let connection = try? Sourced.Connection(
        taking: near, queue: queue, whenRead: { _ in }, whenOver: { _ in over.append(()) })
      isCancelled ? connection?.cancel() : ()
      close(far)
      await over.wait(count: 1)
    }
    for isCancelled in [false, true] {
      let over = Deliveries<Void>()
      let (near, far) = socketPair()
      sendAll([1, 2, 3], to: far)
      if let connection = try? Async.Connection(taking: near, whenClosed: { over.append(()) }) {
        let task = Task { for try await _ in connection {} }
        isCancelled ? task.cancel() : ()
        close(far)
        _ = await task.result
      }
      await over.wait(count: 1)
    }
    let over = Deliveries<Void>()
    let (near, far) = socketPair()
    sendAll([1], to: near)
    close(far)
    _ = try? Sourced.Connection(
      taking: near, queue: queue, whenRead: { _ in }, whenOver: { _ in over.append(()) })
    await over.wait(count: 1)
  }

  private func refusals() async {
    var ends: [Int32] = [-1, -1]
    _ = linux_pipe_close_on_exec(&ends)
    for descriptor in [ends[1], 123_456] {
      #expect(throws: DescriptorError.self) { _ = try Async.Connection(taking: descriptor) }
      #expect(throws: DescriptorError.self) {
        _ = try Sourced.Connection(
          taking: descriptor, queue: DispatchQueue(label: "refused"), whenRead: { _ in },
          whenOver: { _ in })
      }
    }
    for end in ends { close(end) }
  }

  private func ports() async {
    let closed = Deliveries<Void>()
    let port = try? Sourced.Port(
      queue: DispatchQueue(label: "port"), whenSent: { _ in }, whenClosed: { closed.append(()) })
    try? port?.send()
    port?.close()
    if let port = try? Async.Port(whenClosed: { closed.append(()) }) {
      let task = Task { for await _ in port { port.close() } }
      try? port.send()
      await task.value
      #expect(throws: DescriptorError.self) { try port.send() }
    }
    await closed.wait(count: 2)
  }

  private func merged() async {
    let over = Deliveries<Void>()
    let progress = Sourced.DownloadProgress(
      queue: DispatchQueue(label: "merged"), whenAdded: { _ in }, whenOver: { over.append(()) })
    progress.add(bytes: 1)
    progress.cancel()
    await over.wait(count: 1)
    let changes = Async.Merged<UInt>(.sum)
    let task = Task { for await _ in changes {} }
    changes.send(1)
    changes.finish()
    await task.value
  }
#endif
