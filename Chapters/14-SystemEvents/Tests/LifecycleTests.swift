import Dispatch
import Foundation
import Synchronization
import Testing
import Workbook

@testable import SystemEvents

@Suite(.serialized, .timeLimit(.minutes(30)))
struct LifecycleTests {
  enum Input: CaseIterable { case activate, resume, suspend, cancel, event }

  /// What handlers are called with.
  enum Call: Equatable {
    case event(UInt)
    case cancelled
  }

  /// All orders of one to so many inputs.
  static func orders(upTo length: Int) -> [[Input]] {
    var all: [[Input]] = []
    var last: [[Input]] = [[]]
    for _ in 0..<length {
      last = last.flatMap { order in Input.allCases.map { order + [$0] } }
      all += last
    }
    return all
  }

  /// The account, and how events that wait merge.
  struct Model {
    var lifecycle = SourceLifecycle()
    var waiting: UInt = 0
    var calls: [Call] = []
    let merge: (UInt, UInt) -> UInt

    /// - Returns: Whether the input was refused as a mistake.
    mutating func receive(_ input: Input, value: UInt) -> Bool {
      do {
        switch input {
        case .activate: perform(lifecycle.activate())
        case .resume: perform(try lifecycle.resume())
        case .suspend: perform(try lifecycle.suspend())
        case .cancel: perform(lifecycle.cancel())
        case .event:
          if !lifecycle.isCancelled { waiting = merge(waiting, value) }
          perform(lifecycle.event())
        }
        return false
      } catch { return true }
    }

    mutating func perform(_ effect: SourceLifecycle.Effect?) {
      switch effect {
      case .callHandler:
        calls.append(.event(waiting))
        waiting = 0
        perform(lifecycle.handled())
      case .callCancelHandler: calls.append(.cancelled)
      case nil: break
      }
    }

    /// What ends a source, whatever was done before.
    var ending: [Input] {
      let resumes = [Input](repeating: .resume, count: lifecycle.suspensions)
      return [.activate] + resumes + [.cancel]
    }
  }

  @Test func `in all 3,905 orders of up to five calls the cancel handler comes once and last`() {
    let orders = Self.orders(upTo: 5)
    #expect(orders.count == 3_905)
    for order in orders {
      var model = Model(merge: +)
      var isCancelled = false
      for (i, input) in order.enumerated() {
        let before = model
        let isMistake = model.receive(input, value: 1 << UInt(i))
        let isUnowed =
          input == .resume && before.lifecycle.isActive && before.lifecycle.suspensions == 0
        #expect(isMistake == (isUnowed || input == .suspend && isCancelled), "\(order)")
        if isMistake { #expect(model.calls == before.calls, "\(order)") }
        if input == .cancel { isCancelled = true }
        if isCancelled || !model.lifecycle.isActive || model.lifecycle.suspensions > 0 {
          // Nothing but the cancel handler may come of that.
          let new = model.calls.dropFirst(before.calls.count)
          #expect(new.isEmpty || new == [.cancelled], "\(order)")
        }
      }
      for input in model.ending { _ = model.receive(input, value: 0) }
      #expect(model.calls.last == .cancelled, "\(order)")
      #expect(model.calls.count { $0 == .cancelled } == 1, "\(order)")
    }
  }

  @Test func `the handler in flight returns before the cancel handler is called`() throws {
    var lifecycle = SourceLifecycle()
    lifecycle.activate()
    #expect(lifecycle.event() == .callHandler)
    #expect(lifecycle.event() == nil)
    #expect(lifecycle.cancel() == nil)
    #expect(lifecycle.handled() == .callCancelHandler)
    #expect(lifecycle.cancel() == nil)
    #expect(lifecycle.event() == nil)
  }

  @Test func `an event that comes while the handler runs brings one more run`() throws {
    var lifecycle = SourceLifecycle()
    lifecycle.activate()
    #expect(lifecycle.event() == .callHandler)
    #expect(lifecycle.event() == nil)
    #expect(lifecycle.event() == nil)
    #expect(lifecycle.handled() == .callHandler)
    #expect(lifecycle.handled() == nil)
  }

  @Test func `a mistake says what to do`() {
    #expect(
      "\(SourceLifecycle.Misuse.resumedWithoutSuspension)"
        == "resume of a source that is not suspended; call it once for each call of suspend")
    #expect(
      "\(SourceLifecycle.Misuse.suspendedAfterCancellation)"
        == "suspend of a cancelled source; nothing is left to hold back but its cancel handler")
  }

  /// A real source of each kind.
  struct Kind: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let merge: @Sendable (UInt, UInt) -> UInt
    let make: @Sendable (DispatchQueue, RealCalls) -> RealSource

    private static let newest: @Sendable (UInt, UInt) -> UInt = { _, new in new }
    private static let once: @Sendable (UInt, UInt) -> UInt = { _, _ in 1 }

    static let all = [
      Kind(testDescription: "add", merge: +) { queue, calls in
        let source = DispatchSource.makeUserDataAddSource(queue: queue)
        return RealSource(source, calls, read: { source.data }, event: { source.add(data: $0) })
      },
      Kind(testDescription: "or", merge: |) { queue, calls in
        let source = DispatchSource.makeUserDataOrSource(queue: queue)
        return RealSource(source, calls, read: { source.data }, event: { source.or(data: $0) })
      },
      Kind(testDescription: "replace", merge: newest) { queue, calls in
        let source = DispatchSource.makeUserDataReplaceSource(queue: queue)
        return RealSource(source, calls, read: { source.data }, event: { source.replace(data: $0) })
      },
      Kind(testDescription: "timer", merge: once) { queue, calls in
        let source = DispatchSource.makeTimerSource(queue: queue)
        return RealSource(
          source, calls, read: { source.data }, event: { _ in source.schedule(deadline: .now()) })
      },
      Kind(testDescription: "read", merge: +) { queue, calls in
        let (near, far) = socketPair()
        let source = DispatchSource.makeReadSource(fileDescriptor: near, queue: queue)
        return RealSource(
          source, calls,
          read: {
            var bytes = [UInt8](repeating: 0, count: 64)
            return UInt(max(recv(near, &bytes, 64, Int32(MSG_DONTWAIT)), 0))
          },
          close: { calls.closed(close(near)) },
          end: { close(far) },
          event: { sendAll([UInt8](repeating: 1, count: Int($0)), to: far) })
      },
    ]
  }

  /// In orders of up to five calls an add source, and of up to four the others.
  @Test(arguments: zip(Kind.all, [5, 4, 4, 4, 4]))
  func `a real source behaves as the account says, in all orders`(
    _ kind: Kind, _ length: Int
  ) async {
    let failures = await blocking {
      Self.orders(upTo: length).compactMap { Self.difference(kind, $0, endsByRelease: false) }
    }
    #expect(failures == [])
  }

  @Test(arguments: Kind.all)
  func `its owner may be freed after each of the 780 orders, without a trap`(
    _ kind: Kind
  ) async {
    let failures = await blocking {
      Self.orders(upTo: 4).compactMap { Self.difference(kind, $0, endsByRelease: true) }
    }
    #expect(failures == [])
  }

  /// Plays an order on a real source and gives what differs from the account.
  static func difference(_ kind: Kind, _ order: [Input], endsByRelease: Bool) -> String? {
    let queue = DispatchQueue(label: "lifecycle")
    let calls = RealCalls()
    var real: RealSource? = kind.make(queue, calls)
    defer { real?.end() }
    let end = real!.end
    var model = Model(merge: kind.merge)
    for (i, input) in order.enumerated() {
      let value: UInt = 1 << UInt(i)
      let isMistake = model.receive(input, value: value)
      if real!.receive(input, value: value) != isMistake { return "\(order): mistakes differ" }
      if !calls.wait(count: model.calls.count) { return "\(order): \(calls.all)" }
    }
    if endsByRelease {
      real = nil
      // Its events may come on the way; nothing is said of them, but the cancel handler is the last.
      if !calls.waitForCancellation() { return "\(order): not cancelled: \(calls.all)" }
      queue.sync {}
      end()
    } else {
      for input in model.ending {
        let isMistake = model.receive(input, value: 0)
        if real!.receive(input, value: 0) != isMistake { return "\(order): mistakes differ" }
        if !calls.wait(count: model.calls.count) { return "\(order): \(calls.all)" }
      }
      queue.sync {}
      if calls.all != model.calls { return "\(order): \(calls.all), expected \(model.calls)" }
    }
    let all = calls.all
    guard all.last == .cancelled, all.count(where: { $0 == .cancelled }) == 1 else {
      return "\(order): \(all)"
    }
    return calls.closings.allSatisfy { $0 == 0 } && calls.closings.count <= 1
      ? nil : "\(order): closed \(calls.closings)"
  }
}

/// What the handlers of a real source were called with.
final class RealCalls: Sendable {
  private let calls = Mutex<[LifecycleTests.Call]>([])
  private let results = Mutex<[Int32]>([])
  private let news = DispatchSemaphore(value: 0)

  var all: [LifecycleTests.Call] { calls.withLock { $0 } }
  var closings: [Int32] { results.withLock { $0 } }

  func append(_ call: LifecycleTests.Call) {
    calls.withLock { $0.append(call) }
    news.signal()
  }

  func closed(_ result: Int32) { results.withLock { $0.append(result) } }

  func wait(count: Int) -> Bool { wait { $0.count >= count } }
  func waitForCancellation() -> Bool { wait { $0.contains(.cancelled) } }

  /// The limit guards against hanging only.
  private func wait(until isEnough: ([LifecycleTests.Call]) -> Bool) -> Bool {
    while !isEnough(all) {
      guard news.wait(timeout: .now() + 600) == .success else { return false }
    }
    return true
  }
}

/// A source behind its owner, and how it gets an event.
struct RealSource {
  let owner: BalancedSource
  let event: (UInt) -> Void
  let end: () -> Void

  init(
    _ source: any DispatchSourceProtocol, _ calls: RealCalls, read: @escaping () -> UInt,
    close: @escaping @Sendable () -> Void = {}, end: @escaping () -> Void = {},
    event: @escaping (UInt) -> Void
  ) {
    source.setEventHandler { calls.append(.event(read())) }
    source.setCancelHandler {
      close()
      calls.append(.cancelled)
    }
    owner = BalancedSource(source)
    self.event = event
    self.end = end
  }

  /// - Returns: Whether it was refused as a mistake.
  func receive(_ input: LifecycleTests.Input, value: UInt) -> Bool {
    do {
      switch input {
      case .activate: owner.activate()
      case .resume: try owner.resume()
      case .suspend: try owner.suspend()
      case .cancel: owner.cancel()
      case .event: event(value)
      }
      return false
    } catch { return true }
  }
}
