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
    pending.all.sorted().compactMap { id in
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
      let object = objects[edit.id] ?? self.user(edit.id) ?? insert(user, as: edit.id)
      if object.isDeleted {
        // Whom a child has changed is not deleted.
        object.isDeleted = false
        pending.deleted.remove(edit.id)
        recent.deleted.remove(edit.id)
        noteUpdate(of: object)
      }
      object.set(user.merged(over: object.values, since: edit.base?.user ?? object.values))
      saved[edit.id] = object.row
    }
    processPendingChanges()
    return saved
  }
}
