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

  @Test func `waiting for a work item blocks until it is done`() {
    let done = Transcript()
    let item = DispatchWorkItem { done.say("item") }
    DispatchQueue.global().async(execute: item)
    item.wait()
    done.say("waiter")
    #expect(done.steps == ["item", "waiter"])
  }
}
