import Foundation
import Interleaving

/// A file or a folder on the disk, whatever it is called.
///
/// Who uses it uses all of it: what is in it, what is known of it, its name, and who watches it.
final class Inode: Waitable {
  /// No other one has it, nor will have it.
  let number: UInt64
  let isFolder: Bool
  /// Where it is, or was when it had a name.
  fileprivate(set) var path: String
  fileprivate(set) var hasName = true
  /// Of a file.
  var bytes: [UInt8] = []
  /// Of a folder: how many folders are in it.
  fileprivate var folders = 0
  /// How many open files there are of it. No use is declared for opening one: it matters only when the name is gone, by which
  /// it was found.
  var openFiles = 0
  /// What its version was when its bytes were last changed, or what is in the folder.
  private var modified = 0

  init(_ number: UInt64, isFolder: Bool, _ path: String, _ object: ObjectID) {
    (self.number, self.isFolder, self.path) = (number, isFolder, path)
    super.init(object)
  }

  fileprivate func hasBeenModified(_ control: Control) {
    hasChanged(control)
    modified = version
  }

  /// What `stat` tells of it. A time says how often it was changed until then.
  var status: stat {
    var status = stat()
    status.st_dev = 1
    status.st_ino = .init(number)
    status.st_mode = isFolder ? S_IFDIR | 0o755 : S_IFREG | 0o644
    status.st_nlink = .init(isFolder ? 2 + folders : hasName ? 1 : 0)
    status.st_size = .init(isFolder ? 4_096 : bytes.count)
    #if canImport(Darwin)
      status.st_mtimespec.tv_nsec = modified  // untested
      status.st_ctimespec.tv_nsec = version
    #else
      status.st_mtim.tv_nsec = modified
      status.st_ctim.tv_nsec = version
    #endif
    return status
  }
}

extension KernelState {
  /// Which paths lead where.
  private static let diskIdentity = ControlledObject("the disk", outlives: true)
  private static let firstFolders = ["/", "/tmp"].map {
    (path: $0, identity: ControlledObject($0, outlives: true))
  }

  /// The disk at the beginning of an execution.
  func newDisk() -> [String: Inode] {
    var disk: [String: Inode] = [:]
    for (path, identity) in Self.firstFolders {
      inodes += 1
      disk[path] = Inode(inodes, isFolder: true, path, identity.id)
    }
    disk["/"]?.folders = 1
    return disk
  }

  private func useDisk(
    _ action: Action, _ call: String, using more: [VisibleOperation.Use] = []
  ) { control.perform(VisibleOperation([Self.diskIdentity.use(action)] + more), call) }

  // MARK: Paths

  /// A path as the disk has it: one without a slash at its beginning is one of the root's.
  ///
  /// - Parameter follows: Whether it may be one that is about a descriptor.
  func path(_ path: UnsafePointer<CChar>, follows: Bool = false) -> String {
    let path = String(cString: path)
    let names = path.split(separator: "/")
    let isOfDescriptors = names.starts(with: ["proc", "self", "fd"])
    let isKnown =
      isOfDescriptors
      ? follows && Self.descriptor(in: path) != nil : !names.contains { $0 == "." || $0 == ".." }
    guard isKnown, names.isEmpty || !path.hasSuffix("/") else {
      control.trap("uses the path \(path), for which the explorer has no stand-in")
    }
    return path.isEmpty ? "" : "/" + names.joined(separator: "/")
  }

  private static func split(_ path: String) -> (folder: String, name: String) {
    let names = path.split(separator: "/")
    return ("/" + names.dropLast().joined(separator: "/"), names.last.map { String($0) } ?? "")
  }

  /// What a path such as `/proc/self/fd/3` is about, or `/proc/self/fd/3/..`: the folder in which that is.
  static func descriptor(in path: String) -> (number: Int32, isFolder: Bool)? {
    let names = path.split(separator: "/")
    guard names.starts(with: ["proc", "self", "fd"]),
      names.count == 4 || names.count == 5 && names[4] == ".."
    else { return nil }
    return Int32(names[3]).map { (number: $0, isFolder: names.count == 5) }
  }

  /// Why a path leads nowhere.
  private func reason(_ path: String) -> Int32 {
    var folder = Self.split(path).folder
    while disk[folder] == nil { folder = Self.split(folder).folder }
    return disk[folder]!.isFolder ? ENOENT : ENOTDIR
  }

  /// Finds what a path leads to, and uses it in the same step. Where that is a link to a descriptor, it is looked up before.
  ///
  /// - Parameter more: What else the step uses.
  /// - Returns: Nil with `errno` set.
  func find(
    _ path: UnsafePointer<CChar>, _ action: Action, _ verb: String,
    using more: [VisibleOperation.Use] = []
  ) -> Inode? {
    let path = self.path(path, follows: true)
    let link = Self.descriptor(in: path)
    let opened = link.flatMap { file(at: $0.number, for: "follow a link") }
    let linked = opened?.inode
    if let opened, linked == nil {
      control.trap("\(verb) \(path), \(opened.name), for which the explorer has no stand-in")
    }
    if let linked, link?.isFolder == false {
      control.perform(VisibleOperation([linked.use(action)] + more), "\(verb) \(path)")
      return linked
    }
    useDisk(.load, "\(verb) \(path)", using: more)
    guard linked?.isFolder != false,
      let found = disk[linked.map { Self.split($0.path).folder } ?? path]
    else {
      _ = fail(linked == nil ? reason(path) : ENOTDIR)
      return nil
    }
    control.goOn(with: found.use(action))
    return found
  }

  // MARK: Names

  /// What is kept of the flags that a file is opened with.
  func flags(kept flags: Int32) -> Int32 {
    let kept = O_ACCMODE | O_APPEND | O_NONBLOCK
    let makes = O_CREAT | O_EXCL | O_TRUNC
    let harmless = O_CLOEXEC | O_NOCTTY | O_NOFOLLOW | O_SYNC | O_DSYNC
    let finds = flags & O_CREAT == 0 ? O_DIRECTORY : 0
    let unknown = flags & ~(kept | makes | harmless | finds)
    guard unknown == 0 else {
      let number = String(unknown, radix: 8)
      control.trap("opens with the flags 0o\(number), for which the explorer has no stand-in")
    }
    return flags & kept
  }

  /// Finds what is opened, in one step, and makes it or empties it if the flags say so.
  ///
  /// - Returns: Nil with `errno` set.
  func open(_ path: String, _ flags: Int32) -> Inode? {
    let makes = flags & O_CREAT != 0
    useDisk(makes ? .update : .load, "looks for \(path)")
    var code = reason(path)
    if let found = disk[path] {
      let isWritten = makes || flags & (O_ACCMODE | O_TRUNC) != O_RDONLY
      code = found.isFolder ? (isWritten ? EISDIR : 0) : flags & O_DIRECTORY != 0 ? ENOTDIR : 0
      if makes, flags & O_EXCL != 0 { code = EEXIST }
      if code == 0, flags & O_TRUNC != 0, !found.isFolder {
        control.goOn(with: found.use(.update))
        resize(found, to: 0)
      }
      if code == 0 { return found }
    } else if makes, code == ENOENT, !path.isEmpty {
      return make(path, isFolder: false)
    }
    _ = fail(code)
    return nil
  }

  /// Makes a file or a folder, and the folders that lead there, in the step under way, which has declared that it changes the
  /// disk.
  private func make(_ path: String, isFolder: Bool) -> Inode {
    let parent = Self.split(path).folder
    let folder = disk[parent] ?? make(parent, isFolder: true)
    inodes += 1
    let new = Inode(inodes, isFolder: isFolder, path, control.makeObject())
    disk[path] = new
    if isFolder { folder.folders += 1 }
    change(folder, isFolder ? [.created, .folder] : .created, path)
    return new
  }

  /// Takes a file's name away.
  ///
  /// - Returns: 0, or an error number.
  func remove(_ path: String) -> Int32 {
    useDisk(.update, "removes \(path)")
    guard let old = disk[path] else { return reason(path) }
    guard !old.isFolder else { return EISDIR }
    disk[path] = nil
    lose(old)
    notify(old, .attributes)
    endIfGone(old)
    change(disk[Self.split(path).folder]!, .deleted, path)
    return 0
  }

  /// Gives a file another name, which another file may lose.
  ///
  /// - Returns: 0, or an error number.
  func rename(_ path: String, _ newPath: String) -> Int32 {
    useDisk(.update, "renames \(path) to \(newPath)")
    guard !path.isEmpty, !newPath.isEmpty else { return ENOENT }
    guard newPath != "/" else { return EBUSY }
    guard let moved = disk[path] else { return reason(path) }
    guard !moved.isFolder else {
      control.trap("renames the folder \(path), for which the explorer has no stand-in")
    }
    guard let folder = disk[Self.split(newPath).folder], folder.isFolder else {
      return reason(newPath)
    }
    let old = disk[newPath]
    guard old !== moved else { return 0 }
    guard old?.isFolder != true else { return EISDIR }
    disk[path] = nil
    disk[newPath] = moved
    control.goOn(with: moved.use(.update))
    moved.path = newPath
    moved.hasChanged(control)
    if let old { lose(old) }
    renamings += 1
    change(disk[Self.split(path).folder]!, .movedFrom, path, cookie: renamings)
    change(folder, .movedTo, newPath, cookie: renamings)
    if let old { notify(old, .attributes) }
    notify(moved, .movedSelf)
    if let old { endIfGone(old) }
    return 0
  }

  /// A file has lost its name, in the step under way.
  private func lose(_ file: Inode) {
    control.goOn(with: file.use(.update))
    file.hasName = false
    nameless.append(file)
    file.hasChanged(control)
  }

  /// What is in a folder has changed, in the step under way.
  private func change(
    _ folder: Inode, _ kinds: Notice.Kinds, _ path: String, cookie: UInt32 = 0
  ) {
    control.goOn(with: folder.use(.update))
    folder.hasBeenModified(control)
    notify(folder, kinds, of: Self.split(path).name, cookie: cookie)
  }

  // MARK: Bytes

  /// The bytes of a file were changed, in the step under way.
  func hasModified(_ file: Inode) {
    file.hasBeenModified(control)
    notify(file, .modified)
  }

  /// Gives a file another length, in the step under way.
  func resize(_ file: Inode, to size: Int) {
    let kept = Array(file.bytes.prefix(size))
    file.bytes = kept + repeatElement(0, count: size - kept.count)
    hasModified(file)
  }

  /// What is used, besides the file, by who writes: the room for others.
  var usesOfRoom: [VisibleOperation.Use] {
    diskSize == .max ? [] : [Self.diskIdentity.use(.update)]
  }

  /// How long a file can be that wants to have so many bytes.
  func room(for file: Inode, _ wanted: Int) -> Int {
    let others = (disk.values + nameless).filter { $0 !== file }.map(\.bytes.count).reduce(0, +)
    return min(wanted, max(0, diskSize - others))
  }
}
