import Foundation
import Synchronization
import Testing
import Workbook

@testable import Operations

/// The states of a concurrent operation, in every order of what can be done to it.
@Suite(.timeLimit(.minutes(30))) struct LifecycleTests {
  enum Deed: CaseIterable { case start, finish, cancel }

  /// What is right: an operation as a value, without threads.
  struct Model: Equatable {
    var hasStarted = false
    var isExecuting = false
    var isFinished = false
    var isCancelled = false
    var mains = 0

    mutating func `do`(_ deed: Deed) {
      switch deed {
      case .start where !hasStarted:
        hasStarted = true
        if isCancelled {
          isFinished = true
        } else {
          isExecuting = true
          mains += 1
        }
      case .finish where isExecuting:
        (isExecuting, isFinished) = (false, true)
      case .cancel where !isFinished: isCancelled = true
      default: break
      }
    }
  }

  /// Counts how often it is run, and ends when it is told to.
  final class Probe: ConcurrentOperation, @unchecked Sendable {
    // Sendable: a test uses it from one thread.
    private(set) var mains = 0
    override func main() { mains += 1 }

    var state: Model {
      Model(
        hasStarted: isExecuting || isFinished, isExecuting: isExecuting, isFinished: isFinished,
        isCancelled: isCancelled, mains: mains)
    }
  }

  static let orders: [[Deed]] = (0...5).flatMap { count in
    (0..<count).reduce([[]]) { orders, _ in
      orders.flatMap { order in Deed.allCases.map { order + [$0] } }
    }
  }

  @Test func `every order of up to five starts, ends and cancellings`() {
    #expect(Self.orders.count == 364)
    for order in Self.orders {
      let probe = Probe()
      var model = Model()
      for (step, deed) in order.enumerated() {
        switch deed {
        case .start: probe.start()
        case .finish: probe.finish()
        case .cancel: probe.cancel()
        }
        model.do(deed)
        #expect(probe.state == model, "after \(order[...step])")
      }
    }
  }

  @Test func `the end is claimed once, and what comes last is done once`() {
    let (probe, told) = (Probe(), Transcript())
    probe.start()
    probe.finish { told.say("\(probe.isExecuting) \(probe.isFinished)") }
    probe.finish { told.say("again") }
    #expect(told.steps == ["true false"])
    #expect(probe.isFinished)
  }

  @Test func `cancelled in main(), before its request is there, it cancels the request`() async {
    let (desk, told) = (Desk(), Transcript())
    let slot = Mutex<Operation?>(nil)
    let upload = Concurrent.UploadOperation(.named("abc")) { photo, completion in
      slot.withLock(\.self)?.cancel()
      return desk.send(photo, then: completion)
    } report: {
      told.say(short($0))
    }
    slot.withLock { $0 = upload }
    let queue = OperationQueue()
    queue.addOperation(upload)
    await queue.drained()
    slot.withLock { $0 = nil }
    #expect(told.steps == ["CancellationError"])
  }

  @Test func `a queue goes on when it is told that the operation has finished`() async {
    let (queue, probe) = (OperationQueue(), Probe())
    queue.maxConcurrentOperationCount = 1
    queue.addOperation(probe)
    let next = Gate()
    queue.addOperation { next.open() }
    while !probe.isExecuting { await Task.yield() }
    probe.finish()
    await next.wait()
  }
}
