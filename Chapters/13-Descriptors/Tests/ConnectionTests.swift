import ChapterTesting
import Foundation
import Synchronization
import Testing

@testable import Descriptors

enum Form: CaseIterable { case before, after }

/// A connection that is read, and what is told of it.
struct Reading: Sendable {
  let pieces = Deliveries<[UInt8]>()
  /// In short why it was over, after it was closed.
  let ends = Deliveries<String>()
  let write: @Sendable ([UInt8]) async -> Void
  let cancel: @Sendable () -> Void
  /// One of sources is given up.
  let close: @Sendable () -> Void

  /// Begins to read. It is cancelled, right where it reads, when there are enough pieces.
  init(
    _ form: Form, _ number: Int32, for purpose: OwnedDescriptor.Purpose = .reading,
    isEnough: @escaping @Sendable (Int) -> Bool = { _ in false }
  ) throws {
    let read: @Sendable ([UInt8]) -> Bool = { [pieces] in
      pieces.append($0)
      return isEnough(pieces.all.count)
    }
    let over: @Sendable ((any Error)?) -> Void = { [ends] error in
      ends.append(error.map { $0 is CancellationError ? "cancelled" : "\($0)" } ?? "end")
    }
    switch form {
    case .before:
      let queue = DispatchQueue(label: "connection")
      let connection = Mutex<Sourced.Connection?>(
        try Sourced.Connection(
          taking: number, for: purpose, queue: queue, whenRead: { if read($1) { $0.cancel() } },
          whenOver: over))
      write = { bytes in queue.async { connection.withLock { $0 }?.write(bytes) } }
      cancel = { connection.withLock { $0 }?.cancel() }
      close = { connection.withLock { $0 = nil } }
    case .after:
      let ending = Ending()
      let connection = try Async.Connection(taking: number, for: purpose) { over(ending.error) }
      let task = Task {
        do {
          for try await bytes in connection {
            if read(bytes) { withUnsafeCurrentTask { $0?.cancel() } }
          }
        } catch { ending.end(with: error) }
        // This was the last reference, which closes it.
      }
      write = { [weak connection] in try? await connection?.write($0) }
      cancel = { task.cancel() }
      close = { [weak connection] in connection?.close() }
    }
  }
}

@Suite(.serialized, .timeLimit(.minutes(30)), whereHangUpsAreSafe)
struct ConnectionTests {
  /// Expects these bytes, and then once the end, or why there is none.
  private func expect(
    _ bytes: [UInt8], failure: String? = nil, from number: Int32, _ form: Form
  ) async throws {
    let reading = try Reading(form, number)
    let advice = "nothing more comes; open another connection"
    let end = failure.map { "read of descriptor \(number): \($0); \(advice)" } ?? "end"
    await reading.ends.wait(count: 1)
    // Now that changes nothing.
    reading.cancel()
    #expect(reading.ends.all == [end])
    #expect(reading.pieces.all.flatMap(\.self) == bytes)
  }

  @Test(arguments: Form.allCases)
  func `all bytes come, and then once the end, or what failed and why`(_ form: Form) async throws {
    for size in [0, 1, 2, 4_095, 4_096, 65_535, 65_536, 65_537, 300_001] {
      let (near, far) = socketPair()
      Thread {
        sendAll(pattern(size), to: far)
        close(far)
      }.start()
      try await expect(pattern(size), from: near, form)
    }
    // Dispatch's source of these says nothing on Linux.
    try await expect([], from: open("/dev/null", O_RDONLY | O_CLOEXEC), form)
    let folder = open("/", O_RDONLY | O_CLOEXEC)
    try await expect([], failure: "Is a directory (error 21)", from: folder, form)
    // Closed with bytes that it has not read, a socket resets the connection.
    let (near, far) = socketPair()
    sendAll([1], to: near)
    close(far)
    try await expect([], failure: "Connection reset by peer (error 104)", from: near, form)
  }

  @Test(arguments: Form.allCases, [0, 3])
  func `one that is given up or cancelled tells it once`(_ form: Form, _ count: Int) async throws {
    let (near, far) = socketPair()
    let reading = try Reading(form, near) {
      // There is always one more.
      sendAll([1], to: far)
      return $0 == count
    }
    switch (count, form) {
    case (0, .before): reading.close()
    case (0, .after): for _ in 0..<2 { reading.cancel() }
    default: sendAll([1], to: far)
    }
    #expect(await reading.ends.wait(count: 1) == ["cancelled"])
    reading.cancel()
    // An end, or a reset if there was more. A child that another test begins has a copy until it runs its program.
    let rest = try? await Async.Connection(taking: far, for: .reading).read()
    #expect(rest == nil || rest == [])
    #expect(reading.ends.all.count == 1)
    #expect(reading.pieces.all == Array(repeating: [1], count: count))
  }

  @Test(arguments: Form.allCases)
  func `a descriptor that is closed, or goes the other way only, is refused`(_ form: Form) throws {
    let pipe = pipeEnds()
    let bad = "of descriptor #: Bad file descriptor (error 9)"
    for (number, purpose, text) in [
      (123_456, .reading, "fcntl \(bad); pass one that is open"),
      (pipe.writing, .reading, "read \(bad); it can only be written; pass the end for reading"),
      (pipe.reading, .both, "write \(bad); it can only be read; pass the end for writing"),
    ] as [(Int32, OwnedDescriptor.Purpose, String)] {
      let error = #expect(throws: DescriptorError.self) { try Reading(form, number, for: purpose) }
      #expect(error?.description == text.replacing("#", with: "\(number)"))
    }
    // They are still the caller's: to close them succeeds.
    for end in [pipe.reading, pipe.writing] { #expect(close(end) == 0) }
  }

  @Test func `a descriptor that its owner has closed is used no more`() throws {
    let owned = try OwnedDescriptor(taking: open("/dev/zero", O_RDONLY | O_CLOEXEC))
    for _ in 0..<2 { owned.closeOnce() }
    #expect(try owned.use { $0 } == nil)
    if case .end = try owned.read() {} else { Issue.record("bytes of a closed descriptor") }
  }

  @Test func `one that is closed lets its reader and its writer go on`() async throws {
    let (near, far) = socketPair()
    let closed = Deliveries<Void>()
    let connection = try Async.Connection(taking: near) { closed.append(()) }
    let other = try Async.Connection(taking: far)
    async let read = connection.read()
    let writer = Task { try await connection.write(pattern(1 << 20)) }
    // The kernel takes what it holds, and the writer waits.
    #expect(try await other.read(upTo: 1) == [0])
    connection.close()
    #expect(try await read == [])
    await #expect(throws: DescriptorError.self) { try await writer.value }
    await #expect(throws: DescriptorError.self) { try await connection.write([1]) }
    #expect(try await connection.read() == [])
    // Nobody reads any more, which is an error, without a signal.
    await closed.wait(count: 1)
    let error = await #expect(throws: DescriptorError.self) { try await other.write([1]) }
    let reason = "Broken pipe (error 32); nobody reads any more; open another connection"
    #expect(error?.description == "write of descriptor \(error?.descriptor ?? -1): \(reason)")
  }

  @Test func `a late write keeps neither the end back nor its bytes`() async throws {
    let (near, far) = socketPair()
    let queue = DispatchQueue(label: "late")
    let ends = Deliveries<(any Error)?>()
    let connection = try Sourced.Connection(
      taking: near, queue: queue, whenRead: { _, _ in }, whenOver: { ends.append($0) })
    let kept = queue.sync { () -> ArraySlice<UInt8>? in
      // More than there is room for, so there is a write source. Suspended, it would keep the end back.
      connection.write(pattern(1 << 20))
      connection.end(with: nil)
      connection.write([1])
      return Mirror(reflecting: connection).descendant("output") as? ArraySlice<UInt8>
    }
    #expect(kept?.isEmpty == true)
    #expect(await ends.wait(count: 1)[0] == nil)
    withExtendedLifetime(connection) {}
    close(far)
  }
}

#if os(Linux)
  @Suite(.serialized, .timeLimit(.minutes(30)), whereHangUpsAreSafe)
  struct SequenceTests {
    // A process of its own: descriptors and threads belong to the whole process.
    @Test func `sequences of write, read, cancel, close and hang-up leave nothing behind`() async {
      await #expect(processExitsWith: .success) {
        let count = ProcessInfo.processInfo.environment["SEQUENCES"].flatMap { Int($0) } ?? 2_000
        var random = Seeded(13)
        try await expectNothingLeft(after: count / 2, behindFirst: 50, fewerThan: 10) {
          for form in Form.allCases { try await run(form, &random) }
        }
      }
    }
  }

  /// Expects of a connection that it is closed afterwards, once.
  private func run(_ form: Form, _ random: inout Seeded) async throws {
    enum Step: CaseIterable { case write, read, cancel, close, hangUp }
    let (near, far) = socketPair()
    let reading = try Reading(form, near, for: .both)
    var isOpen = true
    for _ in 0..<Int.random(in: 1...5, using: &random) {
      switch Step.allCases.randomElement(using: &random)! {
      case .write: await reading.write([1, 2])
      case .read: if isOpen { sendAll([1], to: far) }
      case .cancel: reading.cancel()
      case .close: reading.close()
      case .hangUp:
        if isOpen { close(far) }
        isOpen = false
      }
    }
    reading.close()
    #expect(await reading.ends.wait(count: 1).count == 1)
    if isOpen { close(far) }
  }
#endif

/// Bytes of which those next to each other differ.
func pattern(_ count: Int, from first: Int = 0) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ first) }
}
