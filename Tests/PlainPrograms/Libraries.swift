import ControlledDispatch
import Foundation
import FoundationNetworking

/// Two tasks that use one thing that a library or the system keeps, with all that they can come to.
public struct LibraryProgram: Sendable, CustomStringConvertible {
  public let name: String
  public let outcomes: Set<String>
  /// Runs it in a folder of its own.
  public let run: @Sendable (_ folder: URL) async throws -> String

  public var description: String { name }

  init(
    _ name: String, _ outcomes: Set<String>,
    _ run: @escaping @Sendable (_ folder: URL) async throws -> String
  ) {
    self.name = name
    self.outcomes = outcomes
    self.run = run
  }
}

/// What several tasks have, though nothing says that they may.
private final class Shared<Value>: @unchecked Sendable {
  // Sendable: that the library sees to its state is what the programs are about.
  let value: Value
  init(_ value: Value) { self.value = value }
}

private final class Box: Sendable {
  let number: Int
  init(_ number: Int) { self.number = number }
}

/// Does both side by side.
private func together(
  _ first: @escaping @Sendable () throws -> Void, _ second: @escaping @Sendable () throws -> Void
) async throws {
  async let one: Void = first()
  async let other: Void = second()
  _ = try await (one, other)
}

private func twice(_ body: @escaping @Sendable () throws -> Void) async throws {
  try await together(body, body)
}

extension LibraryProgram {
  public static let all = objects + files

  private static let objects: [LibraryProgram] = [
    LibraryProgram("one puts into a cache, one gets", ["0", "1"]) { _ in
      let (cache, log) = (Shared(NSCache<NSString, Box>()), Log())
      try await together {
        cache.value.setObject(Box(1), forKey: "key")
      } _: {
        log.say("\(cache.value.object(forKey: "key")?.number ?? 0)")
      }
      return log.text
    },
    LibraryProgram("get from a cache, put the value and one", ["1", "2"]) { _ in
      let cache = Shared(NSCache<NSString, Box>())
      try await twice {
        let number = cache.value.object(forKey: "key")?.number ?? 0
        cache.value.setObject(Box(number + 1), forKey: "key")
      }
      return "\(cache.value.object(forKey: "key")?.number ?? 0)"
    },
    LibraryProgram("get from the defaults, put the value and one", ["1", "2"]) { folder in
      // What is kept for one name is one thing, whichever object it is reached by.
      let defaults = (0..<2).map { _ in Shared(UserDefaults(suiteName: folder.lastPathComponent)!) }
      defaults[0].value.set(0, forKey: "key")
      @Sendable func add(_ index: Int) {
        defaults[index].value.set(defaults[index].value.integer(forKey: "key") + 1, forKey: "key")
      }
      try await together {
        add(0)
      } _: {
        add(1)
      }
      return "\(defaults[0].value.integer(forKey: "key"))"
    },
    LibraryProgram("one and one done of a progress", ["1", "2"]) { _ in
      let progress = Shared(Foundation.Progress(totalUnitCount: 10))
      try await twice { progress.value.completedUnitCount += 1 }
      return "\(progress.value.completedUnitCount)"
    },
    LibraryProgram("a part of a progress is done, and the whole is looked at", ["0", "5"]) { _ in
      let (whole, part) = (
        Shared(Foundation.Progress(totalUnitCount: 10)),
        Shared(Foundation.Progress(totalUnitCount: 1))
      )
      whole.value.addChild(part.value, withPendingUnitCount: 5)
      let log = Log()
      try await together {
        part.value.completedUnitCount = 1
      } _: {
        log.say("\(whole.value.completedUnitCount)")
      }
      return log.text
    },
    LibraryProgram("post a notification, add an observer", ["", "told"]) { _ in
      let (center, log) = (NotificationCenter(), Log())
      try await together {
        center.post(name: Notification.Name("done"), object: nil)
      } _: {
        _ = center.addObserver(forName: Notification.Name("done"), object: nil, queue: nil) { _ in
          log.say("told")
        }
      }
      return log.text
    },
    LibraryProgram("an observer is removed during a post", ["", "told"]) { _ in
      let (center, log) = (NotificationCenter(), Log())
      let token = Shared(
        center.addObserver(forName: Notification.Name("done"), object: nil, queue: nil) { _ in
          log.say("told")
        })
      try await together {
        center.post(name: Notification.Name("done"), object: nil)
      } _: {
        center.removeObserver(token.value)
      }
      return log.text
    },
    LibraryProgram("look in a cache of responses, and store one", ["stored", "stored stored"]) {
      _ in
      let cache = Shared(URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil))
      let (log, url) = (Log(), URL(string: "http://example.org/photo")!)
      try await twice {
        let request = URLRequest(url: url)
        guard cache.value.cachedResponse(for: request) == nil else { return }
        let response = HTTPURLResponse(
          url: url, statusCode: 200, httpVersion: nil, headerFields: ["Cache-Control": "max-age=60"]
        )!
        cache.value.storeCachedResponse(
          CachedURLResponse(response: response, data: Data([1])), for: request)
        log.say("stored")
      }
      return log.text
    },
    LibraryProgram("a table behind a lock", ["2"]) { _ in
      let (table, lock) = (Shared(NSMutableDictionary()), NSLock())
      try await twice {
        lock.withLock {
          let number = table.value["key"] as? Int ?? 0
          table.value["key"] = number + 1
        }
      }
      return "\(table.value["key"] as? Int ?? 0)"
    },
    LibraryProgram("how many operations wait", ["0", "1"]) { _ in
      let (queue, log) = (Shared(Foundation.OperationQueue()), Log())
      queue.value.isSuspended = true
      try await together {
        queue.value.addOperation(Foundation.BlockOperation {})
      } _: {
        log.say("\(queue.value.operationCount)")
      }
      queue.value.cancelAllOperations()
      return log.text
    },
  ]

  /// Its folder has another name in each execution.
  public static let inRandomFolder = LibraryProgram(
    "create a file if it does not exist, in a folder of any name", ["made", "made made"]
  ) { folder in
    var name = Array((folder.path + "/XXXXXX").utf8) + [0]
    name.withUnsafeMutableBytes { _ = mkdtemp($0.baseAddress!) }
    let made = URL(filePath: String(decoding: name.dropLast(), as: UTF8.self))
    defer { try? FileManager.default.removeItem(at: made) }
    return try await createUnlessThere(in: made)
  }

  /// The standard library of C writes when it sees fit.
  public static let throughStreams = LibraryProgram("two add a line by stdio", ["1", "2"]) {
    folder in
    let path = folder.appending(path: "file").path
    unlink(path)
    try await twice {
      let old = fopen(path, "r")
      let length = old.map { fgetc($0) == -1 ? 0 : 1 } ?? 0
      if let old { fclose(old) }
      guard let new = fopen(path, "w") else { return }
      fputs(String(repeating: "x", count: length + 1), new)
      fclose(new)
    }
    return "\(try Data(contentsOf: URL(filePath: path)).count)"
  }

  /// What libraries do of which others see nothing, by two at once.
  public static let unseen = LibraryProgram("nothing that others see", ["same"]) { folder in
    let (formatter, file) = (Shared(NumberFormatter()), folder.appending(path: "kept"))
    let (decoder, name) = (JSONDecoder(), Shared(NSString("name")))
    try Data("[1]".utf8).write(to: file)
    let log = Log()
    @Sendable func work() throws -> String {
      let own = NSMutableArray()
      own.add(try decoder.decode([Int].self, from: Data(contentsOf: file)))
      let home = FileManager.default.fileExists(atPath: file.path) ? getenv("HOME") : nil
      var text = String(format: "%d %@", own.count, name.value.uppercased)
      print(Date(timeIntervalSince1970: 0).formatted(.iso8601), to: &text)
      try Data().write(to: folder.appending(path: UUID().uuidString))
      return text + (formatter.value.string(from: 3) ?? "") + (home == nil ? "" : "home")
    }
    async let first = work()
    async let second = work()
    log.say(try await first == second ? "same" : "other")
    return log.text
  }

  /// Who reads the environment must not do so while another thread sets it, so this is for a process of its own.
  public static let environment = LibraryProgram("count in the environment", ["1", "2"]) { _ in
    setenv("COUNT", "0", 1)
    try await twice {
      let number = Int(ProcessInfo.processInfo.environment["COUNT"] ?? "") ?? 0
      setenv("COUNT", "\(number + 1)", 1)
    }
    return getenv("COUNT").map { String(cString: $0) } ?? ""
  }

  /// What libraries do not see to: for an exploration, in which one strand is at work at a time.
  public static let unguarded: [LibraryProgram] = [
    LibraryProgram("a table of nobody's", ["1", "2"]) { _ in
      let table = Shared(NSMutableDictionary())
      try await twice { table.value["key"] = (table.value["key"] as? Int ?? 0) + 1 }
      return "\(table.value["key"] as? Int ?? 0)"
    },
    LibraryProgram("a text of nobody's", ["3", "5"]) { _ in
      let (text, log) = (Shared(NSMutableString(string: "old")), Log())
      try await together {
        text.value.setString("newer")
      } _: {
        log.say("\(text.value.length)")
      }
      return log.text
    },
    LibraryProgram("an operation is cancelled, or asked whether it is", ["false", "true"]) { _ in
      let (operation, log) = (Shared(Foundation.BlockOperation {}), Log())
      try await together {
        operation.value.cancel()
      } _: {
        log.say("\(operation.value.isCancelled)")
      }
      return log.text
    },
  ]

  /// A run loop belongs to a thread, as tasks do not; so this is for an exploration.
  public static let blocksOfLoop = LibraryProgram("two blocks for a run loop", ["a b", "b a"]) {
    _ in
    let (loop, log) = (Shared(currentLoop()), Log())
    ControlledDispatch.strands(
      { loop.value.perform { log.say("a") } }, { loop.value.perform { log.say("b") } })
    run(loop.value)
    return log.text
  }

  private static func currentLoop() -> RunLoop { .current }
  private static func run(_ loop: RunLoop) {
    // A loop without sources does not turn.
    let timer = Timer(fire: .distantFuture, interval: 0, repeats: false) { _ in }
    loop.add(timer, forMode: .default)
    _ = loop.run(mode: .default, before: .distantPast)
    timer.invalidate()
  }

  private static let files: [LibraryProgram] = [
    LibraryProgram("create a file if it does not exist", ["made", "made made"]) { folder in
      try await createUnlessThere(in: folder)
    },
    LibraryProgram("two append by handles of their own", ["1", "2"]) { folder in
      let file = folder.appending(path: "file")
      try Data().write(to: file)
      let handles = Shared(try [FileHandle(forUpdating: file), FileHandle(forUpdating: file)])
      @Sendable func append(_ number: Int) throws {
        try handles.value[number].seekToEnd()
        try handles.value[number].write(contentsOf: Data([1]))
      }
      try await together {
        try append(0)
      } _: {
        try append(1)
      }
      return "\(try Data(contentsOf: file).count)"
    },
    LibraryProgram("two read by one descriptor", ["a", "b"]) { folder in
      let path = folder.appending(path: "file").path
      try Data("ab".utf8).write(to: URL(filePath: path))
      let (file, log) = (open(path, O_RDONLY), Log())
      defer { close(file) }
      @Sendable func next() -> String {
        var byte: UInt8 = 0
        return read(file, &byte, 1) == 1 ? String(UnicodeScalar(byte)) : ""
      }
      try await together {
        log.say(next())
      } _: {
        _ = next()
      }
      return log.text
    },
    LibraryProgram("a file is replaced while another reads it", ["new", "old"]) { folder in
      try await readWhileWriting(in: folder, .atomic)
    },
    LibraryProgram("a file is written while another reads it", ["", "new", "old"]) { folder in
      try await readWhileWriting(in: folder, [])
    },
    LibraryProgram("a folder is listed while another adds to it", ["", "a", "a b"]) { folder in
      let (list, log) = (folder.appending(path: "list"), Log())
      try? FileManager.default.removeItem(at: list)
      try FileManager.default.createDirectory(at: list, withIntermediateDirectories: false)
      try await together {
        for name in ["a", "b"] { try Data().write(to: list.appending(path: name)) }
      } _: {
        for name in try FileManager.default.contentsOfDirectory(atPath: list.path).sorted() {
          log.say(name)
        }
      }
      return log.text
    },
    LibraryProgram("a folder is removed while another adds to it", ["added", "removed"]) { folder in
      let (list, log) = (folder.appending(path: "list"), Log())
      try? FileManager.default.removeItem(at: list)
      try FileManager.default.createDirectory(at: list, withIntermediateDirectories: false)
      try await together {
        if rmdir(list.path) == 0 { log.say("removed") }
      } _: {
        if (try? Data().write(to: list.appending(path: "a"))) != nil { log.say("added") }
      }
      return log.text
    },
    LibraryProgram("a folder is renamed while another looks in it", ["gone", "there"]) { folder in
      let (list, other, log) = (
        folder.appending(path: "list"), folder.appending(path: "other"), Log()
      )
      for made in [list, other] { try? FileManager.default.removeItem(at: made) }
      try FileManager.default.createDirectory(at: list, withIntermediateDirectories: false)
      try Data().write(to: list.appending(path: "a"))
      try await together {
        try FileManager.default.moveItem(at: list, to: other)
      } _: {
        let path = list.appending(path: "a").path
        log.say(FileManager.default.fileExists(atPath: path) ? "there" : "gone")
      }
      return log.text
    },
    LibraryProgram("a link is changed while another follows it", ["new", "old"]) { folder in
      let (log, link, next) = (
        Log(), folder.appending(path: "current").path, folder.appending(path: "next").path
      )
      for name in ["old", "new"] {
        try Data(name.utf8).write(to: folder.appending(path: name))
      }
      for path in [link, next] { unlink(path) }
      symlink(folder.appending(path: "old").path, link)
      symlink(folder.appending(path: "new").path, next)
      try await together {
        rename(next, link)
      } _: {
        let file = open(link, O_RDONLY)
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 3)
        let count = read(file, &bytes, 3)
        log.say(String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self))
      }
      return log.text
    },
    LibraryProgram("a tree is walked while another adds to it", ["inner", "inner inner/a"]) {
      folder in
      let (tree, log) = (folder.appending(path: "tree"), Log())
      let inner = tree.appending(path: "inner")
      try? FileManager.default.removeItem(at: tree)
      try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
      try await together {
        try Data().write(to: inner.appending(path: "a"))
      } _: {
        for path in try FileManager.default.subpathsOfDirectory(atPath: tree.path).sorted() {
          log.say(path)
        }
      }
      return log.text
    },
    LibraryProgram("a file as a lock", ["in busy", "in in", "busy in"]) { folder in
      let (path, log) = (folder.appending(path: "lock").path, Log())
      unlink(path)
      try await twice {
        let file = open(path, O_CREAT | O_EXCL | O_WRONLY, 0o600)
        guard file >= 0 else { return log.say("busy") }
        log.say("in")
        close(file)
        unlink(path)
      }
      return log.text
    },
  ]

  private static func createUnlessThere(in folder: URL) async throws -> String {
    let (file, log) = (folder.appending(path: "file"), Log())
    try? FileManager.default.removeItem(at: file)
    try await twice {
      guard !FileManager.default.fileExists(atPath: file.path) else { return }
      _ = FileManager.default.createFile(atPath: file.path, contents: Data())
      log.say("made")
    }
    return log.text
  }

  private static func readWhileWriting(
    in folder: URL, _ options: Data.WritingOptions
  ) async throws -> String {
    let (file, log) = (folder.appending(path: "file"), Log())
    try Data("old".utf8).write(to: file)
    try await together {
      try Data("new".utf8).write(to: file, options: options)
    } _: {
      log.say(String(decoding: try Data(contentsOf: file), as: UTF8.self))
    }
    return log.text
  }
}
