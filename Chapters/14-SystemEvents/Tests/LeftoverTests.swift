import ChapterTesting
import Dispatch
import Synchronization
import Testing

@testable import SystemEvents

#if os(Linux)
  @Suite(.serialized, .timeLimit(.minutes(30)))
  struct LeftoverTests {
    // A process of its own: descriptors and threads belong to the whole process.
    @Test func `fifty rounds of ports and merged sources leave nothing behind`() async {
      await #expect(processExitsWith: .success) {
        await expectNothingLeft(after: 50, behindFirst: 50, fewerThan: 10, round)
      }
    }
  }

  /// Everything once, on both sides, errors included; returns when all is over.
  private func round() async {
    await ports()
    await merged()
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
