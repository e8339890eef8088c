/// A user in the store, with a number that is another one after each change.
struct Row: Hashable, Sendable {
  var user: User
  var version = 0
}

/// A change on its way to the store.
struct Edit: Sendable {
  let id: UserID
  /// What the change was made from; nil if the user is new.
  let base: Row?
  /// What the user becomes; nil if they are deleted.
  let user: User?
}

/// What a save does with a user whom somebody else has changed since.
enum Policy: Sendable {
  /// The save throws, and changes nothing.
  case error
  /// What the save changes counts, value by value; what it leaves alone is the store's.
  case objectWins
  /// What the store has changed counts, value by value; what it has left alone is the save's.
  case storeWins
}

/// Somebody else has changed these users since they were read.
struct Conflict: Error, Hashable {
  let ids: Set<UserID>
}

/// What is stored, without threads: each save is applied and written whole, or not at all.
struct Table: Sendable {
  private(set) var rows: [UserID: Row]
  let identifiers: Identifiers
  private let write: @Sendable ([UserID: User]) throws -> Void
  private var lastVersion = 1

  /// - Parameter write: Writes all users to a file, whole or not at all.
  init(
    _ users: [UserID: User] = [:],
    write: @escaping @Sendable ([UserID: User]) throws -> Void = { _ in }
  ) {
    rows = users.mapValues { Row(user: $0, version: 1) }
    identifiers = Identifiers(after: users.keys)
    self.write = write
  }

  var users: [UserID: User] { rows.mapValues(\.user) }

  /// Saves changes.
  ///
  /// - Returns: Who has changed.
  /// - Throws: ``Conflict``, with the policy `error`, or what the file throws; nothing has changed then.
  @discardableResult
  mutating func apply(_ edits: [Edit], _ policy: Policy) throws -> Changes {
    let conflicts = edits.filter { $0.isInConflict(with: rows[$0.id]) }
    if policy == .error, !conflicts.isEmpty { throw Conflict(ids: Set(conflicts.map(\.id))) }
    var (new, changes) = (self, [Edit]())
    for edit in edits {
      let stored = rows[edit.id]
      let user = edit.isInConflict(with: stored) ? edit.settled(with: stored, policy) : edit.user
      if user == stored?.user { continue }
      new.lastVersion += 1
      new.rows[edit.id] = user.map { Row(user: $0, version: new.lastVersion) }
      changes.append(Edit(id: edit.id, base: stored, user: user))
    }
    if !changes.isEmpty { try write(new.users) }
    self = new
    return Changes(changes)
  }

  /// Changes all users in place.
  ///
  /// - Returns: Who has changed.
  /// - Throws: What the file throws.
  mutating func updateAll(_ change: (inout User) -> Void) throws -> Set<UserID> {
    let edits = rows.map { id, row in
      var user = row.user
      change(&user)
      return Edit(id: id, base: row, user: user)
    }
    return try apply(edits, .error).updated
  }
}

extension Edit {
  /// Whether somebody else has changed the user since. Two that come to the same number have still counted two visits;
  /// only two deletions are one.
  fileprivate func isInConflict(with stored: Row?) -> Bool {
    stored?.version != base?.version && (stored != nil || user != nil)
  }

  /// What a user becomes whom both sides have changed.
  fileprivate func settled(with stored: Row?, _ policy: Policy) -> User? {
    let isObjects = policy == .objectWins
    // If one side has no values, because it deletes, there is nothing to merge.
    guard let user, let stored, let base else { return isObjects ? user : stored?.user }
    return isObjects
      ? user.merged(over: stored.user, since: base.user)
      : stored.user.merged(over: user, since: base.user)
  }
}
