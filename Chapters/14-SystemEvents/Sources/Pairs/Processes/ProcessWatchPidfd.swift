#if canImport(CLinux)
  import CLinux
  import Foundation

  /// What a process source is on Linux: a source of Dispatch that holds the event, and a pidfd that becomes readable
  /// when the process ends.
  // Sendable because Dispatch's sources may be used on any thread.
  final class ProcessWatch: EventWatch, @unchecked Sendable {
    private let reader: BalancedSource
    private let told: any DispatchSourceUserDataOr
    private let queue: DispatchQueue?
    private let reading = DispatchGroup()

    init(process: pid_t, mask: ProcessEvents, queue: DispatchQueue?) throws(SystemError) {
      let others = mask.subtracting(.exit)
      guard others.isEmpty else {
        throw SystemError(
          call: "watch", place: "process \(process)", code: ENOTSUP,
          advice: "\(others) is not available on Linux; ask for exit alone")
      }
      let descriptor = linux_pidfd_open(process)
      guard descriptor != -1 else {
        throw .watchingProcess(process, call: "pidfd_open", code: errno)
      }
      let source = DispatchSource.makeReadSource(
        fileDescriptor: descriptor, queue: DispatchQueue(label: "pidfd"))
      let told = DispatchSource.makeUserDataOrSource(queue: queue)
      reader = BalancedSource(source)
      self.told = told
      self.queue = queue
      reading.enter()
      source.setEventHandler {
        // Nothing can be read, so it would fire for ever. And the handler that is told may reap the process, which
        // hangs up the pidfd: Dispatch must have let go of it by then.
        if hasEnded(descriptor) { source.cancel() }
      }
      source.setCancelHandler { [reading] in
        if hasEnded(descriptor) { told.or(data: ProcessEvents.exit.rawValue) }
        close(descriptor)
        reading.leave()
      }
    }

    var source: any DispatchSourceProtocol { told }
    var data: ProcessEvents { ProcessEvents(rawValue: told.data) }

    /// Calls a handler when neither side uses the descriptor any more.
    func setCancelHandler(_ handler: @escaping @Sendable () -> Void) {
      told.setCancelHandler { [reading, queue] in
        reading.notify(queue: queue ?? .global(), execute: handler)
      }
    }

    func activate() { reader.activate() }
    func cancel() { reader.cancel() }
  }

  private func hasEnded(_ pidfd: Int32) -> Bool {
    var readiness = pollfd(fd: pidfd, events: Int16(POLLIN), revents: 0)
    return poll(&readiness, 1, 0) == 1
  }
#endif
