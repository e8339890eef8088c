/// A user in one context, for the queue of that context only.
final class ManagedUser {
  let id: UserID
  private unowned let context: Context
  /// What the user was when the context read them; nil if they are new there.
  var base: Row?
  var values: User
  var isDeleted = false

  init(_ id: UserID, in context: Context, base: Row?, values: User) {
    self.id = id
    self.context = context
    self.base = base
    self.values = values
  }

  var name: String {
    get {
      context.check()
      return values.name
    }
    set { change { $0.name = newValue } }
  }

  var visits: Int {
    get {
      context.check()
      return values.visits
    }
    set { change { $0.visits = newValue } }
  }

  /// The user as a child begins with them.
  var row: Row { Row(user: values, version: base?.version ?? 0) }

  private func change(_ change: (inout User) -> Void) {
    context.check()
    var changed = values
    change(&changed)
    set(changed)
  }

  func set(_ changed: User) {
    if changed == values { return }
    values = changed
    context.noteUpdate(of: self)
  }
}
