import ChapterTesting
import Dispatch
import Foundation
import Synchronization
import Testing
import Workbook

@testable import SystemEvents

@Suite(.serialized, .timeLimit(.minutes(30)))
struct FileTests {
  struct Form: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Begins to watch a path, and gives the file, and what cancels.
    let begin:
      @Sendable (
        String, FileEvents, _ changed: @escaping @Sendable (FileEvents) -> Void,
        _ over: @escaping @Sendable () -> Void
      ) throws -> (file: OpenFile, cancel: @Sendable () -> Void)

    static let all = [
      Form(testDescription: "source") { path, events, changed, over in
        let watcher = try Sourced.FileWatcher(
          path: path, events: events, queue: DispatchQueue(label: "files"),
          whenChanged: { events, _ in changed(events) }, whenOver: over)
        return (watcher.file, { watcher.cancel() })
      },
      Form(testDescription: "sequence") { path, events, changed, over in
        let watcher = try Async.FileWatcher(path: path, events: events, whenClosed: over)
        let task = Task { for await events in watcher { changed(events) } }
        return (watcher.file, { task.cancel() })
      },
    ]

    func watch(_ path: String, _ events: FileEvents = .known) throws -> Watched {
      let changes = Deliveries<FileEvents>()
      let ends = Deliveries<Void>()
      let (file, cancel) = try begin(path, events, { changes.append($0) }, { ends.append(()) })
      return Watched(file: file, changes: changes, ends: ends, cancel: cancel)
    }
  }

  struct Watched: Sendable {
    let file: OpenFile
    let changes: Deliveries<FileEvents>
    let ends: Deliveries<Void>
    let cancel: @Sendable () -> Void

    /// Waits until all of these have been told.
    func wait(for events: FileEvents) async {
      await changes.wait { union($0).isSuperset(of: events) }
    }
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// What happens to `file`.
    let act: @Sendable (TemporaryFolder) -> Void
    let events: FileEvents
    /// What the file is called then, if it has a name.
    var name: String? = "file"

    static let files = [
      Row(
        testDescription: "written in place",
        act: { folder in
          let descriptor = open(folder.at("file"), O_WRONLY | O_CLOEXEC)
          #expect(write(descriptor, "A", 1) == 1)
          close(descriptor)
        }, events: .written),
      Row(
        testDescription: "appended to", act: { $0.append("more", to: "file") },
        events: [.written, .extended]),
      Row(
        testDescription: "made shorter", act: { #expect(truncate($0.at("file"), 1) == 0) },
        events: .written),
      Row(
        testDescription: "made longer", act: { #expect(truncate($0.at("file"), 10) == 0) },
        events: [.written, .extended]),
      Row(
        testDescription: "mode", act: { #expect(chmod($0.at("file"), 0o600) == 0) },
        events: .attributes),
      Row(
        testDescription: "times", act: { #expect(utimes($0.at("file"), nil) == 0) },
        events: .attributes),
      Row(
        testDescription: "a second name",
        act: { #expect(link($0.at("file"), $0.at("second")) == 0) }, events: .link),
      Row(
        testDescription: "renamed", act: { $0.move("file", to: "new") }, events: .renamed,
        name: "new"),
      Row(
        testDescription: "moved to another folder",
        act: {
          $0.folder("sub")
          $0.move("file", to: "sub/new")
        }, events: .renamed, name: "sub/new"),
      Row(
        testDescription: "removed", act: { $0.remove("file") }, events: .deleted, name: nil),
      Row(
        testDescription: "replaced by another",
        act: {
          $0.file("other")
          $0.move("other", to: "file")
        }, events: .deleted, name: nil),
    ]

    static let folders = [
      Row(testDescription: "an entry", act: { $0.file("file/x") }, events: .written),
      Row(
        testDescription: "an entry that goes",
        act: {
          $0.file("file/x")
          $0.remove("file/x")
        }, events: .written),
      Row(
        testDescription: "an entry's mode",
        act: {
          let path = $0.file("file/x")
          #expect(chmod(path, 0o600) == 0)
          $0.remove("file/x")
        }, events: .written),
      Row(
        testDescription: "a folder in it", act: { $0.folder("file/sub") },
        events: [.written, .link]),
      Row(
        testDescription: "mode", act: { #expect(chmod($0.at("file"), 0o700) == 0) },
        events: .attributes),
      Row(
        testDescription: "renamed", act: { $0.move("file", to: "new") }, events: .renamed,
        name: "new"),
      Row(
        testDescription: "removed", act: { #expect(rmdir($0.at("file")) == 0) }, events: .deleted,
        name: nil),
      Row(
        testDescription: "replaced by another",
        act: {
          $0.folder("other")
          $0.move("other", to: "file")
        }, events: .deleted, name: nil),
    ]
  }

  @Test(arguments: Form.all, Row.files)
  func `what happens to a file is told, and nothing else`(_ form: Form, _ row: Row) async throws {
    let folder = try TemporaryFolder()
    let watched = try form.watch(folder.file("file", "text"))
    row.act(folder)
    await watched.wait(for: row.events)
    #expect(watched.file.currentPath == row.name.map { folder.at($0) })
    if let name = row.name {
      if row.events == .link {
        let count = watched.changes.all.count
        folder.remove("second")
        await watched.changes.wait(count: count + 1)
      }
      folder.remove(name)
    }
    await watched.ends.wait(count: 1)
    #expect(union(watched.changes.all) == row.events.union(.deleted))
    #expect(watched.changes.all.last?.contains(.deleted) == true)
  }

  @Test(arguments: Form.all, Row.folders)
  func `what happens to a folder is told, and nothing else`(_ form: Form, _ row: Row) async throws {
    let folder = try TemporaryFolder()
    let watched = try form.watch(folder.folder("file"))
    row.act(folder)
    await watched.wait(for: row.events)
    #expect(watched.file.currentPath == row.name.map { folder.at($0) })
    // A folder with something in it cannot be removed, so the watcher is cancelled.
    if let name = row.name, rmdir(folder.at(name)) == -1 {
      watched.cancel()
      await watched.ends.wait(count: 1)
      #expect(union(watched.changes.all) == row.events)
    } else {
      await watched.ends.wait(count: 1)
      #expect(union(watched.changes.all) == row.events.union(.deleted))
    }
  }

  @Test(arguments: Form.all)
  func `a folder that has moved is still seen to go`(_ form: Form) async throws {
    let folder = try TemporaryFolder()
    let watched = try form.watch(folder.folder("file"))
    folder.folder("sub")
    folder.move("file", to: "sub/file")
    await watched.wait(for: .renamed)
    #expect(watched.file.currentPath == folder.at("sub/file"))
    #expect(rmdir(folder.at("sub/file")) == 0)
    await watched.ends.wait(count: 1)
    #expect(union(watched.changes.all) == [.renamed, .deleted])
  }

  @Test(arguments: Form.all)
  func `only what was asked for is told`(_ form: Form) async throws {
    let folder = try TemporaryFolder()
    let watched = try form.watch(folder.file("file"), [.attributes, .deleted])
    folder.append("more", to: "file")
    folder.move("file", to: "new")
    #expect(chmod(folder.at("new"), 0o600) == 0)
    await watched.wait(for: .attributes)
    folder.remove("new")
    await watched.ends.wait(count: 1)
    #expect(union(watched.changes.all) == [.attributes, .deleted])
  }

  @Test(arguments: Form.all)
  func `a file is followed through its names`(_ form: Form) async throws {
    let folder = try TemporaryFolder()
    let watched = try form.watch(folder.file("0"))
    for i in 0..<20 {
      let path = folder.move("\(i)", to: "\(i + 1)")
      // Another file of the old name is not the one that is watched.
      folder.file("\(i)")
      await watched.changes.wait(count: i + 1)
      #expect(watched.file.currentPath == path)
    }
    folder.remove("20")
    await watched.ends.wait(count: 1)
    #expect(watched.changes.all.dropLast().allSatisfy { $0 == .renamed })
    #expect(watched.changes.all.last == .deleted)
    #expect(watched.file.currentPath == nil)
  }

  @Test(arguments: Form.all)
  func `with two names it is not deleted before both are gone`(_ form: Form) async throws {
    let folder = try TemporaryFolder()
    folder.file("file")
    #expect(link(folder.at("file"), folder.at("second")) == 0)
    let watched = try form.watch(folder.at("file"))
    folder.remove("second")
    await watched.changes.wait(count: 1)
    #expect(watched.changes.all == [.link])
    folder.remove("file")
    await watched.ends.wait(count: 1)
    #expect(watched.changes.all == [.link, .deleted])
  }

  @Test(arguments: Form.all)
  func `when it is cancelled it ends once, and nothing follows`(_ form: Form) async throws {
    let folder = try TemporaryFolder()
    let watched = try form.watch(folder.file("file"))
    folder.append("more", to: "file")
    await watched.wait(for: .written)
    watched.cancel()
    watched.cancel()
    await watched.ends.wait(count: 1)
    let changes = watched.changes.all
    let other = try form.watch(folder.at("file"))
    folder.remove("file")
    await other.ends.wait(count: 1)
    #expect(watched.file.facts == nil)
    #expect(watched.file.currentPath == nil)
    #expect(watched.changes.all == changes)
    #expect(watched.ends.all.count == 1)
  }

  @Test func `a closed file is not read, though its number is used again`() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let file = try OpenFile(path: folder.file("file"))
      file.closeOnce()
      let other = try OpenFile(path: folder.file("other", "text"))
      #expect(other.descriptor == file.descriptor)
      #expect(throws: SystemError.self) { try file.read(from: 0) }
    }
  }

  struct Wrong: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let path: @Sendable (TemporaryFolder) -> String
    var events = FileEvents.written
    let message: @Sendable (TemporaryFolder) -> String

    static let all = [
      Wrong(
        testDescription: "no file", path: { $0.at("none") },
        message: {
          "open \($0.at("none")): No such file or directory (error 2); "
            + "create it first, or pass another path"
        }),
      Wrong(
        testDescription: "a file as a folder", path: { $0.file("file") + "/x" },
        message: {
          "open \($0.at("file/x")): Not a directory (error 20); a part of the path is no folder"
        }),
      Wrong(
        testDescription: "no path", path: { _ in "" },
        message: { _ in
          "open : No such file or directory (error 2); create it first, or pass another path"
        }),
      Wrong(
        testDescription: "a zero in it", path: { $0.file("file") + "\0x" },
        message: {
          "open \($0.at("file"))\0x: Invalid argument (error 22); "
            + "pass the path of a file that can be read"
        }),
    ]
  }

  @Test(arguments: Form.all, Wrong.all)
  func `a path that leads nowhere is refused with the reason`(_ form: Form, _ wrong: Wrong) throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: SystemError.self) {
      _ = try form.watch(wrong.path(folder), wrong.events)
    }
    #expect(error?.description == wrong.message(folder))
  }

  #if os(Linux)
    @Test(arguments: Form.all)
    func `revoked is refused on Linux`(_ form: Form) throws {
      let folder = try TemporaryFolder()
      let error = #expect(throws: SystemError.self) {
        _ = try form.watch(folder.file("file"), [.written, .revoked])
      }
      #expect(error?.description.contains("revoked is not available on Linux") == true)
    }
  #endif

  struct Look: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var size = 10
    var links = 1
    var changed = 1
    let notices: FileNotices
    var linksSeen: Int?
    let events: FileEvents

    /// How the file was before is 10 bytes, one name, changed at 1.
    static let all = [
      Look(testDescription: "nothing", notices: [], events: []),
      Look(testDescription: "written", notices: .contents, events: .written),
      Look(testDescription: "grown", size: 11, notices: .contents, events: [.written, .extended]),
      Look(
        testDescription: "grown, and not told yet", size: 11, notices: [],
        events: [.written, .extended]),
      Look(testDescription: "shorter, and not told yet", size: 9, notices: [], events: .written),
      Look(testDescription: "attributes", changed: 2, notices: .attributes, events: .attributes),
      Look(testDescription: "a link", links: 2, changed: 2, notices: .attributes, events: .link),
      Look(testDescription: "a link, and not told yet", links: 2, notices: [], events: .link),
      Look(testDescription: "a link, told late", notices: .attributes, linksSeen: 1, events: []),
      Look(
        testDescription: "attributes after a link", changed: 2, notices: .attributes, linksSeen: 1,
        events: .attributes),
      Look(testDescription: "removed", links: 0, notices: .attributes, events: .deleted),
      Look(testDescription: "lost, nothing seen", notices: .lost, events: .renamed),
      Look(
        testDescription: "lost, grown", size: 11, notices: .lost,
        events: [.written, .extended, .renamed]),
      Look(testDescription: "lost, removed", links: 0, notices: .lost, events: .deleted),
    ]
  }

  @Test(arguments: Look.all)
  func `what is told follows from notices and facts`(_ look: Look) {
    func facts(size: Int, links: Int, changed: Int) -> FileFacts {
      var status = stat()
      status.st_mode = S_IFREG | 0o644
      status.st_size = off_t(size)
      status.st_nlink = nlink_t(links)
      #if canImport(Darwin)
        status.st_ctimespec.tv_nsec = changed
      #else
        status.st_ctim.tv_nsec = changed
      #endif
      return FileFacts(status)
    }
    let now = facts(size: look.size, links: look.links, changed: look.changed)
    let events = now.events(
      since: facts(size: 10, links: 1, changed: 1), told: look.notices, linksSeen: look.linksSeen,
      wasRenamed: true)
    #expect(events == look.events)
  }

  @Test func `a pipe without a writer does not hold up`() throws {
    let folder = try TemporaryFolder()
    #expect(mkfifo(folder.at("pipe"), 0o600) == 0)
    let file = try OpenFile(path: folder.at("pipe"))
    #expect(file.facts?.isRegular == false)
  }

  @Test func `a limit of the system is told with what to do`() {
    let watches = SystemError.watchingFile("descriptor 5", call: "inotify_add_watch", code: ENOSPC)
    #expect(
      watches.description
        == "inotify_add_watch descriptor 5: No space left on device (error 28); "
        + "cancel other watches, or raise fs.inotify.max_user_watches")
    let instances = SystemError.watchingFile("descriptor 5", call: "inotify_init", code: EMFILE)
    #expect(instances.description.hasSuffix("or raise fs.inotify.max_user_instances"))
  }
}

extension FileEvents {
  /// What the system of the test can tell.
  static var known: FileEvents {
    #if canImport(Darwin)
      .all
    #else
      all.subtracting(.revoked)
    #endif
  }
}

/// All events of some sets.
private func union(_ events: [FileEvents]) -> FileEvents {
  events.reduce([]) { $0.union($1) }
}
