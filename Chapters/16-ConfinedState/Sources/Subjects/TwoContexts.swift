import Workbook

extension Subject {
  static let twoContexts = Subject(
    "object-in-two-contexts",
    asks: "A visit is counted in a user's context, and read in another one. How many are read?",
    right: .allowed("0 or 1"), .forbidden("another number"),
    implementations: [
      .before("the object crosses, nobody checks", .race, .allowed("0 or 1", "as if all were well"))
      {
        reading(isChecked: false, TwoContexts.visits)
      }
      .code("UserTwoContexts.swift", "user.object.visits"),
      .before(
        "the object crosses, each use is checked",
        .trap("the object is not of this queue").played(as: "fatal error")
      ) { reading(isChecked: true, TwoContexts.visits) }
      .code("StoreQueue.swift", "if isEntered || isOnMain").alwaysWrong,
      .before("the identifier crosses", meanwhile: .comesIn) {
        reading(isChecked: true) { user, other in
          // It never changes, so it may be read anywhere.
          let id = user.object.id
          return other.performAndWait { other.user(id)?.visits ?? -1 }
        }
      }
      .code("TwoContexts.swift", "other.user(id)?.visits"),
      .after("values, and an actor") {
        let store = Store(Table([id: User(name: "Ada")]))
        return Encounter(over: store, stoppedAt: .change(1)) {
          try? await store.update { $0[id]?.visits += 1 }
        } by: {
          await store.users[id]?.visits ?? -1
        } outcome: {
          told($1)
        }
      }
      .code("StoreActor.swift", "var users: [UserID: User]"),
    ])
}

private let id = UserID(number: 1)

/// A counts a visit in the user's own context, and is stopped in the middle of that. B reads them by other means.
private func reading(
  isChecked: Bool, _ read: @escaping @Sendable (TwoContexts.UncheckedUser, Context) -> Int
) -> Encounter {
  let coordinator = Coordinator(Table([id: User(name: "Ada")]))
  let own = Context("own", over: coordinator, isChecked: isChecked)
  let other = Context("other", over: coordinator, isChecked: isChecked)
  let user = own.performAndWait { TwoContexts.UncheckedUser(object: own.user(id)!) }
  return Encounter(over: own, stoppedAt: .change(1)) {
    own.performAndWait {
      user.object.visits += 1
      try? own.save()
    }
  } by: {
    read(user, other)
  } outcome: {
    told($1)
  }
}

private func told(_ visits: Int) -> String {
  [0, 1].contains(visits) ? "0 or 1" : "another number"
}
