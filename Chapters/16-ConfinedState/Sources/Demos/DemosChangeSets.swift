import Workbook

extension Demo {
  static let changeSets = Demo(
    "change-sets",
    asks:
      "Two users are inserted and saved; both names are changed and saved. What is told, and when?",
    sides: [
      .before(
        "notices of a context",
        .surprising("told before the save", "each block ends with a did-change"),
        .forbidden("told by the saves only")
      ) { transcript in
        let context = Context("one", over: Coordinator(Table()))
        context.performAndWait {
          context.observe { transcript.say("\($0.kind): \($0.changes.told)") }
        }
        context.performAndWait { for name in ["Ada", "Bo"] { context.insert(User(name: name)) } }
        let isEarly = !transcript.steps.isEmpty
        try context.performAndWait { try context.save() }
        context.performAndWait { for user in context.users() { user.name += "!" } }
        try context.performAndWait { try context.save() }
        return isEarly ? "told before the save" : "told by the saves only"
      }
      .code("StoreQueue.swift", "func processPendingChanges()")
    ])
}

extension Changes {
  /// As in: inserted 3, updated 1 2.
  var told: String {
    let sets = [
      ("inserted", inserted), ("updated", updated), ("deleted", deleted), ("refreshed", refreshed),
    ]
    let words = sets.filter { !$0.1.isEmpty }.map { name, ids in
      "\(name) \(ids.sorted().map { "\($0.number)" }.joined(separator: " "))"
    }
    return words.isEmpty ? "nothing" : words.joined(separator: ", ")
  }
}
