import Dispatch
import Foundation
import Synchronization
import Workbook

extension Demo {
  static let mainHeld = Demo(
    "main-held",
    asks: "996 users are imported while main is at work. How long is main held at most?",
    sides: [
      .hazard(
        .before, "a child of the main context", held("child", importInChild),
        .surprising(someOfIt, "main takes over 996 users, and writes the file"),
        .forbidden(littleOfIt)
      )
      .code("Context+Saving.swift", "private func take"),
      .hazard(
        .before, "a private root, and main merges", held("root", importInRoot),
        .surprising(someOfIt, "main reads 996 users again, one by one"), .forbidden(littleOfIt)
      )
      .code("Context+Users.swift", "func merge"),
      .hazard(
        .after, "an actor", held("actor", importInActor), .allowed(littleOfIt),
        .forbidden(someOfIt)
      )
      .code("ImportAsync.swift", "@concurrent func run"),
    ])
}

private let someOfIt = "more than a quarter of a blocking import"
private let littleOfIt = "less than a quarter of a blocking import"

/// An import of a form, which says when it is over.
private typealias Form =
  @Sendable (
    _ data: Data, _ file: StoreFile, _ whenOver: @escaping @Sendable () -> Void
  ) throws -> Void

/// Compares a form with an import that main does all by itself, in one run, the least of five each.
private func held(_ name: String, _ form: @escaping Form) -> Hazard {
  Hazard("confined-state/main-held-\(name)") { transcript in
    do {
      let (blocking, own) = try (longestWork(in: importOnMain), longestWork(in: form))
      transcript.say("a blocking import: main at work for \(Int(blocking / .milliseconds(1))) ms")
      transcript.say("this one: main at work for \(Int(own / .milliseconds(1))) ms")
      return own > blocking / 4 ? someOfIt : littleOfIt
    } catch {
      return "\(error)"
    }
  }
}

/// Runs an import from the main thread, which goes on with its loop.
///
/// - Returns: What main takes of the processor between two beats, at most; the least of five imports.
private func longestWork(in form: Form) throws -> Duration {
  let data = try JSONEncoder().encode((5...1_000).map { User(name: "user \($0)", visits: $0) })
  return try (1...5).map { _ -> Duration in
    let folder = FileManager.default.temporaryDirectory.appending(path: "held-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = StoreFile(in: folder)
    try file.save(.first(4))
    let main = Mutex((lastBeat: workOfThread(), longest: Duration.zero, isOver: false))
    let beat = { @Sendable in
      main.withLock { main in
        main.longest = max(main.longest, workOfThread() - main.lastBeat)
        main.lastBeat = workOfThread()
      }
    }
    let timer = DispatchSource.makeTimerSource(queue: .main)
    timer.schedule(deadline: .now(), repeating: .milliseconds(1))
    timer.setEventHandler(handler: beat)
    timer.activate()
    try form(data, file) { main.withLock { $0.isOver = true } }
    while !main.withLock({ $0.isOver }) {
      _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01))
    }
    beat()
    timer.cancel()
    guard try file.load().count == 1_000 else { throw DamagedFile(name: "users", reason: .short) }
    return main.withLock { $0.longest }
  }.min()!
}

/// What the calling thread has taken of the processor, which does not depend on what else runs.
private func workOfThread() -> Duration {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}

// MARK: The forms

private func mainList(_ file: StoreFile) throws -> (Context, Queued.UserList) {
  let main = Context("main", .main, over: Coordinator(try file.open()))
  return (main, Queued.UserList(of: main))
}

/// Main itself parses, inserts and writes.
private let importOnMain: Form = { data, file, whenOver in
  let (main, list) = try mainList(file)
  DispatchQueue.main.async {
    for user in (try? JSONDecoder().decode([User].self, from: data)) ?? [] { main.insert(user) }
    try? main.save()
    if list.names.count == 1_000 { whenOver() }
  }
}

private let importInChild: Form = { data, file, whenOver in
  let (main, list) = try mainList(file)
  Queued.Import(context: main, load: { $0(.success(data)) }).start { _ in
    main.perform { if list.names.count == 1_000 { whenOver() } }
  }
}

private let importInRoot: Form = { data, file, whenOver in
  let root = Context("root", over: Coordinator(try file.open()))
  let main = Context("main", .main, parent: root)
  let list = Queued.UserList(of: main)
  root.perform {
    root.observe { notice in
      guard notice.kind == .didSave else { return }
      main.perform { main.merge(notice.changes) }
    }
  }
  Queued.Import(context: root, load: { $0(.success(data)) }).start { _ in
    main.perform { if list.names.count == 1_000 { whenOver() } }
  }
}

private let importInActor: Form = { data, file, whenOver in
  let store = Store(try file.open())
  Task { @MainActor in
    let list = Isolated.UserList()
    let following = Task { await list.follow(store) }
    _ = try? await Isolated.Import(store: store, load: { data }).run()
    while list.names.count < 1_000 { await Task.yield() }
    following.cancel()
    whenOver()
  }
}
