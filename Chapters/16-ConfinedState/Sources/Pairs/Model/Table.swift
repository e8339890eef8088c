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

/// What is stored, without threads: each save is applied whole or not at all.
struct Table: Sendable {
  private(set) var rows: [UserID: Row]
  private var lastVersion = 1

  init(_ users: [UserID: User] = [:]) { rows = users.mapValues { Row(user: $0, version: 1) } }

  var users: [UserID: User] { rows.mapValues(\.user) }

  /// Applies a save.
  ///
  /// - Returns: Who has changed.
  /// - Throws: ``Conflict``, with the policy `error`, and then nothing has changed.
  mutating func apply(_ edits: [Edit], _ policy: Policy) throws -> Changes {
    let conflicts = edits.filter { $0.isInConflict(with: rows[$0.id]) }
    if policy == .error, !conflicts.isEmpty { throw Conflict(ids: Set(conflicts.map(\.id))) }
    var changes = Changes()
    for edit in edits {
      let stored = rows[edit.id]
      let isInConflict = edit.isInConflict(with: stored)
      set(edit.id, to: isInConflict ? edit.settled(with: stored, policy) : edit.user, &changes)
    }
    return changes
  }

  /// Changes all users in place.
  ///
  /// - Returns: Who has changed.
  mutating func updateAll(_ change: (inout User) -> Void) -> Set<UserID> {
    var changes = Changes()
    for (id, row) in rows {
      var user = row.user
      change(&user)
      set(id, to: user, &changes)
    }
    return changes.updated
  }

  private mutating func set(_ id: UserID, to user: User?, _ changes: inout Changes) {
    let old = rows[id]?.user
    if user == old { return }
    changes.note(id, isNew: old == nil, isGone: user == nil)
    lastVersion += 1
    rows[id] = user.map { Row(user: $0, version: lastVersion) }
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
