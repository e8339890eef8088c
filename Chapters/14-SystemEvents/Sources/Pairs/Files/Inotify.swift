#if canImport(CLinux)
  import Foundation
  import Synchronization

  /// An inotify descriptor that watches one open file.
  final class Inotify: Sendable {
    private struct State {
      var watch: Int32 = -1
      /// Of the folder that a folder is in. What is open hears nothing of its own removal.
      var parent: Int32?
      /// What `/proc` says the file is called.
      var name: String?
    }

    private let number: Int32
    private let descriptor: OwnedDescriptor
    private let file: Int32
    private let state = Mutex(State())

    /// - Throws: ``SystemError`` if there is no descriptor or no watch left, or if the file cannot be watched.
    init(watching file: Int32, isFolder: Bool) throws(SystemError) {
      number = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
      guard number != -1, let owned = try? OwnedDescriptor(taking: number) else {
        throw .watchingFile("descriptor \(file)", call: "inotify_init", code: errno)
      }
      descriptor = owned
      self.file = file
      do {
        // Through the descriptor: the path may lead to another file by now.
        let path = "/proc/self/fd/\(file)"
        let kinds = isFolder ? IN_CREATE | IN_DELETE | IN_MOVE : IN_MODIFY
        let watch = try add(path, UInt32(kinds | IN_ATTRIB | IN_MOVE_SELF))
        let parent = isFolder ? try add(path + "/..", UInt32(IN_DELETE)) : nil
        state.withLock { $0 = State(watch: watch, parent: parent, name: name) }
      } catch {
        owned.closeOnce()
        throw error
      }
    }

    func makeSource() -> any DispatchSourceRead {
      DispatchSource.makeReadSource(fileDescriptor: number, queue: DispatchQueue(label: "inotify"))
    }

    func close() { descriptor.closeOnce() }

    /// Takes all that waits.
    ///
    /// - Returns: What is told, and whether `/proc` has a new name for the file.
    func takeNotices() -> (notices: FileNotices, isRenamed: Bool) {
      state.withLock { state in
        var notices: FileNotices = []
        while case .bytes(let bytes) = try? descriptor.read() {
          notices.formUnion(inotifyNotices(in: bytes, of: state.watch))
        }
        let name = name
        defer { state.name = name }
        if let parent = state.parent, !notices.isDisjoint(with: [.moved, .lost]) {
          // A folder that is moved has another parent. Without one it is removed, and that is seen by its links.
          state.parent = try? add("/proc/self/fd/\(file)/..", UInt32(IN_DELETE))
          if parent != state.parent { _ = try? descriptor.use { inotify_rm_watch($0, parent) } }
        }
        return (notices, name != state.name)
      }
    }

    private var name: String? { pathOfDescriptor(file) }

    private func add(_ path: String, _ kinds: UInt32) throws(SystemError) -> Int32 {
      // The parent of the root is the root.
      let added = try? descriptor.use { number in
        (watch: inotify_add_watch(number, path, kinds | UInt32(IN_MASK_ADD)), code: errno)
      }
      let (watch, code) = added ?? (-1, EBADF)
      guard watch != -1 else {
        throw .watchingFile("descriptor \(file)", call: "inotify_add_watch", code: code)
      }
      return watch
    }
  }

  /// What records of inotify tell of a watched file. Those of its folder only make one look again.
  func inotifyNotices(in bytes: [UInt8], of watch: Int32) -> FileNotices {
    var notices: FileNotices = []
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while rest.count >= MemoryLayout<inotify_event>.size {
        let record = UnsafeRawBufferPointer(rebasing: rest).loadUnaligned(as: inotify_event.self)
        rest = rest.dropFirst(MemoryLayout<inotify_event>.size + Int(record.len))
        let kinds = Int32(bitPattern: record.mask)
        if kinds & IN_Q_OVERFLOW != 0 { notices.insert(.lost) }
        guard record.wd == watch else { continue }
        if kinds & (IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVE) != 0 { notices.insert(.contents) }
        // With a name it is about an entry of the folder.
        if kinds & IN_ATTRIB != 0, record.len == 0 { notices.insert(.attributes) }
        if kinds & IN_MOVE_SELF != 0 { notices.insert(.moved) }
      }
    }
    return notices
  }
#endif
