import Dispatch
import Synchronization
import Workbook

extension Subject {
  static let mergedEvents = Subject(
    "merged-events",
    asks: "4, 5 and 6 bytes come while the window draws the first 3. How often does it draw again?",
    right: .allowed("once, 15 bytes"),
    implementations: [
      .before(
        "a block for each", .surprising("3 times, 15 bytes", "each waits for its own turn")
      ) { (_: Stage) in
        let window = Window()
        let progress = PerEvent.DownloadProgress(queue: window.queue, whenAdded: window.draw)
        return window.drawing { progress.add(bytes: $0) }
      }
      .code("MergedPerEvent.swift", "queue.async").alwaysWrong,
      .before("add source") { (_: Stage) in
        let window = Window()
        let progress = Sourced.DownloadProgress(queue: window.queue, whenAdded: window.draw)
        return window.drawing(progress.add)
      }
      .code("MergedSource.swift", "source.setEventHandler"),
      .after(
        "stream that keeps all", .surprising("3 times, 15 bytes", "a stream keeps each element")
      ) { _ in
        let (pieces, sender) = PerEvent.pieces()
        return await drawing(pieces) {
          sender.yield($0)
        } finish: {
          sender.finish()
        }
      }
      .code("MergedPerEvent.swift", "AsyncStream.makeStream").alwaysWrong,
      .after("merged stream") { _ in
        let pieces = Async.Merged<UInt>(.sum)
        return await drawing(pieces) {
          pieces.send($0)
        } finish: {
          pieces.finish()
        }
      }
      .code("MergedBuffer.swift", "state = .open(rule.merge"),
    ])
}

/// Draws on its queue. The first drawing goes on until more has come.
private final class Window: Sendable {
  let queue = DispatchQueue(label: "window")
  private let drawn = Mutex<[UInt]>([])
  private let (begun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  private let isOver = DispatchSemaphore(value: 0)

  @Sendable func draw(_ bytes: UInt) {
    let (count, sum) = drawn.withLock { drawn in
      drawn.append(bytes)
      return (drawn.count, drawn.reduce(0, +))
    }
    if count == 1 {
      begun.signal()
      mayEnd.wait()
    }
    if sum == 18 { isOver.signal() }
  }

  func drawing(_ send: (UInt) -> Void) -> String {
    send(3)
    begun.wait()
    for bytes: UInt in [4, 5, 6] { send(bytes) }
    mayEnd.signal()
    isOver.wait()
    return told(drawn.withLock { Array($0.dropFirst()) })
  }
}

private func drawing<Pieces: AsyncSequence & Sendable>(
  _ pieces: Pieces, _ send: (UInt) -> Void, finish: () -> Void
) async -> String where Pieces.Element == UInt, Pieces.Failure == Never {
  let (begun, mayEnd) = (Gate(), Gate())
  let drawer = Task {
    var drawn: [UInt] = []
    for await bytes in pieces {
      drawn.append(bytes)
      guard drawn.count == 1 else { continue }
      begun.open()
      await mayEnd.wait()
    }
    return drawn
  }
  send(3)
  await begun.wait()
  for bytes: UInt in [4, 5, 6] { send(bytes) }
  finish()
  mayEnd.open()
  return told(await drawer.value.dropFirst().map(\.self))
}

private func told(_ drawn: [UInt]) -> String {
  "\(drawn.count == 1 ? "once" : "\(drawn.count) times"), \(drawn.reduce(0, +)) bytes"
}
