import ChapterTesting
import Dispatch
import Testing

@testable import SystemEvents

@Suite(.serialized, .timeLimit(.minutes(30)))
struct MergedTests {
  enum Form: CaseIterable {
    case add, or, replace

    /// Makes a source, and gives what sends to it and what ends it.
    func begin(
      _ queue: DispatchQueue, _ tell: @escaping @Sendable (UInt) -> Void,
      _ over: @escaping @Sendable () -> Void
    ) -> (send: (UInt) -> Void, cancel: () -> Void) {
      let source: any DispatchSourceProtocol
      let send: (UInt) -> Void
      switch self {
      case .add:
        let progress = Sourced.DownloadProgress(queue: queue, whenAdded: tell, whenOver: over)
        return ({ progress.add(bytes: $0) }, { progress.cancel() })
      case .or:
        let joining = DispatchSource.makeUserDataOrSource(queue: queue)
        (source, send) = (joining, { joining.or(data: $0) })
      case .replace:
        let newest = DispatchSource.makeUserDataReplaceSource(queue: queue)
        (source, send) = (newest, { newest.replace(data: $0) })
      }
      #expect(source.handle == 0 && source.mask == 0)
      source.setEventHandler { tell(source.data) }
      source.setCancelHandler(handler: over)
      source.activate()
      return (send, { source.cancel() })
    }
  }

  @Test(arguments: Form.allCases)
  func `what comes while the handler waits is merged`(_ form: Form) async {
    // Zero never fires, and takes away what waits where the newest stays.
    let rows: [(sent: [UInt], told: UInt?)] =
      form == .replace
      ? [([1, 2, 4, 8], 8), ([16], 16), ([7, 0], nil), ([4], 4)]
      : [([1, 2, 4, 8], 15), ([16], 16), ([0], nil), ([4], 4)]
    let (told, over) = (Deliveries<UInt>(), Deliveries<Void>())
    var expected: [UInt] = []
    do {
      let queue = DispatchQueue(label: "merged")
      let (send, cancel) = form.begin(queue, { told.append($0) }, { over.append(()) })
      for (sent, value) in rows {
        queue.sync { sent.forEach(send) }
        if let value { expected.append(value) }
        await told.wait(count: expected.count)
      }
      // That one is over as its owner goes.
      if form != .add { cancel() }
    }
    await over.wait(count: 1)
    #expect(told.all == expected)
  }

  @Test func `a sequence gives what it was sent in one value, and ends`() async {
    func told<Value: Sendable>(_ rule: MergingRule<Value>, _ values: [Value]) async -> [Value] {
      let merged = Async.Merged(rule)
      for value in values { merged.send(value) }
      merged.finish()
      // Too late.
      for value in values { merged.send(value) }
      let all: [Value] = await merged.reduce(into: []) { $0.append($1) }
      for await _ in merged { Issue.record("a value after the end") }
      return all
    }
    #expect(await told(MergingRule<UInt>.sum, [1, 2, 4, 8]) == [15])
    #expect(await told(MergingRule<UInt>.sum, [0, 0]) == [])
    #expect(await told(MergingRule<Parts>.union, [.title, .pictures]) == [[.title, .pictures]])
    #expect(await told(MergingRule<Parts>.union, [[], []]) == [])
    #expect(await told(MergingRule<UInt>.newest, [7, 0]) == [0])
    let changes = [
      DocumentChanges(), DocumentChanges(bytes: 3), DocumentChanges(parts: .title, reading: 7),
      DocumentChanges(parts: .pictures, reading: 0), DocumentChanges(bytes: 4),
    ]
    let merged = DocumentChanges(bytes: 7, parts: [.title, .pictures], reading: 0)
    #expect(await told(.changes, changes) == [merged])
    #expect(await told(.changes, [DocumentChanges()]) == [])
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
  }

  @Test func `the buffer is right in all orders of seven calls, and so of fewer`() {
    enum Call: CaseIterable { case send, sendNothing, next, finish, cancel }
    var orders: [[Call]] = [[]]
    for _ in 0..<7 { orders = orders.flatMap { order in Call.allCases.map { order + [$0] } } }
    for calls in orders {
      var buffer = MergedBuffer<UInt>(rule: .sum)
      var (isWaiting, isOpen) = (false, true)
      // What was sent and neither delivered nor dropped.
      var owed: UInt = 0
      // One consumer does not ask twice.
      for (i, call) in calls.enumerated() where call != .next || !isWaiting {
        let action =
          switch call {
          case .send: buffer.send(1 << UInt(i))
          case .sendNothing: buffer.send(0)
          case .next: buffer.next()
          case .finish: buffer.finish()
          case .cancel: buffer.cancel()
          }
        if call == .send, isOpen { owed += 1 << UInt(i) }
        if call == .cancel { owed = 0 }
        isWaiting = isWaiting || call == .next
        isOpen = isOpen && call != .finish && call != .cancel
        let mustDeliver = isWaiting && (owed > 0 || !isOpen)
        // Nothing, or a value, or the end.
        let expected: UInt?? = mustDeliver ? .some(owed > 0 ? owed : nil) : nil
        let told: UInt?? = if case .deliver(let value) = action { .some(value) } else { nil }
        if told != expected { Issue.record("\(calls)") }
        if mustDeliver { (isWaiting, owed) = (false, 0) }
      }
    }
  }

  @Test func `two tasks that wait for one sequence trap`() async {
    await #expect(processExitsWith: .failure) {
      var buffer = MergedBuffer<UInt>(rule: .sum)
      _ = buffer.next()
      _ = buffer.next()
    }
  }
}
