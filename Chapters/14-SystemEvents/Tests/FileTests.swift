import ChapterTesting
import Foundation
import Testing

@testable import SystemEvents

@Suite(.serialized, .timeLimit(.minutes(30)))
struct FileTests {
  static let forms = sides(telling: .known)

  /// Both sides tell events of these kinds with the name of the file, and the end.
  static func sides(telling events: FileEvents) -> [Form] {
    [
      Form(testDescription: "source") { path, tell in
        let watcher = try Sourced.FileWatcher(
          path: path, events: events, queue: DispatchQueue(label: "files"),
          whenChanged: { tell($1.told($0)) }, whenOver: { tell("over") })
        return { $0.isLook ? tell(watcher.file.told([])) : watcher.cancel() }
      },
      Form(testDescription: "sequence") { path, tell in
        let watcher = try Async.FileWatcher(path: path, events: events) { tell("over") }
        let file = watcher.file
        let task = Task { for await events in watcher { tell(file.told(events)) } }
        return { $0.isLook ? tell(file.told([])) : task.cancel() }
      },
    ]
  }

  private enum Kind { case file, folder }

  static let rows: [Row] = both(.file) + both(.folder) + others

  private static func both(_ kind: Kind) -> [Row] {
    [
      row(kind, "mode", .system("file") { chmod($0, 0o700) }, .tells("attributes: file")),
      row(
        kind, "renamed, and another one has its name", at: "new", .move("file", to: "new"),
        kind == .file ? .file("file") : .folder("file"), .tells("renamed: new")),
      row(
        kind, "moved to another folder", at: "sub/new", .folder("sub"),
        .move("file", to: "sub/new"), .tells("renamed: sub/new")),
      row(kind, "removed"),
      row(
        kind, "replaced by another", at: nil, kind == .file ? .file("new") : .folder("new"),
        .move("new", to: "file"), .tells("deleted: no name", "over")),
    ]
  }

  private static let others: [Row] = [
    row(
      .file, "written in place",
      .does { FileHandle(forWritingAtPath: $0.at("file"))?.write(Data("A".utf8)) },
      .tells("written: file")),
    row(.file, "appended to", .append("more", to: "file"), .tells("written extended: file")),
    row(.file, "shorter", .system("file") { truncate($0, 1) }, .tells("written: file")),
    row(.file, "longer", .system("file") { truncate($0, 10) }, .tells("written extended: file")),
    row(.file, "times", .system("file") { utimes($0, nil) }, .tells("attributes: file")),
    row(
      .file, "not deleted before both names are gone", .link("file", "second"),
      .tells("link: file"), .remove("second"), .tells("link: file")),
    row(
      .file, "cancelled, it ends once, and nothing follows", .append("more", to: "file"),
      .tells("written extended: file"), .cancel, .cancel, .tells("over"), .look,
      // Another watcher is told what happens now.
      .tells(": closed"), .begin("file")),
    row(
      .folder, "an entry, its mode, and that it goes", .file("file/x"), .tells("written: file"),
      .system("file/x") { chmod($0, 0o600) }, .remove("file/x"), .tells("written: file")),
    row(
      .folder, "a folder in it", .folder("file/sub"), .tells("written link: file"),
      .remove("file/sub"), .tells("written link: file")),
    row(
      .folder, "cancelled with an entry", at: nil, .file("file/x"), .tells("written: file"),
      .cancel, .tells("over")),
    Row(
      "a pipe without a writer, which does not hold up", .system("file") { mkfifo($0, 0o600) },
      .does { #expect(FileFacts(path: $0.at("file"))?.isRegular == false) }, .begin("file"),
      .remove("file"), .tells("deleted: no name", "over")),
  ]

  /// What happens to `file`, which is removed in the end under the name that it has then, if there is one.
  private static func row(
    _ kind: Kind, _ description: String, at name: String? = "file", _ steps: Step...
  ) -> Row {
    let end: [Step] =
      if let name { [.remove(name), .tells("deleted: no name", "over")] } else { [] }
    return Row(
      "\(kind): \(description)", kind == .file ? .file("file", "text") : .folder("file"),
      .begin("file"), .several(steps + end))
  }

  @Test(arguments: forms, rows)
  func `what happens to a file is told, and nothing else`(_ form: Form, _ row: Row) async throws {
    try await form.take(.several(row.steps))
  }

  @Test(arguments: FileTests.sides(telling: [.attributes, .deleted]))
  func `only what was asked for is told`(_ form: Form) async throws {
    try await form.take(
      .file("file"), .begin("file"), .system("file") { chmod($0, 0o600) },
      .tells("attributes: file"), .append("more", to: "file"), .move("file", to: "new"),
      .remove("new"), .tells("deleted: no name", "over"))
  }

  @Test func `what cannot be watched or followed is refused with the reason`() throws {
    let folder = try TemporaryFolder()
    let (none, file) = (folder.at("none"), folder.file("file"))
    let missing = "No such file or directory (error 2); create it first, or pass another path"
    let noFolder = "Not a directory (error 20); a part of the path is no folder"
    let invalid = "Invalid argument (error 22); pass the path of a file that can be read"
    let rows: [(path: String, watched: String, followed: String)] = [
      ("\(none)/log", "\(none)/log: \(missing)", "\(none): \(missing)"),
      ("\(file)/log", "\(file)/log: \(noFolder)", "\(file)/log: \(noFolder)"),
      ("\(file)\0x", "\(file)\0x: \(invalid)", "\(file)\0x: \(invalid)"),
      ("", ": \(missing)", ": \(invalid)"),
    ]
    for (path, watched, followed) in rows {
      for form in FileTests.forms { #expect(form.refusal(of: path) == "open \(watched)") }
      for form in LogFollowerTests.forms { #expect(form.refusal(of: path) == "open \(followed)") }
    }
    for form in FileTests.sides(telling: [.written, .revoked]) {
      let refusal = form.refusal(of: file) ?? ""
      #expect(refusal.contains("revoked is not available on Linux"), "\(refusal)")
    }
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

  @Test func `a limit of the system is told with what to do`() {
    let watches = SystemError.watchingFile("descriptor 5", call: "inotify_add_watch", code: ENOSPC)
    #expect(
      watches.description
        == "inotify_add_watch descriptor 5: No space left on device (error 28); "
        + "cancel other watches, or raise fs.inotify.max_user_watches")
    let instances = SystemError.watchingFile("descriptor 5", call: "inotify_init", code: EMFILE)
    #expect(instances.description.hasSuffix("or raise fs.inotify.max_user_instances"))
  }

  @Test func `what is told follows from notices and facts`() {
    func facts(size: Int = 10, links: Int = 1, changed: Int = 1) -> FileFacts {
      var status = stat()
      status.st_mode = S_IFREG | 0o644
      status.st_size = off_t(size)
      status.st_nlink = nlink_t(links)
      status.st_ctim.tv_nsec = changed
      return FileFacts(status)
    }
    func events(_ notices: FileNotices, _ now: FileFacts, linksSeen: Int? = nil) -> FileEvents {
      now.events(since: facts(), told: notices, linksSeen: linksSeen, wasRenamed: true)
    }
    let grown: FileEvents = [.written, .extended]
    #expect(events([], facts()) == [])
    #expect(events(.contents, facts()) == .written)
    #expect(events(.contents, facts(size: 11)) == grown)
    #expect(events(.attributes, facts(changed: 2)) == .attributes)
    #expect(events(.attributes, facts(links: 2, changed: 2)) == .link)
    #expect(events(.attributes, facts(links: 0)) == .deleted)
    // Not told yet.
    #expect(events([], facts(size: 11)) == grown)
    #expect(events([], facts(size: 9)) == .written)
    #expect(events([], facts(links: 2)) == .link)
    // Of a link that was seen, told late, and attributes after it.
    #expect(events(.attributes, facts(), linksSeen: 1) == [])
    #expect(events(.attributes, facts(changed: 2), linksSeen: 1) == .attributes)
    #expect(events(.lost, facts()) == .renamed)
    #expect(events(.lost, facts(size: 11)) == grown.union(.renamed))
    #expect(events(.lost, facts(links: 0)) == .deleted)
  }
}

@Suite(.timeLimit(.minutes(30))) struct FileLeftoverTests {
  // A process of its own: descriptors and threads belong to the whole process.
  @Test func `fifteen rounds of watching and following leave nothing behind`() async {
    await #expect(processExitsWith: .success) {
      try await expectNothingLeft(after: 15, behindFirst: 5, fewerThan: 10) {
        try FileTests().`what cannot be watched or followed is refused with the reason`()
        try await withThrowingTaskGroup { group in
          let files = FileTests.forms.map { ($0, FileTests.rows) }
          let logs = LogFollowerTests.forms.map { ($0, LogFollowerTests.rows) }
          for (form, rows) in files + logs {
            group.addTask { for row in rows { try await form.take(.several(row.steps)) } }
          }
          try await group.waitForAll()
        }
      }
    }
  }
}

extension OpenFile {
  /// Events, and what the file is called then.
  func told(_ events: FileEvents) -> String {
    "\(events): \(currentPath ?? (facts == nil ? "closed" : "no name"))"
  }
}

extension FileEvents {
  /// What Linux can tell.
  static let known = all.subtracting(.revoked)
}
