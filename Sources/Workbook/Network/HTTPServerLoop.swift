import Foundation

/// The one thread of a server: it polls all its descriptors, and blocks nowhere else.
final class HTTPServerLoop: Sendable {
  private struct Mail {
    var isOpen = true
    var answers: [(connection: Int, response: HTTPServer.Response)] = []
    var ended: CheckedContinuation<Void, Never>?
  }

  let port: Int
  let log = HTTPServerLog()
  private let answer: @Sendable (HTTPServer.Request) async -> HTTPServer.Response
  private let listener: FileHandle
  private let bell: Pipe
  private let mail = Locked(Mail())

  /// Listens at a free port.
  init(
    _ answer: @escaping @Sendable (HTTPServer.Request) async -> HTTPServer.Response
  ) throws {
    self.answer = answer
    bell = Pipe()
    for end in [bell.fileHandleForReading, bell.fileHandleForWriting] {
      _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
    }
    #if canImport(Darwin)
      let number = socket(AF_INET, SOCK_STREAM, 0)  // untested
    #else
      let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    guard number >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    listener = .unblocking(number)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listens = withUnsafeMutableBytes(of: &address) { bytes in
      let address = bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self)
      return bind(number, address, size) == 0 && listen(number, SOMAXCONN) == 0
        && getsockname(number, address, &size) == 0
    }
    guard listens else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    port = Int(UInt16(bigEndian: address.sin_port))
  }

  /// Begins the thread: one that can be joined, which a `Thread` cannot.
  func begin() throws -> pthread_t {
    #if canImport(Darwin)
      var thread: pthread_t!  // untested
    #else
      var thread = pthread_t()
    #endif
    let this = Unmanaged.passRetained(self)
    let error = pthread_create(
      &thread, nil,
      { argument in
        let this: UnsafeMutableRawPointer? = argument
        Unmanaged<HTTPServerLoop>.fromOpaque(this!).takeRetainedValue().serve()
        return nil
      }, this.toOpaque())
    if error == 0 { return thread }
    this.release()
    throw POSIXError(POSIXErrorCode(rawValue: error) ?? .EIO)
  }

  func end(_ thread: pthread_t) async {
    await withCheckedContinuation { continuation in send { $0.ended = continuation } }
    pthread_join(thread, nil)  // it has nothing left to do
  }

  private func send(_ write: (inout Mail) -> Void) {
    mail.withLock { mail in
      if mail.isOpen && mail.answers.isEmpty { bell.fileHandleForWriting.write(Data([0])) }
      if mail.isOpen { write(&mail) }
    }
  }

  private func serve() {
    var connections: [HTTPServerConnection] = []
    var accepted = 0
    var ended: CheckedContinuation<Void, Never>?
    while ended == nil {
      let bell = bell.fileHandleForReading.fileDescriptor
      var polled = [bell, listener.fileDescriptor].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      polled += connections.map(\.polled)
      // A pause is a millisecond or more; what is due is polled for in the next round.
      poll(&polled, nfds_t(polled.count), connections.contains(where: \.isPausing) ? 1 : -1)
      // A client that has gone is seen before the answer to it.
      for (connection, entry) in zip(connections, polled.dropFirst(2)) where entry.revents != 0 {
        connection.attend()
      }
      if polled[1].revents != 0, case let socket = accept(listener.fileDescriptor, nil, nil),
        socket >= 0
      {
        accepted += 1
        connections.append(
          HTTPServerConnection(socket, id: accepted, log: log) { [self, accepted] request in
            Task(name: "answer for \(request.name)") {
              let response = await answer(request)
              send { $0.answers.append((accepted, response)) }
            }
          })
      }
      var bytes = [UInt8](repeating: 0, count: 16)
      if polled[0].revents != 0 { _ = read(bell, &bytes, bytes.count) }
      let letters = mail.withLock { mail in
        ended = mail.ended
        mail.isOpen = ended == nil
        defer { mail.answers = [] }
        return mail.answers
      }
      for (id, response) in letters {
        connections.first { $0.id == id }?.respond(with: response)
      }
      connections.removeAll(where: \.isOver)
    }
    for connection in connections { connection.cancel() }
    connections = []
    for handle in [listener, bell.fileHandleForReading, bell.fileHandleForWriting] {
      try? handle.close()
    }
    log.close()
    ended?.resume()
  }
}
