import Foundation

/// Sockets of this host, known by their port. They do not block, and no child inherits them.
enum Loopback {
  /// Makes a socket that takes connections, at a port that is free; ``port(of:)`` says which.
  ///
  /// - Throws: ``DescriptorError``; nothing is open then.
  static func listener() throws(DescriptorError) -> Int32 {
    let number = try makeSocket()
    guard withAddress(0, { bind(number, $0, $1) }) == 0 else { throw failure("bind", number) }
    guard listen(number, SOMAXCONN) == 0 else { throw failure("listen", number) }
    return number
  }

  /// Makes a socket that begins to connect. When it can be written, ``isConnected(_:)`` says what came of it.
  ///
  /// - Throws: ``DescriptorError``; nothing is open then.
  static func connection(to port: UInt16) throws(DescriptorError) -> Int32 {
    let number = try makeSocket()
    guard withAddress(port, { connect(number, $0, $1) }) == 0 || errno == EINPROGRESS else {
      throw failure("connect", number)
    }
    return number
  }

  /// Asks what came of a connection.
  ///
  /// - Returns: Whether it is there; it may still come.
  /// - Throws: ``DescriptorError`` if it does not.
  static func isConnected(_ number: Int32) throws(DescriptorError) -> Bool {
    var polled = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
    guard poll(&polled, 1, 0) == 1 else { return false }
    var code: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    if getsockopt(number, SOL_SOCKET, SO_ERROR, &code, &size) == -1 { code = errno }
    guard code == 0 else {
      throw DescriptorError(
        call: "connect", descriptor: number, code: code, advice: "see that the server runs")
    }
    return true
  }

  /// Takes a connection that has come to a socket.
  ///
  /// - Returns: `nil` if there is none yet.
  /// - Throws: ``DescriptorError``.
  static func accept(_ listener: Int32) throws(DescriptorError) -> Int32? {
    while true {
      let number = takeConnection(listener)
      if number != -1 {
        // On Linux it has no flag of the listener's.
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        return number
      }
      switch errno {
      case EAGAIN: return nil
      // It was interrupted, or the other side has left already.
      case EINTR, ECONNABORTED: continue
      case let code:
        throw DescriptorError(
          call: "accept", descriptor: listener, code: code,
          advice: "close connections that are not needed")
      }
    }
  }

  static func port(of number: Int32) -> UInt16 {
    var (address, size) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
    withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(number, $0, &size) }
    }
    return UInt16(bigEndian: address.sin_port)
  }

  private static func makeSocket() throws(DescriptorError) -> Int32 {
    let number = socket(AF_INET, streamKind, 0)
    guard number != -1 else {
      throw DescriptorError(
        call: "socket", code: errno, advice: "close descriptors that are not needed")
    }
    _ = (fcntl(number, F_SETFD, FD_CLOEXEC), fcntl(number, F_SETFL, O_NONBLOCK))
    return number
  }

  private static func withAddress(
    _ port: UInt16, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    return withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        call($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  /// Closes what is of no use.
  private static func failure(_ call: String, _ number: Int32) -> DescriptorError {
    let code = errno
    close(number)
    return DescriptorError(call: call, descriptor: number, code: code, advice: "try another port")
  }
}

private func takeConnection(_ listener: Int32) -> Int32 { accept(listener, nil, nil) }

typealias SocketEnds = (near: Int32, far: Int32)

/// Two connected sockets that no child inherits and that block.
func socketEnds() -> SocketEnds {
  var ends: [Int32] = [-1, -1]
  precondition(socketpair(AF_UNIX, streamKind, 0, &ends) == 0)
  for end in ends { precondition(fcntl(end, F_SETFD, FD_CLOEXEC) == 0) }
  return (ends[0], ends[1])
}

private var streamKind: Int32 {
  #if canImport(Darwin)
    return SOCK_STREAM
  #else
    return Int32(SOCK_STREAM.rawValue)
  #endif
}
