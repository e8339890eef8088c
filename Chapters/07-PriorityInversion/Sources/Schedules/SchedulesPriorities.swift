import Dispatch
import Synchronization
import Workbook

/// What was read, in its order.
final class Readings<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])
  func add(_ value: Value) { values.withLock { $0.append(value) } }
  var all: [Value] { values.withLock(\.self) }
}

/// What a background task reads before and after one of high priority awaits it.
func readingsWhileAwaited<Value: Sendable>(
  _ read: @escaping @Sendable () -> Value
) async -> [Value] {
  let readings = Readings<Value>()
  let (isInside, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  let preview = AwaitedTask.Preview {
    readings.add(read())
    isInside.signal()
    mayGoOn.wait()
    readings.add(read())
    return "preview"
  }
  await blocking { isInside.wait() }
  // An immediate task runs here until it waits: then it awaits the preview.
  let asker = Task.immediateDetached(priority: .high) { await preview.image }
  mayGoOn.signal()
  _ = await asker.value
  return readings.all
}

/// What a background task reads before one of high priority awaits it, and after it has then waited itself.
func readingsAroundWait<Value: Sendable>(
  _ read: @escaping @Sendable () -> Value
) async -> [Value] {
  let (isAway, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  let elsewhere = ThreadExecutor()
  let low = Task.detached(priority: .background) {
    let before = read()
    // On a thread that is not the pool's: whoever is there waits to come back to the pool.
    await withTaskExecutorPreference(elsewhere) {
      isAway.signal()
      mayGoOn.wait()
    }
    return [before, read()]
  }
  await blocking { isAway.wait() }
  let high = Task.immediateDetached(priority: .high) { await low.value }
  mayGoOn.signal()
  return await high.value
}

/// What a background block reads before and after a thread waits for it.
func readingsWhileWaitedFor<Value: Sendable>(
  _ read: @escaping @Sendable () -> Value
) async -> [Value] {
  let readings = Readings<Value>()
  let (isInside, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  let preview = Waiting.Preview {
    readings.add(read())
    isInside.signal()
    mayGoOn.wait()
    readings.add(read())
    return "preview"
  }
  isInside.wait()
  _ = await interrupt { pause in
    pause()
    mayGoOn.signal()
  } by: {
    _ = preview.image
  }
  return readings.all
}

/// How often, and from what to what, a background task was raised that one of high priority awaited.
func escalations() async -> [String] {
  let readings = Readings<String>()
  let (isInside, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  let low = Task.detached(priority: .background) {
    await withTaskPriorityEscalationHandler {
      isInside.signal()
      await blocking { mayGoOn.wait() }
    } onPriorityEscalated: { old, new in
      readings.add("\(old.rawValue) to \(new.rawValue)")
    }
  }
  await blocking { isInside.wait() }
  let high = Task.immediateDetached(priority: .high) { await low.value }
  mayGoOn.signal()
  await high.value
  return readings.all
}

/// What a background task reads on an actor before and after one of high priority waits for the actor.
func readingsOnBusyActor<Value: Sendable>(
  _ read: @escaping @Sendable () -> Value
) async -> [Value] {
  let readings = Readings<Value>()
  let index = Isolated.Index()
  let (isInside, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  let low = Task.detached(priority: .background) {
    await Stop.change(1).around(index) {
      readings.add(read())
      isInside.signal()
      mayGoOn.wait()
      readings.add(read())
    } while: {
      await index.add("background")
    }
  }
  await blocking { isInside.wait() }
  let high = Task.immediateDetached(priority: .high) { await index.add("urgent") }
  mayGoOn.signal()
  await high.value
  await low.value
  return readings.all
}

/// Three tasks are in line for an actor, and then one of high priority awaits the last.
///
/// - Returns: The order in which the actor serves them.
func orderOfWhoIsRaisedInLine() async -> [String] {
  let index = Isolated.Index()
  let (isInside, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  let first = Task.detached(priority: .background) {
    await Stop.change(1).around(index) {
      isInside.signal()
      mayGoOn.wait()
    } while: {
      await index.add("first")
    }
  }
  await blocking { isInside.wait() }
  let line: [(String, TaskPriority)] = [
    ("background", .background), ("utility", .utility), ("raised", .background),
  ]
  let tasks = line.map { name, priority in
    Task.immediateDetached(priority: priority) { await index.add(name) }
  }
  let high = Task.immediateDetached(priority: .high) { await tasks[2].value }
  mayGoOn.signal()
  for task in [first, high] + tasks { await task.value }
  return await Array(index.photos.dropFirst())
}
