import Foundation
import Synchronization
import Workbook

extension Demo {
  static let lowerQuality = Demo(
    "lower-quality",
    asks: "Downloads a and b wait for room, and a is lowered. Which is begun first?",
    sides: [
      .before(
        "qualityOfService = .background",
        .surprising("a b", "the quality of service does not order what waits"),
        .forbidden("b a")
      ) { _ in
        await order { $0.qualityOfService = .background }
      }
      .code("DemosPriority.swift", "await order { $0.qualityOfService"),
      .before("queuePriority = .low", .allowed("b a"), .forbidden("a b")) { _ in
        await order { $0.queuePriority = .low }
      }
      .code("DemosPriority.swift", "await order { $0.queuePriority"),
    ])

  static let joinedByVisible = Demo(
    "joined-by-visible",
    asks: "A visible cell joins a download that was begun for later. How urgent is that now?",
    sides: [
      .after(
        "a continuation", .surprising("low", "nobody knows who will resume a continuation"),
        .forbidden("medium")
      ) { _ in
        await urgency { load in
          let cache = NotRaised.PictureCache(load: load)
          return ({ _ in try await cache.picture(at: .a) }, { await settle(cache) })
        }
      }
      .code("PictureCacheNotRaised.swift", "waiters[url, default: []]"),
      .after("the value of a task", .allowed("medium"), .forbidden("low")) { _ in
        await urgency { load in
          let cache = InFlight.PictureCache(load: load)
          return ({ _ in try await cache.picture(at: .a) }, { await settle(cache) })
        }
      }
      .code("PictureCacheTask.swift", "case .loading(let task)"),
      .after("a continuation, and escalatePriority", .allowed("medium"), .forbidden("low")) { _ in
        await urgency { load in
          let loader = PictureLoader(width: 1, memoryLimit: 0, load: load)
          return (
            { try await loader.picture(for: PictureRequest(.a, $0)) }, { await settle(loader) }
          )
        }
      }
      .code("PictureLoaderActor.swift", "escalatePriority"),
    ])
}

/// Has a lowered when both wait for room.
private func order(_ lower: @escaping @Sendable (Operation) -> Void) async -> String {
  await blocking {
    let queue = OperationQueue()
    let order = Mutex<[String]>([])
    queue.maxConcurrentOperationCount = 1
    queue.isSuspended = true
    let operations = ["a", "b"].map { name in
      BlockOperation { order.withLock { $0.append(name) } }
    }
    queue.addOperations(operations, waitUntilFinished: false)
    lower(operations[0])
    queue.isSuspended = false
    queue.waitUntilAllOperationsAreFinished()
    return order.withLock { $0.joined(separator: " ") }
  }
}

/// The priority of a download that was begun by a task of low priority, and joined by one of medium priority.
private func urgency(
  _ make: (@escaping AsyncLoad) -> (
    ask: @Sendable (Urgency) async throws -> Picture, settle: @Sendable () async -> Void
  )
) async -> String {
  let (hasBegun, isJoined, isOver) = (Gate(), Gate(), Gate())
  let priority = Mutex(TaskPriority.high)
  let (ask, settle) = make { _ in
    hasBegun.open()
    await isJoined.wait()
    priority.withLock { $0 = Task.currentPriority }
    return .numbered(1)
  }
  Task.detached(priority: .low) { try await ask(.offscreen) }
  await hasBegun.wait()
  await settle()
  Task.immediateDetached(priority: .medium) {
    _ = try? await ask(.visible)
    isOver.open()
  }
  // In line behind that, and as urgent: an actor takes the more urgent first.
  Task.immediateDetached(priority: .medium) {
    await settle()
    isJoined.open()
  }
  await isOver.wait()
  return priority.withLock { $0 == .medium ? "medium" : $0 == .low ? "low" : "\($0)" }
}
