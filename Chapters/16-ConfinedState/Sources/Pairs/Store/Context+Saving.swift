extension Context {
  /// Saves one level up: a root to the store, a child to its parent.
  ///
  /// - Throws: ``Conflict``, or what the file throws. Nothing is saved then, and the changes stay pending.
  func save() throws {
    check()
    processPendingChanges()
    post(.willSave, Changes(edits))
    processPendingChanges()
    let edits = self.edits
    let saved =
      try parent.map { parent in parent.performAndWait { parent.take(edits) } }
      ?? coordinator.commit(edits, policy)
    pending = Changes()
    for edit in edits { reset(edit.id, to: saved[edit.id]) }
    post(.didSave, Changes(edits))
    processPendingChanges()
  }

  /// What a save would change.
  private var edits: [Edit] {
    pending.living.union(pending.deleted).sorted().compactMap { id in
      guard let object = objects[id] else { return nil }
      let user = object.isDeleted ? nil : object.values
      // It may have been changed there and back.
      return user == object.base?.user ? nil : Edit(id: id, base: object.base, user: user)
    }
  }

  /// Takes over what a child saves.
  ///
  /// - Returns: What has become of the users that were saved.
  private func take(_ edits: [Edit]) -> [UserID: Row] {
    var saved: [UserID: Row] = [:]
    for edit in edits {
      guard let user = edit.user else {
        if let object = self.user(edit.id) { delete(object) }
        continue
      }
      let object = self.user(edit.id) ?? restored(edit.id) ?? insert(user, as: edit.id)
      object.set(user.merged(over: object.values, since: edit.base?.user ?? object.values))
      saved[edit.id] = object.row
    }
    processPendingChanges()
    return saved
  }

  /// A user who was deleted here, and whom a child has changed: what the child has changed counts.
  private func restored(_ id: UserID) -> ManagedUser? {
    guard let object = objects[id] else { return nil }
    object.isDeleted = false
    pending.deleted.remove(id)
    recent.deleted.remove(id)
    noteUpdate(of: object)
    return object
  }
}
