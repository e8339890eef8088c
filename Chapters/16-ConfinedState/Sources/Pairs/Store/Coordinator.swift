import Foundation

/// The store below the contexts, for one of them at a time.
final class Coordinator: @unchecked Sendable {
  // Sendable: the table is used under the lock.
  private let lock = NSLock()
  private var table: Table
  private let write: @Sendable ([UserID: User]) throws -> Void
  let identifiers: Identifiers

  /// - Parameters:
  ///   - users: What is stored.
  ///   - write: Writes all users to a file, whole or not at all. It is called under the lock.
  init(
    _ users: [UserID: User] = [:],
    write: @escaping @Sendable ([UserID: User]) throws -> Void = { _ in }
  ) {
    table = Table(users)
    identifiers = Identifiers(after: users.keys)
    self.write = write
  }

  var rows: [UserID: Row] { lock.withLock { table.rows } }

  func row(_ id: UserID) -> Row? { lock.withLock { table.rows[id] } }

  /// Saves all of it, or nothing.
  ///
  /// - Returns: What is stored now of the users that were saved.
  /// - Throws: ``Conflict``, or what the file throws.
  func commit(_ edits: [Edit], _ policy: Policy) throws -> [UserID: Row] {
    try lock.withLock {
      var changed = table
      if try !changed.apply(edits, policy).isEmpty { try write(changed.users) }
      table = changed
      return Set(edits.map(\.id)).reduce(into: [:]) { $0[$1] = table.rows[$1] }
    }
  }

  /// Changes all users in the store itself. No context is told.
  func updateAll(_ change: (inout User) -> Void) throws {
    try lock.withLock {
      var changed = table
      if changed.updateAll(change).isEmpty { return }
      try write(changed.users)
      table = changed
    }
  }
}
