import ControlledDispatch
import Foundation
import Interleaving
import Testing

private typealias Thread = ControlledDispatch.Thread
private typealias Operation = ControlledDispatch.Operation
private typealias OperationQueue = ControlledDispatch.OperationQueue
private typealias DispatchQueue = ControlledDispatch.DispatchQueue
private typealias DispatchSemaphore = ControlledDispatch.DispatchSemaphore

/// What runs on the main thread, and what a thread is, beside the real one where that can be asked in a test.
@Suite(.timeLimit(.minutes(30))) struct MainThreadTests {
  /// Runs a block somewhere, and waits for it.
  enum Place: String, CaseIterable {
    case mainQueue, syncToMain, onTargetOfMain, mainOperation, mainActor, syncFromMain
    case scenario, worker, strand, serialQueue, operation, thread

    var isMain: Bool {
      switch self {
      case .mainQueue, .syncToMain, .onTargetOfMain, .mainOperation, .mainActor, .syncFromMain: true
      case .scenario, .worker, .strand, .serialQueue, .operation, .thread: false
      }
    }

    func run(_ body: @escaping @Sendable () -> Void) async {
      let done = DispatchSemaphore(value: 0)
      let block: @Sendable () -> Void = {
        body()
        done.signal()
      }
      switch self {
      case .mainQueue: DispatchQueue.main.async(execute: block)
      case .syncToMain: DispatchQueue.global().async { DispatchQueue.main.sync(execute: block) }
      case .onTargetOfMain: DispatchQueue(label: "q", target: .main).async(execute: block)
      case .mainOperation: OperationQueue.main.addOperation(block)
      case .mainActor: await MainActor.run { block() }
      case .syncFromMain:
        DispatchQueue.main.async { DispatchQueue(label: "q").sync(execute: block) }
      case .scenario: block()
      case .worker: DispatchQueue.global().async(execute: block)
      case .strand: strands(block)
      case .serialQueue: DispatchQueue(label: "q").async(execute: block)
      case .operation: OperationQueue().addOperation(block)
      case .thread: Thread.detachNewThread(block)
      }
      done.wait()
    }
  }

  @Test(arguments: Place.allCases)
  func `the main thread runs what is on the main queue, and nothing else`(_ place: Place) async {
    let exploration = await explore(reduced) {
      let seen = Shared([Bool]())
      await place.run {
        let current = Thread.current
        seen.value = [
          Thread.isMainThread, current.isMainThread, current == Thread.mainThread,
          current.isExecuting,
        ]
      }
      return seen.value
    }
    let isMain = place.isMain
    #expect(Set(exploration.outcomes.keys) == [[isMain, isMain, isMain, true]], "\(exploration)")
    #expect(exploration.failures.isEmpty && exploration.isComplete, "\(exploration)")
  }

  @Test func `a thread has a dictionary, a stack and a quality as the real one has`() async {
    let real = Foundation.Thread()
    real.threadDictionary["a"] = 1
    real.stackSize = 1 << 20
    real.stackSize = 1
    real.qualityOfService = .utility
    let expected = [
      real.threadDictionary["a"] as? Int, real.stackSize, real.qualityOfService.rawValue,
      Foundation.Thread().stackSize, Foundation.Thread().qualityOfService.rawValue,
      Foundation.Thread().threadDictionary.count,
    ]
    let exploration = await explore(reduced) {
      let thread = Thread()
      thread.threadDictionary["a"] = 1
      thread.stackSize = 1 << 20
      thread.stackSize = 1
      thread.qualityOfService = .utility
      return [
        thread.threadDictionary["a"] as? Int, thread.stackSize, thread.qualityOfService.rawValue,
        Thread().stackSize, Thread().qualityOfService.rawValue, Thread().threadDictionary.count,
      ]
    }
    #expect(Set(exploration.outcomes.keys) == [expected])
  }

  @Test func `each thread finds its own dictionary, in each schedule a new one`() async {
    let exploration = await explore(reduced) {
      let counts = Shared([Int]())
      let done = DispatchSemaphore(value: 1)
      strands(
        (0..<2).map { number in
          {
            let dictionary = Thread.current.threadDictionary
            let count = dictionary.count
            dictionary["\(number)"] = true
            done.wait()
            counts.value += [count, Thread.current.threadDictionary.count]
            done.signal()
          }
        })
      Thread.mainThread.threadDictionary["a"] = 1
      return counts.value + [Thread.mainThread.threadDictionary.count]
    }
    #expect(Set(exploration.outcomes.keys) == [[0, 1, 0, 1, 1]])
    #expect(exploration.failures.isEmpty && exploration.schedules == 2, "\(exploration)")
  }

  @Test func `threads are equal if they are one and the same`() async {
    let (first, second) = (Foundation.Thread(), Foundation.Thread())
    let expected = [first == first, first == second, Set([first, second, first]).count == 2]
    let exploration = await explore(reduced) {
      let (first, second) = (Thread(), Thread())
      return [first == first, first == second, Set([first, second, first]).count == 2]
    }
    #expect(Set(exploration.outcomes.keys) == [expected])
  }
}
