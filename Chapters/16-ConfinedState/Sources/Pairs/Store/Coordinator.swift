import Foundation

/// The store below the contexts, for one of them at a time.
final class Coordinator: @unchecked Sendable {
  // Sendable: the table is used under the lock.
  private let lock = NSLock()
  private var table: Table
  let identifiers: Identifiers

  init(_ table: Table) {
    self.table = table
    identifiers = table.identifiers
  }

  var rows: [UserID: Row] { lock.withLock { table.rows } }

  /// Saves all of it, or nothing.
  ///
  /// - Returns: What is stored now of the users that were saved.
  /// - Throws: ``Conflict``, or what the file throws.
  func commit(_ edits: [Edit], _ policy: Policy) throws -> [UserID: Row] {
    try lock.withLock {
      try table.apply(edits, policy)
      return Set(edits.map(\.id)).reduce(into: [:]) { $0[$1] = table.rows[$1] }
    }
  }

  /// Changes all users in the store itself. No context is told.
  func updateAll(_ change: (inout User) -> Void) throws {
    _ = try lock.withLock { try table.updateAll(change) }
  }
}
