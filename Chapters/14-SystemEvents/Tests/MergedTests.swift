import ChapterTesting
import Dispatch
import Foundation
import Synchronization
import Testing
import Workbook

@testable import SystemEvents

@Suite(.serialized, .timeLimit(.minutes(30)))
struct MergedTests {
  enum Rule: CaseIterable {
    case sum, union, newest

    func merge(_ values: [UInt]) -> UInt {
      switch self {
      case .sum: values.reduce(0, +)
      case .union: values.reduce(0, |)
      case .newest: values.last ?? 0
      }
    }
  }

  struct Running: Sendable {
    let send: @Sendable (UInt) -> Void
    let stop: @Sendable () -> Void
  }

  typealias Handler = @Sendable (UInt) -> Void

  /// One rule on one side.
  struct Form: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let rule: Rule
    /// Sends first values before the handler can run.
    let begin:
      @Sendable (
        _ first: [UInt], _ handler: @escaping Handler, _ over: @escaping @Sendable () -> Void
      ) -> Running

    static let all = old + new

    static let old = [
      Form(testDescription: "source, add", rule: .sum) { first, handler, over in
        whileSuspended { queue in
          let progress = Sourced.DownloadProgress(queue: queue, whenAdded: handler, whenOver: over)
          first.forEach(progress.add)
          return Running(send: { progress.add(bytes: $0) }, stop: { progress.cancel() })
        }
      },
      Form(testDescription: "source, or", rule: .union) { first, handler, over in
        whileSuspended { queue in
          let dirty = Sourced.DirtyParts(
            queue: queue, whenMarked: { handler($0.rawValue) }, whenOver: over)
          for value in first { dirty.mark(Parts(rawValue: value)) }
          return Running(send: { dirty.mark(Parts(rawValue: $0)) }, stop: { dirty.cancel() })
        }
      },
      Form(testDescription: "source, replace", rule: .newest) { first, handler, over in
        whileSuspended { queue in
          let reading = Sourced.LatestReading(queue: queue, whenRead: handler, whenOver: over)
          first.forEach(reading.send)
          return Running(send: { reading.send($0) }, stop: { reading.cancel() })
        }
      },
    ]

    static let new = [
      Form(testDescription: "sequence, sum", rule: .sum) { first, handler, over in
        consume(Async.Merged<UInt>(.sum), first, { $0 }, handler, over)
      },
      Form(testDescription: "sequence, union", rule: .union) { first, handler, over in
        consume(
          Async.Merged<Parts>(.union), first.map(Parts.init), Parts.init, { handler($0.rawValue) },
          over)
      },
      Form(testDescription: "sequence, newest", rule: .newest) { first, handler, over in
        consume(Async.Merged<UInt>(.newest), first, { $0 }, handler, over)
      },
    ]

    private static func whileSuspended(_ make: (DispatchQueue) -> Running) -> Running {
      let queue = DispatchQueue(label: "merged")
      queue.suspend()
      defer { queue.resume() }
      return make(queue)
    }

    private static func consume<Value>(
      _ merged: Async.Merged<Value>, _ first: [Value], _ value: @escaping @Sendable (UInt) -> Value,
      _ handler: @escaping @Sendable (Value) -> Void, _ over: @escaping @Sendable () -> Void
    ) -> Running {
      for value in first { merged.send(value) }
      let task = Task {
        for await value in merged { handler(value) }
        over()
      }
      return Running(send: { merged.send(value($0)) }, stop: { task.cancel() })
    }
  }

  @Test(arguments: Form.all)
  func `what comes while the handler waits in its queue is merged`(_ form: Form) async {
    let told = Deliveries<UInt>()
    let over = Deliveries<Void>()
    let running = form.begin([1, 2, 4, 8], { told.append($0) }, { over.append(()) })
    await told.wait(count: 1)
    running.send(16)
    #expect(await told.wait(count: 2) == [form.rule.merge([1, 2, 4, 8]), 16])
    running.stop()
    await over.wait(count: 1)
  }

  @Test(arguments: Form.all.filter { $0.rule != .newest })
  func `zero, or the empty set, never fires`(_ form: Form) async {
    let told = Deliveries<UInt>()
    let over = Deliveries<Void>()
    let running = form.begin([0], { told.append($0) }, { over.append(()) })
    running.send(0)
    running.send(4)
    #expect(await told.wait(count: 1) == [4])
    running.stop()
    await over.wait(count: 1)
  }

  @Test(arguments: Form.all.filter { $0.rule == .newest })
  func `a reading of zero is told like any other`(_ form: Form) async {
    let told = Deliveries<UInt>()
    let over = Deliveries<Void>()
    let running = form.begin([7, 0], { told.append($0) }, { over.append(()) })
    #expect(await told.wait(count: 1) == [0])
    running.stop()
    await over.wait(count: 1)
  }

  @Test func `a sequence that is finished gives what waits, and then ends`() async {
    let merged = Async.Merged<UInt>(.sum)
    merged.send(1)
    merged.send(2)
    merged.finish()
    merged.send(4)
    var told: [UInt] = []
    for await value in merged { told.append(value) }
    #expect(told == [3])
    for await _ in merged { Issue.record("a value after the end") }
  }

  @Test func `the policies of a stream drop values or keep them all, and merge none`() async {
    func told(_ policy: AsyncStream<UInt>.Continuation.BufferingPolicy) async -> [UInt] {
      let (stream, continuation) = AsyncStream.makeStream(of: UInt.self, bufferingPolicy: policy)
      for value: UInt in [1, 2, 4] { continuation.yield(value) }
      continuation.finish()
      return await stream.reduce(into: []) { $0.append($1) }
    }
    #expect(await told(.bufferingNewest(1)) == [4])
    #expect(await told(.bufferingOldest(1)) == [1])
    #expect(await told(.unbounded) == [1, 2, 4])
    let merged = Async.Merged<UInt>(.sum)
    for value: UInt in [1, 2, 4] { merged.send(value) }
    merged.finish()
    #expect(await merged.reduce(into: []) { $0.append($1) } == [7])
  }

  @Test func `several kinds of change arrive in one value`() async {
    let changes = Async.Merged<DocumentChanges>(.changes)
    changes.send(DocumentChanges())
    changes.send(DocumentChanges(bytes: 3))
    changes.send(DocumentChanges(parts: .title, reading: 7))
    changes.send(DocumentChanges(parts: .pictures, reading: 0))
    changes.send(DocumentChanges(bytes: 4))
    changes.finish()
    var told: [DocumentChanges] = []
    for await change in changes { told.append(change) }
    #expect(told == [DocumentChanges(bytes: 7, parts: [.title, .pictures], reading: 0)])
  }

  @Test func `a source whose owner is gone is cancelled, and its handler freed`() async {
    let freed = Deliveries<String>()
    let over = Deliveries<String>()
    do {
      let context = Context { freed.append("freed") }
      let queue = DispatchQueue(label: "owner")
      _ = Sourced.DownloadProgress(
        queue: queue, whenAdded: { _ in context.touch() }, whenOver: { over.append("over") })
    }
    #expect(await over.wait(count: 1) == ["over"])
    #expect(await freed.wait(count: 1) == ["freed"])
  }

  @Test func `the buffer is right in all orders of up to seven calls`() {
    enum Call: CaseIterable { case send, next, finish, cancel }
    var count = 0
    func extend(_ calls: [Call]) {
      if !calls.isEmpty {
        count += 1
        check(calls)
      }
      if calls.count < 7 { for call in Call.allCases { extend(calls + [call]) } }
    }
    func check(_ calls: [Call]) {
      var buffer = MergedBuffer<UInt>(rule: .sum)
      var isWaiting = false
      var isOpen = true
      // What was sent and neither delivered nor dropped.
      var owed: UInt = 0
      for (i, call) in calls.enumerated() {
        // One consumer does not ask twice.
        if call == .next, isWaiting { continue }
        let action: MergedBuffer<UInt>.Action
        switch call {
        case .send:
          if isOpen { owed += 1 << UInt(i) }
          action = buffer.send(1 << UInt(i))
        case .next:
          action = buffer.next()
          isWaiting = true
        case .finish:
          action = buffer.finish()
          isOpen = false
        case .cancel:
          action = buffer.cancel()
          isOpen = false
          owed = 0
        }
        let mustDeliver = isWaiting && (owed > 0 || !isOpen)
        switch action {
        case .nothing:
          #expect(!mustDeliver, "\(calls)")
        case .deliver(let value):
          #expect(mustDeliver, "\(calls)")
          #expect(value == (owed > 0 ? owed : nil), "\(calls)")
          isWaiting = false
          owed = 0
        }
      }
    }
    extend([])
    #expect(count == 21_844)
  }

  @Test func `a consumer that waits is not woken for nothing`() {
    func isWoken<Value>(_ rule: MergingRule<Value>, by value: Value) -> Bool {
      var buffer = MergedBuffer(rule: rule)
      _ = buffer.next()
      if case .deliver = buffer.send(value) { return true }
      return false
    }
    #expect(!isWoken(.sum, by: 0 as UInt))
    #expect(!isWoken(.union, by: [] as Parts))
    #expect(!isWoken(.changes, by: DocumentChanges()))
    #expect(isWoken(.newest, by: 0 as UInt))
    #expect(isWoken(.changes, by: DocumentChanges(reading: 0)))
  }

  @Test func `two tasks that wait for one sequence trap`() async {
    await #expect(processExitsWith: .failure) {
      var buffer = MergedBuffer<UInt>(rule: .sum)
      _ = buffer.next()
      _ = buffer.next()
    }
  }
}
