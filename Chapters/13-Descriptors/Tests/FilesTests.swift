import ChapterTesting
import Foundation
import Testing
import Workbook

@testable import Descriptors

private let queue = DispatchQueue(label: "files")

@Suite(.timeLimit(.minutes(30))) struct FilesTests {
  private func contents(of path: String, _ form: Form) async throws -> [UInt8] {
    let pieces = Deliveries<[UInt8]>()
    switch form {
    case .before:
      let ends = Deliveries<(any Error)?>()
      let reading = try Sourced.read(
        fileAt: path, queue: queue, whenRead: { pieces.append($0) }, whenOver: { ends.append($0) })
      if let error = await ends.wait(count: 1)[0] { throw error }
      withExtendedLifetime(reading) {}
    case .after:
      let file = try Async.File(at: path)
      while case let piece = try await file.read(), !piece.isEmpty { pieces.append(piece) }
    }
    return pieces.all.flatMap(\.self)
  }

  private func save(_ bytes: [UInt8], to path: String, _ form: Form) async throws {
    let write: Write = form == .before ? writeSourced : writeAwaited
    let error = try await blocking { Result { try write(bytes, path, O_CREAT | O_TRUNC) } }.get()
    if let error { throw error }
  }

  private func copy(_ path: String, to target: String, _ form: Form) async throws -> Int {
    if form == .after { return try await Async.copy(fileAt: path, to: target) }
    let ends = Deliveries<Result<Int, DescriptorError>>()
    try Channelled.copy(fileAt: path, to: target, queue: queue) { ends.append($0) }
    return try await ends.wait(count: 1)[0].get()
  }

  @Test(arguments: Form.allCases, [0, 1, 65_535, 65_536, 65_537, 300_001])
  func `what is written is read, and copied`(_ form: Form, _ size: Int) async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    // What was there goes.
    let path = folder.file("file", String(repeating: "x", count: 400_000))
    try await save(pattern(size), to: path, form)
    #expect(try await contents(of: path, form) == pattern(size))
    #expect(try await copy(path, to: path + "2", form) == size)
    #expect(try await contents(of: path + "2", form) == pattern(size))
  }

  @Test(arguments: Form.allCases)
  func `what is not there, a folder and a full device are errors`(_ form: Form) async throws {
    let none = "/none"
    let error = await #expect(throws: DescriptorError.self) { try await contents(of: none, form) }
    #expect(error?.description == "open: No such file or directory (error 2); the path is \(none)")
    await #expect(throws: DescriptorError.self) { try await copy(none, to: none, form) }
    await #expect(throws: DescriptorError.self) { try await save([1], to: "/", form) }
    let full = await #expect(throws: DescriptorError.self) {
      try await save([1, 2, 3], to: "/dev/full", form)
    }
    #expect(full?.code == ENOSPC)
  }

  @Test func `the published rights are setuid and setgid, and nobody else reads`() throws {
    let folder = try TemporaryFolder()
    let file = AsPublished.createFile(folder.at("published"))
    defer { close(file) }
    var status = stat()
    try #require(fstat(file, &status) == 0)
    #expect(status.st_mode & 0o7777 == S_ISUID | S_ISGID | 0o600)
  }
}
