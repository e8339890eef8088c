import Foundation

/// A client's connection: one request, one response. Used by the server's thread only.
final class HTTPServerConnection {
  private enum Phase {
    case reading([UInt8])
    case answering(String, Task<Void, Never>)
    /// What is left to write, and what is to be written again and again behind it; the response to a bad request has no
    /// name.
    case writing(String?, Data, again: Data, pause: Duration)
    /// What is to be written again and again, and when.
    case pausing(String?, again: Data, pause: Duration, until: ContinuousClock.Instant)
    /// All is written, and the client has still to close.
    case draining
    case over
  }

  /// Counts up, because descriptors are used again.
  let id: Int
  private let socket: FileHandle
  private let log: HTTPServerLog
  private let answer: (HTTPServer.Request) -> Task<Void, Never>
  private var phase = Phase.reading([])

  init(
    _ socket: Int32, id: Int, log: HTTPServerLog,
    answer: @escaping (HTTPServer.Request) -> Task<Void, Never>
  ) {
    self.socket = .unblocking(socket)
    self.id = id
    self.log = log
    self.answer = answer
  }

  var isOver: Bool { if case .over = phase { true } else { false } }

  /// Whether it writes when time has passed.
  var isPausing: Bool { if case .pausing = phase { true } else { false } }

  var polled: pollfd {
    endPause()
    let writes = if case .writing = phase { true } else { false }
    return pollfd(
      fd: socket.fileDescriptor, events: Int16(writes ? POLLIN | POLLOUT : POLLIN), revents: 0)
  }

  /// Reads and writes what can be at once.
  func attend() {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    let count = read(socket.fileDescriptor, &buffer, buffer.count)
    if count > 0 {
      take(buffer.prefix(count))
    } else if count == 0 || errno != EAGAIN && errno != EINTR {
      hangUp()
    }
    write()
  }

  /// Begins the response, unless the client has gone.
  func respond(with response: HTTPServer.Response) {
    guard case .answering(let name, _) = phase else { return }
    respond(with: response, to: name)
    write()
  }

  /// Cancels the answer, if one is awaited.
  func cancel() {
    if case .answering(_, let task) = phase { task.cancel() }
  }

  private func respond(with response: HTTPServer.Response, to name: String?) {
    let (length, bytes): (String, Data)
    var (again, pause) = (Data(), Duration.zero)
    switch response.body {
    case .whole(let body): (length, bytes) = ("Content-Length: \(body.count)", body)
    case .short(let body, let promised): (length, bytes) = ("Content-Length: \(promised)", body)
    case .endless(let chunk, let wait):
      (length, bytes) = ("Transfer-Encoding: chunked", Data())
      again = Data("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Data("\r\n".utf8)
      pause = wait
    case nil:
      log.record { name.map { .answered($0) } }
      phase = .over
      return
    }
    let fields = response.fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    let head =
      ["HTTP/1.1 \(response.status) \(Self.reason(response.status))"] + fields
      + [length, "Connection: close"]
    phase = .writing(
      name, Data((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + bytes, again: again,
      pause: pause)
  }

  private static func reason(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 302: "Found"
    case 400: "Bad Request"
    case 404: "Not Found"
    case 429: "Too Many Requests"
    case 500: "Internal Server Error"
    default: "Status"
    }
  }

  /// Reads the request; later bytes are read, so that closing does not reset the connection, and dropped.
  private func take(_ bytes: ArraySlice<UInt8>) {
    guard case .reading(let earlier) = phase else { return }
    let lines = String(decoding: earlier + bytes, as: UTF8.self)
      .split(separator: "\r\n", omittingEmptySubsequences: false)
    let target = lines[0].wholeMatch(of: /GET (\/[^ ]*) HTTP\/1\.[01]/)?.1
    let request = target.flatMap { HTTPServer.Request(target: $0) }
    if lines.count > 1 && request == nil || earlier.count + bytes.count > 16_384 {
      respond(with: .status(400), to: nil)
    } else if let request, lines.dropFirst().dropLast().contains("") {
      log.record { .begun(request.name) }
      phase = .answering(request.name, answer(request))
    } else {
      phase = .reading(earlier + bytes)
    }
  }

  /// The client has closed, be it its own direction only.
  private func hangUp() {
    cancel()  // first: a task that sees the event can rely on it
    switch phase {
    case .answering(let name, _), .writing(let name?, _, _, _), .pausing(let name?, _, _, _):
      log.record { .dropped(name) }
    case .reading, .writing(nil, _, _, _), .pausing(nil, _, _, _), .draining, .over: break
    }
    phase = .over
  }

  private func endPause() {
    if case .pausing(let name, let again, let pause, let end) = phase, end <= .now {
      phase = .writing(name, again, again: again, pause: pause)
    }
  }

  private func write() {
    guard case .writing(let name, let bytes, let again, let pause) = phase else { return }
    #if canImport(Darwin)
      let flags: Int32 = 0  // untested; SO_NOSIGPIPE is set
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    log.record {
      let count = bytes.withUnsafeBytes {
        send(socket.fileDescriptor, $0.baseAddress, $0.count, flags)
      }
      if count < 0 && (errno == EAGAIN || errno == EINTR) { return nil }
      let rest = bytes.dropFirst(max(count, 0))
      phase = count < 0 ? .over : .writing(name, rest, again: again, pause: pause)
      if count < 0 { return name.map { .dropped($0) } }
      if count < bytes.count { return nil }
      if !again.isEmpty {
        phase = .pausing(name, again: again, pause: pause, until: .now + pause)
        return nil
      }
      phase = .draining
      shutdown(socket.fileDescriptor, Int32(SHUT_WR))
      return name.map { .answered($0) }
    }
  }
}

extension FileHandle {
  /// A socket that never blocks, that no child inherits, and that closes with its last user.
  static func unblocking(_ socket: Int32) -> FileHandle {
    _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
    _ = fcntl(socket, F_SETFL, O_NONBLOCK)
    #if canImport(Darwin)
      var on: Int32 = 1  // untested
      setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout.size(ofValue: on)))
    #endif
    return FileHandle(fileDescriptor: socket, closeOnDealloc: true)
  }
}
