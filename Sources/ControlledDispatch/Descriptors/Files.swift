import Foundation
import Interleaving

// Calls for files and folders, each the stand-in of the system's of its name, on a disk of the schedule's own.

extension Kernel {
  /// Opens a file or a folder, and makes a file if it is told to: the stand-in of the system's call.
  ///
  /// The folders that lead to a new file are made with it. The null device is there, too.
  @discardableResult
  public static func open(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 {
    open(path, flags, 0)
  }

  /// Opens a file or a folder, and makes a file if it is told to: the stand-in of the system's call. The mode has no effect.
  ///
  /// The folders that lead to a new file are made with it. The null device is there, too.
  @discardableResult
  public static func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 {
    let kernel = KernelState.current("open")
    let (path, kept) = (kernel.path(path), kernel.flags(kept: flags))
    guard path.isEmpty || kernel.hasFreeNumber("opens \(path)") else { return kernel.fail(EMFILE) }
    if path == "/dev/null" {
      return kernel.give(Silent(path, flags: kept, kernel.control), "opens \(path)")
    }
    guard let inode = kernel.open(path, flags) else { return -1 }
    let file: OpenFile =
      inode.isFolder
      ? Silent(path, of: inode, flags: kept, kernel.control)
      : RegularFile(path, inode, flags: kept, kernel.control)
    guard let number = kernel.add([file], "opens \(path)")?.first else {
      kernel.control.trap(
        "opens \(path) while another takes the last number, for which the explorer has no stand-in")
    }
    return number
  }

  /// Takes a file's name away: the stand-in of the system's call. Who has the file open keeps it.
  @discardableResult
  public static func unlink(_ path: UnsafePointer<CChar>) -> Int32 {
    let kernel = KernelState.current("unlink")
    return kernel.result(kernel.remove(kernel.path(path)))
  }

  /// Gives a file another name, which another file may lose: the stand-in of the system's call.
  @discardableResult
  public static func rename(
    _ path: UnsafePointer<CChar>!, _ newPath: UnsafePointer<CChar>!
  ) -> Int32 {
    let kernel = KernelState.current("rename")
    return kernel.result(kernel.rename(kernel.path(path), kernel.path(newPath)))
  }

  /// Tells what is known of what a path leads to: the stand-in of the system's call. Times say how often it was changed.
  @discardableResult
  public static func stat(
    _ path: UnsafePointer<CChar>, _ status: UnsafeMutablePointer<Foundation.stat>
  ) -> Int32 {
    let kernel = KernelState.current("stat")
    guard let inode = kernel.find(path, .load, "looks at") else { return -1 }
    status.pointee = inode.status
    return 0
  }

  /// Tells what is known of a file or a folder that is open: the stand-in of the system's call. Times say how often it was
  /// changed.
  @discardableResult
  public static func fstat(
    _ descriptor: Int32, _ status: UnsafeMutablePointer<Foundation.stat>
  ) -> Int32 {
    let kernel = KernelState.current("fstat")
    guard let file = kernel.file(at: descriptor, for: "fstat") else { return kernel.fail(EBADF) }
    guard let inode = file.inode else {
      kernel.control.trap("asks fstat of \(file.name), for which the explorer has no stand-in")
    }
    kernel.control.perform(VisibleOperation([inode.use(.load)]), "looks at \(file.name)")
    status.pointee = inode.status
    return 0
  }

  /// Tells the path of what a descriptor stands for, by `/proc/self/fd/3` and its like: the stand-in of the system's call.
  ///
  /// If that has lost its name, the path is the last one, with " (deleted)" behind it.
  @discardableResult
  public static func readlink(
    _ path: UnsafePointer<CChar>, _ target: UnsafeMutableRawPointer, _ size: Int
  ) -> Int {
    let kernel = KernelState.current("readlink")
    guard size > 0 else { return Int(kernel.fail(EINVAL)) }
    guard let link = KernelState.descriptor(in: kernel.path(path, follows: true)),
      !link.isFolder
    else {
      // The disk has no links.
      return Int(kernel.find(path, .load, "looks at") == nil ? -1 : kernel.fail(EINVAL))
    }
    guard let file = kernel.file(at: link.number, for: "readlink") else {
      return Int(kernel.fail(ENOENT))
    }
    var text = file.name
    if let inode = file.inode {
      kernel.control.perform(
        VisibleOperation([inode.use(.load)]), "asks for the path of \(file.name)")
      text = inode.hasName ? inode.path : "\(inode.path) (deleted)"
    }
    let bytes = Array(text.utf8.prefix(size))
    UnsafeMutableRawBufferPointer(start: target, count: size).copyBytes(from: bytes)
    return bytes.count
  }

  /// Gives a file another length: the stand-in of the system's call.
  @discardableResult
  public static func truncate(_ path: UnsafePointer<CChar>, _ size: off_t) -> Int32 {
    let kernel = KernelState.current("truncate")
    guard size >= 0 else { return kernel.fail(EINVAL) }
    guard let inode = kernel.find(path, .update, "truncates", using: kernel.usesOfRoom) else {
      return -1
    }
    guard !inode.isFolder else { return kernel.fail(EISDIR) }
    kernel.resize(inode, to: Int(size))
    return 0
  }

  /// Gives a file that is open for writing another length: the stand-in of the system's call.
  @discardableResult
  public static func ftruncate(_ descriptor: Int32, _ size: off_t) -> Int32 {
    let kernel = KernelState.current("ftruncate")
    guard size >= 0 else { return kernel.fail(EINVAL) }
    guard let file = kernel.file(at: descriptor, for: "ftruncate") else {
      return kernel.fail(EBADF)
    }
    guard let inode = file.inode, !inode.isFolder, file.goes(.writing) else {
      return kernel.fail(EINVAL)
    }
    kernel.control.perform(
      VisibleOperation([inode.use(.update)] + kernel.usesOfRoom), "truncates \(file.name)")
    kernel.resize(inode, to: Int(size))
    return 0
  }

  /// Reads a file from a place on that is no open file's: the stand-in of the system's call.
  @discardableResult
  public static func pread(
    _ descriptor: Int32, _ buffer: UnsafeMutableRawPointer!, _ count: Int, _ offset: off_t
  ) -> Int {
    let kernel = KernelState.current("pread")
    guard offset >= 0 else { return Int(kernel.fail(EINVAL)) }
    guard let file = kernel.file(at: descriptor, for: "pread") else {
      return Int(kernel.fail(EBADF))
    }
    guard file is RegularFile || file is Silent else { return Int(kernel.fail(ESPIPE)) }
    guard file.goes(.reading) else { return Int(kernel.fail(EBADF)) }
    // The null device.
    guard let inode = file.inode else { return 0 }
    guard !inode.isFolder else { return Int(kernel.fail(EISDIR)) }
    kernel.control.perform(
      VisibleOperation([inode.use(.load)]), "reads \(file.name) from \(offset) on")
    let bytes = inode.bytes.dropFirst(Int(offset)).prefix(count)
    UnsafeMutableRawBufferPointer(start: buffer, count: count).copyBytes(from: bytes)
    return bytes.count
  }

  /// Moves the place in a file: the stand-in of the system's call.
  @discardableResult
  public static func lseek(_ descriptor: Int32, _ offset: off_t, _ origin: Int32) -> off_t {
    let kernel = KernelState.current("lseek")
    guard let file = kernel.file(at: descriptor, for: "lseek") else {
      return off_t(kernel.fail(EBADF))
    }
    if let silent = file as? Silent {
      guard silent.inode == nil || offset == 0 && origin != SEEK_END else {
        kernel.control.trap("moves in \(file.name), for which the explorer has no stand-in")
      }
      return 0
    }
    guard let file = file as? RegularFile else { return off_t(kernel.fail(ESPIPE)) }
    return file.seek(Int(offset), from: origin, kernel).map { off_t($0) }
      ?? off_t(kernel.fail(EINVAL))
  }
}

extension KernelState {
  /// What a call returns that came to 0 or an error number.
  fileprivate func result(_ code: Int32) -> Int32 { code == 0 ? 0 : fail(code) }
}
