import Foundation
import Interleaving

// Calls that watch files and folders, each the stand-in of Linux's `inotify`.

extension Kernel {
  /// Makes a descriptor that is told what happens to files and folders: the stand-in of `inotify_init1`.
  ///
  /// Of the flags, only IN_NONBLOCK counts.
  @discardableResult
  public static func inotifyInit(_ flags: Int32) -> Int32 {
    let kernel = KernelState.current("inotify_init1")
    let notices = Notices(kernel.control)
    let name = kernel.name(of: "inotify", notices)
    let file = NoticeFile(name, notices, flags: flags & O_NONBLOCK, kernel.control)
    return kernel.give(file, "makes \(name)")
  }

  /// Watches what a path leads to, which may be one such as `/proc/self/fd/3` or `/proc/self/fd/3/..`: the stand-in of
  /// `inotify_add_watch`.
  ///
  /// It is a trap to ask for what is told of bytes that are read, or of who opens a file, or for a folder, of bytes that are
  /// written in it.
  @discardableResult
  public static func inotifyAddWatch(
    _ descriptor: Int32, _ path: UnsafePointer<CChar>!, _ mask: UInt32
  ) -> Int32 {
    let kernel = KernelState.current("inotify_add_watch")
    let asked = Notice.Kinds(rawValue: mask)
    guard !asked.isEmpty else { return kernel.fail(EINVAL) }
    return kernel.withNotices(of: descriptor, "inotify_add_watch") { notices in
      let uses = [notices.use(.update)]
      guard let inode = kernel.find(path, .update, "watches", using: uses) else { return -1 }
      let unknown = asked.subtracting(inode.isFolder ? .ofFolders : .ofFiles).subtracting(.adds)
      guard unknown.isEmpty else {
        kernel.control.trap(
          "watches for \(unknown.rawValue) of inotify, for which the explorer has no stand-in")
      }
      let watch = kernel.watch(inode, notices, asked)
      // It may have been closed since it was looked up.
      kernel.endIfGone(inode)
      return watch
    }
  }

  /// Ends a watch: the stand-in of `inotify_rm_watch`.
  @discardableResult
  public static func inotifyRemoveWatch(_ descriptor: Int32, _ watch: Int32) -> Int32 {
    let kernel = KernelState.current("inotify_rm_watch")
    return kernel.withNotices(of: descriptor, "inotify_rm_watch") { notices in
      kernel.control.perform(VisibleOperation([notices.use(.update)]), "ends watch \(watch)")
      return kernel.endWatch(watch, of: notices) ? 0 : kernel.fail(EINVAL)
    }
  }
}

/// What is told of a file or a folder.
struct Notice {
  /// What has happened, in inotify's numbers.
  struct Kinds: OptionSet {
    let rawValue: UInt32

    static let modified = Kinds(rawValue: 0x2)
    static let attributes = Kinds(rawValue: 0x4)
    static let movedFrom = Kinds(rawValue: 0x40)
    static let movedTo = Kinds(rawValue: 0x80)
    static let created = Kinds(rawValue: 0x100)
    static let deleted = Kinds(rawValue: 0x200)
    static let deletedSelf = Kinds(rawValue: 0x400)
    static let movedSelf = Kinds(rawValue: 0x800)
    /// It is watched no more.
    static let ignored = Kinds(rawValue: 0x8000)
    /// Of who watches: what was asked for before is told, too.
    static let adds = Kinds(rawValue: 0x2000_0000)
    /// What has the name is a folder.
    static let folder = Kinds(rawValue: 0x4000_0000)

    static let ofFolders: Kinds = [
      .attributes, .movedFrom, .movedTo, .created, .deleted, .deletedSelf, .movedSelf,
    ]
    static let ofFiles = ofFolders.union(.modified)
  }

  /// The number of the watch.
  let watch: Int32
  let kinds: Kinds
  /// What the two have in common that a rename is told by; else 0.
  let cookie: UInt32
  /// Of what is in the folder; empty if it is about what is watched itself.
  let name: String

  /// As `struct inotify_event`: a name has zeros behind it, one at least, up to a multiple of 16 bytes.
  var bytes: [UInt8] {
    let text = Array(name.utf8)
    let length = text.isEmpty ? 0 : (text.count / 16 + 1) * 16
    let head = [UInt32(bitPattern: watch), kinds.rawValue, cookie, UInt32(length)]
    var bytes: [UInt8] = head.withUnsafeBytes { Array($0) }
    bytes += text
    bytes += repeatElement(0, count: length - text.count)
    return bytes
  }

  /// Whether nothing is told by another one that comes next.
  func covers(_ next: Notice) -> Bool {
    watch == next.watch && kinds == next.kinds && name == next.name && kinds != .ignored
  }
}

/// What was told, and nobody has read.
final class Notices: Waitable {
  private var waiting: [Notice] = []
  /// The number of the newest watch.
  fileprivate var newest: Int32 = 0
  fileprivate var isOpen = true

  override func amount(_ direction: Direction) -> Int? {
    direction == .reading && !waiting.isEmpty ? waiting.map(\.bytes.count).reduce(0, +) : nil
  }

  fileprivate func add(_ notice: Notice, _ control: Control) {
    guard isOpen, waiting.last?.covers(notice) != true else { return }
    waiting.append(notice)
    hasChanged(control)
  }

  /// Takes as many as there is room for, each whole.
  fileprivate func take(upTo most: Int, _ control: Control) -> Transfer {
    guard let first = waiting.first else { return .nothing }
    guard first.bytes.count <= most else { return .failed(EINVAL) }
    var bytes: [UInt8] = []
    while let next = waiting.first?.bytes, bytes.count + next.count <= most {
      bytes += next
      waiting.removeFirst()
    }
    hasChanged(control)
    return .bytes(bytes)
  }
}

/// What a descriptor of inotify stands for.
final class NoticeFile: OpenFile {
  fileprivate let notices: Notices

  init(_ name: String, _ notices: Notices, flags: Int32, _ control: Control) {
    self.notices = notices
    super.init(name, flags: O_RDONLY | flags, control)
  }

  override func waitable(_ direction: Direction) -> Waitable? {
    direction == .reading ? notices : nil
  }

  override func read(
    upTo most: Int, _ kernel: KernelState, _ chooses: (Int) -> Int
  ) -> Transfer { notices.take(upTo: most, kernel.control) }

  override func endTransfers(_ control: Control) { notices.isOpen = false }
}

/// That one descriptor is told of one file or folder. It stays when the descriptor is closed, which would otherwise be a use
/// of what is watched.
struct Watch {
  let inode: Inode
  let notices: Notices
  let number: Int32
  var kinds: Notice.Kinds
}

extension KernelState {
  fileprivate func withNotices(
    of descriptor: Int32, _ call: String, _ body: (Notices) -> Int32
  ) -> Int32 {
    guard let file = file(at: descriptor, for: call) else { return fail(EBADF) }
    return (file as? NoticeFile).map { body($0.notices) } ?? fail(EINVAL)
  }

  /// Watches something, in the step under way, which has declared that it changes both.
  ///
  /// - Returns: The number of the watch.
  fileprivate func watch(_ inode: Inode, _ notices: Notices, _ asked: Notice.Kinds) -> Int32 {
    var kinds = asked.subtracting(.adds)
    if let index = watches.firstIndex(where: { $0.inode === inode && $0.notices === notices }) {
      if asked.contains(.adds) { kinds.formUnion(watches[index].kinds) }
      watches[index].kinds = kinds
      return watches[index].number
    }
    notices.newest += 1
    watches.append(Watch(inode: inode, notices: notices, number: notices.newest, kinds: kinds))
    return notices.newest
  }

  /// Ends a watch, in the step under way, which has declared that it changes those notices.
  ///
  /// - Returns: Whether there is one.
  fileprivate func endWatch(_ number: Int32, of notices: Notices) -> Bool {
    let index = watches.firstIndex { $0.notices === notices && $0.number == number }
    guard let index else { return false }
    control.goOn(with: watches[index].inode.use(.update))
    tell(watches.remove(at: index), .ignored)
    return true
  }

  /// Tells who watches for it, in the step under way, which has declared that it changes the file or folder.
  func notify(
    _ inode: Inode, _ kinds: Notice.Kinds, of name: String = "", cookie: UInt32 = 0
  ) {
    for watch in watches where watch.inode === inode && !watch.kinds.isDisjoint(with: kinds) {
      tell(watch, kinds, of: name, cookie: cookie)
    }
  }

  /// Frees the room of a file, and tells who watches that it is over, if it has lost its name and nobody has it open, in the
  /// step under way, which has declared that it changes the file.
  func endIfGone(_ file: Inode) {
    guard !file.hasName, file.openFiles == 0 else { return }
    nameless.removeAll { $0 === file }
    notify(file, .deletedSelf)
    for watch in watches where watch.inode === file { tell(watch, .ignored) }
    watches.removeAll { $0.inode === file }
  }

  private func tell(
    _ watch: Watch, _ kinds: Notice.Kinds, of name: String = "", cookie: UInt32 = 0
  ) {
    control.goOn(with: watch.notices.use(.update))
    watch.notices.add(
      Notice(watch: watch.number, kinds: kinds, cookie: cookie, name: name), control)
  }
}
