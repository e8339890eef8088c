import Dispatch
import Synchronization
import Workbook

extension Subject {
  static let mergedAndOver = Subject(
    "merged-and-over",
    asks: "3 and 4 bytes come on two threads, and the download is given up. What is told?",
    right: .allowed("nothing"), .allowed("3"), .allowed("4"), .allowed("7"), .allowed("3 and 4"),
    .allowed("4 and 3"), .forbidden("something after the end"),
    implementations: [
      .before("add source") { (_: Stage) in
        let (told, isOver) = (Told(), DispatchSemaphore(value: 0))
        let progress = Sourced.DownloadProgress(
          queue: DispatchQueue(label: "window"), whenAdded: told.add,
          whenOver: {
            told.end()
            isOver.signal()
          })
        let sender = DispatchQueue(label: "sender")
        sender.async { progress.add(bytes: 3) }
        progress.add(bytes: 4)
        progress.cancel()
        isOver.wait()
        sender.sync {}
        return told.words
      }
      .code("MergedSource.swift", "source.setEventHandler"),
      .after("merged stream") { _ in
        let told = Told()
        let pieces = Async.Merged<UInt>(.sum)
        let window = Task {
          for await bytes in pieces { told.add(bytes) }
          told.end()
        }
        let sender = Task { pieces.send(3) }
        pieces.send(4)
        window.cancel()
        await sender.value
        await window.value
        return told.words
      }
      .code("MergedAsync.swift", "func next(isolation"),
    ])
}

/// What a window is told, the end included.
private final class Told: Sendable {
  private let told = Mutex<[String]>([])

  @Sendable func add(_ bytes: UInt) { told.withLock { $0.append("\(bytes)") } }
  @Sendable func end() { told.withLock { $0.append("the end") } }

  var words: String {
    var told = told.withLock { $0 }
    guard told.popLast() == "the end" else { return "something after the end" }
    return told.isEmpty ? "nothing" : told.joined(separator: " and ")
  }
}
