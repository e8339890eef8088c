import Foundation

/// Reads the log that a path leads to, from one file to the next. It never waits: `next` gives what there is, and when
/// there is nothing more, one of `watched` changes before there is.
///
/// Four things it does not see: a file that had the path between two looks only; what is written to a file only after
/// that was rotated away empty; a truncation after which the file has grown beyond what had been read; and that a folder
/// above the log's own, or a link on the way to it, is another one now: that is found at the next change.
struct LogReader: Sendable {
  let path: String
  private let name: String
  private let folderPath: String
  private let folder: OpenFile
  private var lines: LineReader
  private var current: OpenFile?
  private var offset = 0
  /// Where the path leads since the current file was rotated.
  private var successor: OpenFile?
  /// The writer has gone on to the successor, so what the current file has is all.
  private var isLeaving = false
  private var toldPath: String??

  /// - Throws: ``SystemError`` if the folder of the log is not there. The log may come later.
  init(path: String, lineLimit: Int) throws(SystemError) {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw .opening(path, code: EINVAL) }
    self.path = path
    lines = LineReader(limit: lineLimit)
    let url = URL(fileURLWithPath: path)
    name = url.lastPathComponent
    folderPath = url.deletingLastPathComponent().path
    folder = try OpenFile(path: folderPath)
    guard folder.facts?.isFolder == true else { throw .opening(path, code: ENOTDIR) }
  }

  /// What has to be watched for `next` to have something.
  var watched: [OpenFile] { [folder] + [current, successor].compactMap(\.self) }

  /// Reads on, a piece at a time.
  ///
  /// - Returns: What came, in order, or nothing if there is nothing for now.
  /// - Throws: ``SystemError`` if the log or its folder cannot be read any more.
  mutating func next() throws(SystemError) -> [LogEvent] {
    while true {
      if let events = try readCurrent() {
        if !events.isEmpty { return events }
      } else if isLeaving || current == nil && successor != nil {
        let last = lines.finish()
        (current, successor, offset, isLeaving, toldPath) = (successor, nil, 0, false, nil)
        if let last { return [last] }
      } else if hasSuccessorBegun {
        // A single writer has written its last byte of the old file before the first one of the new.
        isLeaving = true
      } else {
        if let renamed = try followPath() { return [renamed] }
        guard hasSuccessorBegun || current == nil && successor != nil else { return [] }
      }
    }
  }

  private var hasSuccessorBegun: Bool { (successor?.facts?.size ?? 0) > 0 }

  /// What the next piece of the current file gives, or `nil` at its end.
  private mutating func readCurrent() throws(SystemError) -> [LogEvent]? {
    guard let current else { return nil }
    if let size = current.facts?.size, size < offset {
      offset = 0
      return [lines.finish(), .truncated].compactMap(\.self)
    }
    let bytes = try current.read(from: offset)
    offset += bytes.count
    return bytes.isEmpty ? nil : lines.append(bytes)
  }

  /// Looks where the path leads now.
  ///
  /// - Returns: The current file's new name, if it has one that was not told.
  private mutating func followPath() throws(SystemError) -> LogEvent? {
    try checkFolder()
    let facts = FileFacts(path: path)
    if facts == nil, errno != ENOENT { throw .opening(path, code: errno) }
    if let facts, facts.identity == current?.identity {
      (successor, toldPath) = (nil, nil)
      return nil
    }
    if facts?.identity != successor?.identity {
      let file = try openLog()
      // It may be another folder's.
      try checkFolder()
      successor = file
    }
    guard let current else { return nil }
    let newPath = current.currentPath
    // It may have come back meanwhile. Its folder has changed then, and it is looked at again.
    let isBack = newPath != nil && newPath == folder.currentPath.map { "\($0)/\(name)" }
    guard !isBack, toldPath != .some(newPath) else { return nil }
    toldPath = newPath
    return .rotated(to: newPath)
  }

  /// - Throws: ``SystemError`` if the path of the folder leads to another one now, or nowhere.
  private func checkFolder() throws(SystemError) {
    guard FileFacts(path: folderPath)?.identity == folder.identity else {
      throw SystemError(
        call: "follow", place: path, code: ENOENT,
        advice: "its folder is gone; follow it again when there is one")
    }
  }

  /// Opens what the path leads to, or gives `nil` if nothing is there.
  private func openLog() throws(SystemError) -> OpenFile? {
    // Looked at first: to open a device may do something.
    guard let facts = FileFacts(path: path) else { return nil }
    guard facts.isRegular else {
      throw SystemError(
        call: "follow", place: path, code: facts.isFolder ? EISDIR : EINVAL,
        advice: "pass the path of a regular file")
    }
    do {
      let file = try OpenFile(path: path)
      // It, too, may have come back.
      return file.identity == current?.identity ? nil : file
    } catch {
      if error.code == ENOENT { return nil }
      throw error
    }
  }
}
