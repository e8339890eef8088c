/// Who has changed, in four sets.
struct Changes: Hashable, Sendable {
  var inserted: Set<UserID> = []
  var updated: Set<UserID> = []
  var deleted: Set<UserID> = []
  /// Read again, because others had changed them.
  var refreshed: Set<UserID> = []

  var isEmpty: Bool {
    inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty
  }

  /// All but the deleted ones.
  var living: Set<UserID> { inserted.union(updated).union(refreshed) }

  mutating func note(_ id: UserID, isNew: Bool, isGone: Bool) {
    if isGone {
      deleted.insert(id)
    } else if isNew {
      inserted.insert(id)
    } else {
      updated.insert(id)
    }
  }
}

extension Changes {
  /// What a save changes.
  init(_ edits: [Edit]) {
    for edit in edits { note(edit.id, isNew: edit.base == nil, isGone: edit.user == nil) }
  }
}
