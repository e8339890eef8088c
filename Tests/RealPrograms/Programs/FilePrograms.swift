import Dispatch
import Foundation

// What is known of files, what they are called, and who is told what happens to them. Each program says what came of it, in
// order, and has a folder of its own, which is there at the latest with the first file in it.

extension Programs {
  private static func openNew(_ path: String, _ text: String = "") -> Int32 {
    let file = moved(open(path, O_RDWR | O_CREAT | O_EXCL, 0o600))
    precondition(writing(file, text) == "\(text.utf8.count)")
    return file
  }

  /// Opens and closes something.
  private static func opening(_ path: String, _ flags: Int32) -> String {
    let file = open(path, flags, 0o600)
    return file == -1 ? name(of: errno) : "\(close(file))"
  }

  private static func moving(_ descriptor: Int32, _ offset: Int, _ origin: Int32) -> String {
    let place = lseek(descriptor, off_t(offset), origin)
    return place == -1 ? name(of: errno) : "\(place)"
  }

  private static func makeNew(_ path: String) { _ = close(openNew(path)) }

  /// What is known of a file: its size, how many names it has, and what it is.
  private static func facts(_ path: String) -> String {
    var status = stat()
    guard stat(path, &status) == 0 else { return name(of: errno) }
    return words(status)
  }

  private static func facts(_ descriptor: Int32) -> String {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return name(of: errno) }
    return words(status)
  }

  private static func words(_ status: stat) -> String {
    switch status.st_mode & S_IFMT {
    case S_IFDIR: "a folder"
    case S_IFREG: "\(status.st_size) bytes, \(status.st_nlink) names"
    default: "something else"
    }
  }

  /// The path that a descriptor has now, within its folder.
  private static func place(
    _ descriptor: Int32, in folder: String, upTo size: Int = 4_096
  ) -> String {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = bytes.withUnsafeMutableBytes {
      readlink("/proc/self/fd/\(descriptor)", $0.baseAddress!, size)
    }
    guard count != -1 else { return name(of: errno) }
    return String(decoding: bytes.prefix(count), as: UTF8.self).replacing(folder, with: "")
  }

  private static let kinds = [
    (IN_MODIFY, "modified"), (IN_ATTRIB, "attributes"), (IN_MOVED_FROM, "from"),
    (IN_MOVED_TO, "to"), (IN_CREATE, "created"), (IN_DELETE, "deleted"),
    (IN_DELETE_SELF, "gone"), (IN_MOVE_SELF, "moved"), (IN_IGNORED, "ignored"),
    (IN_ISDIR, "folder"),
  ]

  private static let ofFile = IN_MODIFY | IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF
  private static let ofFolder = IN_CREATE | IN_DELETE | IN_MOVE

  private static func openInotify() -> Int32 { moved(inotify_init1(Int32(IN_NONBLOCK))) }

  private static func watching(_ inotify: Int32, _ path: String, _ kinds: Int32) -> String {
    let watch = inotify_add_watch(inotify, path, UInt32(kinds))
    return watch == -1 ? name(of: errno) : "\(watch)"
  }

  /// Reads what is told: of each the watch, what it is, the name and how many bytes that takes, and whether it belongs to what
  /// was told before.
  private static func told(_ inotify: Int32, upTo size: Int = 4_096) -> String {
    var bytes = [UInt8](repeating: 0, count: size)
    let count = read(inotify, &bytes, size)
    if count == -1 { return name(of: errno) }
    var (rest, said, cookie) = (bytes.prefix(count), [String](), UInt32(0))
    while !rest.isEmpty {
      let record = rest.withUnsafeBytes { $0.loadUnaligned(as: inotify_event.self) }
      rest = rest.dropFirst(MemoryLayout<inotify_event>.size)
      let name = String(decoding: rest.prefix(Int(record.len)).prefix { $0 != 0 }, as: UTF8.self)
      rest = rest.dropFirst(Int(record.len))
      var words = ["\(record.wd)"]
      words += kinds.filter { record.mask & UInt32($0.0) != 0 }.map(\.1)
      if record.len > 0 { words += [name, "\(record.len)"] }
      if record.cookie != 0, record.cookie == cookie { words.append("as well") }
      cookie = record.cookie
      said.append(words.joined(separator: " "))
    }
    return said.joined(separator: ", ")
  }
}

extension Programs {
  // MARK: Files

  private static func reading(_ descriptor: Int32, _ count: Int, at place: Int) -> String {
    var bytes = [UInt8](repeating: 0, count: count)
    let result = pread(descriptor, &bytes, count, off_t(place))
    if result == -1 { return name(of: errno) }
    return result == 0 ? "end" : String(decoding: bytes.prefix(result), as: UTF8.self)
  }

  /// A file is read from places on, and goes on where it was.
  static func readsFromPlaces(_ folder: String) -> [String] {
    let path = folder + "/a"
    let file = openNew(path, "hello")
    var said = [reading(file, 3, at: 1), reading(file, 9, at: 4), reading(file, 9, at: 5)]
    said += [reading(file, 9, at: -1), "\(lseek(file, 0, SEEK_CUR))"]
    let (inside, pipe) = (open(folder, O_RDONLY), Ends.pipe.open())
    let writer = open(path, O_WRONLY)
    said += [reading(inside, 1, at: 0), reading(pipe.reading, 1, at: 0), reading(writer, 1, at: 0)]
    for descriptor in [inside, pipe.reading, pipe.writing, writer, file] { _ = close(descriptor) }
    return said + [reading(file, 1, at: 0), "\(unlink(path))"]
  }

  /// A file grows and shrinks, has another name, and another takes that.
  static func hasNames(_ folder: String) -> [String] {
    let (path, newPath) = (folder + "/a", folder + "/b")
    let file = openNew(path, "hello")
    var said = [facts(path), facts(file), facts(folder), facts(newPath), facts(path + "/c")]
    said += ["\(ftruncate(file, 2)) \(truncate(path, 3))", facts(file), place(file, in: folder)]
    said += ["\(rename(path, newPath))", facts(path), facts(newPath), place(file, in: folder)]
    let other = openNew(path)
    var (first, second) = (stat(), stat())
    said += ["\(fstat(file, &first)) \(fstat(other, &second)) \(first.st_ino == second.st_ino)"]
    said += ["\(rename(path, newPath)) \(stat(newPath, &first)) \(first.st_ino == second.st_ino)"]
    said += [facts(file), place(file, in: folder), facts(other), place(other, in: folder)]
    said += ["\(rename(path, newPath))", name(of: errno), "\(rename(newPath, folder + "/c/d"))"]
    said += [name(of: errno), "\(rename(newPath, newPath))", "\(unlink(folder))"]
    said += [name(of: errno), "\(unlink(newPath))", place(other, in: folder)]
    return said + ["\(close(file)) \(close(other))", facts(other), place(other, in: folder)]
  }

  /// Folders, files and the null device are opened as what they are not, and moved in.
  static func opensWhatIsThere(_ folder: String) -> [String] {
    let path = folder + "/a"
    makeNew(path)
    var said = [opening(folder, O_RDONLY | O_TRUNC), opening(folder, O_RDONLY | O_DIRECTORY)]
    said += [opening(path, O_RDONLY | O_DIRECTORY), opening(path + "b", O_RDONLY | O_DIRECTORY)]
    let (inside, null, pipe) = (open(folder, O_RDONLY), open("/dev/null", O_RDWR), Ends.pipe.open())
    said += [moving(inside, 0, SEEK_SET), moving(inside, 0, SEEK_CUR), moving(null, 5, SEEK_SET)]
    said += [moving(null, 0, SEEK_END), moving(pipe.writing, 0, SEEK_CUR)]
    said += [reading(null, 1, at: 3), reading(pipe.writing, 1, at: 0)]
    said += [place(inside, in: folder, upTo: 0)]
    for descriptor in [inside, null, pipe.reading, pipe.writing] { _ = close(descriptor) }
    said += ["\(rename(path, ""))", name(of: errno), "\(rename("", path))", name(of: errno)]
    said += [
      "\(rename(path, "/"))", name(of: errno), "\(rename(path + "b", "/"))", name(of: errno),
    ]
    return said + [facts(path), "\(unlink(path))"]
  }

  /// Where no number is free, nothing is found, made or emptied.
  static func hasNoNumbers(_ folder: String) -> [String] {
    let (path, newPath) = (folder + "/a", folder + "/b")
    let file = openNew(path, "hello")
    var copies: [Int32] = []
    while case let copy = dup(file), copy != -1 { copies.append(copy) }
    var said = [name(of: errno), opening(path, O_WRONLY | O_TRUNC), facts(path)]
    said += [opening(newPath, O_WRONLY | O_CREAT), facts(newPath), opening(newPath, O_RDONLY)]
    said += [opening("", O_RDONLY), opening("/dev/null", O_RDONLY)]
    for copy in copies { _ = close(copy) }
    said += [opening(path, O_WRONLY | O_TRUNC), facts(file), "\(unlink(path)) \(close(file))"]
    return said
  }

  // MARK: Inotify

  /// A file that is watched is written, shortened, renamed and removed, and closed in the end.
  static func watchesAFile(_ folder: String) -> [String] {
    let (path, newPath) = (folder + "/a", folder + "/b")
    let (file, inotify) = (openNew(path), openInotify())
    var said = [watching(inotify, path, ofFile), told(inotify)]
    said += [writing(file, "x"), writing(file, "y"), told(inotify)]
    said += [writing(file, ""), told(inotify), "\(ftruncate(file, 1))", told(inotify)]
    said += ["\(rename(path, newPath))", told(inotify)]
    said += ["\(close(open(newPath, O_WRONLY | O_TRUNC)))", told(inotify)]
    said += ["\(unlink(newPath))", told(inotify), writing(file, "z"), told(inotify)]
    said += ["\(close(file))", told(inotify), "\(inotify_rm_watch(inotify, 1))", name(of: errno)]
    return said + ["\(close(inotify))"]
  }

  /// Files in a folder that is watched are made, renamed, replaced and removed.
  static func watchesAFolder(_ folder: String) -> [String] {
    let (path, newPath) = (folder + "/a", folder + "/bbbbbbbbbbbbbbbb")
    makeNew(path)
    let inotify = openInotify()
    var said = [watching(inotify, folder, ofFolder), watching(inotify, path, ofFile)]
    said += ["\(close(open(path, O_WRONLY | O_CREAT, 0o600)))", told(inotify)]
    makeNew(newPath)
    said += [watching(inotify, newPath, ofFile), told(inotify)]
    said += ["\(rename(path, newPath))", told(inotify), "\(unlink(newPath))", told(inotify)]
    return said + ["\(close(inotify))"]
  }

  /// A watch has one number, by whatever path it is asked for.
  static func numbersWatches(_ folder: String) -> [String] {
    let path = folder + "/a"
    let (file, inotify) = (openNew(path), openInotify())
    let link = "/proc/self/fd/\(file)"
    var said = [watching(inotify, path, IN_MODIFY), watching(inotify, link, IN_ATTRIB)]
    said += [writing(file, "x"), told(inotify)]
    said += [watching(inotify, link, IN_MODIFY | IN_MASK_ADD), writing(file, "x"), told(inotify)]
    said += [watching(inotify, link + "/..", IN_DELETE), watching(inotify, folder, IN_DELETE)]
    said += ["\(unlink(path))", told(inotify), watching(inotify, link, IN_MODIFY), told(inotify)]
    said += [writing(file, "x"), "\(inotify_rm_watch(inotify, 1))", writing(file, "x")]
    said += [told(inotify), watching(inotify, link, IN_MODIFY), watching(inotify, path, IN_MODIFY)]
    said += [
      watching(inotify, folder, 0), watching(file, folder, IN_DELETE), writing(inotify, "x"),
    ]
    return said + ["\(close(file)) \(close(inotify))", watching(inotify, folder, IN_DELETE)]
  }

  /// What is told is read whole, or not at all.
  static func readsWholeNotices(_ folder: String) -> [String] {
    let paths = ["/a", "/b", "/c"].map { folder + $0 }
    makeNew(paths[0])
    let inotify = openInotify()
    var said = [watching(inotify, folder, ofFolder)]
    for path in paths.dropFirst() { makeNew(path) }
    said += [told(inotify, upTo: 31), told(inotify, upTo: 40), told(inotify), told(inotify)]
    for path in paths { said.append("\(unlink(path))") }
    makeNew(paths[2])
    said += ["\(unlink(paths[2]))", told(inotify)]
    return said + ["\(close(inotify))"]
  }

  /// A read source is told how many bytes wait.
  static func tellsOfNotices(_ folder: String) -> [String] {
    let (log, path) = (Log(), folder + "/a")
    let (file, inotify) = (openNew(path), openInotify())
    var said = [watching(inotify, folder, ofFolder), watching(inotify, path, ofFile)]
    let source = DispatchSource.makeReadSource(
      fileDescriptor: inotify, queue: DispatchQueue(label: "inotify"))
    let watch = Watch(source, log, closes: inotify) { _ in told(inotify) }
    said.append(writing(file, "x"))
    watch.wait()
    said.append("\(close(file))")
    makeNew(folder + "/b")
    watch.wait()
    watch.cancel()
    said += ["\(unlink(path))", "\(unlink(folder + "/b"))"]
    return said + log.entries
  }
}
