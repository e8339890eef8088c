import ControlledDispatch
import Interleaving

/// A few strands that use a few locks, semaphores, groups, queues, atomics and shared variables.
struct StrandScenario: Sendable, CustomStringConvertible {
  enum Operation: Sendable {
    case locked(Int, [Operation])
    case read(Int)
    case write(Int)
    case add, load
    case wait(Int)
    case waitBriefly(Int)
    case signal(Int)
    case enter, leave, waitForGroup
    case async(Int, [Operation])
    case sync(Int, [Operation])
    case barrier([Operation])
    case sleep(Int)
    case conditionWait, conditionSignal
  }

  let strands: [[Operation]]
  let time: VirtualTime

  var description: String { "\(time) \(strands)" }

  init(using generator: inout Generator) {
    time = Int.random(in: 0..<4, using: &generator) == 0 ? .passesWhenIdle : .passesAtAnyStep
    strands = (0..<Int.random(in: 2...3, using: &generator)).map { _ in
      (0..<Int.random(in: 1...3, using: &generator)).map { _ in
        Self.operation(depth: 0, using: &generator)
      }
    }
  }

  private static func operation(depth: Int, using generator: inout Generator) -> Operation {
    let object = Int.random(in: 0...1, using: &generator)
    func inner() -> [Operation] {
      (0...object).map { _ in operation(depth: depth + 1, using: &generator) }
    }
    switch Int.random(in: 0..<(depth < 2 ? 19 : 12), using: &generator) {
    case 0: return .read(object)
    case 1: return .write(object)
    case 2: return .add
    case 3: return .load
    case 4: return .wait(object)
    case 5: return .waitBriefly(object)
    case 6, 7: return .signal(object)
    case 8: return .enter
    case 9: return .leave
    case 10: return .sleep(object + 1)
    case 11: return .conditionSignal
    case 12: return .waitForGroup
    case 13: return .conditionWait
    case 14, 15: return .locked(object, inner())
    case 16: return .async(object, inner())
    case 17: return .sync(object, inner())
    default: return .barrier(inner())
    }
  }

  func run() -> String {
    let world = World()
    ControlledDispatch.strands(
      strands.enumerated().map { index, operations in
        { world.run(operations, as: index) }
      })
    return world.summary
  }

  final class World: Sendable {
    let locks = [ControlledDispatch.NSLock(), ControlledDispatch.NSLock()]
    let shared = [Shared(0, "x"), Shared(0, "y")]
    let atomic = AtomicBox()
    let semaphores = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 1)]
    let group = DispatchGroup()
    let queues = [
      DispatchQueue(label: "serial"), DispatchQueue(label: "concurrent", attributes: .concurrent),
    ]
    let condition = ControlledDispatch.NSCondition()
    let isReady = Shared(false, "isReady")

    final class AtomicBox: Sendable {
      let value = ControlledDispatch.Atomic(0)
    }

    func run(_ operations: [Operation], as index: Int) {
      for operation in operations {
        switch operation {
        case .locked(let lock, let inner): locks[lock].withLock { run(inner, as: index) }
        case .read(let variable): _ = shared[variable].value
        case .write(let variable): shared[variable].value = index + 1
        case .add: atomic.value.wrappingAdd(1, ordering: .relaxed)
        case .load: _ = atomic.value.load(ordering: .acquiring)
        case .wait(let semaphore): semaphores[semaphore].wait()
        case .waitBriefly(let semaphore):
          _ = semaphores[semaphore].wait(timeout: .now() + .milliseconds(1))
        case .signal(let semaphore): semaphores[semaphore].signal()
        case .enter: group.enter()
        case .leave: group.leave()
        case .waitForGroup: group.wait()
        case .async(let queue, let inner):
          queues[queue].async(group: group) { self.run(inner, as: index) }
        case .sync(let queue, let inner): queues[queue].sync { run(inner, as: index) }
        case .barrier(let inner):
          queues[1].async(flags: .barrier) { self.run(inner, as: index) }
        case .sleep(let milliseconds):
          Thread.sleep(forTimeInterval: Double(milliseconds) / 1000)
        case .conditionWait:
          condition.lock()
          while !isReady.value { condition.wait() }
          condition.unlock()
        case .conditionSignal:
          condition.lock()
          isReady.value = true
          condition.signal()
          condition.unlock()
        }
      }
    }

    var summary: String { "\(shared[0].value) \(shared[1].value)" }
  }
}
