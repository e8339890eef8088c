import Foundation

/// Verifies an exercise whenever its file is saved, and listens to keys.
@MainActor
final class ExerciseWatch {
  private enum Event {
    case key(Character)
    case saved
    case verdict(Verdict, of: Int)
    case failed(String)
    /// Standard input is closed.
    case end
  }

  private let session: ExerciseSession
  private let page: ExercisePrinter
  private let (events, source) = AsyncStream.makeStream(of: Event.self)
  private var verification: Task<Void, Never>?
  /// How many verifications were begun; a verdict of an earlier one comes too late.
  private var begun = 0

  init(_ session: ExerciseSession, _ page: ExercisePrinter) {
    self.session = session
    self.page = page
  }

  /// Watches until the learner quits.
  func callAsFunction(_ first: Exercise) async throws -> ExitStatus {
    let keyboard = Keyboard()
    defer { keyboard.restore() }
    keyboard.listen { [source] in source.yield($0.map(Event.key) ?? .end) }
    var exercise = first
    var watcher = watch(exercise)
    defer {
      watcher.cancel()
      verification?.cancel()
    }
    begin(exercise)
    for await event in events {
      switch event {
      case .saved: begin(exercise)
      case .verdict(let verdict, let number) where number == begun:
        clear()
        page.verdict(verdict, on: exercise)
        if verdict.isSolved { page.after(exercise, session.next(try await session.record())) }
        footer(exercise)
      case .verdict: break
      case .failed(let message): throw ExerciseError(message)
      case .key("h"):
        page.hints(try await session.hint(exercise), of: exercise)
        footer(exercise)
      case .key("n"):
        guard let next = session.next(after: exercise, try await session.record()) else {
          page.print("there is no other one to solve")
          continue
        }
        exercise = next
        try exercise.begin()
        watcher.cancel()
        watcher = watch(exercise)
        clear()
        page.task(exercise)
        begin(exercise)
      case .key("q"), .end: return .success
      case .key: break
      }
    }
    return .success
  }

  private func begin(_ exercise: Exercise) {
    begun += 1
    let number = begun
    verification?.cancel()
    Terminal.showProgress("compiling and checking \(exercise.id)")
    verification = Task { [session, source] in
      do {
        let verdict = try await session.verify(exercise)
        Terminal.showProgress(nil)
        source.yield(.verdict(verdict, of: number))
      } catch {
        source.yield(.failed("\(error)"))
      }
    }
  }

  /// Looks ten times a second whether the file is another one; every file system can tell that.
  private func watch(_ exercise: Exercise) -> Task<Void, Never> {
    Task.detached { [source] in
      var known = FileSignature(exercise.answer)
      while (try? await Task.sleep(for: .milliseconds(100))) != nil {
        guard let now = FileSignature(exercise.answer), now != known else { continue }
        known = now
        source.yield(.saved)
      }
    }
  }

  private func clear() {
    // Only a terminal has something to clear.
    if page.terminal.isInteractive { Terminal.clearScreen() }
  }

  private func footer(_ exercise: Exercise) {
    page.print()
    let readme = exercise.folder.appending(path: "README.md")
    page.print("the task: \(session.folder.path(of: readme))", .faint)
    page.print(
      "watching \(session.folder.path(of: exercise.answer)): h hint, n next, q quit", .faint)
  }
}

/// What changes when a file is saved, also by an editor that writes another one in its place.
private struct FileSignature: Equatable {
  private let words: [Int]

  init?(_ file: URL) {
    var status = stat()
    guard stat(file.path, &status) == 0 else { return nil }
    #if canImport(Darwin)
      let time = status.st_mtimespec  // untested
    #else
      let time = status.st_mtim
    #endif
    words = [Int(status.st_ino), Int(status.st_size), time.tv_sec, time.tv_nsec]
  }
}

/// Standard input, key by key where it is a terminal.
@MainActor
private final class Keyboard {
  private let original: termios?
  private let signals: [any DispatchSourceSignal]

  init() {
    var settings = termios()
    guard isatty(STDIN_FILENO) == 1, tcgetattr(STDIN_FILENO, &settings) == 0 else {
      original = nil
      signals = []
      return
    }
    original = settings
    let saved = settings
    Self.setKeyByKey(settings)
    // Whoever ends this program must find the terminal as it was.
    signals = [SIGINT, SIGTERM, SIGHUP].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number)
      source.setEventHandler {
        var settings = saved
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
        exit(128 + number)
      }
      source.resume()
      return source
    }
  }

  private nonisolated static func setKeyByKey(_ settings: termios) {
    var settings = settings
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    tcsetattr(STDIN_FILENO, TCSANOW, &settings)
  }

  func restore() {
    if var original { tcsetattr(STDIN_FILENO, TCSANOW, &original) }
  }

  /// Hands over each key, and nil at the end.
  func listen(_ receive: @escaping @Sendable (Character?) -> Void) {
    Thread.detachNewThread {
      var byte: UInt8 = 0
      while true {
        let count = read(STDIN_FILENO, &byte, 1)
        if count == 1 {
          receive(Character(UnicodeScalar(byte)))
        } else if count == 0 || errno != EINTR {
          return receive(nil)
        }
      }
    }
  }
}
