import ExerciseChecking
import Testing

@testable import Answer

/// What the check uses.
private protocol Saving {
  init(disk: any Disk)
  func save(_ bytes: [UInt8]) throws
}

extension AlbumFile: Saving {}

/// A file, with what is on the disk for sure, and what is not.
private struct File {
  var synced: [UInt8] = []
  var writes: [[UInt8]] = []
  var syncedMode = "anyone"
  var mode = "anyone"

  /// Each content that it may have after a loss of power.
  var survivors: [(bytes: [UInt8], mode: String)] {
    var bodies = [synced]
    for choice in 1..<(1 << writes.count) {
      let last = writes.indices.last { choice >> $0 & 1 == 1 }!
      // What is missing before the end is zeros.
      bodies.append(
        writes[...last].indices.reduce(synced) { body, index in
          body + (choice >> index & 1 == 1 ? writes[index] : writes[index].map { _ in 0 })
        })
    }
    return bodies.flatMap { body in [syncedMode, mode].map { (body, $0) } }
  }
}

/// A disk that loses power, or fails, before a chosen call.
private final class TestDisk: Disk {
  struct NoPower: Error {}
  struct NoRoom: Error {}
  struct NoFile: Error {}

  private(set) var names: [String: Int] = [:]
  private var files: [File] = []
  private var folders: [[String: Int]] = [[:]]
  private var calls = 0
  private(set) var hasFailed = false
  var lastCall = Int.max
  var failingCall = Int.max

  init(holding bytes: [UInt8]?) {
    guard let bytes else { return }
    files = [File(synced: bytes, syncedMode: "owner", mode: "owner")]
    names = ["album": 0]
    folders = [names]
  }

  private func call() throws {
    if calls == lastCall { throw NoPower() }
    calls += 1
    if calls == failingCall {
      hasFailed = true
      throw NoRoom()
    }
  }

  private func file(_ name: String) throws -> Int {
    guard let file = names[name] else { throw NoFile() }
    return file
  }

  func create(_ name: String) throws {
    try call()
    files.append(File())
    names[name] = files.count - 1
    folders.append(names)
  }

  func copyMode(of name: String, to other: String) throws {
    try call()
    if let old = names[name] { files[try file(other)].mode = files[old].mode }
  }

  func write(_ bytes: [UInt8], to name: String) throws {
    for byte in bytes {
      try call()
      files[try file(name)].writes.append([byte])
    }
  }

  func sync(_ name: String) throws {
    try call()
    let file = try file(name)
    files[file].synced += files[file].writes.joined()
    (files[file].writes, files[file].syncedMode) = ([], files[file].mode)
  }

  func rename(_ name: String, to other: String) throws {
    try call()
    names[other] = try file(name)
    if name != other { names[name] = nil }
    folders.append(names)
  }

  func syncFolder() throws {
    try call()
    folders = [names]
  }

  func remove(_ name: String) throws {
    try call()
    names[name] = nil
    folders.append(names)
  }

  /// What the album may be after a loss of power.
  var survivors: [(bytes: [UInt8], mode: String)?] {
    folders.flatMap { folder in
      folder["album"].map { index in files[index].survivors.map { $0 } } ?? [nil]
    }
  }

  var album: [UInt8]? { names["album"].map { files[$0].synced + files[$0].writes.joined() } }
}

private let (old, new): ([UInt8], [UInt8]) = ([1, 2, 3], [4, 5, 6, 7])

/// Loses power before each call, and says what is wrong with what is found; the first thing.
private func afterLoss(
  of bytes: [UInt8]?,
  _ wrong: (_ found: (bytes: [UInt8], mode: String)?, _ hasReturned: Bool) -> String?
) throws -> String {
  for call in 0..<100 {
    let disk = TestDisk(holding: bytes)
    disk.lastCall = call
    let file: any Saving = AlbumFile(disk: disk)
    var hasReturned = true
    do { try file.save(new) } catch is TestDisk.NoPower { hasReturned = false }
    for found in disk.survivors {
      if let words = wrong(found, hasReturned) {
        return hasReturned ? "\(words) after the save" : "\(words) before call \(call + 1)"
      }
    }
    if hasReturned { return "right" }
  }
  return "it makes no end of calls"
}

@Test func `after a loss of power the old bytes are there, or the new ones`() async {
  await everyOrder(gives: "right") {
    try afterLoss(of: old) { found, _ in
      guard let found else { return "there is no file" }
      return found.bytes == old || found.bytes == new ? nil : "the bytes are \(found.bytes)"
    }
  }
}

@Test func `when it has returned, the new ones are`() async {
  await everyOrder(gives: "right") {
    try afterLoss(of: old) { found, hasReturned in
      hasReturned && found?.bytes != new ? "the new bytes are not there" : nil
    }
  }
}

@Test func `the mode is the same, also after a loss of power`() async {
  await everyOrder(gives: "right") {
    try afterLoss(of: old) { found, _ in
      found.map { $0.mode == "owner" ? nil : "\($0.mode) may read it" } ?? nil
    }
  }
}

@Test func `where there was no file, there is none or the new one`() async {
  await everyOrder(gives: "right") {
    try afterLoss(of: nil) { found, hasReturned in
      if let found, found.bytes != new { return "the bytes are \(found.bytes)" }
      return hasReturned && found == nil ? "the new bytes are not there" : nil
    }
  }
}

@Test func `if a call fails, its error is thrown, and one whole file is there`() async {
  await everyOrder(gives: "right") {
    for call in 1..<100 {
      let disk = TestDisk(holding: old)
      disk.failingCall = call
      let file: any Saving = AlbumFile(disk: disk)
      do {
        try file.save(new)
        if disk.hasFailed { return "call \(call) fails, and nothing is thrown" }
        return disk.album == new ? "right" : "the new bytes are not there"
      } catch is TestDisk.NoRoom {
        guard disk.album == old || disk.album == new else {
          return "call \(call) fails, and the bytes are \(disk.album.map { "\($0)" } ?? "gone")"
        }
        let others = disk.names.keys.filter { $0 != "album" }.sorted()
        if let other = others.first { return "call \(call) fails, and \(other) stays" }
      }
    }
    return "it makes no end of calls"
  }
}
