import Dispatch

extension Sourced {
  /// Reads a pipe or a socket to its end, as its bytes come, and writes to it.
  ///
  /// Everything is on one serial queue.
  // Sendable because what changes is used on the queue alone, or when nobody else has it.
  final class Connection: @unchecked Sendable {
    typealias Received = @Sendable (Connection, [UInt8]) -> Void

    private let descriptor: OwnedDescriptor
    private let queue: DispatchQueue
    private let whenRead: Received
    private let readsAlways: Bool
    private let ending = Ending()
    private let reading: any DispatchSourceRead
    private var writing: (any DispatchSourceWrite)?
    /// Its sources, until their handlers are called no more.
    private let sources = DispatchGroup()
    private var output: ArraySlice<UInt8> = []
    private var (isAtEnd, isOver, waitsForRoom) = (false, false, false)
    /// Whether the sources are not suspended.
    private var (isReading, isWriting) = (true, false)

    /// Takes over a descriptor and begins to read.
    ///
    /// - Parameters:
    ///   - readsAlways: Whether it reads on while bytes wait to be written.
    ///   - whenRead: Called on the queue with what has come.
    ///   - whenOver: Called once on the queue, after the descriptor is closed, with `nil` at the end of the bytes,
    ///     `CancellationError` if it was cancelled before, and ``DescriptorError`` if it failed.
    /// - Throws: ``DescriptorError``; the descriptor is the caller's then.
    init(
      taking number: Int32, for purpose: OwnedDescriptor.Purpose = .both,
      readsAlways: Bool = true, queue: DispatchQueue, whenRead: @escaping Received,
      whenOver: @escaping @Sendable ((any Error)?) -> Void
    ) throws(DescriptorError) {
      precondition(
        purpose != .writing, "it always reads; what is only written has no source for that")
      descriptor = try OwnedDescriptor(taking: number, for: purpose)
      self.readsAlways = readsAlways
      self.queue = queue
      self.whenRead = whenRead
      reading = DispatchSource.makeReadSource(fileDescriptor: number, queue: queue)
      sources.enter()
      reading.setEventHandler { [weak self] in self?.read() }
      reading.setCancelHandler { [sources] in sources.leave() }
      sources.notify(queue: queue) { [descriptor, ending] in
        // Not before: a handler that still uses its number would use what that then stands for.
        descriptor.closeOnce()
        whenOver(ending.error)
      }
      reading.activate()
      // Dispatch on Linux stays silent of what epoll does not take, such as a folder.
      queue.async { [weak self] in self?.read() }
    }

    deinit { end(with: CancellationError()) }

    /// Stops reading and writing, from any thread. The descriptor is closed when no handler uses it any more.
    func cancel() {
      ending.end(with: CancellationError())
      reading.cancel()
      queue.async { self.stop() }
    }

    /// Writes bytes behind those that wait. Call it on the queue.
    func write(_ bytes: [UInt8]) {
      output += bytes
      flush()
    }

    /// Reads no more, and ends when all is written. Call it on the queue.
    func finish() {
      isAtEnd = true
      flush()
    }

    /// Ends it for a reason. Call it on the queue.
    func end(with error: (any Error)?) {
      ending.end(with: error)
      stop()
    }

    /// Linux tells once that the other side has hung up. So what is there is read until there is no more.
    private func read() {
      do {
        while isReading, !reading.isCancelled {
          switch try descriptor.read() {
          case .bytes(let bytes): whenRead(self, bytes)
          case nil: return
          case .end: finish()
          }
        }
      } catch { end(with: error) }
    }

    private func flush() {
      // A source that is suspended now would keep its cancel handler back.
      guard !isOver else {
        output = []
        return
      }
      do {
        waitsForRoom = false
        while !output.isEmpty, !waitsForRoom, !reading.isCancelled {
          let count = try descriptor.write(output)
          output = output.dropFirst(count ?? 0)
          waitsForRoom = count == nil
        }
      } catch { return end(with: error) }
      if isAtEnd, output.isEmpty { return end(with: nil) }
      if waitsForRoom, writing == nil { watchRoom() }
      letFire(reading: !isAtEnd && (readsAlways || !waitsForRoom), writing: waitsForRoom)
    }

    private func watchRoom() {
      let source = DispatchSource.makeWriteSource(fileDescriptor: descriptor.number, queue: queue)
      writing = source
      isWriting = true
      sources.enter()
      source.setEventHandler { [weak self] in self?.flush() }
      source.setCancelHandler { [sources] in sources.leave() }
      source.activate()
    }

    /// Suspends a source that would fire without end, and resumes it when there is something to do.
    private func letFire(reading isReading: Bool, writing isWriting: Bool) {
      if isReading != self.isReading { isReading ? reading.resume() : reading.suspend() }
      if isWriting != self.isWriting { isWriting ? writing?.resume() : writing?.suspend() }
      (self.isReading, self.isWriting) = (isReading, isWriting)
    }

    /// Cancels both sources. A suspended one keeps its cancel handler back.
    private func stop() {
      isOver = true
      reading.cancel()
      writing?.cancel()
      letFire(reading: true, writing: writing != nil)
    }
  }
}
