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

/// What a window is told, and whether that was the end.
private final class Told: Sendable {
  private let state = Mutex<(bytes: [UInt], isOver: Bool, isLate: Bool)>(([], false, false))

  @Sendable func add(_ bytes: UInt) {
    state.withLock { state in
      state.bytes.append(bytes)
      state.isLate = state.isLate || state.isOver
    }
  }

  @Sendable func end() { state.withLock { $0.isOver = true } }

  var words: String {
    state.withLock { state in
      if state.isLate { return "something after the end" }
      return state.bytes.isEmpty
        ? "nothing" : state.bytes.map(String.init).joined(separator: " and ")
    }
  }
}
