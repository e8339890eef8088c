import Foundation
import Synchronization
import Testing
import Workbook

@testable import Operations

/// What an operation of several blocks does.
@Suite(.timeLimit(.minutes(30))) struct BlockOperationTests {
  @Test func `blocks begun by hand run on the thread of the caller`() async {
    let threads = Mutex<[ObjectIdentifier]>([])
    let (caller, isFinished) = await blocking {
      let operation = BlockOperation()
      for _ in 0..<4 {
        operation.addExecutionBlock {
          threads.withLock { $0.append(ObjectIdentifier(Thread.current)) }
        }
      }
      operation.start()
      return (ObjectIdentifier(Thread.current), operation.isFinished)
    }
    #expect(isFinished)
    let seen = threads.withLock(\.self)
    #expect(seen.count == 4)
    #if canImport(Darwin)
      // As documented: the first block at least; others may run beside it. Untested.
      #expect(seen.contains(caller))
    #else
      #expect(Set(seen) == [caller])
    #endif
  }

  @Test func `in a queue it is finished when all blocks are`() async {
    let done = Transcript()
    let (operation, queue) = (BlockOperation { done.say("block") }, OperationQueue())
    for _ in 0..<3 { operation.addExecutionBlock { done.say("block") } }
    operation.completionBlock = { done.say("completion") }
    let after = BlockOperation { done.say("dependent") }
    after.addDependency(operation)
    queue.add([operation, after])
    await queue.drained()
    #expect(done.steps.filter { $0 == "block" }.count == 4)
    #expect(done.steps.prefix(4) == ["block", "block", "block", "block"])
  }

  @Test func `a block that is added to one that has ended ends the process`() async {
    await #expect(processExitsWith: .failure) {
      let operation = BlockOperation {}
      operation.start()
      operation.addExecutionBlock {}
    }
  }

  @Test func `renditions are all there, in their order, by blocks and by child tasks`() async {
    let renders = (0..<4).map { index in { @Sendable in Photo.named("\(index)") } }
    let byBlocks = Depending.Renditions(count: 4)
    let queue = OperationQueue()
    queue.addOperation(byBlocks.operation(renders))
    await queue.drained()
    let byTasks = await TaskGrouped.Renditions().all(renders)
    #expect(byBlocks.all.map(\.name) == ["0", "1", "2", "3"])
    #expect(byBlocks.all == byTasks)
  }

  @Test func `a task runs a method, and throws what it throws`() async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).photo").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data([2, 3, 5]).write(to: URL(filePath: path))
    #expect(try await Awaited.Importer().begin(path).value.bytes == [2, 3, 5])
    await #expect(throws: CocoaError.self) {
      try await Awaited.Importer().begin(path + ".missing").value
    }
  }
}
