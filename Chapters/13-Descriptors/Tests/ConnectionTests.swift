import ChapterTesting
import Dispatch
import Foundation
import Synchronization
import Testing
import Workbook

@testable import Descriptors

#if canImport(CLinux)
  import CLinux
#endif

@Suite(.serialized, .timeLimit(.minutes(30)), whereHangUpsAreSafe)
struct ConnectionTests {
  typealias Over = @Sendable ((any Error)?) -> Void

  struct Form: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Begins to read, and gives what cancels it.
    let begin:
      @Sendable (Int32, _ read: @escaping @Sendable ([UInt8]) -> Void, _ over: @escaping Over)
        throws -> @Sendable () -> Void

    static let all = [
      Form(testDescription: "source") { descriptor, read, over in
        let connection = try Sourced.Connection(
          taking: descriptor, for: .reading, queue: DispatchQueue(label: "connection"),
          whenRead: { read($1) }, whenOver: over)
        return { connection.cancel() }
      },
      Form(testDescription: "task") { descriptor, read, over in
        // The descriptor is closed after the sequence ends, so both are awaited.
        let (closings, closed) = AsyncStream<Void>.makeStream()
        let connection = try Async.Connection(taking: descriptor, for: .reading) {
          closed.finish()
        }
        let task = Task {
          var failure: (any Error)?
          do { for try await bytes in connection { read(bytes) } } catch { failure = error }
          connection.close()
          // Not in this task, which may be cancelled.
          await Task { for await _ in closings {} }.value
          over(failure)
        }
        return { task.cancel() }
      },
    ]

    /// Reads to the end: the bytes, and what was told of the end.
    func readAll(_ descriptor: Int32) async throws -> (bytes: [UInt8], ends: [String]) {
      let pieces = Deliveries<[UInt8]>()
      let ends = Deliveries<String>()
      let cancel = try begin(descriptor, { pieces.append($0) }, { ends.append(short($0)) })
      await ends.wait(count: 1)
      cancel()
      return (pieces.all.flatMap(\.self), ends.all)
    }
  }

  @Test(arguments: Form.all, [0, 1, 2, 4_095, 4_096, 65_535, 65_536, 65_537, 300_001])
  func `all bytes of a socket come, and then its end, once`(_ form: Form, _ size: Int) async throws
  {
    let (near, far) = socketPair()
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    Thread {
      sendAll(bytes, to: far)
      close(far)
    }.start()
    let result = try await form.readAll(near)
    #expect(result.bytes == bytes)
    #expect(result.ends == ["end"])
  }

  @Test(arguments: Form.all)
  func `an end that comes with the last bytes is not missed`(_ form: Form) async throws {
    for _ in 0..<100 {
      var ends: [Int32] = [-1, -1]
      try #require(linux_pipe_close_on_exec(&ends) == 0)
      let bytes: [UInt8] = [1, 2, 3]
      #expect(write(ends[1], bytes, 3) == 3)
      close(ends[1])
      let result = try await form.readAll(ends[0])
      #expect(result.bytes == bytes)
      #expect(result.ends == ["end"])
    }
  }

  @Test(arguments: Form.all)
  func `an end after a pause is told as well`(_ form: Form) async throws {
    let (near, far) = socketPair()
    let pieces = Deliveries<[UInt8]>()
    let ends = Deliveries<String>()
    let cancel = try form.begin(near, { pieces.append($0) }, { ends.append(short($0)) })
    for i: UInt8 in 0..<10 {
      sendAll([i], to: far)
      await pieces.wait(count: Int(i) + 1)
    }
    close(far)
    #expect(await ends.wait(count: 1) == ["end"])
    #expect(pieces.all == (0..<10).map { [$0] })
    cancel()
  }

  @Test(arguments: Form.all)
  func `the other side may end its writing and go on reading`(_ form: Form) async throws {
    let (near, far) = socketPair()
    defer { close(far) }
    sendAll([5], to: far)
    shutdown(far, Int32(SHUT_WR))
    let result = try await form.readAll(near)
    #expect(result.bytes == [5])
    #expect(result.ends == ["end"])
  }

  @Test(arguments: Form.all)
  func `a regular file is read to its end`(_ form: Form) async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
    try Data(bytes).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let result = try await form.readAll(open(path, O_RDONLY | O_CLOEXEC))
    #expect(result.bytes == bytes)
    #expect(result.ends == ["end"])
  }

  /// Dispatch's source of it says nothing on Linux.
  @Test(arguments: Form.all)
  func `what epoll does not take is read all the same`(_ form: Form) async throws {
    let none = try await form.readAll(open("/dev/null", O_RDONLY | O_CLOEXEC))
    #expect(none.bytes == [])
    #expect(none.ends == ["end"])
    let folder = FileManager.default.temporaryDirectory.path
    let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
    let refused = try await form.readAll(descriptor)
    #expect(refused.bytes == [])
    #expect(refused.ends.count == 1)
    #expect(
      refused.ends.first
        == "read of descriptor \(descriptor): Is a directory (error 21); nothing more comes; open another connection"
    )
  }

  @Test(arguments: Form.all)
  func `a cancellation is told once, when the descriptor is closed`(_ form: Form) async throws {
    let (near, far) = socketPair()
    defer { close(far) }
    let ends = Deliveries<String>()
    let cancel = try form.begin(near, { _ in }, { ends.append(short($0)) })
    cancel()
    cancel()
    #expect(await ends.wait(count: 1) == ["cancelled"])
    #expect(await isAtItsEnd(far))
    #expect(ends.all.count == 1)
  }

  @Test(arguments: Form.all)
  func `a cancellation among bytes without end stops them`(_ form: Form) async throws {
    let (near, far) = socketPair()
    let writer = Task {
      await blocking {
        while sendAll([UInt8](repeating: 1, count: 10_000), to: far) {}
        close(far)
      }
    }
    let pieces = Deliveries<Int>()
    let ends = Deliveries<String>()
    let cancel = try form.begin(
      near, { pieces.append($0.count) }, { ends.append(short($0)) })
    await pieces.wait(count: 20)
    cancel()
    #expect(await ends.wait(count: 1) == ["cancelled"])
    // The writer ends, because nobody can read any more.
    await writer.value
  }

  @Test(arguments: Form.all)
  func `after a cancellation nothing more is read, though more is there`(_ form: Form) async throws
  {
    let (near, far) = socketPair()
    defer { close(far) }
    let pieces = Deliveries<[UInt8]>()
    let ends = Deliveries<String>()
    let own = Mutex<(@Sendable () -> Void)?>(nil)
    let read: @Sendable ([UInt8]) -> Void = { bytes in
      pieces.append(bytes)
      // There is always one more.
      sendAll([1], to: far)
      if pieces.all.count == 3 { own.withLock { $0 }?() }
    }
    let cancel = try form.begin(near, read, { ends.append(short($0)) })
    own.withLock { $0 = cancel }
    sendAll([1], to: far)
    #expect(await ends.wait(count: 1) == ["cancelled"])
    #expect(pieces.all == [[1], [1], [1]])
    own.withLock { $0 = nil }
  }

  @Test(arguments: Form.all)
  func `an end and a cancellation at once: one is told, 300 times`(_ form: Form) async throws {
    for _ in 0..<300 {
      let (near, far) = socketPair()
      let ends = Deliveries<String>()
      let cancel = try form.begin(near, { _ in }, { ends.append(short($0)) })
      async let closed = blocking { close(far) }
      cancel()
      _ = await closed
      let end = await ends.wait(count: 1)
      #expect(end == ["end"] || end == ["cancelled"])
    }
  }

  @Test(arguments: Form.all)
  func `a failure is told with what, where and why`(_ form: Form) async throws {
    let (near, far) = socketPair()
    // Closed with bytes that it has not read, a socket resets the connection.
    sendAll([1], to: near)
    close(far)
    let result = try await form.readAll(near)
    #expect(
      result.ends == [
        "read of descriptor \(near): Connection reset by peer (error 104); "
          + "nothing more comes; open another connection"
      ])
  }

  @Test(arguments: Form.all)
  func `a descriptor that is closed, or only for writing, is refused`(_ form: Form) throws {
    let closed = #expect(throws: DescriptorError.self) {
      _ = try form.begin(123_456, { _ in }, { _ in })
    }
    #expect(
      closed?.description
        == "fcntl of descriptor 123456: Bad file descriptor (error 9); pass one that is open")
    var ends: [Int32] = [-1, -1]
    try #require(linux_pipe_close_on_exec(&ends) == 0)
    let writing = #expect(throws: DescriptorError.self) {
      _ = try form.begin(ends[1], { _ in }, { _ in })
    }
    #expect(writing?.description.contains("it can only be written") == true)
    // It is still the caller's: to close it succeeds.
    for end in ends { #expect(close(end) == 0) }
  }

  @Test(arguments: Form.all)
  func `a connection without an owner is closed`(_ form: Form) async throws {
    let (near, far) = socketPair()
    let ends = Deliveries<String>()
    if form.testDescription == "source" {
      _ = try Sourced.Connection(
        taking: near, for: .reading, queue: DispatchQueue(label: "connection"),
        whenRead: { _, _ in }, whenOver: { ends.append(short($0)) })
      #expect(await ends.wait(count: 1) == ["cancelled"])
    } else {
      _ = try Async.Connection(taking: near) { ends.append("closed") }
      #expect(await ends.wait(count: 1) == ["closed"])
    }
    #expect(await isAtItsEnd(far))
    close(far)
  }

  @Test func `a descriptor that its owner has closed is used no more`() throws {
    let (near, far) = socketPair()
    defer { close(far) }
    sendAll([1], to: far)
    let owned = try OwnedDescriptor(taking: near)
    owned.closeOnce()
    #expect(try owned.use { $0 } == nil)
    if case .end = try owned.read() {} else { Issue.record("bytes of a closed descriptor") }
    owned.closeOnce()
  }

  @Test func `the sequence reads when it is asked, and not before`() async throws {
    let (near, far) = socketPair()
    let connection = try Async.Connection(taking: near, for: .reading)
    var iterator = connection.makeAsyncIterator()
    for round in 0..<5 {
      // As much as the kernel holds while nobody asks.
      var sent = 0
      let piece = [UInt8](repeating: 0, count: 4_096)
      while true {
        let count = send(far, piece, 4_096, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
        guard count > 0 else { break }
        sent += count
      }
      #expect(errno == EAGAIN)
      #expect(sent > 0, "round \(round)")
      var left: Int32 = 0
      #expect(ioctl(near, UInt(FIONREAD), &left) == 0 && Int(left) == sent, "round \(round)")
      var read = 0
      while read < sent { read += try await iterator.next()?.count ?? sent }
      #expect(read == sent)
    }
    close(far)
    #expect(try await iterator.next() == nil)
    #expect(try await iterator.next() == nil)
  }
}

/// In short why a connection is over.
private func short(_ error: (any Error)?) -> String {
  switch error {
  case nil: "end"
  case is CancellationError: "cancelled"
  case let error?: "\(error)"
  }
}

/// Whether the other end of a socket is closed. A child that another test begins has a copy of it, until it runs its
/// program. The limit guards against hanging only.
private func isAtItsEnd(_ descriptor: Int32) async -> Bool {
  await blocking {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    var byte: UInt8 = 0
    return poll(&polled, 1, 600_000) == 1 && recv(descriptor, &byte, 1, 0) == 0
  }
}
