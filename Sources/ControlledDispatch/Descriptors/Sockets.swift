import Foundation
import Interleaving

// Calls that connect sockets, each the stand-in of the system's of its name: streams on this host, in the domain AF_INET,
// known by their port.

extension Kernel {
  /// Makes a socket: the stand-in of the system's call.
  @discardableResult
  public static func socket(_ domain: Int32, _ type: Int32, _ protocol: Int32) -> Int32 {
    let kernel = KernelState.current("socket")
    let socket = Stream("a socket", isSocket: true, reads: nil, writes: nil, kernel.control)
    return kernel.give(socket, "makes a socket")
  }

  /// Gives a socket a port: the stand-in of the system's call. 0 is for one that is free.
  @discardableResult
  public static func bind(
    _ descriptor: Int32, _ address: UnsafePointer<sockaddr>!, _ length: socklen_t
  ) -> Int32 {
    let kernel = KernelState.current("bind")
    let port = port(of: address)
    return kernel.withSocket(descriptor, "bind") { socket in
      socket.port = kernel.free(port)
      return socket.port == nil ? EADDRINUSE : 0
    }
  }

  private static func port(of address: UnsafePointer<sockaddr>) -> UInt16 {
    address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
      UInt16(bigEndian: $0.pointee.sin_port)
    }
  }

  /// Lets a socket take connections: the stand-in of the system's call.
  @discardableResult
  public static func listen(_ descriptor: Int32, _ backlog: Int32) -> Int32 {
    let kernel = KernelState.current("listen")
    return kernel.withSocket(descriptor, "listen") { socket in
      guard let port = socket.port ?? kernel.free(0) else { return EADDRINUSE }
      socket.port = port
      socket.arrivals = socket.arrivals ?? Arrivals(kernel.control)
      kernel.listeners[port] = socket
      return 0
    }
  }

  /// Connects a socket: the stand-in of the system's call. It is done at once, and a socket that does not wait is told of it as
  /// if it were not.
  @discardableResult
  public static func connect(
    _ descriptor: Int32, _ address: UnsafePointer<sockaddr>!, _ length: socklen_t
  ) -> Int32 {
    let kernel = KernelState.current("connect")
    let port = port(of: address)
    return kernel.withSocket(descriptor, "connect") { socket in
      guard !socket.isConnected else { return EISCONN }
      let (there, back) = kernel.makeChannels()
      socket.connect(reads: back, writes: there)
      if let arrivals = kernel.listeners[port]?.arrivals, arrivals.isOpen {
        let other = Stream(
          "the server's end at port \(port)", isSocket: true, reads: there, writes: back,
          kernel.control)
        kernel.control.goOn(with: arrivals.use(.update))
        arrivals.add(other, kernel.control)
      } else {
        socket.connectionError = ECONNREFUSED
        there.endReading(kernel.control)
        back.endWriting(kernel.control, isReset: true)
      }
      guard socket.waits else { return EINPROGRESS }
      defer { socket.connectionError = 0 }
      return socket.connectionError
    }
  }

  /// Takes a connection that has come: the stand-in of the system's call. The address is not told.
  @discardableResult
  public static func accept(
    _ descriptor: Int32, _ address: UnsafeMutablePointer<sockaddr>!,
    _ length: UnsafeMutablePointer<socklen_t>!
  ) -> Int32 {
    let call = Call("accept", descriptor, .reading, 0)
    var taken: Stream?
    let result = call.run(1) { file, _ in
      guard let arrivals = (file as? Stream)?.arrivals else { return .failed(EINVAL) }
      taken = arrivals.take(call.kernel.control)
      return taken == nil ? .nothing : .count(1)
    }
    guard result > 0, let taken else { return -1 }
    return call.kernel.give(taken, "accepts \(taken.name)")
  }

  /// Asks for a socket's port: the stand-in of the system's call.
  @discardableResult
  public static func getsockname(
    _ descriptor: Int32, _ address: UnsafeMutablePointer<sockaddr>!,
    _ length: UnsafeMutablePointer<socklen_t>!
  ) -> Int32 {
    let kernel = KernelState.current("getsockname")
    return kernel.withSocket(descriptor, "getsockname") { socket in
      address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
        address.pointee = sockaddr_in()
        address.pointee.sin_family = sa_family_t(AF_INET)
        address.pointee.sin_port = (socket.port ?? 0).bigEndian
        address.pointee.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
      }
      length.pointee = socklen_t(MemoryLayout<sockaddr_in>.size)
      return 0
    }
  }

  /// Asks for an option of a socket: the stand-in of the system's call, with SO_ERROR; every other is 0.
  @discardableResult
  public static func getsockopt(
    _ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: UnsafeMutableRawPointer!,
    _ length: UnsafeMutablePointer<socklen_t>!
  ) -> Int32 {
    let kernel = KernelState.current("getsockopt")
    return kernel.withSocket(descriptor, "getsockopt") { socket in
      value.storeBytes(of: option == SO_ERROR ? socket.connectionError : 0, as: Int32.self)
      if option == SO_ERROR { socket.connectionError = 0 }
      return 0
    }
  }

  /// Sets an option of a socket: the stand-in of the system's call, of no effect here.
  @discardableResult
  public static func setsockopt(
    _ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: UnsafeRawPointer!,
    _ length: socklen_t
  ) -> Int32 {
    KernelState.current("setsockopt").withSocket(descriptor, "setsockopt") { _ in 0 }
  }
}

extension KernelState {
  private static let ports = ControlledObject("the ports", outlives: true)

  /// Does something to a socket and to who listens, in one step.
  ///
  /// - Parameter body: Does it, and returns 0 or an error number.
  fileprivate func withSocket(
    _ descriptor: Int32, _ call: String, _ body: (Stream) -> Int32
  ) -> Int32 {
    guard let file = file(at: descriptor, for: call) else { return fail(EBADF) }
    guard let socket = file as? Stream, socket.isSocket else { return fail(ENOTSOCK) }
    control.perform(
      VisibleOperation([socket.use(.update), Self.ports.use(.update)]),
      "calls \(call) on \(socket.name)")
    let code = body(socket)
    return code == 0 ? 0 : fail(code)
  }

  /// The port, or the first that is free, if it is.
  fileprivate func free(_ port: UInt16) -> UInt16? {
    guard port == 0 else { return isTaken(port) ? nil : port }
    return (49_152...65_535).first { !isTaken($0) }
  }

  private func isTaken(_ port: UInt16) -> Bool { listeners[port]?.arrivals?.isOpen == true }
}
