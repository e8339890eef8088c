import Foundation

/// A file that holds all users, and after a crash the old ones or the new ones.
struct StoreFile: Sendable {
  enum Step: CaseIterable {
    case create, copyMode, write, sync, rename, syncFolder
  }

  let name: String
  let disk: any Disk
  var steps = Step.allCases

  private var temporary: String { name + ".new" }

  /// Replaces the file, which belongs to this process alone. When it returns, the users are on the disk.
  ///
  /// - Throws: What the disk throws. The file is the old one then; if it was the last step that failed, it may be the new
  ///   one, and should be loaded again.
  func save(_ users: [UserID: User]) throws {
    let bytes = try StoreFormat.bytes(of: users)
    do {
      for step in steps {
        switch step {
        case .create: try disk.create(temporary)
        case .copyMode: try disk.copyMode(of: name, to: temporary)
        case .write: try disk.write(bytes, to: temporary)
        case .sync: try disk.sync(temporary)
        case .rename: try disk.rename(temporary, to: name)
        case .syncFolder: try disk.syncFolder()
        }
      }
    } catch {
      try? disk.remove(temporary)
      throw error
    }
  }

  /// The users, in a table that writes to the file.
  ///
  /// - Throws: What ``load()`` throws.
  func open() throws -> Table { Table(try load(), write: save) }

  /// Reads the file, and removes what a writer has left behind that was killed.
  ///
  /// - Returns: The users; none if there is no file.
  /// - Throws: ``DamagedFile``, and then the file stays as it is; what the disk throws.
  func load() throws -> [UserID: User] {
    guard let bytes = try disk.read(name) else {
      try disk.remove(temporary)
      return [:]
    }
    do {
      let users = try StoreFormat.users(in: bytes)
      try disk.remove(temporary)
      return users
    } catch let reason as StoreFormat.Damage {
      throw DamagedFile(name: name, reason: reason)
    }
  }
}

/// A file that is not what a save has written. It was left as it is.
struct DamagedFile: Error, CustomStringConvertible {
  let name: String
  let reason: StoreFormat.Damage

  var description: String {
    "\(name) is damaged: \(reason.rawValue). It was left as it is; put a copy in its place."
  }
}
