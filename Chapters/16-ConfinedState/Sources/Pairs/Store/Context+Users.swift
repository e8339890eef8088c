extension Context {
  // MARK: Reading

  func user(_ id: UserID) -> ManagedUser? {
    check()
    if let object = objects[id] { return object.isDeleted ? nil : object }
    return stored(id).map { register(id, $0) }
  }

  /// All users, by identifier: those that are here as they are here, and the others as they are one level up.
  func users() -> [ManagedUser] {
    check()
    for (id, row) in storedRows where objects[id] == nil { register(id, row) }
    return objects.values.filter { !$0.isDeleted }.sorted { $0.id < $1.id }
  }

  private var storedRows: [UserID: Row] {
    guard let parent else { return coordinator.rows }
    return parent.performAndWait {
      Dictionary(uniqueKeysWithValues: parent.users().map { ($0.id, $0.row) })
    }
  }

  /// A user as one level up has them.
  func stored(_ id: UserID) -> Row? {
    guard let parent else { return coordinator.rows[id] }
    return parent.performAndWait { parent.user(id)?.row }
  }

  @discardableResult
  func register(_ id: UserID, _ row: Row) -> ManagedUser {
    let object = ManagedUser(id, in: self, base: row, values: row.user)
    objects[id] = object
    return object
  }

  // MARK: Changing

  @discardableResult
  func insert(_ user: User) -> ManagedUser {
    check()
    return insert(user, as: coordinator.identifiers.next())
  }

  func insert(_ user: User, as id: UserID) -> ManagedUser {
    let object = ManagedUser(id, in: self, base: nil, values: user)
    objects[id] = object
    pending.inserted.insert(id)
    recent.inserted.insert(id)
    return object
  }

  func noteUpdate(of object: ManagedUser) {
    if object.base != nil { pending.updated.insert(object.id) }
    if !recent.inserted.contains(object.id) { recent.updated.insert(object.id) }
  }

  func delete(_ object: ManagedUser) {
    check()
    if object.isDeleted { return }
    let id = object.id
    object.isDeleted = true
    pending.updated.remove(id)
    if pending.inserted.remove(id) == nil { pending.deleted.insert(id) } else { objects[id] = nil }
    noteDeletion(of: id)
  }

  /// Somebody of whom no observer has heard is not deleted for them.
  func noteDeletion(of id: UserID) {
    recent.updated.remove(id)
    recent.refreshed.remove(id)
    if recent.inserted.remove(id) == nil { recent.deleted.insert(id) }
  }

  /// Takes back all that was not saved.
  func rollback() {
    check()
    for id in pending.all { reset(id, to: objects[id]?.base) }
    pending = Changes()
    processPendingChanges()
  }

  // MARK: Reading again

  /// Reads a user again. What was changed here and not saved is dropped.
  func refresh(_ object: ManagedUser) {
    check()
    if object.base == nil { return }
    pending.updated.remove(object.id)
    pending.deleted.remove(object.id)
    reset(object.id, to: stored(object.id))
  }

  /// Takes over what another context has saved. What was changed here and not saved is kept, value by value.
  func merge(_ changes: Changes) {
    check()
    for id in changes.all.sorted() {
      if let object = objects[id] {
        readAgain(object)
      } else if changes.inserted.contains(id), let row = stored(id) {
        register(id, row)
        recent.inserted.insert(id)
      }
    }
    processPendingChanges()
  }

  private func readAgain(_ object: ManagedUser) {
    let (id, row) = (object.id, stored(object.id))
    guard pending.all.contains(id) else { return reset(id, to: row) }
    // Somebody who is gone and was changed here stays as they are, and the next save meets the conflict.
    guard let row else { return }
    let merged = object.values.merged(over: row.user, since: object.base?.user ?? row.user)
    object.base = row
    if merged == object.values || object.isDeleted { return }
    object.values = merged
    recent.refreshed.insert(id)
  }

  /// Makes a user what is stored of them.
  func reset(_ id: UserID, to row: Row?) {
    guard let object = objects[id] else { return }
    guard let row else {
      objects[id] = nil
      if !object.isDeleted { noteDeletion(of: id) }
      return
    }
    let isSame = object.values == row.user && !object.isDeleted
    (object.base, object.values, object.isDeleted) = (row, row.user, false)
    if isSame { return }
    recent.deleted.remove(id)
    recent.updated.remove(id)
    recent.refreshed.insert(id)
  }
}
