import Foundation

/// A client's connection: one request, one response. Used by the server's thread only.
final class PhotoServerConnection {
  private enum Phase {
    case reading([UInt8])
    case answering(String, Task<Void, Never>)
    /// What is left to write; the response to a bad request has no name.
    case writing(String?, Data)
    /// All is written, and the client has still to close.
    case draining
    case over
  }

  /// Counts up, because descriptors are used again.
  let id: Int
  private let socket: FileHandle
  private let log: PhotoServerLog
  private let answer: (String) -> Task<Void, Never>
  private var phase = Phase.reading([])

  init(
    _ socket: Int32, id: Int, log: PhotoServerLog, answer: @escaping (String) -> Task<Void, Never>
  ) {
    self.socket = .unblocking(socket)
    self.id = id
    self.log = log
    self.answer = answer
  }

  var isOver: Bool { if case .over = phase { true } else { false } }

  var polled: pollfd {
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

  /// Begins the response, 200 or 404, unless the client has gone.
  func respond(with bytes: Data?) {
    guard case .answering(let name, _) = phase else { return }
    respond(bytes == nil ? "404 Not Found" : "200 OK", bytes ?? Data(), to: name)
    write()
  }

  /// Cancels the answer, if one is awaited.
  func cancel() {
    if case .answering(_, let task) = phase { task.cancel() }
  }

  private func respond(_ status: String, _ body: Data, to name: String?) {
    let head = "HTTP/1.1 \(status)\r\nContent-Length: \(body.count)\r\nConnection: close\r\n\r\n"
    phase = .writing(name, Data(head.utf8) + body)
  }

  /// Reads the request; later bytes are read, so that closing does not reset the connection, and dropped.
  private func take(_ bytes: ArraySlice<UInt8>) {
    guard case .reading(let earlier) = phase else { return }
    let lines = String(decoding: earlier + bytes, as: UTF8.self)
      .split(separator: "\r\n", omittingEmptySubsequences: false)
    let pattern = /GET \/(?:[^ ?]*\/)?([^ ?\/]*)(?:\?[^ ]*)? HTTP\/1\.[01]/
    let name = lines[0].wholeMatch(of: pattern)?.1.removingPercentEncoding
    if lines.count > 1 && name == nil || earlier.count + bytes.count > 16_384 {
      respond("400 Bad Request", Data(), to: nil)
    } else if let name, lines.dropFirst().dropLast().contains("") {
      log.record { .begun(name) }
      phase = .answering(name, answer(name))
    } else {
      phase = .reading(earlier + bytes)
    }
  }

  /// The client has closed, be it its own direction only.
  private func hangUp() {
    cancel()  // first: a task that sees the event can rely on it
    switch phase {
    case .answering(let name, _), .writing(let name?, _): log.record { .dropped(name) }
    case .reading, .writing(nil, _), .draining, .over: break
    }
    phase = .over
  }

  private func write() {
    guard case .writing(let name, let bytes) = phase else { return }
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
      phase = count < 0 ? .over : .writing(name, bytes.dropFirst(count))
      if count < 0 { return name.map { .dropped($0) } }
      if count < bytes.count { return nil }
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
