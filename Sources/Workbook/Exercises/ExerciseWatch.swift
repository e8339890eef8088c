import Foundation

/// Verifies an exercise whenever its file is saved, and listens to keys.
///
/// Whatever comes, a key or a save, interrupts a verification that is under way.
@MainActor
final class ExerciseWatch {
  private enum Event {
    case key(Key)
    case saved
    case verdict(Verdict, of: Int)
    case failed(any Error, of: Int)
  }

  private let session: ExerciseSession
  private let page: ExercisePrinter
  private let (events, source) = AsyncStream.makeStream(of: Event.self)
  private var exercise: Exercise
  private var watcher: Task<Void, Never>?
  private var verification: Task<Void, Never>?
  /// How many verifications were begun; a verdict of an earlier one comes too late.
  private var begun = 0
  private var verdict: Verdict?
  /// The list, while it is shown.
  private var menu: ExerciseMenu?
  /// Whether the last key asked to begin the exercise anew.
  private var asksForReset = false
  /// What the last key led to and is not to be lost when a verdict comes: a question, or where a file is kept.
  private var notice: [String] = []

  init(_ session: ExerciseSession, _ page: ExercisePrinter, _ exercise: Exercise) {
    self.session = session
    self.page = page
    self.exercise = exercise
  }

  /// Watches until the learner quits.
  ///
  /// - Parameter showsList: Whether to begin with the list.
  func callAsFunction(showsList: Bool = false) async throws -> ExitStatus {
    let keyboard = Keyboard()
    defer {
      watcher?.cancel()
      stop()
      keyboard.restore()
    }
    keyboard.listen { [source] in source.yield(.key($0)) }
    if showsList { try await openMenu() } else { try await show(exercise) }
    for await event in events {
      switch event {
      case .saved: if menu == nil { verify() }
      case .verdict(let verdict, let number) where number == begun:
        verification = nil
        self.verdict = verdict
        pause()
        if menu == nil { try await showVerdict() }
      case .failed(let error, let number) where number == begun: throw error
      case .verdict, .failed: break
      case .key(let key):
        if menu != nil {
          guard try await pressInMenu(key) else { return .success }
        } else {
          guard try await press(key) else { return .success }
        }
      }
    }
    return .success
  }

  // MARK: Keys

  /// - Returns: Whether to go on.
  private func press(_ key: Key) async throws -> Bool {
    let confirmsReset = asksForReset
    asksForReset = false
    notice = []
    switch key {
    case .character("q"), .end: return false
    case .character("h"):
      pause()
      page.hints(try await session.hint(exercise), of: exercise, again: "h")
      footer()
    case .character("n"): try await goOn()
    case .enter where verdict?.isSolved == true: try await goOn()
    case .character("l"): try await openMenu()
    case .character("v"): verify()
    case .character("t"):
      pause()
      page.task(exercise)
      footer()
    case .character("a"):
      if verdict != nil { try await showVerdict(isWhole: true) }
    case .character("s"): try await showSolution()
    case .character("r") where confirmsReset:
      stop()
      let kept = try await session.reset(exercise).map(session.folder.path)
      notice = page.wasReset(exercise, kept: kept)
      try await show(exercise)
    case .character("r"):
      asksForReset = true
      notice = ["r once more begins \(exercise.id) anew; your file is kept beside it"]
      pause()
      printNotice()
    case .character("?"):
      pause()
      page.keys(Self.keys)
    case .character(let other):
      pause()
      page.print("“\(other)” does nothing here; ? shows the keys", .faint)
    case .up, .down, .enter, .escape: break
    }
    return true
  }

  private static let keys = [
    ("v", "verify again (saving the file does it, too)"), ("h", "one hint more"),
    ("t", "the task"), ("a", "the whole trace"), ("n", "the next exercise"),
    ("l", "the list of all"), ("s", "the solution, once you have solved it"),
    ("r", "begin anew; your file is kept"), ("q", "quit"),
  ]

  private func goOn() async throws {
    guard let next = session.next(after: exercise, try await session.record()) else {
      pause()
      page.print("there is no other one to solve")
      return
    }
    try await show(next)
  }

  private func showSolution() async throws {
    pause()
    guard try await session.record().solved[exercise.id] != nil else {
      return page.print(exercise.notSolvedYet, .notable)
    }
    page.print()
    page.terminal.print(
      try exercise.text(of: exercise.solution).trimmingCharacters(in: .newlines))
    footer()
  }

  // MARK: The list

  private func openMenu() async throws {
    stop()
    let all = session.folder.exercises
    menu = ExerciseMenu(
      count: all.count, selection: all.firstIndex { $0.id == exercise.id } ?? 0)
    try await showMenu()
  }

  private func showMenu() async throws {
    guard let menu else { return }
    clear()
    let record = try await session.record()
    page.list(
      record, next: session.next(record), isBegun: session.isBegun, selection: menu.selection,
      shown: menu.shown(in: max(3, page.terminal.height - 4)))
    page.print("↑ ↓ or j k move, Return chooses, q goes back", .faint)
  }

  /// - Returns: Whether to go on.
  private func pressInMenu(_ key: Key) async throws -> Bool {
    switch menu!.press(key) {
    case .moved: try await showMenu()
    case .chosen(let index):
      menu = nil
      try await show(session.folder.exercises[index])
    case .left:
      if key == .end { return false }
      menu = nil
      try await show(exercise)
    case .nothing: break
    }
    return true
  }

  // MARK: What is shown

  private func show(_ exercise: Exercise) async throws {
    stop()
    self.exercise = exercise
    verdict = nil
    try exercise.begin()
    watcher?.cancel()
    watcher = watch(exercise)
    clear()
    page.bar(try await session.record())
    page.task(exercise, isWatched: true)
    footer()
    // A file that nobody has touched is wrong; the task is what there is to read.
    if session.isBegun(exercise) {
      verify()
    } else {
      page.print("it is verified when you save it, or by v", .faint)
    }
  }

  private func showVerdict(isWhole: Bool = false) async throws {
    guard let verdict else { return }
    clear()
    let record = try await session.record()
    page.bar(record)
    // The bar, the line above it and the footer have ten lines.
    page.verdict(
      verdict, on: exercise, upTo: isWhole ? nil : page.terminal.height - 10, whole: "a")
    if verdict.isSolved {
      page.afterWatched(session.next(after: exercise, record))
    }
    footer()
  }

  private func clear() {
    Terminal.showProgress(nil)
    // Only a terminal has something to clear.
    if page.terminal.isInteractive { Terminal.clearScreen() }
  }

  /// Makes place for words while a verification goes on.
  private func pause() { Terminal.showProgress(nil) }

  private func footer() {
    page.print()
    page.print("watching \(session.folder.path(of: exercise.answer))", .faint)
    page.print("h hint, n next, l list, ? keys, q quit", .faint)
    printNotice()
  }

  private func printNotice() {
    for line in notice { page.print(line, .notable) }
  }

  // MARK: Verifying

  private func verify() {
    stop()
    begun += 1
    let number = begun
    Terminal.showProgress("compiling and checking \(exercise.id)")
    verification = Task { [session, source, exercise] in
      do {
        let verdict = try await session.verify(exercise)
        source.yield(.verdict(verdict, of: number))
      } catch is CancellationError {
      } catch {
        source.yield(.failed(error, of: number))
      }
    }
  }

  /// Stops a verification that is under way; its processes are ended.
  private func stop() {
    guard let verification else { return }
    begun += 1
    verification.cancel()
    self.verification = nil
    Terminal.showProgress(nil)
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
