import Dispatch
import Workbook

/// One request is being decoded; two that nobody looks at and one that is on the screen come, in this order.
///
/// - Returns: What was decoded, in its order.
func line(at decoder: some Decoding) async -> [String] {
  let (isInside, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  let first = Task.detached(priority: .background) {
    await Stop.change(1).around(decoder) {
      isInside.signal()
      mayGoOn.wait()
    } while: {
      await decoder.decode("first", isVisible: false)
    }
  }
  await blocking { isInside.wait() }
  // An immediate task runs here until it waits: then its request is in line.
  let requests = [("hidden 1", false), ("hidden 2", false), ("visible", true)].map {
    (photo, isVisible) in
    Task.immediateDetached(priority: isVisible ? .high : .background) {
      await decoder.decode(photo, isVisible: isVisible)
    }
  }
  mayGoOn.signal()
  for task in [first] + requests { _ = await task.value }
  return await decoder.decoded
}

/// One hidden photo is in line, and then come ten visible ones, each when the next one is being decoded.
///
/// - Returns: Where in the order the hidden one was decoded.
func flood(_ decoder: some Decoding) async -> String {
  let (isInside, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  let tasks = Readings<Task<String, Never>>()
  @Sendable func ask(for number: Int) {
    let task = Task.immediateDetached(priority: .high) {
      await Stop.change(1).around(decoder) {
        if number < 10 { ask(for: number + 1) }
      } while: {
        await decoder.decode("visible \(number)", isVisible: true)
      }
    }
    tasks.add(task)
  }
  let first = Task.detached(priority: .background) {
    await Stop.change(1).around(decoder) {
      isInside.signal()
      mayGoOn.wait()
    } while: {
      await decoder.decode("first", isVisible: false)
    }
  }
  await blocking { isInside.wait() }
  let hidden = Task.immediateDetached(priority: .background) {
    await decoder.decode("hidden", isVisible: false)
  }
  ask(for: 1)
  mayGoOn.signal()
  for task in [first, hidden] { _ = await task.value }
  // Each is there before the one that asked for it is answered.
  var answered = 0
  while answered < tasks.all.count {
    _ = await tasks.all[answered].value
    answered += 1
  }
  let decoded = await decoder.decoded
  return "hidden is number \(decoded.firstIndex(of: "hidden")! + 1) of \(decoded.count)"
}
