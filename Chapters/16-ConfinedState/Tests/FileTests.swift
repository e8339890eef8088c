import ChapterTesting
import Foundation
import Testing
import Workbook

@testable import ConfinedState

/// What is said of a file, and what has become of one.
private let damages: [(told: String, damage: @Sendable ([UInt8]) -> [UInt8])] = [
  ("it is empty", { _ in [] }),
  ("it ends too early", { $0.dropLast() }),
  ("it ends too early", { Array($0.prefix(20)) }),
  ("it ends too early", { Array($0.prefix(5)) }),
  ("it ends too early", { $0.enumerated().map { $0 == 8 ? 255 : $1 } }),
  ("its sum is another one", { $0 + [0] }),
  ("its sum is another one", { $0.dropLast() + [$0.last! ^ 1] }),
  ("it is no file of users", { _ in Array("{\"users\": []}, and some more of that".utf8) }),
  ("it is no file of users", { _ in [1, 2] }),
]

@Suite(.timeLimit(.minutes(30))) struct FileTests {
  // MARK: Loss of power

  @Test func `after a loss of power at any step there is the old file or the new one`() throws {
    let (verdict, states) = try PowerLoss.worst { try StoreFile(name: $1, disk: $2).save($0) }
    #expect(verdict == .oldOrNew)
    #expect(states == 10)
  }

  @Test(
    arguments: [
      // One is left out.
      ([.copyMode, .write, .sync, .rename, .syncFolder], PowerLoss.Verdict.failed),
      ([.create, .write, .sync, .rename, .syncFolder], .modeLost),
      ([.create, .copyMode, .sync, .rename, .syncFolder], .damaged),
      ([.create, .copyMode, .write, .rename, .syncFolder], .damaged),
      ([.create, .copyMode, .write, .sync, .syncFolder], .lost),
      ([.create, .copyMode, .write, .sync, .rename], .lost),
      // One is in the wrong place.
      ([.create, .copyMode, .write, .rename, .sync, .syncFolder], .failed),
      ([.create, .copyMode, .sync, .write, .rename, .syncFolder], .damaged),
      ([.create, .write, .sync, .copyMode, .rename, .syncFolder], .modeLost),
      ([.create, .copyMode, .write, .sync, .syncFolder, .rename], .lost),
    ] as [([StoreFile.Step], PowerLoss.Verdict)])
  func `a step that is left out, or in the wrong place, is found`(
    _ steps: [StoreFile.Step], _ verdict: PowerLoss.Verdict
  ) throws {
    let found = try PowerLoss.worst { users, name, disk in
      try StoreFile(name: name, disk: disk, steps: steps).save(users)
    }
    #expect(found.verdict == verdict)
  }

  @Test func `a save that fails leaves the old file, and nothing beside it`() throws {
    let disk = ModelDisk()
    let file = StoreFile(name: "users", disk: disk)
    try file.save(adaAndBo)
    disk.isFull = true
    #expect(throws: ModelDisk.NoRoom.self) { try file.save([:]) }
    #expect(try file.load() == adaAndBo)
    #expect(disk.names.keys.sorted() == ["users"])
  }

  // MARK: A folder

  @Test func `what is saved is loaded, and no file is no users`() async throws {
    try await withFolder { folder in
      let file = StoreFile(in: folder)
      #expect(try file.load().isEmpty)
      for users in [adaAndBo, [:], .first(1_000), [ada: User(name: "Åsa 🙂", visits: -1)]] {
        try file.save(users)
        #expect(try file.load() == users)
      }
      #expect(try contents(of: folder) == ["users"])
    }
  }

  @Test func `the mode stays, which Data's atomic write does not keep`() async throws {
    try await withFolder { folder in
      let file = StoreFile(in: folder)
      try file.save(adaAndBo)
      let path = folder.appending(path: "users").path
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
      try file.save([:])
      #expect(try mode(of: path) == 0o600)
      #if os(Linux)
        try Data([1]).write(to: URL(filePath: path), options: .atomic)
        #expect(try mode(of: path) == 0o644)
      #endif
    }
  }

  @Test func `what a killed writer has left behind goes at the next look`() async throws {
    try await withFolder { folder in
      let disk = FolderDisk(path: folder.path)
      let file = StoreFile(name: "users", disk: disk)
      try file.save(adaAndBo)
      try disk.create("users.new")
      try disk.write([1, 2, 3], to: "users.new")
      #expect(try file.load() == adaAndBo)
      #expect(try contents(of: folder) == ["users"])
      // And a save does not mind it.
      try disk.create("users.new")
      try file.save([:])
      #expect(try contents(of: folder) == ["users"])
    }
  }

  @Test(arguments: damages.indices)
  func `a damaged file is named, and stays byte for byte`(_ row: Int) async throws {
    try await withFolder { folder in
      let file = StoreFile(in: folder)
      let path = folder.appending(path: "users")
      let bytes = damages[row].damage(try StoreFormat.bytes(of: adaAndBo))
      try Data(bytes).write(to: path)
      let error = #expect(throws: DamagedFile.self) { _ = try file.load() }
      #expect(
        "\(try #require(error))".hasPrefix(
          "users is damaged: \(damages[row].told). It was left as it is"))
      #expect([UInt8](try Data(contentsOf: path)) == bytes)
    }
  }

  @Test func `a call that the system refuses is named`() async throws {
    let file = StoreFile(name: "users", disk: FolderDisk(path: "/nowhere"))
    let error = #expect(throws: DiskError.self) { try file.save(adaAndBo) }
    #expect(error?.description == "open /nowhere/users.new: No such file or directory")
  }

  #if os(Linux)
    @Test func `replaceItemAt loses the new file, and throws`() async {
      await #expect(processExitsWith: .success) {
        try await withFolder { folder in
          let (old, new) = (folder.appending(path: "users"), folder.appending(path: "users.new"))
          try Data("old".utf8).write(to: old)
          try Data("new".utf8).write(to: new)
          #expect(throws: (any Error).self) {
            try FileManager.default.replaceItemAt(old, withItemAt: new)
          }
          for file in [old, new] where FileManager.default.fileExists(atPath: file.path) {
            #expect(try String(contentsOf: file, encoding: .utf8) == "old")
          }
        }
      }
    }
  #endif
}

// MARK: Kills

@Suite(.timeLimit(.minutes(30))) struct KillTests {
  private let kills =
    ProcessInfo.processInfo.environment["MOMENTS"].flatMap { Int($0) } ?? 20

  @Test(arguments: [false, true])
  func `a killed writer leaves what it has saved last, or the one after; in place, damage`(
    _ isInPlace: Bool
  ) async throws {
    let found = try await kill(isInPlace: isInPlace)
    #expect(isInPlace ? found["damaged", default: 0] > 0 : found == ["whole": kills], "\(found)")
  }

  /// Kills a writer at each of some moments.
  ///
  /// - Returns: How often the file was whole, damaged, or behind what a save had returned for.
  private func kill(isInPlace: Bool) async throws -> [String: Int] {
    var random = Seeded(UInt64(kills))
    var found: [String: Int] = [:]
    for _ in 1...kills {
      try await withFolder { folder in
        let moment = UInt32.random(in: 0...20_000, using: &random)
        await #expect(processExitsWith: .signal(SIGKILL)) {
          [path = folder.path as String, moment = moment as UInt32, isInPlace = isInPlace as Bool]
          in
          try saveUntilKilled(in: path, after: moment, isInPlace: isInPlace)
        }
        let saved = try Data(contentsOf: folder.appending(path: "saved")).count
        let users = try? StoreFile(in: folder).load()
        let visits = users?[ada]?.visits
        let end = visits.map { $0 == saved || $0 == saved + 1 ? "whole" : "behind" } ?? "damaged"
        found[end, default: 0] += 1
        if end == "whole" { #expect(try contents(of: folder) == ["saved", "users"]) }
      }
    }
    return found
  }
}

/// Saves 100 kB, one visit more each time, and notes each save that has returned; or writes them in place. Until it is
/// killed, some time after the first.
private func saveUntilKilled(in path: String, after microseconds: UInt32, isInPlace: Bool) throws {
  let disk = FolderDisk(path: path)
  let file = StoreFile(name: "users", disk: disk)
  var users = [ada: User(name: String(repeating: "Ada ", count: 25_000), visits: 1)]
  let bytes = try StoreFormat.bytes(of: users)
  try file.save(users)
  try disk.create("saved")
  try disk.write([1], to: "saved")
  Thread.detachNewThread {
    usleep(microseconds)
    kill(getpid(), SIGKILL)
  }
  while isInPlace {
    try disk.create("users")
    try disk.write(bytes, to: "users")
  }
  while true {
    users[ada]?.visits += 1
    try file.save(users)
    try disk.write([1], to: "saved")
  }
}

// MARK: Folders

private func contents(of folder: URL) throws -> [String] {
  try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
}

private func mode(of path: String) throws -> Int? {
  let attributes = try FileManager.default.attributesOfItem(atPath: path)
  return (attributes[.posixPermissions] as? NSNumber)?.intValue
}
