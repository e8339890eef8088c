import Dispatch
import Foundation
import Synchronization
import Testing
import Workbook

@testable import Queues

@Suite struct ThumbnailTests {
  static let photo = Photo(rows: [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]])
  static let thumbnail = Photo(rows: [[1, 3], [9, 11]])

  @Test func `both sides render the same thumbnail`() async throws {
    let item = Cancellable.Thumbnail(of: Self.photo)
    let fromItem = await withCheckedContinuation { continuation in
      item.start(on: .global()) { continuation.resume(returning: $0) }
    }
    #expect(fromItem == Self.thumbnail)
    #expect(try await Tasked.Thumbnail(of: Self.photo).photo == Self.thumbnail)
  }

  @Test func `a work item performed runs on the caller's thread`() {
    Thread.current.threadDictionary["is caller"] = true
    defer { Thread.current.threadDictionary["is caller"] = nil }
    let places = Transcript()
    let item = Cancellable.Thumbnail(of: Self.photo) { _ in
      places.say(Thread.current.threadDictionary["is caller"] == nil ? "elsewhere" : "caller")
    }
    #expect(item.perform() == Self.thumbnail)
    #expect(places.steps == ["caller", "caller"])
  }

  @Test func `a cancelled task throws where it looks`() async {
    let begun = Transcript()
    let isCancelled = Gate()
    let task = Tasked.Thumbnail(of: Self.photo) { row in
      await isCancelled.wait()
      begun.say("row \(row)")
    }
    task.cancel()
    isCancelled.open()
    await #expect(throws: CancellationError.self) { try await task.photo }
    #expect(begun.steps == ["row 0"])
  }

  @Test func `cancelling stops neither side before it looks`() async {
    let begun = Transcript()
    let isRunning = DispatchSemaphore(value: 0)
    let isCancelled = DispatchSemaphore(value: 0)
    let item = Cancellable.Thumbnail(of: Self.photo) { row in
      begun.say("row \(row)")
      if row == 2 {
        isRunning.signal()
        isCancelled.wait()
      }
    }
    let thumbnail = await withCheckedContinuation { continuation in
      item.start(on: .global()) { continuation.resume(returning: $0) }
      isRunning.wait()
      item.cancel()
      isCancelled.signal()
    }
    #expect(thumbnail == nil)
    #expect(begun.steps == ["row 0", "row 2"])
  }

  @Test func `a work item with the barrier flag runs alone on its queue`() {
    let queue = DispatchQueue(label: "pages", attributes: .concurrent)
    let group = DispatchGroup()
    let inside = Atomic(0)
    let order = Transcript()
    for _ in 0..<20 {
      queue.async(group: group) {
        inside.add(1, ordering: .relaxed)
        inside.subtract(1, ordering: .relaxed)
        order.say("reader")
      }
    }
    let barrier = DispatchWorkItem(flags: .barrier) {
      #expect(inside.load(ordering: .relaxed) == 0)
      order.say("barrier")
    }
    queue.async(group: group, execute: barrier)
    queue.async(group: group) { order.say("after") }
    group.wait()
    #expect(order.steps == Array(repeating: "reader", count: 20) + ["barrier", "after"])
  }

  /// Each flag of the text's table.
  @Test(arguments: 0..<5)
  func `on Linux a flag about context or quality changes neither thread nor result`(
    _ number: Int
  ) {
    let flags: [DispatchWorkItemFlags] = [
      .assignCurrentContext, .detached, .noQoS, .inheritQoS, .enforceQoS,
    ]
    let flag = flags[number]
    let queue = DispatchQueue(label: "background", qos: .background)
    let key = DispatchSpecificKey<String>()
    queue.setSpecific(key: key, value: "background")
    let seen = Transcript()
    let item = DispatchWorkItem(qos: .userInitiated, flags: flag) {
      seen.say("\(DispatchQueue.getSpecific(key: key) ?? "no queue"), nice \(niceness())")
    }
    queue.async(execute: item)
    item.wait()
    let plain = DispatchWorkItem { seen.say("background, nice \(niceness())") }
    queue.async(execute: plain)
    plain.wait()
    #expect(seen.steps.count == 2 && seen.steps[0] == seen.steps[1])
  }

  @Test func `waiting for a work item blocks until it is done`() {
    let done = Transcript()
    let item = DispatchWorkItem { done.say("item") }
    DispatchQueue.global().async(execute: item)
    item.wait()
    done.say("waiter")
    #expect(done.steps == ["item", "waiter"])
  }
}

/// How nice the calling thread is; 0 where threads have no value of their own.
private func niceness() -> Int32 {
  #if os(Linux)
    getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)
  #else
    0
  #endif
}
