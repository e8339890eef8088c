import ChapterTesting
import Foundation
import Synchronization
import Testing

@testable import SystemEvents

/// What the file source has of the interface of Dispatch's sources.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct FileSourceTests {
  /// A source that is made inactive. It tells `registered`, events with the name of the file, and `cancelled`.
  private static let form = Form(testDescription: "source") { path, tell in
    let file = try OpenFile(path: path)
    let queue = DispatchQueue(label: "file source")
    let isHeld = Atomic(false)
    let turn = DispatchSemaphore(value: 0)
    let source = try FileSource(fileDescriptor: file.descriptor, eventMask: .known, queue: queue)
    #expect(source.handle == file.descriptor && source.mask == .known && !source.isCancelled)
    source.setRegistrationHandler { tell("registered") }
    source.setEventHandler { [weak source] in
      let waits = isHeld.load(ordering: .sequentiallyConsistent)
      tell(source.map { file.told($0.data) } ?? "freed")
      guard waits else { return }
      turn.wait()
      tell(file.facts == nil ? "closed" : "open")
    }
    source.setCancelHandler {
      file.closeOnce()
      tell("cancelled")
    }
    return {
      switch $0 {
      case .activate: source.activate()
      case .suspend: try source.suspend()
      case .resume: try source.resume()
      case .hold: isHeld.store(true, ordering: .sequentiallyConsistent)
      case .goOn:
        isHeld.store(false, ordering: .sequentiallyConsistent)
        turn.signal()
      case .settle: queue.sync {}
      default:
        source.cancel()
        #expect(source.isCancelled)
      }
    }
  }

  private static let rows: [Row] = [
    Row(
      "before it is activated nothing is told, nor later of that time", .append("more", to: "0"),
      .move("0", to: "1"), .begun, .system("1") { chmod($0, 0o600) }, .tells("attributes: 1"),
      .activate, .cancel, .tells("cancelled")),
    Row(
      "resume begins it, as in old code, and once more is an error", .resume, .tells("registered"),
      .refuses(.resume), .system("0") { chmod($0, 0o644) }, .tells("attributes: 0"), .cancel,
      .tells("cancelled")),
    Row(
      "renamed three times while it is suspended is one event, and the last name", .begun,
      .each(200) {
        [
          .suspend, .move("\($0)", to: "a"), .move("a", to: "b"), .move("b", to: "\($0 + 1)"),
          .tells(), .resume, .tells("renamed: \($0 + 1)"), .settle,
        ]
      }, .remove("200"), .tells("deleted: no name")),
    Row(
      "different things that happen while it is suspended are one set", .begun, .suspend,
      .append("more", to: "0"), .move("0", to: "1"), .system("1") { chmod($0, 0o600) },
      .link("1", "2"), .resume, .tells("written extended attributes link renamed: 1"), .cancel,
      .tells("cancelled")),
    Row(
      "cancelled while it is suspended, it ends when it is resumed", .begun, .suspend,
      .move("0", to: "1"), .cancel, .settle, .tells(), .refuses(.suspend), .resume,
      .tells("cancelled")),
    Row(
      "what happens while the handler runs is told in its next call", .begun, .hold,
      .move("0", to: "1"), .tells("renamed: 1"), .move("1", to: "2"),
      // Suspended and resumed, it looks what has happened until now.
      .system("2") { chmod($0, 0o600) }, .suspend, .resume, .goOn,
      .tells("open", "attributes renamed: 2"), .cancel, .tells("cancelled")),
    Row(
      "the cancel handler comes after the handler in flight, with the file open until then",
      .begun, .hold, .move("0", to: "1"), .tells("renamed: 1"), .cancel, .move("1", to: "2"),
      .tells(), .goOn, .tells("open", "cancelled")),
  ]

  @Test(arguments: rows)
  func `it is like Dispatch's own`(_ row: Row) async throws {
    try await Self.form.take(.file("0", "text"), .begin("0"), .several(row.steps))
  }

  @Test(arguments: ["active", "inactive", "suspended"])
  func `without an owner it ends`(_ state: String) async throws {
    let folder = try TemporaryFolder()
    let told = Deliveries<String>()
    do {
      let calls = try Self.form.begin(folder.file("0")) { told.append($0) }
      if state != "inactive" { try calls(.activate) }
      if state == "suspended" { try calls(.suspend) }
    }
    await told.wait { $0.last == "cancelled" }
  }

  @Test(arguments: [-1, 123_456] as [Int32])
  func `a closed descriptor is refused`(_ descriptor: Int32) throws {
    let error = #expect(throws: SystemError.self) {
      _ = try FileSource(fileDescriptor: descriptor, eventMask: .written)
    }
    #expect(
      error?.description == "fstat descriptor \(descriptor): Bad file descriptor (error 9); "
        + "pass a descriptor that is open")
  }

  @Test func `a balanced owner says what is wrong`() throws {
    let source = BalancedSource(DispatchSource.makeUserDataAddSource(queue: nil))
    try source.resume()
    #expect(source.isActive)
    let early = #expect(throws: SourceMisuse.self) { try source.resume() }
    source.cancel()
    let late = #expect(throws: SourceMisuse.self) { try source.suspend() }
    let texts: [String?] = [
      "resume of a source that is not suspended; call it once for each call of suspend",
      "suspend of a cancelled source; nothing is left to hold back but its cancel handler",
    ]
    #expect([early?.description, late?.description] == texts)
  }

  /// What follows from that is in ``FileTests``.
  @Test func `a queue that has run over says so, and that the name is another one`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("file")
    let file = try OpenFile(path: path)
    let inotify = try Inotify(watching: file.descriptor, isFolder: false)
    defer { inotify.close() }
    let limit = try OpenFile(path: "/proc/sys/fs/inotify/max_queued_events").read(from: 0)
    let count = try #require(Int(String(decoding: limit.dropLast(), as: UTF8.self)))
    for _ in 0...count {
      folder.append("x", to: "file")
      #expect(chmod(path, 0o644) == 0)
    }
    folder.move("file", to: "new")
    let (notices, isRenamed) = inotify.takeNotices()
    #expect(notices == [.contents, .attributes, .lost] && isRenamed)
    #expect(inotify.takeNotices().notices == [])
    #expect(file.facts?.size == count + 1)
  }

  // Processes of their own: all of their descriptors are taken, or their root is another one.
  // With none left the file cannot be opened, with one left it cannot be watched.
  @Test(arguments: [0, 1])
  func `without a descriptor it is refused, and nothing leaks`(_ free: Int) async {
    await #expect(processExitsWith: .success) { [free = free as Int] in
      let folder = try TemporaryFolder()
      let path = folder.file("file")
      await expectNothingLeft(after: 50, behindFirst: 5, fewerThan: 10) {
        let taken = takeDescriptors(leaving: free)
        let error = #expect(throws: SystemError.self) {
          _ = try Async.FileWatcher(path: path, events: .written)
        }
        for descriptor in taken { close(descriptor) }
        #expect(error?.code == EMFILE)
      }
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root may change the root"))
  func `where /proc is missing it is refused, and nothing leaks`() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let file = try OpenFile(path: folder.file("file"))
      let root = open("/", O_RDONLY | O_CLOEXEC)
      try await expectNothingLeft(after: 50, behindFirst: 5, fewerThan: 10) {
        try #require(chroot(folder.path) == 0)
        let error = #expect(throws: SystemError.self) {
          _ = try FileSource(fileDescriptor: file.descriptor, eventMask: .written)
        }
        #expect(fchdir(root) == 0 && chroot(".") == 0)
        #expect(error?.call == "inotify_add_watch" && error?.code == ENOENT)
      }
    }
  }
}

extension Step {
  /// Activates the source, and waits until its registration handler has returned. Suspended while that runs, a source
  /// may still call its event handler.
  fileprivate static let begun: Step = .several([.activate, .tells("registered"), .settle])
}
