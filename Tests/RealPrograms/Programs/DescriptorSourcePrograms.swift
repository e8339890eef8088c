import CLinux
import Dispatch
import Foundation

// Sources that watch descriptors. Each program says what its handlers were told, in order.

extension Programs {
  /// Logs what a source's handlers are told, and lets the program wait for it.
  final class Watch: @unchecked Sendable {
    // Sendable: Dispatch's sources may be used on any thread.
    let source: any DispatchSourceProtocol
    private let log: Log
    private let told = DispatchSemaphore(value: 0)
    private let over = DispatchSemaphore(value: 0)

    /// - Parameter handle: What to do with what the source hands over, and what to say of it.
    init(
      _ source: any DispatchSourceProtocol, _ log: Log, closes descriptor: Int32? = nil,
      _ handle: @escaping @Sendable (UInt) -> String
    ) {
      self.source = source
      self.log = log
      source.setRegistrationHandler { [told] in told.signal() }
      source.setEventHandler { [weak self] in
        guard let self else { return }
        log("\(source.data): " + handle(source.data))
        told.signal()
      }
      source.setCancelHandler { [over] in
        if let descriptor { _ = close(descriptor) }
        log("cancelled \(source.data)")
        over.signal()
      }
      source.activate()
      told.wait()
    }

    /// Waits until the handler was called so often.
    func wait(_ times: Int = 1) { for _ in 0..<times { told.wait() } }

    func cancel() {
      source.cancel()
      over.wait()
    }
  }

  private static func reader(_ descriptor: Int32) -> any DispatchSourceRead {
    DispatchSource.makeReadSource(
      fileDescriptor: descriptor, queue: DispatchQueue(label: "reader"))
  }

  private static func writer(_ descriptor: Int32) -> any DispatchSourceWrite {
    DispatchSource.makeWriteSource(
      fileDescriptor: descriptor, queue: DispatchQueue(label: "writer"))
  }

  // MARK: What a read source tells

  /// It tells how much there is, again if not all is read, and then that the other side has gone.
  static func tellsWhatCanBeRead(_ ends: Ends) -> [String] {
    let (log, (reading, writing)) = (Log(), ends.open())
    setNonBlocking(reading)
    let watch = Watch(reader(reading), log, closes: reading) { _ in Programs.reading(reading, 3) }
    _ = Programs.writing(writing, "hello")
    watch.wait(2)
    _ = Programs.writing(writing, "!")
    watch.wait()
    _ = close(writing)
    watch.wait()
    watch.cancel()
    return Array(log.entries.prefix(4)) + log.entries.suffix(1)
  }

  /// It tells again and again what nobody has read.
  static func tellsAgain() -> [String] {
    let (log, (reading, writing)) = (Log(), Ends.pipe.open())
    _ = Programs.writing(writing, "hello")
    let watch = Watch(reader(reading), log) { _ in "" }
    watch.wait(3)
    watch.cancel()
    _ = (close(reading), close(writing))
    return Array(log.entries.prefix(3)) + [log.entries.last!]
  }

  /// The other side of a socket goes on reading.
  static func tellsHalfAnEnd(_ ends: Ends) -> [String] {
    let (log, (first, second)) = (Log(), ends.open())
    setNonBlocking(first)
    let watch = Watch(reader(first), log, closes: first) { _ in Programs.reading(first, 9) }
    _ = shutdown(second, Int32(SHUT_WR))
    watch.wait(2)
    let said = sending(first, "still") + " " + Programs.reading(second, 9)
    watch.cancel()
    _ = close(second)
    return Array(log.entries.prefix(2)) + log.entries.suffix(1) + [said]
  }

  /// The other side has gone without reading what it was sent.
  static func tellsOfAReset(_ ends: Ends) -> [String] {
    let (log, (first, second)) = (Log(), ends.open())
    setNonBlocking(first)
    _ = Programs.writing(first, "unread")
    let watch = Watch(reader(first), log, closes: first) { _ in Programs.reading(first, 9) }
    _ = close(second)
    watch.wait()
    watch.cancel()
    return Array(log.entries.prefix(1)) + log.entries.suffix(1)
  }

  /// A connection has come.
  static func tellsOfConnections() -> [String] {
    let (log, (listener, port)) = (Log(), openListener())
    let watch = Watch(reader(listener), log, closes: listener) { _ in
      let server = accept(listener, nil, nil)
      return Programs.reading(server, 9) + " \(close(server))"
    }
    let clients = (0..<2).map { _ in socket(AF_INET, streamType, 0) }
    for client in clients {
      _ = connectSocket(client, to: port)
      _ = Programs.writing(client, "hello")
      watch.wait()
    }
    watch.cancel()
    for client in clients { _ = close(client) }
    return log.entries
  }

  /// A counter has been raised.
  static func tellsOfACounter() -> [String] {
    let (log, counter) = (Log(), linux_eventfd())
    let watch = Watch(reader(counter), log, closes: counter) { _ in
      var value: UInt64 = 0
      return "\(read(counter, &value, 8)) \(value)"
    }
    for value in [3, 4] as [UInt64] {
      var value = value
      _ = write(counter, &value, 8)
      watch.wait()
    }
    watch.cancel()
    return log.entries
  }

  /// A file is always ready, also at its end.
  static func tellsOfAFile(_ path: String) -> [String] {
    let log = Log()
    let file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
    _ = (writing(file, "hello"), lseek(file, 0, SEEK_SET))
    let watch = Watch(reader(file), log, closes: file) { _ in Programs.reading(file, 3) }
    watch.wait(4)
    watch.cancel()
    _ = unlink(path)
    return Array(log.entries.prefix(4)) + log.entries.suffix(1)
  }

  /// Of a folder, the null device and what is not open nothing is told; of what is watched beside them, it is.
  static func tellsNothing() -> [String] {
    let (log, queue) = (Log(), DispatchQueue(label: "readers"))
    let (reading, writing) = Ends.pipe.open()
    let folder = open("/tmp", O_RDONLY)
    let null = open("/dev/null", O_RDONLY)
    let watches = [folder, null, 200].map { descriptor in
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
      return Watch(source, log) { _ in "never" }
    }
    let source = DispatchSource.makeReadSource(fileDescriptor: reading, queue: queue)
    let watch = Watch(source, log, closes: reading) { _ in Programs.reading(reading, 9) }
    _ = Programs.writing(writing, "told")
    watch.wait()
    for watch in watches + [watch] { watch.cancel() }
    _ = (close(writing), close(folder), close(null))
    return log.entries
  }

  /// The other side has gone, and what it had sent is there: told so often as the program waits for.
  static func tellsAfterAHangUp(_ ends: Ends, times: Int) -> [String] {
    let (log, (reading, writing)) = (Log(), ends.open())
    setNonBlocking(reading)
    _ = (Programs.writing(writing, "hello"), close(writing))
    let watch = Watch(reader(reading), log, closes: reading) { _ in Programs.reading(reading, 3) }
    watch.wait(times)
    watch.cancel()
    return Array(log.entries.prefix(times)) + log.entries.suffix(1)
  }

  /// A source for reading is made while one for writing waits at the same number.
  static func isBesideAWriter() -> [String] {
    let (log, (first, second)) = (Log(), Ends.unix.open())
    setNonBlocking(first)
    let chunk = [UInt8](repeating: 0, count: 65_536)
    while send(first, chunk, 65_536, Int32(MSG_NOSIGNAL)) > 0 {}
    let writing = Watch(writer(first), log) { _ in "never" }
    let reading = Watch(reader(first), log) { _ in Programs.reading(first, 9) }
    _ = Programs.writing(second, "hello")
    reading.wait()
    reading.cancel()
    writing.cancel()
    _ = (close(first), close(second))
    return log.entries
  }

  /// A pipe is full, and its reader leaves.
  static func tellsOfABrokenPipe() -> [String] {
    _ = signal(SIGPIPE, SIG_IGN)
    let (log, (reading, writing)) = (Log(), Ends.pipe.open())
    setNonBlocking(writing)
    let chunk = [UInt8](repeating: 0, count: 65_536)
    _ = write(writing, chunk, 65_536)
    let watch = Watch(writer(writing), log) { _ in Programs.writing(writing, "x") }
    _ = close(reading)
    watch.wait()
    watch.cancel()
    _ = close(writing)
    return Array(log.entries.prefix(1)).map { String($0.drop { $0.isNumber }) }
  }

  // MARK: What a write source tells

  /// It tells as long as there is room, and again when there is room again.
  static func tellsOfRoom() -> [String] {
    let (log, (reading, writing)) = (Log(), Ends.pipe.open())
    setNonBlocking(writing)
    let chunk = [UInt8](repeating: 0, count: 65_536)
    let watch = Watch(writer(writing), log, closes: writing) { _ in
      "\(write(writing, chunk, 65_536))"
    }
    watch.wait()
    var bytes = chunk
    let count = read(reading, &bytes, 65_536)
    watch.wait()
    watch.cancel()
    _ = close(reading)
    return log.entries.map { String($0.drop { $0.isNumber }) } + ["\(count)"]
  }

  /// Nobody reads any more.
  static func tellsOfABrokenSocket() -> [String] {
    let (log, (first, second)) = (Log(), Ends.unix.open())
    setNonBlocking(first)
    let chunk = [UInt8](repeating: 0, count: 65_536)
    while send(first, chunk, 65_536, Int32(MSG_NOSIGNAL)) > 0 {}
    let watch = Watch(writer(first), log, closes: first) { _ in sending(first, "x") }
    _ = close(second)
    watch.wait()
    watch.cancel()
    return [log.entries[0], log.entries.last!].map { String($0.drop { $0.isNumber }) }
  }

  // MARK: When

  /// What comes while it is suspended is told when it is resumed.
  static func tellsWhenResumed() -> [String] {
    let (log, (reading, writing)) = (Log(), Ends.pipe.open())
    let watch = Watch(reader(reading), log, closes: reading) { _ in Programs.reading(reading, 9) }
    watch.source.suspend()
    _ = Programs.writing(writing, "hello")
    watch.source.resume()
    watch.wait()
    watch.cancel()
    _ = close(writing)
    return log.entries
  }

  /// A block comes to the queue after the source is activated, or cancelled: which comes first is up to Dispatch's manager.
  static func sharesItsQueue(whenCancelled: Bool) -> [String] {
    let (log, queue) = (Log(), DispatchQueue(label: "q"))
    let (reading, writing) = Ends.pipe.open()
    let source = DispatchSource.makeReadSource(fileDescriptor: reading, queue: queue)
    let (registered, over) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    source.setRegistrationHandler {
      if !whenCancelled { log("registered") }
      registered.signal()
    }
    source.setCancelHandler {
      if whenCancelled { log("cancelled") }
      over.signal()
    }
    source.activate()
    if whenCancelled {
      registered.wait()
      source.cancel()
    }
    queue.async { log("block") }
    if !whenCancelled {
      registered.wait()
      source.cancel()
    }
    over.wait()
    queue.sync {}
    _ = (close(reading), close(writing))
    return log.entries
  }

  /// The number is used again once the source is over.
  static func usesANumberAgain() -> [String] {
    let log = Log()
    for word in ["first", "second"] {
      let (reading, writing) = openPipe(at: 99)
      let watch = Watch(reader(reading), log, closes: reading) { _ in Programs.reading(reading, 9) }
      _ = Programs.writing(writing, word)
      watch.wait()
      watch.cancel()
      _ = close(writing)
    }
    return log.entries
  }

  /// A descriptor is closed before its source is cancelled, and its number used again: the new source is deaf, until the
  /// old one is cancelled and another is made.
  static func isDeaf() -> [String] {
    let log = Log()
    let (old, oldWriting) = openPipe(at: 99)
    let first = Watch(reader(old), log) { _ in "never" }
    _ = (close(old), close(oldWriting))
    let (new, writing) = openPipe(at: 99)
    setNonBlocking(new)
    let deaf = Watch(reader(new), log) { _ in "never" }
    _ = Programs.writing(writing, "hello")
    // Another source is told what comes after.
    let (other, otherWriting) = Ends.pipe.open()
    let beside = Watch(reader(other), log, closes: other) { _ in Programs.reading(other, 9) }
    _ = Programs.writing(otherWriting, "beside")
    beside.wait()
    for watch in [beside, first, deaf] { watch.cancel() }
    let third = Watch(reader(new), log, closes: new) { _ in Programs.reading(new, 9) }
    third.wait()
    third.cancel()
    _ = (close(writing), close(otherWriting))
    return log.entries
  }
}
