import Foundation
import Workbook

extension Subject {
  static let wholeFile = Subject(
    "whole-file",
    asks: "A file of 6 bytes is read to its end, and its reader cancels. What is the end?",
    right: .allowed("6 bytes, and the end"), .allowed("cancelled"), .forbidden("something else"),
    implementations: [
      .before("read source") { (stage: Stage) in
        let path = makeFile("read", stage, "abcdef")
        defer { unlink(path) }
        let (pieces, end) = (Received(), End<(any Error)?>())
        let reading = try Sourced.read(
          fileAt: path, queue: DispatchQueue(label: "file"), whenRead: pieces.add,
          whenOver: end.take)
        reading.cancel()
        return withExtendedLifetime(reading) { told(end.wait(), pieces.text) }
      }
      .code("FileSource.swift", "try Connection"),
      .after("a channel under await") { stage in
        let path = makeFile("awaited", stage, "abcdef")
        defer { unlink(path) }
        let (pieces, isOver) = (Received(), Gate())
        let file = try Async.File(at: path) { isOver.open() }
        let reader = Task {
          while case let piece = try await file.read(upTo: 4), !piece.isEmpty { pieces.add(piece) }
        }
        reader.cancel()
        var failure: (any Error)?
        do { try await reader.value } catch { failure = error }
        file.close()
        await isOver.wait()
        return told(failure, pieces.text)
      }
      .code("FileAsync.swift", "channel.read"),
    ])

  static let copiedFile = Subject(
    "copied-file",
    asks: "A file of 6 bytes is copied. What does the copy have when its caller is told?",
    right: .allowed("6 bytes"), .forbidden("less"),
    implementations: [
      .before("two channels and a barrier") { (stage: Stage) in
        let path = makeFile("copied", stage, "abcdef")
        let copy = path + "-by-channels"
        defer { for path in [path, copy] { unlink(path) } }
        let end = End<Result<Int, DescriptorError>>()
        try Channelled.copy(
          fileAt: path, to: copy, queue: DispatchQueue(label: "copy"), whenOver: end.take)
        return try end.wait().get() == 6 && byteCount(of: copy) == 6 ? "6 bytes" : "less"
      }
      .code("CopyDispatchIO.swift", "copy.barrier"),
      .after("a piece after the other") { stage in
        let path = makeFile("copied", stage, "abcdef")
        let copy = path + "-by-a-task"
        defer { for path in [path, copy] { unlink(path) } }
        let count = try await Async.copy(fileAt: path, to: copy)
        return count == 6 && byteCount(of: copy) == 6 ? "6 bytes" : "less"
      }
      .code("CopyAsync.swift", "let piece = try await"),
    ])

  static let fullDisk = Subject(
    "full-disk",
    asks: "A file of 8 bytes is saved where 5 have room. What is the caller told?",
    right: .allowed("that the disk is full"), .forbidden("that it is saved"),
    implementations: [
      .before(
        "one write",
        .surprising("that it is saved", "write has said 5, and nobody has looked").onlyExplored
      ) { (stage: Stage) in try saved(stage, writeOnce) }
      .code("FileWriterAsPublished.swift", "_ = write").notPlayed(needsDisk).alwaysWrong,
      .before("until all is written") { (stage: Stage) in try saved(stage, writeSourced) }
        .code("FileSource.swift", "guard let count").notPlayed(needsDisk),
      .after("a channel under await") { (stage: Stage) in try saved(stage, writeAwaited) }
        .code("FileAsync.swift", "channel.write").notPlayed(needsDisk),
    ])

  static let sharedLog = Subject(
    "shared-log",
    asks: "Two services append a line each to one log. What does it have?",
    right: .allowed("both lines"), .forbidden("one line"),
    implementations: [
      .before(
        "flags set anew",
        .surprising("one line", "F_SETFL has taken back O_APPEND, and both write at 0")
      ) { (stage: Stage) in try linesOfLog(stage, writeOnce) }
      .code("FileWriterAsPublished.swift", "// It may block").alwaysWrong,
      .before("a flag added") { (stage: Stage) in try linesOfLog(stage, writeSourced) }
        .code("OwnedDescriptor.swift", "guard fcntl(descriptor, F_SETFL"),
      .after("a connection each") { stage in
        let log = makeFile("log", stage)
        for line in ["ab", "cd"] {
          let (descriptor, isOver) = try (openFile(log, O_WRONLY | O_APPEND), Gate())
          let connection = try Async.Connection(taking: descriptor, for: .writing) { isOver.open() }
          try await connection.write(Array(line.utf8))
          connection.close()
          await isOver.wait()
        }
        return lines(of: log)
      }
      .code("OwnedDescriptor.swift", "guard fcntl(descriptor, F_SETFL"),
    ])
}

private let needsDisk = "a small disk needs a process of its own: demo no-room"

/// Makes a file of its own, and says its path.
private func makeFile(_ name: String, _ stage: Stage, _ text: String = "") -> String {
  // The disk of an exploration has no others.
  let path = "/tmp/\(name)" + (stage.isExplored ? "" : "-\(getpid())")
  let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
  if !text.isEmpty { send(text, into: descriptor) }
  close(descriptor)
  return path
}

/// How many bytes a file has, up to 8.
private func byteCount(of path: String) -> Int {
  let descriptor = open(path, O_RDONLY)
  defer { close(descriptor) }
  var bytes = [UInt8](repeating: 0, count: 8)
  return read(descriptor, &bytes, bytes.count)
}

/// Opens a file and writes to it; returns what the caller is told, an error or none.
typealias Write = @Sendable ([UInt8], _ path: String, _ flags: Int32) throws -> (any Error)?

func writeOnce(_ bytes: [UInt8], to path: String, _ flags: Int32) throws -> (any Error)? {
  let (file, end) = try (openFile(path, O_WRONLY | flags), End<(any Error)?>())
  AsPublished.writeFile(file, data: { bytes }, whenDone: { end.take(nil) })
  return end.wait()
}

func writeSourced(_ bytes: [UInt8], to path: String, _ flags: Int32) throws -> (any Error)? {
  let end = End<(any Error)?>()
  try Sourced.write(bytes, to: path, flags, queue: DispatchQueue(label: "file"), whenOver: end.take)
  return end.wait()
}

func writeAwaited(_ bytes: [UInt8], to path: String, _: Int32) throws -> (any Error)? {
  let (end, isClosed) = (End<(any Error)?>(), DispatchSemaphore(value: 0))
  let file = try Async.File(at: path, creates: true) { isClosed.signal() }
  Task {
    defer { file.close() }
    do { try await file.write(bytes) } catch { return end.take(error) }
    end.take(nil)
  }
  isClosed.wait()
  return end.wait()
}

private func told(_ end: (any Error)?, _ text: String) -> String {
  switch end {
  case nil where text == "abcdef": "6 bytes, and the end"
  case is CancellationError where "abcdef".hasPrefix(text): "cancelled"
  default: "something else"
  }
}

private func saved(_ stage: Stage, _ write: Write) throws -> String {
  stage.limitDisk(to: 5)
  return try told(write(Array("12345678".utf8), "/tmp/saved", O_CREAT | O_TRUNC))
}

private func told(_ error: (any Error)?) -> String {
  guard let error else { return "that it is saved" }
  return (error as? DescriptorError)?.code == ENOSPC ? "that the disk is full" : "\(error)"
}

private func linesOfLog(_ stage: Stage, _ write: Write) throws -> String {
  let log = makeFile("log", stage)
  for line in ["ab", "cd"] { _ = try write(Array(line.utf8), log, O_APPEND) }
  return lines(of: log)
}

/// Says what a log has, and removes it.
private func lines(of log: String) -> String {
  defer { unlink(log) }
  let count = byteCount(of: log)
  return [2: "one line", 4: "both lines"][count] ?? "\(count) bytes"
}
