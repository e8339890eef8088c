import Foundation
import Interleaving

// Calls that make descriptors, change them and close them, each the stand-in of the system's of its name.

extension Kernel {
  /// Makes a pipe: the stand-in of the system's call.
  ///
  /// - Parameter descriptors: Room for two: the end that is read, and the end that is written.
  @discardableResult
  public static func pipe(_ descriptors: UnsafeMutablePointer<Int32>!) -> Int32 {
    let kernel = KernelState.current("pipe")
    let channel = Channel(size: kernel.bufferSize ?? 65_536, kernel.control)
    let name = kernel.name(of: "pipe", channel)
    return kernel.give(
      [
        Stream(name, isSocket: false, reads: channel, writes: nil, kernel.control),
        Stream(name, isSocket: false, reads: nil, writes: channel, kernel.control),
      ], to: descriptors, "makes \(name)")
  }

  /// Makes two sockets that are connected: the stand-in of the system's call, for streams in the domain AF_UNIX.
  @discardableResult
  public static func socketpair(
    _ domain: Int32, _ type: Int32, _ protocol: Int32, _ descriptors: UnsafeMutablePointer<Int32>!
  ) -> Int32 {
    let kernel = KernelState.current("socketpair")
    let (there, back) = kernel.makeChannels()
    let name = kernel.name(of: "socket pair", there)
    return kernel.give(
      [
        Stream("first of \(name)", isSocket: true, reads: back, writes: there, kernel.control),
        Stream("second of \(name)", isSocket: true, reads: there, writes: back, kernel.control),
      ], to: descriptors, "makes \(name)")
  }

  /// Makes a counter: the stand-in of the system's call. It waits unless it is told not to, and is read whole.
  @discardableResult
  public static func eventfd(_ initial: UInt32, _ flags: Int32) -> Int32 {
    let kernel = KernelState.current("eventfd")
    let counter = Counter(UInt64(initial), flags: flags & O_NONBLOCK, kernel.control)
    return kernel.give(counter, "makes a counter")
  }

  /// Gives a descriptor a second number: the stand-in of the system's call.
  @discardableResult
  public static func dup(_ descriptor: Int32) -> Int32 {
    let kernel = KernelState.current("dup")
    guard let file = kernel.file(at: descriptor, for: "dup") else { return kernel.fail(EBADF) }
    return kernel.give(file, "duplicates \(file.name)")
  }

  /// Lets a number stand for what a descriptor stands for: the stand-in of the system's call.
  @discardableResult
  public static func dup2(_ descriptor: Int32, _ number: Int32) -> Int32 {
    let kernel = KernelState.current("dup2")
    guard let file = kernel.file(at: descriptor, for: "dup2"), kernel.isNumber(number) else {
      return kernel.fail(EBADF)
    }
    if number != descriptor {
      _ = kernel.replace(number, by: file, "makes descriptor \(number) one of \(file.name)")
    }
    return number
  }

  /// Gives a descriptor back: the stand-in of the system's call.
  @discardableResult
  public static func close(_ descriptor: Int32) -> Int32 {
    let kernel = KernelState.current("close")
    return kernel.close(descriptor) ? 0 : kernel.fail(EBADF)
  }

  /// Waits until what was written is on the disk: the stand-in of the system's call, which finds it there.
  @discardableResult
  public static func fsync(_ descriptor: Int32) -> Int32 {
    let kernel = KernelState.current("fsync")
    guard let file = kernel.file(at: descriptor, for: "fsync") else { return kernel.fail(EBADF) }
    return file is RegularFile ? 0 : kernel.fail(EINVAL)
  }

  /// Ends one way of a socket, or both: the stand-in of the system's call.
  @discardableResult
  public static func shutdown(_ descriptor: Int32, _ how: Int32) -> Int32 {
    let kernel = KernelState.current("shutdown")
    guard let file = kernel.file(at: descriptor, for: "shutdown") else { return kernel.fail(EBADF) }
    guard let socket = file as? Stream, socket.isSocket else { return kernel.fail(ENOTSOCK) }
    let directions: [Direction] =
      how == Int32(SHUT_RD)
      ? [.reading] : how == Int32(SHUT_WR) ? [.writing] : [.reading, .writing]
    socket.shutDown(directions, kernel)
    return 0
  }

  /// Asks for the flags of a descriptor: the stand-in of the system's call, with F_GETFL and F_GETFD,
  /// which gives 0.
  @discardableResult
  public static func fcntl(_ descriptor: Int32, _ command: Int32) -> Int32 {
    fcntl(descriptor, command, 0)
  }

  /// Changes the flags of a descriptor: the stand-in of the system's call, with F_GETFL, F_SETFL,
  /// F_DUPFD, and F_GETFD and F_SETFD, which have no effect.
  @discardableResult
  public static func fcntl(_ descriptor: Int32, _ command: Int32, _ value: Int32) -> Int32 {
    let kernel = KernelState.current("fcntl")
    guard let file = kernel.file(at: descriptor, for: "fcntl") else { return kernel.fail(EBADF) }
    switch command {
    case F_GETFL:
      kernel.control.perform(
        VisibleOperation([file.use(.load)]), "asks for the flags of \(file.name)")
      return file.flags
    case F_SETFL:
      let kept = O_ACCMODE
      kernel.control.perform(
        VisibleOperation([file.use(.update)]), "sets the flags of \(file.name)")
      file.flags = file.flags & kept | value & ~kept
      return 0
    case F_GETFD, F_SETFD: return 0
    case F_DUPFD, F_DUPFD_CLOEXEC:
      return kernel.give(file, from: value, "duplicates \(file.name)")
    default:
      kernel.control.trap(
        "uses fcntl with command \(command), for which the explorer has no stand-in")
    }
  }
}
