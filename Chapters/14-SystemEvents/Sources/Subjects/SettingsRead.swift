import Dispatch
import Foundation
import Synchronization
import Workbook

extension Subject {
  static let settingsRead = Subject(
    "settings-read",
    asks: "A file of settings is written as a program begins. Does the program get the new ones?",
    right: .allowed("new"), .forbidden("old"),
    implementations: [
      .before(
        "read, and then watched",
        .surprising("old", "they were written after they were read, and before they were watched")
          .onlyExplored
      ) { (stage: Stage) in
        let settings = try Settings("read-first", stage)
        settings.read(try OpenFile(path: settings.path))
        settings.beginWriting()
        let watcher = try settings.watch()
        _ = settings.isNew.wait(timeout: .now() + 1)
        return settings.end(watcher)
      }
      .code("SettingsRead.swift", "settings.read(try OpenFile")
      .whereWorkTakesNoTime.notPlayed("it is a matter of microseconds"),
      .before("watched, and then read") { (stage: Stage) in
        let settings = try Settings("watched-first", stage)
        let watcher = try settings.watch()
        settings.beginWriting()
        settings.queue.async { settings.read(watcher.file) }
        settings.isNew.wait()
        return settings.end(watcher)
      }
      .code("SettingsRead.swift", "settings.queue.async"),
      .after("watched, and then read by the task") { stage in
        let settings = try Settings("task", stage)
        let isOver = Gate()
        let text = try await settings.readByTask { isOver.open() }
        await isOver.wait()
        settings.remove()
        return text
      }
      .code("SettingsRead.swift", "while text"),
    ])
}

/// A file of settings, somebody who writes new ones, and what was read of them last.
private final class Settings: Sendable {
  let path: String
  let queue = DispatchQueue(label: "settings")
  let isNew = DispatchSemaphore(value: 0)
  private let file: Int32
  private let isOver = DispatchSemaphore(value: 0)
  private let writing = DispatchGroup()
  private let text = Mutex("")

  init(_ name: String, _ stage: Stage) throws {
    path = "/tmp/settings-\(name)" + (stage.isExplored ? "" : "-\(getpid())")
    file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    precondition(write(file, "old", 3) == 3 && lseek(file, 0, SEEK_SET) == 0)
  }

  func beginWriting() {
    DispatchQueue.global().async(group: writing) { [file] in
      precondition(write(file, "new", 3) == 3)
    }
  }

  func watch() throws -> Sourced.FileWatcher {
    try Sourced.FileWatcher(
      path: path, events: .written, queue: queue, whenChanged: { self.read($1) },
      whenOver: { [isOver] in isOver.signal() })
  }

  func read(_ file: OpenFile) {
    guard let read = try? file.text() else { return }
    text.withLock { $0 = read }
    if read == "new" { isNew.signal() }
  }

  func readByTask(whenClosed: @escaping @Sendable () -> Void) async throws -> String {
    let changes = try Async.FileWatcher(path: path, events: .written, whenClosed: whenClosed)
    beginWriting()
    var text = try changes.file.text()
    let iterator = changes.makeAsyncIterator()
    while text == "old", await iterator.next(isolation: nil) != nil {
      text = try changes.file.text()
    }
    return text
  }

  /// Says what was read last.
  func end(_ watcher: Sourced.FileWatcher) -> String {
    watcher.cancel()
    isOver.wait()
    remove()
    return text.withLock { $0 }
  }

  func remove() {
    writing.wait()
    close(file)
    unlink(path)
  }
}

extension OpenFile {
  fileprivate func text() throws -> String { String(decoding: try read(from: 0), as: UTF8.self) }
}
