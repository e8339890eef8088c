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
        Settings("read-first", stage).play(within: 1) { settings in
          settings.read(try OpenFile(path: settings.path))
          settings.isBegun.signal()
          return try settings.watch()
        }
      }
      .code("SettingsRead.swift", "settings.read(try OpenFile")
      .whereWorkTakesNoTime.notPlayed("it is a matter of microseconds"),
      .before("watched, and then read") { (stage: Stage) in
        Settings("watched-first", stage).play { settings in
          let watcher = try settings.watch()
          settings.isBegun.signal()
          settings.read(watcher.file)
          return watcher
        }
      }
      .code("SettingsRead.swift", "settings.read(watcher.file)"),
      .after("watched, and then read by a task") { stage in
        let settings = Settings("task", stage)
        var (changes, reader): (Async.FileWatcher?, Task<String, any Error>?)
        await withCheckedContinuation { isOver in
          let watcher = try! Async.FileWatcher(path: settings.path, events: .written) {
            isOver.resume()
          }
          changes = watcher
          reader = Task {
            var text = try watcher.file.text()
            for await _ in watcher {
              text = try watcher.file.text()
              withUnsafeCurrentTask { $0?.cancel() }
            }
            return text
          }
          settings.write()
        }
        defer { withExtendedLifetime(changes, settings.remove) }
        return try await reader!.value
      }
      .code("SettingsRead.swift", "for await _ in watcher"),
    ])
}

/// A file of settings, and what was read of it last.
private final class Settings: Sendable {
  let path: String
  let isBegun = DispatchSemaphore(value: 0)
  private let file: Int32
  private let queue = DispatchQueue(label: "settings")
  private let (isTold, isOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  private let text = Mutex("")

  init(_ name: String, _ stage: Stage) {
    path = "/tmp/settings-\(name)" + (stage.isExplored ? "" : "-\(getpid())")
    file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    precondition(overwrite(file, "old") == 3 && lseek(file, 0, SEEK_SET) == 0)
  }

  /// Lets a program begin, writes new settings, and says which it has in the end.
  ///
  /// - Parameters:
  ///   - seconds: How long it is waited for that the program is told.
  ///   - begin: The program; it signals when somebody may write.
  func play(
    within seconds: Double = .infinity,
    _ begin: @escaping @Sendable (Settings) throws -> Sourced.FileWatcher
  ) -> String {
    let watcher = Mutex<Sourced.FileWatcher?>(nil)
    queue.async { watcher.withLock { $0 = try? begin(self) } }
    isBegun.wait()
    write()
    _ = isTold.wait(timeout: .now() + seconds)
    watcher.withLock { $0 }?.cancel()
    isOver.wait()
    remove()
    return text.withLock { $0 }
  }

  func watch() throws -> Sourced.FileWatcher {
    try Sourced.FileWatcher(
      path: path, events: .written, queue: queue,
      whenChanged: { _, file in
        self.read(file)
        self.isTold.signal()
      },
      whenOver: { [isOver] in isOver.signal() })
  }

  func read(_ file: OpenFile) {
    let read = try? file.text()
    text.withLock { $0 = read ?? "nothing" }
  }

  func write() { precondition(overwrite(file, "new") == 3) }

  func remove() {
    close(file)
    unlink(path)
  }
}

private func overwrite(_ file: Int32, _ text: String) -> Int { write(file, text, text.utf8.count) }

extension OpenFile {
  fileprivate func text() throws -> String { String(decoding: try read(from: 0), as: UTF8.self) }
}
