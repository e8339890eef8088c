import ChapterTesting
import Dispatch
import Foundation
import Synchronization
import Testing

@testable import SystemEvents

/// What the file source has of the interface of Dispatch's sources.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct FileSourceTests {
  /// A source of a file in a folder of its own, with what it tells.
  private struct Subject {
    let folder: TemporaryFolder
    let file: OpenFile
    let source: FileSource
    let queue = DispatchQueue(label: "file source")
    /// In order: `registered`, the events, `cancelled`.
    let calls = Deliveries<String>()

    init(_ events: FileEvents = .known) throws {
      folder = try TemporaryFolder()
      let file = try OpenFile(path: folder.file("0", "text"))
      self.file = file
      source = try FileSource(
        fileDescriptor: file.descriptor, eventMask: events, queue: queue)
      source.setRegistrationHandler { [calls] in calls.append("registered") }
      source.setEventHandler { [calls, weak source] in
        calls.append(source?.data.description ?? "freed")
      }
      source.setCancelHandler { [calls] in
        file.closeOnce()
        calls.append("cancelled")
      }
    }

    /// Activates the source, and waits until its registration handler has returned. Suspended while that runs, a
    /// source may still call its event handler.
    func activate() async {
      source.activate()
      await calls.wait(count: 1)
      queue.sync {}
    }
  }

  @Test func `it has a handle and a mask`() throws {
    let subject = try Subject([.written, .deleted])
    #expect(subject.source.handle == subject.file.descriptor)
    #expect(subject.source.mask == [.written, .deleted])
    #expect(!subject.source.isCancelled)
    subject.source.cancel()
    #expect(subject.source.isCancelled)
  }

  @Test func `before it is activated nothing is told, nor later of that time`() async throws {
    let subject = try Subject()
    subject.folder.append("more", to: "0")
    subject.folder.move("0", to: "1")
    subject.source.activate()
    await subject.calls.wait(count: 1)
    #expect(chmod(subject.folder.at("1"), 0o600) == 0)
    await subject.calls.wait(count: 2)
    subject.source.activate()
    subject.source.cancel()
    await subject.calls.wait(count: 3)
    #expect(subject.calls.all == ["registered", "attributes", "cancelled"])
  }

  @Test func `resume begins it, as in old code`() async throws {
    let subject = try Subject()
    try subject.source.resume()
    await subject.calls.wait(count: 1)
    #expect(chmod(subject.folder.at("0"), 0o644) == 0)
    await subject.calls.wait(count: 2)
    subject.source.cancel()
    #expect(await subject.calls.wait(count: 3) == ["registered", "attributes", "cancelled"])
  }

  @Test func `renamed three times while it is suspended is one event, and the last name`()
    async throws
  {
    let subject = try Subject()
    await subject.activate()
    for round in 0..<200 {
      try subject.source.suspend()
      let first = round * 3
      for i in first..<first + 3 { subject.folder.move("\(i)", to: "\(i + 1)") }
      #expect(subject.calls.all.count == round + 1)
      try subject.source.resume()
      await subject.calls.wait(count: round + 2)
      #expect(subject.file.currentPath == subject.folder.at("\(first + 3)"))
      // The handler has returned.
      subject.queue.sync {}
    }
    subject.folder.remove("600")
    await subject.calls.wait(count: 202)
    let renames = [String](repeating: "renamed", count: 200)
    #expect(subject.calls.all == ["registered"] + renames + ["deleted"])
  }

  @Test func `different things that happen while it is suspended are one set`() async throws {
    let subject = try Subject()
    await subject.activate()
    try subject.source.suspend()
    subject.folder.append("more", to: "0")
    subject.folder.move("0", to: "1")
    #expect(chmod(subject.folder.at("1"), 0o600) == 0)
    #expect(link(subject.folder.at("1"), subject.folder.at("2")) == 0)
    try subject.source.resume()
    await subject.calls.wait(count: 2)
    subject.source.cancel()
    await subject.calls.wait(count: 3)
    #expect(
      subject.calls.all
        == ["registered", "written extended attributes link renamed", "cancelled"])
  }

  @Test func `what happens while the handler runs is told in its next call`() async throws {
    let subject = try Subject()
    let isRunning = Deliveries<Void>()
    let mayGoOn = DispatchSemaphore(value: 0)
    let (source, calls) = (subject.source, subject.calls)
    source.setEventHandler { [weak source] in
      calls.append(source?.data.description ?? "freed")
      isRunning.append(())
      mayGoOn.wait()
    }
    source.activate()
    subject.folder.move("0", to: "1")
    await isRunning.wait(count: 1)
    subject.folder.move("1", to: "2")
    #expect(chmod(subject.folder.at("2"), 0o600) == 0)
    // Suspended and resumed, it looks what has happened until now.
    try source.suspend()
    try source.resume()
    mayGoOn.signal()
    await isRunning.wait(count: 2)
    mayGoOn.signal()
    source.cancel()
    await calls.wait(count: 4)
    #expect(calls.all == ["registered", "renamed", "attributes renamed", "cancelled"])
  }

  @Test func `the cancel handler comes after the handler in flight, with the file open until then`()
    async throws
  {
    let subject = try Subject()
    let isRunning = Deliveries<Void>()
    let mayGoOn = DispatchSemaphore(value: 0)
    let (source, calls, file) = (subject.source, subject.calls, subject.file)
    source.setEventHandler {
      isRunning.append(())
      mayGoOn.wait()
      calls.append(file.facts == nil ? "closed" : "open")
    }
    source.activate()
    subject.folder.move("0", to: "1")
    await isRunning.wait(count: 1)
    source.cancel()
    subject.folder.move("1", to: "2")
    mayGoOn.signal()
    await calls.wait(count: 3)
    #expect(calls.all == ["registered", "open", "cancelled"])
  }

  @Test func `cancelled while it is suspended, it ends when it is resumed`() async throws {
    let subject = try Subject()
    await subject.activate()
    try subject.source.suspend()
    subject.folder.move("0", to: "1")
    subject.source.cancel()
    subject.queue.sync {}
    #expect(subject.calls.all == ["registered"])
    #expect(throws: SourceMisuse.self) { try subject.source.suspend() }
    try subject.source.resume()
    await subject.calls.wait(count: 2)
    #expect(subject.calls.all == ["registered", "cancelled"])
  }

  @Test func `without an owner it ends, active, inactive or suspended`() async throws {
    for state in ["active", "inactive", "suspended"] {
      let calls: Deliveries<String>
      do {
        let subject = try Subject()
        calls = subject.calls
        if state != "inactive" { subject.source.activate() }
        if state == "suspended" { try subject.source.suspend() }
      }
      await calls.wait { $0.last == "cancelled" }
    }
  }

  @Test func `a resume too many is an error`() async throws {
    let subject = try Subject()
    subject.source.activate()
    #expect(throws: SourceMisuse.self) { try subject.source.resume() }
    subject.source.cancel()
    await subject.calls.wait { $0.last == "cancelled" }
  }

  @Test func `a closed descriptor is refused`() throws {
    for descriptor: Int32 in [-1, 123_456] {
      let error = #expect(throws: SystemError.self) {
        _ = try FileSource(fileDescriptor: descriptor, eventMask: .written)
      }
      #expect(
        error?.description
          == "fstat descriptor \(descriptor): Bad file descriptor (error 9); "
          + "pass a descriptor that is open")
    }
  }

  #if os(Linux)
    @Test func `a queue that has run over makes it look at the file again`() throws {
      let folder = try TemporaryFolder()
      let file = try OpenFile(path: folder.file("file"))
      let before = try #require(file.facts)
      let inotify = try Inotify(watching: file.descriptor, isFolder: false)
      defer { inotify.close() }
      let descriptor = open(folder.at("file"), O_WRONLY | O_CLOEXEC)
      defer { close(descriptor) }
      let limit = try String(
        contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
      let count = try #require(Int(limit.trimmingCharacters(in: .newlines)))
      for _ in 0...count {
        #expect(write(descriptor, "x", 1) == 1)
        #expect(fchmod(descriptor, 0o644) == 0)
      }
      folder.move("file", to: "new")
      let (notices, isRenamed) = inotify.takeNotices()
      #expect(notices == [.contents, .attributes, .lost])
      let now = try #require(file.facts)
      #expect(
        now.events(since: before, told: notices, wasRenamed: isRenamed)
          == [.written, .extended, .attributes, .renamed])
      #expect(inotify.takeNotices().notices == [])
    }

    // Processes of their own: all of their descriptors are taken, or their root is another one.
    @Test func `without a descriptor it is refused, and nothing leaks`() async {
      await #expect(processExitsWith: .success) {
        do {
          let folder = try TemporaryFolder()
          let path = folder.file("file")
          let before = countOfDescriptors()
          // With none left the file cannot be opened, with one left it cannot be watched.
          for free in [0, 1] {
            for _ in 0..<50 {
              let taken = takeDescriptors(leaving: free)
              let error = #expect(throws: SystemError.self) {
                _ = try Async.FileWatcher(path: path, events: .written)
              }
              for descriptor in taken { close(descriptor) }
              #expect(error?.code == EMFILE)
            }
          }
          // Other threads may have opened one or two. One left an attempt would be 50.
          #expect(countOfDescriptors() - before < 10)
        } catch { Issue.record(error) }
      }
    }

    @Test(.enabled(if: geteuid() == 0, "only root may change the root"))
    func `where /proc is missing it is refused, and nothing leaks`() async {
      await #expect(processExitsWith: .success) {
        do {
          let folder = try TemporaryFolder()
          let file = try OpenFile(path: folder.file("file"))
          let root = open("/", O_RDONLY | O_CLOEXEC)
          try #require(chroot(folder.path) == 0)
          defer { #expect(fchdir(root) == 0 && chroot(".") == 0) }
          let before = countOfNumbers()
          for _ in 0..<50 {
            let error = #expect(throws: SystemError.self) {
              _ = try FileSource(fileDescriptor: file.descriptor, eventMask: .written)
            }
            #expect(error?.call == "inotify_add_watch")
            #expect(error?.code == ENOENT)
          }
          #expect(countOfNumbers() - before < 10)
          file.closeOnce()
        } catch { Issue.record(error) }
      }
    }
  #endif
}

/// How many of the first descriptors are open; for where `/proc` is missing.
private func countOfNumbers() -> Int { (0..<1_000).count { fcntl($0, F_GETFD) != -1 } }
