import ChapterTesting
import Dispatch
import Foundation
import Synchronization
import Testing

@testable import SystemEvents

#if canImport(CLinux)
  import CLinux
#endif

/// What holds for sources of all kinds, as observed on Linux. The stand-ins that are explored keep to the same.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct FactsTests {
  /// A kind of source that a test can give one event.
  struct Kind: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// What its event handler sees; the handle of a descriptor's source is the descriptor.
    let mask: UInt
    let data: UInt
    /// Makes an inactive source, what gives it an event, and what is done when it is cancelled.
    let make: @Sendable (DispatchQueue) -> Made

    static let all = [
      Kind(testDescription: "timer", mask: 0, data: 1) { queue in
        let source = DispatchSource.makeTimerSource(queue: queue)
        return Made(source: source, event: { source.schedule(deadline: .now()) })
      },
      Kind(testDescription: "add", mask: 0, data: 5) { queue in
        let source = DispatchSource.makeUserDataAddSource(queue: queue)
        return Made(source: source, event: { source.add(data: 5) })
      },
      Kind(testDescription: "or", mask: 0, data: 5) { queue in
        let source = DispatchSource.makeUserDataOrSource(queue: queue)
        return Made(source: source, event: { source.or(data: 5) })
      },
      Kind(testDescription: "replace", mask: 0, data: 5) { queue in
        let source = DispatchSource.makeUserDataReplaceSource(queue: queue)
        return Made(source: source, event: { source.replace(data: 5) })
      },
      Kind(testDescription: "read", mask: 0, data: 3) { queue in
        let (near, far) = socketPair()
        let source = DispatchSource.makeReadSource(fileDescriptor: near, queue: queue)
        return Made(
          source: source, descriptor: near, event: { sendAll([1, 2, 3], to: far) },
          end: {
            close(near)
            close(far)
          })
      },
      // A socket's data is what its other side has not taken yet, and not the room to write. So this 0 fires.
      Kind(testDescription: "write, socket", mask: 0, data: 0) { queue in
        let (near, far) = socketPair()
        return writing(near, far, queue)
      },
      Kind(testDescription: "write, pipe", mask: 0, data: 1) { queue in
        var ends: [Int32] = [-1, -1]
        precondition(linux_pipe_close_on_exec(&ends) == 0)
        return writing(ends[1], ends[0], queue)
      },
    ]

    /// What can be written from the beginning.
    private static func writing(_ near: Int32, _ far: Int32, _ queue: DispatchQueue) -> Made {
      let source = DispatchSource.makeWriteSource(fileDescriptor: near, queue: queue)
      return Made(
        source: source, descriptor: near, event: {},
        end: {
          close(near)
          close(far)
        })
    }
  }

  struct Made {
    let source: any DispatchSourceProtocol
    var descriptor: Int32?
    let event: () -> Void
    var end: @Sendable () -> Void = {}
  }

  struct Seen: Equatable, Sendable {
    var handle: UInt
    var mask: UInt
    var data: UInt
  }

  enum HandlerForm: CaseIterable { case blocks, workItems }

  /// Inactive it calls nothing; then the registration handler comes first, and an event with what is told; suspended it keeps
  /// its cancel handler back; and what its handlers capture is freed once, behind it.
  @Test(arguments: Kind.all, HandlerForm.allCases)
  func `a source lives so, of whatever kind`(_ kind: Kind, _ form: HandlerForm) async {
    let order = Deliveries<String>()
    let seen = Deliveries<Seen>()
    do {
      let queue = DispatchQueue(label: "kind")
      let made = kind.make(queue)
      let source = made.source
      let end = made.end
      let context = Context { order.append("freed") }
      let registered: @Sendable () -> Void = { order.append("registration") }
      let event = {
        seen.append(Seen(handle: source.handle, mask: source.mask, data: source.data))
        source.suspend()
        order.append("event")
      }
      let cancelled: @Sendable () -> Void = {
        context.touch()
        end()
        order.append("cancel")
      }
      switch form {
      case .blocks:
        source.setRegistrationHandler(handler: registered)
        source.setEventHandler(handler: event)
        source.setCancelHandler(handler: cancelled)
      case .workItems:
        source.setRegistrationHandler(handler: DispatchWorkItem(block: registered))
        source.setEventHandler(handler: DispatchWorkItem(block: event))
        source.setCancelHandler(handler: DispatchWorkItem(block: cancelled))
      }
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
      let handle = made.descriptor.map(UInt.init) ?? 0
      // Dispatch itself adds to the flags of a timer that it is in the background.
      let ignored: UInt = source is any DispatchSourceTimer ? Self.background : 0
      #expect(seen.all.map { $0.mask & ~ignored } == [kind.mask])
      #expect(seen.all.map(\.handle) == [handle])
      #expect(seen.all.map(\.data) == [kind.data])
    }
    let all = await order.wait { $0.contains("freed") }
    #expect(all == ["inactive", "registration", "event", "resumed once", "cancel", "freed"])
  }

  private static let background: UInt = 2

  @Test func `a timer's mask are its flags`() {
    for (flags, mask) in [(DispatchSource.TimerFlags.strict, UInt(1)), ([], 0)] {
      let timer = DispatchSource.makeTimerSource(flags: flags, queue: DispatchQueue(label: "kind"))
      #expect(timer.mask == mask)
      timer.activate()
      timer.cancel()
    }
  }

  @Test func `suspended in its registration handler, a source may still call its event handler`()
    async
  {
    let calls = Deliveries<UInt>()
    let source = DispatchSource.makeUserDataAddSource(queue: DispatchQueue(label: "kind"))
    source.setRegistrationHandler {
      source.add(data: 1)
      source.suspend()
    }
    source.setEventHandler { calls.append(source.data) }
    source.activate()
    #expect(await calls.wait(count: 1) == [1])
    source.resume()
    source.cancel()
  }

  // A process of its own: a signal's action belongs to the whole process.
  @Test func `a signal source sees the signal's number as handle, and data 1`() async {
    await #expect(processExitsWith: .success) {
      signal(SIGUSR1, SIG_IGN)
      let seen = Deliveries<Seen>()
      let source = DispatchSource.makeSignalSource(
        signal: SIGUSR1, queue: DispatchQueue(label: "signal"))
      let registered = Deliveries<Void>()
      source.setRegistrationHandler { registered.append(()) }
      source.setEventHandler {
        seen.append(Seen(handle: source.handle, mask: source.mask, data: source.data))
      }
      source.activate()
      await registered.wait(count: 1)
      kill(getpid(), SIGUSR1)
      let all = await seen.wait(count: 1)
      exit(all == [Seen(handle: UInt(SIGUSR1), mask: 0, data: 1)] ? 0 : 1)
    }
  }

  @Test func `handlers may be set and changed at any time, and the next call is of the newest`()
    async
  {
    let calls = Deliveries<String>()
    let queue = DispatchQueue(label: "late")
    let source = DispatchSource.makeUserDataAddSource(queue: queue)
    source.activate()
    queue.sync {}
    source.add(data: 1)
    queue.sync {}
    source.setEventHandler { calls.append("first \(source.data)") }
    source.setRegistrationHandler { calls.append("registration") }
    source.add(data: 2)
    await calls.wait { $0.contains("first 2") }
    source.setEventHandler { calls.append("second \(source.data)") }
    source.add(data: 4)
    await calls.wait { $0.contains("second 4") }
    source.setCancelHandler { calls.append("cancel") }
    source.cancel()
    #expect(
      await calls.wait { $0.contains("cancel") }.filter { $0 != "registration" }
        == ["first 2", "second 4", "cancel"])
    #expect(calls.all.count { $0 == "registration" } == 1)
  }

  @Test func `a source that is released too early never fires`() async {
    let order = Deliveries<String>()
    let queue = DispatchQueue(label: "early")
    queue.suspend()
    do {
      let context = Context { order.append("freed") }
      let source = DispatchSource.makeUserDataAddSource(queue: queue)
      source.setEventHandler {
        order.append("event")
        context.touch()
      }
      source.activate()
      // An event that waits is lost, too.
      source.add(data: 1)
      let timer = DispatchSource.makeTimerSource(queue: queue)
      timer.setEventHandler {
        order.append("timer")
        context.touch()
      }
      timer.schedule(deadline: .now())
      timer.activate()
    }
    queue.resume()
    #expect(await order.wait(count: 1) == ["freed"])
  }

  @Test func `a source that is never cancelled keeps what its handler captures`() async {
    let freed = Deliveries<Bool>()
    var cancels: [() -> Void] = []
    for i in 0..<200 {
      let isCancelled = i.isMultiple(of: 2)
      let context = Context { freed.append(isCancelled) }
      let source = DispatchSource.makeUserDataAddSource(queue: DispatchQueue(label: "leak"))
      source.setEventHandler {
        context.touch()
        _ = source.data
      }
      source.activate()
      if isCancelled { source.cancel() }
      weak let weakly = source as? DispatchSource
      cancels.append { weakly?.cancel() }
    }
    // All that are cancelled are freed, and none of the others.
    #expect(await freed.wait(count: 100) == [Bool](repeating: true, count: 100))
    for cancel in cancels { cancel() }
    #expect(await freed.wait(count: 200).count { !$0 } == 100)
  }

  @Test func `an event that waits is handled on the queue that the source gets meanwhile`() async {
    // So on Linux. Apple's documentation says that a handler that waits already still runs on the old queue.
    let key = DispatchSpecificKey<String>()
    let (old, new) = (DispatchQueue(label: "old"), DispatchQueue(label: "new"))
    old.setSpecific(key: key, value: "old")
    new.setSpecific(key: key, value: "new")
    for _ in 0..<100 {
      let order = Deliveries<String>()
      let source = DispatchSource.makeUserDataAddSource(queue: old)
      source.setEventHandler {
        order.append("event on \(DispatchQueue.getSpecific(key: key) ?? "none")")
      }
      source.setCancelHandler {
        order.append("cancel on \(DispatchQueue.getSpecific(key: key) ?? "none")")
      }
      source.activate()
      source.add(data: 1)
      await order.wait(count: 1)
      old.suspend()
      source.add(data: 1)
      (source as? DispatchSource)?.setTarget(queue: new)
      old.resume()
      await order.wait(count: 2)
      source.cancel()
      #expect(await order.wait(count: 3) == ["event on old", "event on new", "cancel on new"])
      // The last handler has returned: ThreadSanitizer looks at the queue that it was set for behind it, and does not keep that.
      await withCheckedContinuation { returned in new.async { returned.resume() } }
    }
  }

  @Test func `Dispatch traps at a resume too many, and at a release that is suspended or inactive`()
    async
  {
    await #expect(processExitsWith: .failure) {
      let source = DispatchSource.makeUserDataAddSource(queue: nil)
      source.activate()
      source.resume()
    }
    await #expect(processExitsWith: .failure) {
      let source = DispatchSource.makeUserDataAddSource(queue: nil)
      source.activate()
      source.suspend()
    }
    await #expect(processExitsWith: .failure) {
      _ = DispatchSource.makeUserDataAddSource(queue: nil)
    }
  }

  @Test func `behind a balanced owner all that is an error, or nothing`() async {
    await #expect(processExitsWith: .success) {
      _ = BalancedSource(DispatchSource.makeUserDataAddSource(queue: nil))
      let suspended = BalancedSource(DispatchSource.makeUserDataAddSource(queue: nil))
      suspended.activate()
      try suspended.suspend()
      let resumed = BalancedSource(DispatchSource.makeUserDataAddSource(queue: nil))
      try resumed.resume()
      #expect(resumed.isActive)
      let early = #expect(throws: SourceMisuse.self) { try resumed.resume() }
      #expect(
        early?.description
          == "resume of a source that is not suspended; call it once for each call of suspend")
      resumed.cancel()
      let late = #expect(throws: SourceMisuse.self) { try resumed.suspend() }
      #expect(
        late?.description
          == "suspend of a cancelled source; nothing is left to hold back but its cancel handler")
    }
  }
}

/// What a handler captures; it tells when it is freed.
final class Context: Sendable {
  private let whenFreed: @Sendable () -> Void

  init(whenFreed: @escaping @Sendable () -> Void) { self.whenFreed = whenFreed }
  deinit { whenFreed() }

  func touch() {}
}
