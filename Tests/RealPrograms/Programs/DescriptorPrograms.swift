import CLinux
import Dispatch
import Foundation

// What calls and sources do with descriptors. Each program says what came of it, in order.

extension Programs {
  /// Something with two ends.
  enum Ends: String, CaseIterable, Codable {
    case pipe, unix, tcp

    /// Opens one: the end that is read, and the one that is written.
    func open() -> (reading: Int32, writing: Int32) {
      var ends: [Int32] = [0, 0]
      switch self {
      case .pipe: precondition(Programs.openPipe(&ends) == 0)
      case .unix: precondition(Programs.openPair(&ends) == 0)
      case .tcp: (ends[0], ends[1]) = Programs.openConnection()
      }
      return (Programs.moved(ends[0]), Programs.moved(ends[1]))
    }
  }

  /// Gives a descriptor a number that nobody else is given: a process has other threads that open and close something.
  static func moved(_ descriptor: Int32) -> Int32 {
    let number = fcntl(descriptor, F_DUPFD, 100)
    precondition(number >= 100 && close(descriptor) == 0)
    return number
  }

  fileprivate static func openPipe(_ ends: inout [Int32]) -> Int32 { pipe(&ends) }

  /// A pipe whose end for reading has a number that nobody else is given.
  static func openPipe(at number: Int32) -> (reading: Int32, writing: Int32) {
    let (reading, writing) = Ends.pipe.open()
    precondition(dup2(reading, number) == number && close(reading) == 0)
    return (number, writing)
  }

  fileprivate static func openPair(_ ends: inout [Int32]) -> Int32 {
    socketpair(AF_UNIX, streamType, 0, &ends)
  }

  static var streamType: Int32 {
    #if canImport(Darwin)
      SOCK_STREAM
    #else
      Int32(SOCK_STREAM.rawValue)
    #endif
  }

  /// A socket that takes connections, and its port.
  static func openListener() -> (socket: Int32, port: in_port_t) {
    let listener = socket(AF_INET, streamType, 0)
    var address = loopback(0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        precondition(bind(listener, $0, length) == 0 && listen(listener, 8) == 0)
        precondition(getsockname(listener, $0, &length) == 0)
      }
    }
    return (moved(listener), address.sin_port)
  }

  private static func loopback(_ port: in_port_t) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    return address
  }

  static func connectSocket(_ socket: Int32, to port: in_port_t) -> Int32 {
    var address = loopback(port)
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  fileprivate static func openConnection() -> (Int32, Int32) {
    let (listener, port) = openListener()
    let client = socket(AF_INET, streamType, 0)
    precondition(connectSocket(client, to: port) == 0)
    let server = accept(listener, nil, nil)
    precondition(server >= 0 && close(listener) == 0)
    return (server, client)
  }

  // MARK: Calls, in words

  static func setNonBlocking(_ descriptor: Int32) {
    let flags = fcntl(descriptor, F_GETFL)
    precondition(fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0)
  }

  /// Reads up to so many bytes.
  ///
  /// - Returns: The text, "end", or the error.
  static func reading(_ descriptor: Int32, _ count: Int) -> String {
    var bytes = [UInt8](repeating: 0, count: count)
    let result = read(descriptor, &bytes, count)
    if result == -1 { return name(of: errno) }
    return result == 0 ? "end" : String(decoding: bytes.prefix(result), as: UTF8.self)
  }

  /// Writes a text.
  ///
  /// - Returns: How many bytes it wrote, or the error.
  static func writing(_ descriptor: Int32, _ text: String) -> String {
    let result = write(descriptor, text, text.utf8.count)
    return result == -1 ? name(of: errno) : "\(result)"
  }

  /// Writes a text to a socket, without a signal.
  static func sending(_ descriptor: Int32, _ text: String) -> String {
    let result = send(descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL))
    return result == -1 ? name(of: errno) : "\(result)"
  }

  static func name(of code: Int32) -> String {
    switch code {
    case EAGAIN: "EAGAIN"
    case EBADF: "EBADF"
    case EBUSY: "EBUSY"
    case ECONNREFUSED: "ECONNREFUSED"
    case ECONNRESET: "ECONNRESET"
    case EEXIST: "EEXIST"
    case EINTR: "EINTR"
    case EINVAL: "EINVAL"
    case EISDIR: "EISDIR"
    case EMFILE: "EMFILE"
    case ENOENT: "ENOENT"
    case ENOSPC: "ENOSPC"
    case ENOTCONN: "ENOTCONN"
    case ENOTDIR: "ENOTDIR"
    case ENOTSOCK: "ENOTSOCK"
    case EPIPE: "EPIPE"
    case ESPIPE: "ESPIPE"
    default: "error \(code)"
    }
  }
}

extension Programs {
  // MARK: Without sources

  /// What has come is read, in parts, and then nothing is there, and then the end.
  static func readsToTheEnd(_ ends: Ends) -> [String] {
    let (reading, writing) = ends.open()
    setNonBlocking(reading)
    var said = [Programs.reading(reading, 10), Programs.writing(writing, "hello")]
    said += [
      Programs.reading(reading, 3), Programs.reading(reading, 10), Programs.reading(reading, 10),
    ]
    said += [Programs.writing(writing, "x"), "\(close(writing))"]
    said += [
      Programs.reading(reading, 10), Programs.reading(reading, 10), Programs.reading(reading, 10),
    ]
    return said + [
      "\(close(reading))", Programs.reading(reading, 1), Programs.writing(writing, "x"),
    ]
  }

  /// One way of a socket ends, and the other goes on.
  static func endsOneWay(_ ends: Ends) -> [String] {
    let (first, second) = ends.open()
    setNonBlocking(first)
    setNonBlocking(second)
    var said = [writing(first, "ab"), "\(shutdown(first, Int32(SHUT_WR)))", sending(first, "x")]
    said += [reading(second, 1), reading(second, 2), reading(second, 2), writing(second, "back")]
    said += [reading(first, 10), reading(first, 10), "\(close(second))", reading(first, 10)]
    return said + ["\(close(first))"]
  }

  /// What nobody has read is lost, and the other side is told.
  static func goesWithoutReading(_ ends: Ends) -> [String] {
    let (first, second) = ends.open()
    setNonBlocking(second)
    let said = [writing(first, "unread"), writing(second, "kept"), "\(close(first))"]
    defer { _ = close(second) }
    return said + [reading(second, 10), reading(second, 10), sending(second, "x")]
  }

  /// Who waits goes on when something comes, or room.
  static func waits(_ ends: Ends) -> [String] {
    let (reading, writing) = ends.open()
    let other = DispatchQueue(label: "other")
    let done = DispatchSemaphore(value: 0)
    let log = Log()
    other.async {
      log(Programs.reading(reading, 9))
      log(Programs.reading(reading, 9))
      done.signal()
    }
    _ = Programs.writing(writing, "hello")
    _ = close(writing)
    done.wait()
    _ = close(reading)
    return log.entries
  }

  /// Who writes more than there is room for waits, and goes on.
  static func waitsForRoom() -> [String] {
    let (reading, writing) = Ends.pipe.open()
    let (other, done) = (DispatchQueue(label: "other"), DispatchSemaphore(value: 0))
    let log = Log()
    other.async {
      let bytes = [UInt8](repeating: 0, count: 65_537)
      log("\(write(writing, bytes, bytes.count))")
      _ = close(writing)
      done.signal()
    }
    var (sum, bytes) = (0, [UInt8](repeating: 0, count: 65_536))
    while case let count = read(reading, &bytes, bytes.count), count > 0 { sum += count }
    done.wait()
    _ = close(reading)
    return log.entries + ["\(sum)"]
  }

  /// Nobody reads a pipe any more.
  static func breaksPipe(ignoring isIgnored: Bool) -> [String] {
    _ = signal(SIGPIPE, isIgnored ? SIG_IGN : SIG_DFL)
    let (reading, writing) = Ends.pipe.open()
    let said = [Programs.writing(writing, "lost"), "\(close(reading))"]
    return said + [
      Programs.writing(writing, "x"), Programs.writing(writing, ""), "\(close(writing))",
    ]
  }

  /// Two descriptors stand for one open file.
  static func duplicates() -> [String] {
    let (reading, writing) = Ends.pipe.open()
    let second = moved(dup(writing))
    setNonBlocking(reading)
    var said = [Programs.writing(second, "a"), "\(close(writing))"]
    said += [
      Programs.writing(writing, "x"), Programs.reading(reading, 9), Programs.reading(reading, 9),
    ]
    // Also a number that is free.
    let third = dup2(reading, 99)
    said += ["\(third)", "\(fcntl(third, F_GETFL) & O_NONBLOCK != 0)", "\(dup2(third, third))"]
    // What the number stood for ends.
    said += ["\(dup2(reading, second) == second)", Programs.reading(third, 9)]
    said += ["\(close(reading)) \(close(second)) \(close(third))"]
    return said + ["\(dup(third))", "\(dup2(third, 98))", name(of: errno)]
  }

  /// What cannot be done.
  static func refuses() -> [String] {
    let (reading, writing) = Ends.pipe.open()
    var said = [Programs.writing(reading, "x"), Programs.reading(writing, 1)]
    said += [sending(writing, "x"), "\(shutdown(writing, Int32(SHUT_WR)))", name(of: errno)]
    said += ["\(lseek(reading, 0, SEEK_CUR))", name(of: errno)]
    said += ["\(close(reading))", "\(close(reading))", name(of: errno), "\(close(writing))"]
    said += ["\(close(-1))", name(of: errno), Programs.reading(-1, 1), "\(fcntl(-1, F_GETFL))"]
    return said + ["\(open("/tmp/nowhere/at/all", O_RDONLY))", name(of: errno)]
  }

  /// Connections come, are taken, and are refused where nobody listens.
  static func connects() -> [String] {
    let (listener, port) = openListener()
    setNonBlocking(listener)
    var said = ["\(accept(listener, nil, nil))", name(of: errno)]
    let client = moved(socket(AF_INET, streamType, 0))
    said += [sending(client, "x"), reading(client, 1), "\(connectSocket(client, to: port))"]
    said += [writing(client, "hello")]
    let server = accept(listener, nil, nil)
    said += [reading(server, 9), writing(server, "welcome"), reading(client, 9)]
    said += ["\(close(listener)) \(close(server)) \(close(client))"]
    let other = socket(AF_INET, streamType, 0)
    said += ["\(connectSocket(other, to: port))", name(of: errno), "\(close(other))"]
    return said
  }

  /// A counter sums up and is read whole.
  static func counts() -> [String] {
    let counter = linux_eventfd()
    var value: UInt64 = 3
    var said = ["\(write(counter, &value, 8))", "\(write(counter, &value, 4))", name(of: errno)]
    said += [
      "\(read(counter, &value, 8)) \(value)", "\(read(counter, &value, 8))", name(of: errno),
    ]
    return said + ["\(close(counter))"]
  }

  /// A file is made, written, read, appended to and removed.
  static func keepsFiles(_ path: String) -> [String] {
    var said = ["\(open(path, O_RDONLY))", name(of: errno)]
    let writer = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    said += [writing(writer, "hello, "), writing(writer, "file"), reading(writer, 1)]
    said += ["\(open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600))", name(of: errno)]
    let reader = open(path, O_RDONLY)
    said += [reading(reader, 5), reading(reader, 99), reading(reader, 99)]
    said += ["\(lseek(reader, 2, SEEK_SET))", reading(reader, 3), "\(lseek(reader, -1, SEEK_END))"]
    said += [reading(reader, 9), writing(reader, "x")]
    let appending = open(path, O_RDWR | O_APPEND)
    said += [writing(appending, "!"), reading(reader, 9), reading(appending, 9)]
    let emptied = open(path, O_WRONLY | O_TRUNC)
    said += [reading(reader, 9), writing(writer, "."), "\(lseek(reader, 0, SEEK_END))"]
    said += ["\(unlink(path)) \(unlink(path))", name(of: errno)]
    for descriptor in [writer, reader, appending, emptied] { said.append("\(close(descriptor))") }
    return said
  }
}
