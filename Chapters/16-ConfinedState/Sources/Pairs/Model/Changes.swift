/// Who has changed, in four sets.
struct Changes: Hashable, Sendable {
  var inserted: Set<UserID> = []
  var updated: Set<UserID> = []
  var deleted: Set<UserID> = []
  /// Read again, because others had changed them.
  var refreshed: Set<UserID> = []

  var all: Set<UserID> { inserted.union(updated).union(deleted).union(refreshed) }
  var isEmpty: Bool { all.isEmpty }
}

extension Changes {
  /// What a save changes.
  init(_ edits: [Edit]) {
    for edit in edits {
      if edit.user == nil {
        deleted.insert(edit.id)
      } else if edit.base == nil {
        inserted.insert(edit.id)
      } else {
        updated.insert(edit.id)
      }
    }
  }
}
