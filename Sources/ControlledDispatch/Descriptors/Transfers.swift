import Foundation
import Interleaving

// Calls that read and write, each the stand-in of the system's of its name: it returns what that would, with `errno` set.

extension Kernel {
  /// Reads what a descriptor stands for: the stand-in of the system's call.
  @discardableResult
  public static func read(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer!, _ count: Int)
    -> Int
  {
    get(descriptor, "read", buffer, count)
  }

  /// Writes to what a descriptor stands for: the stand-in of the system's call.
  ///
  /// A write to a pipe or a socket that nobody reads ends the process, unless it ignores SIGPIPE.
  @discardableResult
  public static func write(_ descriptor: Int32, _ buffer: UnsafeRawPointer!, _ count: Int) -> Int {
    put(descriptor, "write", buffer, count)
  }

  /// Reads from a socket: the stand-in of the system's call, with the flag MSG_DONTWAIT.
  @discardableResult
  public static func recv(
    _ descriptor: Int32, _ buffer: UnsafeMutableRawPointer!, _ count: Int, _ flags: Int32
  ) -> Int { get(descriptor, "recv", buffer, count, flags) }

  /// Writes to a socket: the stand-in of the system's call, with the flags MSG_DONTWAIT and MSG_NOSIGNAL.
  @discardableResult
  public static func send(
    _ descriptor: Int32, _ buffer: UnsafeRawPointer!, _ count: Int, _ flags: Int32
  ) -> Int { put(descriptor, "send", buffer, count, flags) }
}

private func get(
  _ descriptor: Int32, _ name: String, _ buffer: UnsafeMutableRawPointer!, _ count: Int,
  _ flags: Int32? = nil
) -> Int {
  let call = Call(name, descriptor, .reading, flags)
  return call.run(count) { file, _ in
    let transfer = file.read(upTo: count, call.kernel, call.kernel.choose(upTo:))
    if case .bytes(let bytes) = transfer, !bytes.isEmpty {
      bytes.withUnsafeBytes { buffer.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
    }
    return transfer
  }
}

private func put(
  _ descriptor: Int32, _ name: String, _ buffer: UnsafeRawPointer!, _ count: Int,
  _ flags: Int32? = nil
) -> Int {
  let call = Call(name, descriptor, .writing, flags)
  return call.run(count) { file, done in
    let rest = UnsafeRawBufferPointer(start: buffer + done, count: count - done)
    // Who waits has all of it written.
    return file.write(rest, call.kernel) { most in
      call.waits(for: file) ? most : call.kernel.choose(upTo: most)
    }
  }
}

/// One call that reads or writes.
struct Call {
  let kernel: KernelState
  private let name: String
  private let descriptor: Int32
  private let direction: Direction
  /// Of a call that is for sockets only.
  private let flags: Int32?

  init(_ name: String, _ descriptor: Int32, _ direction: Direction, _ flags: Int32?) {
    kernel = .current(name)
    (self.name, self.descriptor, self.direction, self.flags) = (name, descriptor, direction, flags)
  }

  /// Whether it waits where there is nothing to read, or no room.
  func waits(for file: OpenFile) -> Bool { file.waits && (flags ?? 0) & Int32(MSG_DONTWAIT) == 0 }

  /// Does it, and waits if it has to: who reads, until there is something, and who writes, until all is written.
  ///
  /// - Parameter transfer: Reads or writes, in one step; it is told how many bytes are written.
  /// - Returns: How many it was; -1 with `errno` set.
  func run(_ count: Int, _ transfer: (OpenFile, _ done: Int) -> Transfer) -> Int {
    guard let file = kernel.file(at: descriptor, for: name) else { return fail(EBADF) }
    if flags != nil, (file as? Stream)?.isSocket != true { return fail(ENOTSOCK) }
    guard file.goes(direction) else { return fail(EBADF) }
    var done = 0
    while true {
      let uses = file.uses(direction, kernel)
      kernel.control.perform(VisibleOperation([file.use(.load)] + uses))
      // A socket may have been connected meanwhile.
      guard file.uses(direction, kernel).map(\.object) == uses.map(\.object) else { continue }
      switch transfer(file, done) {
      case .bytes(let bytes):
        let isEnd = bytes.isEmpty && count > 0
        note(isEnd ? "finds the end of" : "reads \(inBytes(bytes.count)) from", file)
        return bytes.count
      case .count(let written):
        note("writes \(inBytes(written)) to", file)
        done += written
        if done == count || !waits(for: file) { return done }
      case .failed(let code): return done > 0 ? done : fail(code, file)
      case .brokenPipe:
        if (flags ?? 0) & Int32(MSG_NOSIGNAL) == 0 {
          kernel.control.note("writes to \(file.name), which nobody reads any more")
          _ = SignalTable.current(name).send(SIGPIPE)
        }
        return done > 0 ? done : fail(EPIPE, file)
      case .nothing where !waits(for: file): return fail(EAGAIN, file)
      case .nothing where kernel.chooseInterruption():
        return done > 0 ? done : fail(EINTR, file)
      case .nothing: wait(for: file.waitable(direction)!, file)
      }
    }
  }

  private func note(_ text: @autoclosure () -> String, _ file: OpenFile) {
    kernel.control.note("\(text()) \(file.name)")
  }

  private func inBytes(_ count: Int) -> String { count == 1 ? "1 byte" : "\(count) bytes" }

  /// Waits until a call would not wait. Part of a step that has declared that it changes what it waits for.
  private func wait(for waitable: Waitable, _ file: OpenFile) {
    let gate = kernel.control.makeObject()
    let what = direction == .writing ? "room in" : "something to read from"
    kernel.control.name(gate, kind: what, label: file.name)
    waitable.tell(Waiter(gate: gate, file: file, direction: direction))
    kernel.control.perform(
      VisibleOperation([Waitable.use(.goThrough, of: gate)]), "waits no longer for \(file.name)")
  }

  private func fail(_ code: Int32, _ file: OpenFile? = nil) -> Int {
    Int(kernel.fail(code, file.map { "the \(name) of \($0.name)" }))
  }
}
