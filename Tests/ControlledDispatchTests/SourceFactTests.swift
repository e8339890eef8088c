import CLinux
import ChapterTesting
import Foundation
import Testing

/// What holds for real sources of all kinds, as observed on Linux, and no program of `SourceTests` says: chapter 14 tells
/// it.
@Suite(unlessSanitized, .serialized, .timeLimit(.minutes(30))) struct SourceFactTests {
  enum Kind: CaseIterable {
    case timer, strictTimer, add, read, writeToSocket, writeToPipe

    func make(_ queue: DispatchQueue) -> Made {
      switch self {
      case .timer, .strictTimer:
        let source = DispatchSource.makeTimerSource(
          flags: self == .timer ? [] : .strict, queue: queue)
        return Made(source: source, mask: self == .timer ? 0 : 1, data: 1) {
          source.schedule(deadline: .now())
        }
      case .add:
        let source = DispatchSource.makeUserDataAddSource(queue: queue)
        return Made(source: source, data: 5) { source.add(data: 5) }
      case .read:
        let (near, far) = socketPair()
        let source = DispatchSource.makeReadSource(fileDescriptor: near, queue: queue)
        return Made(source: source, ends: [near, far], data: 3) { sendAll([1, 2, 3], to: far) }
      case .writeToSocket:
        // Its data is what the other side has not taken yet, and not the room to write. So this 0 fires.
        let (near, far) = socketPair()
        let source = DispatchSource.makeWriteSource(fileDescriptor: near, queue: queue)
        return Made(source: source, ends: [near, far], data: 0) {}
      case .writeToPipe:
        var ends: [Int32] = [-1, -1]
        precondition(linux_pipe_close_on_exec(&ends) == 0)
        let source = DispatchSource.makeWriteSource(fileDescriptor: ends[1], queue: queue)
        return Made(source: source, ends: [ends[1], ends[0]], data: 1) {}
      }
    }
  }

  /// An inactive source, with what its event handler sees and what gives it an event.
  struct Made {
    let source: any DispatchSourceProtocol
    /// The first one is its handle. To be closed when it is cancelled.
    var ends: [Int32] = []
    var mask: UInt = 0
    let data: UInt
    let event: () -> Void
  }

  /// Inactive it calls nothing; then the registration handler comes first, and an event with what is told; suspended it
  /// keeps its cancel handler back; and what its handlers capture is freed once, behind it.
  @Test(arguments: Kind.allCases)
  func `a source lives so, of whatever kind`(_ kind: Kind) async {
    let order = Deliveries<String>()
    let seen = Deliveries<[UInt]>()
    do {
      let queue = DispatchQueue(label: "kind")
      let made = kind.make(queue)
      let (source, ends) = (made.source, made.ends)
      #expect(source.mask == made.mask)
      // Dispatch itself adds to the flags of a timer that it is in the background.
      let ignored: UInt = source is any DispatchSourceTimer ? 2 : 0
      let context = Context { order.append("freed") }
      // Work items do as well as blocks.
      source.setRegistrationHandler(handler: DispatchWorkItem { order.append("registration") })
      source.setEventHandler {
        seen.append([source.handle, source.mask & ~ignored, source.data])
        source.suspend()
        order.append("event")
      }
      let cancelled = DispatchWorkItem {
        context.touch()
        for end in ends { close(end) }
        order.append("cancel")
      }
      source.setCancelHandler(handler: cancelled)
      made.event()
      queue.sync { order.append("inactive") }
      source.activate()
      // Once more does nothing.
      source.activate()
      await order.wait { $0.contains("event") }
      // Suspended while its handler runs, it may call the next one.
      queue.sync {}
      source.suspend()
      source.cancel()
      queue.sync {}
      source.resume()
      queue.sync { order.append("resumed once") }
      source.resume()
      #expect(seen.all == [[ends.first.map { UInt($0) } ?? 0, made.mask, made.data]])
    }
    let all = await order.wait { $0.contains("freed") }
    #expect(all == ["inactive", "registration", "event", "resumed once", "cancel", "freed"])
  }

  @Test func `until it is cancelled, a handler that names its source keeps it`() async {
    let freed = Deliveries<Void>()
    weak var kept: DispatchSource?
    do {
      let context = Context { freed.append(()) }
      let source = DispatchSource.makeUserDataAddSource(queue: DispatchQueue(label: "kept"))
      source.setEventHandler {
        context.touch()
        _ = source.data
      }
      source.activate()
      kept = source as? DispatchSource
    }
    #expect(kept != nil)
    #expect(freed.all.isEmpty)
    kept?.cancel()
    await freed.wait(count: 1)
  }

  @Test func `an event that waits is handled on the queue that the source gets meanwhile`() async {
    // So on Linux. Apple's documentation says that a handler that waits already still runs on the old queue.
    let key = DispatchSpecificKey<String>()
    let (old, new) = (DispatchQueue(label: "old"), DispatchQueue(label: "new"))
    for queue in [old, new] { queue.setSpecific(key: key, value: queue.label) }
    for _ in 0..<100 {
      let order = Deliveries<String>()
      let source = DispatchSource.makeUserDataAddSource(queue: old)
      let tell = { order.append(DispatchQueue.getSpecific(key: key) ?? "none") }
      source.setEventHandler(handler: tell)
      source.setCancelHandler(handler: tell)
      source.activate()
      source.add(data: 1)
      await order.wait(count: 1)
      old.suspend()
      source.add(data: 1)
      (source as? DispatchSource)?.setTarget(queue: new)
      old.resume()
      await order.wait(count: 2)
      source.cancel()
      #expect(await order.wait(count: 3) == ["old", "new", "new"])
      // The last handler has returned: ThreadSanitizer looks at its queue behind it, and does not keep that.
      await withCheckedContinuation { returned in new.async { returned.resume() } }
    }
  }
}

/// What a handler captures; it tells when it is freed.
private final class Context: Sendable {
  private let whenFreed: @Sendable () -> Void

  init(whenFreed: @escaping @Sendable () -> Void) { self.whenFreed = whenFreed }
  deinit { whenFreed() }

  func touch() {}
}
