import Foundation
import Interleaving

// What calls have in common that make descriptors.

extension KernelState {
  /// Says that a call fails.
  ///
  /// - Parameter call: What a trace says of it, unless it has said so.
  /// - Returns: -1, with `errno` set.
  func fail(_ code: Int32, _ call: String? = nil) -> Int32 {
    control.note("\(call.map { $0 + " " } ?? "")fails: \(String(cString: strerror(code)))")
    lastErrors[control.strand] = code
    return -1
  }

  /// Gives an open file a number.
  func give(_ file: OpenFile, from least: Int32 = first, _ call: String) -> Int32 {
    add([file], from: least, call)?.first ?? fail(EMFILE)
  }

  /// Gives open files numbers.
  func give(_ files: [OpenFile], to numbers: UnsafeMutablePointer<Int32>, _ call: String) -> Int32 {
    guard let given = add(files, call) else { return fail(EMFILE) }
    for (index, number) in given.enumerated() { numbers[index] = number }
    return 0
  }

  /// What flows between two sockets, each way.
  func makeChannels() -> (there: Channel, back: Channel) {
    let size = bufferSize ?? 180_224
    return (Channel(size: size, control), Channel(size: size, control))
  }

  /// What something is called in a trace: its kind, with a number from the second on.
  func name(of kind: String, _ waitable: Waitable) -> String {
    control.name(waitable.object, kind: kind)
    return control.name(of: waitable.object)
  }

  // MARK: The disk

  private static let diskIdentity = ControlledObject("the disk", outlives: true)

  private func useDisk(_ action: Action, _ call: String) {
    control.perform(VisibleOperation([Self.diskIdentity.use(action)]), call)
  }

  /// What is kept of the flags that a file is opened with.
  func flags(kept flags: Int32) -> Int32 { flags & (O_ACCMODE | O_APPEND | O_NONBLOCK) }

  func isFolder(_ path: String) -> Bool {
    useDisk(.load, "looks for \(path)")
    let prefix = path.hasSuffix("/") ? path : path + "/"
    return path == "/tmp" || disk.keys.contains { $0.hasPrefix(prefix) }
  }

  /// What is in a file that is opened; nil if there is none, or one that is to be new.
  func contents(_ path: String, _ flags: Int32) -> Contents? {
    useDisk(flags & (O_CREAT | O_TRUNC) == 0 ? .load : .update, "looks for \(path)")
    guard let found = disk[path] else {
      guard flags & O_CREAT != 0 else { return nil }
      disk[path] = Contents(control)
      return disk[path]
    }
    if flags & O_CREAT != 0, flags & O_EXCL != 0 { return nil }
    if flags & O_TRUNC != 0 {
      control.goOn(with: found.use(.update))
      found.bytes = []
    }
    return found
  }

  func remove(_ path: String) -> Bool {
    useDisk(.update, "removes \(path)")
    return disk.removeValue(forKey: path) != nil
  }

  /// What is used, besides the file, by who writes: the room for others.
  var usesOfRoom: [VisibleOperation.Use] {
    diskSize == .max ? [] : [Self.diskIdentity.use(.update)]
  }

  /// How long a file can be that wants to have so many bytes.
  func room(for contents: Contents, _ wanted: Int) -> Int {
    let others = disk.values.lazy.filter { $0 !== contents }.map(\.bytes.count).reduce(0, +)
    return min(wanted, max(0, diskSize - others))
  }
}
