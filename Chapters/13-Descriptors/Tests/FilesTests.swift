import ChapterTesting
import Foundation
import Synchronization
import Testing
import Workbook

@testable import Descriptors

@Suite(.timeLimit(.minutes(30))) struct FilesTests {
  /// Reads, writes and copies files, and says how each ended.
  struct Form: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let read: @Sendable (_ path: String) async throws -> [UInt8]
    let write: @Sendable (_ bytes: [UInt8], _ path: String) async throws -> Void
    let copy: @Sendable (_ path: String, _ target: String) async throws -> Int

    static let all = [
      Form(testDescription: "before") { path in
        let bytes = Mutex<[UInt8]>([])
        let ends = Deliveries<(any Error)?>()
        let reading = try Sourced.read(
          fileAt: path, queue: DispatchQueue(label: "file"),
          whenRead: { piece in bytes.withLock { $0 += piece } }, whenOver: { ends.append($0) })
        if let error = await ends.wait(count: 1)[0] { throw error }
        return withExtendedLifetime(reading) { bytes.withLock { $0 } }
      } write: { bytes, path in
        let ends = Deliveries<(any Error)?>()
        let writer = try Sourced.FileWriter.write(
          bytes, to: path, queue: DispatchQueue(label: "file")
        ) { ends.append($0) }
        if let error = await ends.wait(count: 1)[0] { throw error }
        withExtendedLifetime(writer) {}
      } copy: { path, target in
        let ends = Deliveries<Result<Int, DescriptorError>>()
        try Channelled.Copy.begin(
          fileAt: path, to: target, queue: DispatchQueue(label: "copy")
        ) { ends.append($0) }
        return try await ends.wait(count: 1)[0].get()
      },
      Form(testDescription: "after") { path in
        let file = try Async.File(reading: path)
        var bytes: [UInt8] = []
        while case let piece = try await file.read(), !piece.isEmpty { bytes += piece }
        return bytes
      } write: { bytes, path in
        let closed = Deliveries<Void>()
        let file = try Async.File(creating: path) { closed.append(()) }
        try await file.write(bytes)
        file.close()
        await closed.wait(count: 1)
      } copy: {
        try await Async.copy(fileAt: $0, to: $1)
      },
    ]
  }

  @Test(arguments: Form.all, [0, 1, 65_535, 65_536, 65_537, 300_001])
  func `what is written is read, and copied`(_ form: Form, _ size: Int) async throws {
    try await withFolder { folder in
      let (path, copy) = (folder.appending(path: "file").path, folder.appending(path: "copy").path)
      let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      // What was there goes.
      try Data(repeating: 1, count: 400_000).write(to: URL(filePath: path))
      try await form.write(bytes, path)
      #expect(try await form.read(path) == bytes)
      #expect(try await form.copy(path, copy) == size)
      #expect(try await form.read(copy) == bytes)
    }
  }

  @Test(arguments: Form.all)
  func `a file that is not there is an error, and so is a folder`(_ form: Form) async throws {
    try await withFolder { folder in
      let missing = folder.appending(path: "missing").path
      let error = await #expect(throws: DescriptorError.self) { _ = try await form.read(missing) }
      #expect(
        error?.description
          == "open: No such file or directory (error 2); the path is \(missing)")
      await #expect(throws: DescriptorError.self) { try await form.copy(missing, missing + "2") }
      await #expect(throws: DescriptorError.self) { try await form.write([1], folder.path) }
    }
  }

  @Test(arguments: Form.all)
  func `a device that is full is an error`(_ form: Form) async throws {
    let error = await #expect(throws: DescriptorError.self) {
      try await form.write([1, 2, 3], "/dev/full")
    }
    #expect(error?.code == ENOSPC)
  }

  @Test func `the published rights make a file run with its owner's, and nobody else may read it`()
    async throws
  {
    try await withFolder { folder in
      let path = folder.appending(path: "published").path
      let over = Deliveries<Void>()
      let writer = AsPublished.FileWriter(path: path, data: { [1] }, whenDone: { over.append(()) })
      await over.wait(count: 1)
      withExtendedLifetime(writer) {}
      var status = stat()
      try #require(stat(path, &status) == 0)
      #expect(status.st_mode & 0o7777 == S_ISUID | S_ISGID | 0o600)
    }
  }

  // MARK: Claims

  @Test func `non-blocking does not help a file: read never says that it would block`()
    async throws
  {
    try await withFolder { folder in
      let path = folder.appending(path: "file").path
      try Data(repeating: 1, count: 1_000_000).write(to: URL(filePath: path))
      let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      defer { close(descriptor) }
      var bytes = [UInt8](repeating: 0, count: 1_000_000)
      #expect(read(descriptor, &bytes, bytes.count) == 1_000_000)
    }
  }

  @Test func `truncation does not make a read block: it gives less, or the end`() async throws {
    try await withFolder { folder in
      let path = folder.appending(path: "file").path
      try Data(repeating: 1, count: 100).write(to: URL(filePath: path))
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      defer { close(descriptor) }
      var bytes = [UInt8](repeating: 0, count: 100)
      #expect(read(descriptor, &bytes, 60) == 60)
      #expect(truncate(path, 80) == 0)
      #expect(read(descriptor, &bytes, 100) == 20)
      #expect(truncate(path, 10) == 0)
      #expect(read(descriptor, &bytes, 100) == 0)
    }
  }

  @Test func `a source does not stop by itself at the end of a file, nor a write source by itself`()
    async throws
  {
    try await withFolder { folder in
      let path = folder.appending(path: "file").path
      try Data([1]).write(to: URL(filePath: path))
      let descriptor = open(path, O_RDWR | O_CLOEXEC)
      let (own, other) = socketPair()
      let sources: [any DispatchSourceProtocol] = [
        DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global()),
        DispatchSource.makeWriteSource(fileDescriptor: own, queue: .global()),
      ]
      for source in sources {
        let (calls, over) = (Deliveries<Void>(), Deliveries<Void>())
        source.setEventHandler {
          var byte: UInt8 = 0
          _ = read(descriptor, &byte, 1)
          calls.append(())
        }
        source.setCancelHandler { over.append(()) }
        source.activate()
        await calls.wait(count: 1_000)
        source.cancel()
        await over.wait(count: 1)
      }
      for number in [descriptor, own, other] { close(number) }
    }
  }

  @Test(arguments: [0x7fff_ffff, 0x1_0000_0007, 0x100_0000_0000])
  func `the estimate of a file has 32 bits on Linux`(_ size: Int) async throws {
    try await withFolder { folder in
      let descriptor = open(
        folder.appending(path: "file").path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      try #require(ftruncate(descriptor, size) == 0)
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
      nonisolated(unsafe) let same = source
      let (estimates, over) = (Deliveries<UInt>(), Deliveries<Void>())
      source.setEventHandler {
        estimates.append(same.data)
        same.cancel()
      }
      source.setCancelHandler { over.append(()) }
      source.activate()
      await over.wait(count: 1)
      #expect(estimates.all.first == UInt(size & 0xffff_ffff))
      close(descriptor)
    }
  }
}
