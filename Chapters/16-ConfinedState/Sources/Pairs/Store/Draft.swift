/// A copy of the users, to be changed anywhere. To give one up is to drop it.
struct Draft: Sendable {
  private let base: [UserID: Row]
  private(set) var users: [UserID: User]
  private let identifiers: Identifiers

  init(_ rows: [UserID: Row], _ identifiers: Identifiers) {
    base = rows
    users = rows.mapValues(\.user)
    self.identifiers = identifiers
  }

  /// A user; nil is nobody. Set it to nil to delete them; nobody does not become somebody again.
  subscript(_ id: UserID) -> User? {
    get { users[id] }
    set { if users[id] != nil { users[id] = newValue } }
  }

  @discardableResult
  mutating func insert(_ user: User) -> UserID {
    let id = identifiers.next()
    users[id] = user
    return id
  }

  /// A draft of this draft, to be changed on its own.
  func child() -> Draft { Draft(users.mapValues { Row(user: $0) }, identifiers) }

  /// Takes over what a child has changed, value by value.
  mutating func take(_ child: Draft) {
    for edit in child.edits {
      let own = users[edit.id]
      users[edit.id] = edit.user.map { $0.merged(over: own ?? $0, since: edit.base?.user ?? $0) }
    }
  }

  /// What a save would change. It looks at all users.
  var edits: [Edit] {
    Set(base.keys).union(users.keys).sorted().compactMap { id in
      let (base, user) = (base[id], users[id])
      return user == base?.user ? nil : Edit(id: id, base: base, user: user)
    }
  }
}
