import Foundation
import Synchronization
import Testing
import Workbook

@testable import Callbacks

@Suite(.timeLimit(.minutes(30))) struct UploadTests {
  private struct Refused: Error {}

  /// Takes five pieces on a queue of its own, unless it refuses one.
  ///
  /// - Parameter isOver: Opened when the main queue is done with the last one.
  private static func server(
    refusing refused: Int?, whenOver isOver: Gate = Gate()
  ) -> @Sendable (Data, @escaping Completion<Void>) -> Void {
    let (queue, count) = (DispatchQueue(label: "server"), Counter())
    return { _, completion in
      queue.async {
        let number = count.next()
        completion(number == refused ? .failure(Refused()) : .success(()))
        if number == refused ?? 5 { DispatchQueue.main.async { isOver.open() } }
      }
    }
  }

  @Test(arguments: [nil, 3])
  @MainActor func `both screens show how far an upload came, and how it ended`(
    _ refused: Int?
  ) async {
    let data = Data(repeating: 0, count: 5)
    let (old, isOver) = (Delegated.UploadScreen(), Gate())
    let server = Self.server(refusing: refused, whenOver: isOver)
    Uploader(pieceSize: 1, delegate: old, send: server).upload(data)
    await isOver.wait()
    let (new, events) = (Async.UploadScreen(), Async.UploadEvents())
    Uploader(pieceSize: 1, delegate: events, send: Self.server(refusing: refused)).upload(data)
    await new.follow(events)
    for (isDone, alert) in [(old.isDone, old.alert), (new.isDone, new.alert)] {
      #expect(isDone == (refused == nil))
      #expect(alert == (refused == nil ? nil : "The upload has failed."))
    }
    #expect(old.fraction == (refused == nil ? 1 : 0.4))
    // Its reader may have been too late for any but the last.
    #expect(new.fraction == old.fraction || refused != nil)
  }

  @Test func `a stream ends when its delegate goes`() async {
    var events: Async.UploadEvents? = Async.UploadEvents()
    let fractions = events!.fractions
    let uploader = Uploader(pieceSize: 1, delegate: events!, send: { _, _ in })
    uploader.upload(Data(repeating: 0, count: 2))
    events = nil
    await #expect(throws: CancellationError.self) { for try await _ in fractions {} }
  }

  @Test func `a late reader gets the newest, and no more is kept`() async throws {
    let events = Async.UploadEvents()
    for sent in 1...1_000 { events.uploader(didSend: sent, of: 1_000) }
    events.uploaderDidSucceed()
    var read: [Double] = []
    for try await fraction in events.fractions { read.append(fraction) }
    #expect(read == [1])
  }

  @Test func `a break ends the reading, and not the stream`() async throws {
    let isOver = Mutex(false)
    let (numbers, sink) = AsyncStream.makeStream(of: Int.self)
    sink.onTermination = { _ in isOver.withLock { $0 = true } }
    for number in 1...3 { sink.yield(number) }
    for await _ in numbers { break }
    #expect(!isOver.withLock { $0 })
    var rest = numbers.makeAsyncIterator()
    #expect(await rest.next() == 2)
    sink.finish()
    #expect(isOver.withLock { $0 })
  }

  @Test func `two readers share the elements`() async {
    let (numbers, sink) = AsyncStream.makeStream(of: Int.self)
    for number in 1...10 { sink.yield(number) }
    sink.finish()
    async let first = numbers.reduce(into: []) { $0.append($1) }
    async let second = numbers.reduce(into: []) { $0.append($1) }
    #expect(await (first + second).sorted() == Array(1...10))
  }
}

private final class Counter: Sendable {
  private let count = Mutex(0)

  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}
