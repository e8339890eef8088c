import ChapterTesting
import Foundation
import Synchronization
import Testing
import Workbook

@testable import Descriptors

#if os(Linux)
  @Suite(.serialized, .timeLimit(.minutes(30)), whereHangUpsAreSafe)
  struct SequenceTests {
    // Processes of their own: descriptors belong to the whole process.
    @Test func `sequences of read, write, cancel, close and hang-up close all that they open`()
      async
    {
      await #expect(processExitsWith: .success) {
        let count = ProcessInfo.processInfo.environment["SEQUENCES"].flatMap { Int($0) } ?? 2_000
        // One round first opens what stays.
        await run(count: 100, seed: 1)
        let before = countOfDescriptors()
        let closed = await run(count: count, seed: 13)
        #expect(closed == count)
        // Dispatch may open what it counts workers by.
        #expect(abs(countOfDescriptors() - before) < 10)
      }
    }
  }

  /// Runs random sequences, half of them on sources.
  ///
  /// - Returns: How many were closed, once each.
  @discardableResult
  private func run(count: Int, seed: UInt64) async -> Int {
    var random = Seeded(seed)
    var closed = 0
    for index in 0..<count {
      let steps = (0..<Int.random(in: 1...5, using: &random)).map { _ in
        Step.allCases.randomElement(using: &random)!
      }
      closed += await (index.isMultiple(of: 2) ? onSources : inTasks)(steps)
    }
    return closed
  }

  private enum Step: CaseIterable { case write, read, cancel, close, hangUp }

  private func onSources(_ steps: [Step]) async -> Int {
    let (near, far) = socketPair()
    let over = Deliveries<Void>()
    let queue = DispatchQueue(label: "connection")
    var connection: Sourced.Connection? = try? Sourced.Connection(
      taking: near, queue: queue, whenRead: { _, _ in }, whenOver: { _ in over.append(()) })
    var isOpen = true
    for step in steps {
      switch step {
      case .write: queue.async { [weak connection] in connection?.write([1, 2]) }
      case .read: if isOpen { sendAll([1], to: far) }
      case .cancel: connection?.cancel()
      case .close: connection = nil
      case .hangUp:
        if isOpen { close(far) }
        isOpen = false
      }
    }
    connection = nil
    await over.wait(count: 1)
    if isOpen { close(far) }
    return over.all.count
  }

  private func inTasks(_ steps: [Step]) async -> Int {
    let (near, far) = socketPair()
    let over = Deliveries<Void>()
    guard let connection = try? Async.Connection(taking: near, whenClosed: { over.append(()) })
    else { return 0 }
    var isOpen = true
    var reader: Task<Void, any Error>?
    for step in steps {
      switch step {
      case .write: try? await connection.write([1, 2])
      case .read:
        reader = reader ?? Task { for try await _ in connection {} }
        if isOpen { sendAll([1], to: far) }
      case .cancel: reader?.cancel()
      case .close: connection.close()
      case .hangUp:
        if isOpen { close(far) }
        isOpen = false
      }
    }
    connection.close()
    _ = await reader?.result
    await over.wait(count: 1)
    if isOpen { close(far) }
    return over.all.count
  }
#endif
