import Testing

@testable import ConfinedState

/// What sessions do to a store that begins with Ada and Bo, and what comes of it; nil is not looked at.
private struct Behaviour: Sendable, CustomTestStringConvertible {
  enum Step {
    /// Two sessions that begin before the first step; a child of `a`; and a child of that.
    case a(Deed)
    case b(Deed)
    case child(Deed)
    case grandchild(Deed)
    case addVisitToAll, fill, makeRoom
  }

  let testDescription: String
  let policy: Policy
  let steps: [Step]
  let saves: [String]?
  let a: String?
  let stored: String?
  let writes: Int?

  init(
    _ testDescription: String, _ steps: [Step], policy: Policy = .error, saves: [String]? = nil,
    a: String? = nil, stored: String? = nil, writes: Int? = nil
  ) {
    self.testDescription = testDescription
    self.policy = policy
    self.steps = steps
    self.saves = saves
    self.a = a
    self.stored = stored
    self.writes = writes
  }
}

@Suite(.timeLimit(.minutes(30))) struct BehaviourTests {
  @Test(arguments: Form.all, alone + saving + conflicts + children)
  fileprivate func `both stores keep the contract`(
    _ form: Form, _ behaviour: Behaviour
  ) async throws {
    let file = TestFile()
    let store = form.open(adaAndBo, file)
    let (a, b) = (await store.session(behaviour.policy), await store.session(behaviour.policy))
    var (child, grandchild): ((any Session)?, (any Session)?)
    var saves: [String] = []
    func perform(_ deed: Deed, in session: any Session) async throws {
      do {
        let changes = try await session.perform(deed)
        if case .save = deed { saves.append(changes.told) }
      } catch let error as Conflict {
        saves.append("conflict over \(numbers(error.ids))")
      } catch is TestFile.Full {
        saves.append("full")
      }
    }
    for step in behaviour.steps {
      switch step {
      case .a(let deed): try await perform(deed, in: a)
      case .b(let deed): try await perform(deed, in: b)
      case .child(let deed):
        if child == nil { child = await a.child() }
        try await perform(deed, in: child!)
      case .grandchild(let deed):
        if child == nil { child = await a.child() }
        if grandchild == nil { grandchild = await child!.child() }
        try await perform(deed, in: grandchild!)
      case .addVisitToAll: try await store.addVisitToAll()
      case .fill: file.fill()
      case .makeRoom: file.fill(false)
      }
    }
    if let told = behaviour.saves { #expect(saves == told) }
    if let users = behaviour.a { #expect(told(await a.users) == users) }
    if let users = behaviour.stored {
      #expect(told(await store.stored) == users)
      #expect(told(await store.session(.error).users) == users)
      // The file has the same, if it was ever written.
      #expect(told(file.users ?? adaAndBo) == users)
    }
    if let writes = behaviour.writes { #expect(file.writes == writes) }
  }
}

private let alone = [
  Behaviour(
    "who is inserted, changed or deleted is so for the session only",
    [.a(.insert("Cy")), .a(.rename(ada, "Eve")), .a(.visit(ada)), .a(.delete(bo))],
    a: "Eve 1, Cy 0", stored: "Ada 0, Bo 0"),
  Behaviour(
    "what is changed there and back is not changed",
    [.a(.rename(ada, "Eve")), .a(.rename(ada, "Ada")), .a(.save)], saves: ["nothing"], writes: 0),
  Behaviour(
    "a user who is inserted and deleted was never there",
    [.a(.insert("Cy")), .a(.delete(UserID(number: 3))), .a(.save)], saves: ["nothing"], writes: 0),
  Behaviour(
    "a rollback takes all of it back, and leaves a save nothing",
    [.a(.rename(ada, "Eve")), .a(.delete(bo)), .a(.insert("Cy")), .a(.rollback), .a(.save)],
    saves: ["nothing"], a: "Ada 0, Bo 0", writes: 0),
]

private let saving = [
  Behaviour(
    "a save tells who was inserted, updated, deleted; they are stored and in the file",
    [.a(.insert("Cy")), .a(.rename(ada, "Eve")), .a(.delete(bo)), .a(.save)],
    saves: ["inserted 3, updated 1, deleted 2"], a: "Eve 0, Cy 0", stored: "Eve 0, Cy 0"),
  Behaviour(
    "a save is one write and tells only what is new; one without changes is none",
    [.a(.visit(ada)), .a(.visit(bo)), .a(.save), .a(.visit(bo)), .a(.save), .a(.save)],
    saves: ["updated 1 2", "updated 2", "nothing"], writes: 2),
  Behaviour(
    "an identifier stays the same after the save",
    [.a(.insert("Cy")), .a(.save), .a(.visit(UserID(number: 3))), .a(.save)],
    saves: ["inserted 3", "updated 3"], stored: "Ada 0, Bo 0, Cy 1"),
  Behaviour(
    "two sessions give no identifier twice",
    [.a(.insert("Cy")), .b(.insert("Di")), .a(.save), .b(.save)],
    saves: ["inserted 3", "inserted 4"], stored: "Ada 0, Bo 0, Cy 0, Di 0"),
  Behaviour(
    "if the file is full nothing is saved, and nothing is lost",
    [.a(.visit(ada)), .a(.insert("Cy")), .fill, .a(.save)], saves: ["full"],
    a: "Ada 1, Bo 0, Cy 0", stored: "Ada 0, Bo 0"),
  Behaviour(
    "and it is saved when there is room",
    [.a(.visit(ada)), .a(.insert("Cy")), .fill, .a(.save), .makeRoom, .a(.save)],
    saves: ["full", "inserted 3, updated 1"], stored: "Ada 1, Bo 0, Cy 0"),
  Behaviour(
    "what is changed in the store itself is in the file; a session has what it has read",
    [.addVisitToAll], a: "Ada 0, Bo 0", stored: "Ada 1, Bo 1", writes: 1),
]

/// One session changes and saves; then another one that had begun before.
private func conflict(
  _ testDescription: String, _ policy: Policy, _ first: [Deed], _ second: [Deed],
  _ save: String? = nil, stored: String
) -> Behaviour {
  let steps = (first + [.save]).map(Behaviour.Step.b) + (second + [.save]).map(Behaviour.Step.a)
  return Behaviour(
    testDescription, steps, policy: policy, saves: save.map { ["updated 1", $0] }, stored: stored)
}

private let conflicts = [
  conflict(
    "error: what both have changed is a conflict, and nothing is saved", .error,
    [.rename(ada, "Eve")], [.visit(ada), .visit(bo)], "conflict over 1", stored: "Eve 0, Bo 0"),
  conflict(
    "error: different users are no conflict", .error, [.rename(ada, "Eve")], [.visit(bo)],
    "updated 2", stored: "Eve 0, Bo 1"),
  conflict(
    "error: the same change is a conflict, because two visits are not one", .error, [.visit(ada)],
    [.visit(ada)], "conflict over 1", stored: "Ada 1, Bo 0"),
  conflict(
    "error: a user whom both delete is no conflict", .error, [.delete(ada)],
    [.delete(ada), .visit(bo)], stored: "Bo 1"),
  Behaviour(
    "error: all in conflict are named, also a deleted one",
    [.b(.visit(ada)), .b(.delete(bo)), .b(.save), .a(.visit(ada)), .a(.visit(bo)), .a(.save)],
    saves: ["updated 1, deleted 2", "conflict over 1 2"], stored: "Ada 1"),
  Behaviour(
    "error: a session that begins again saves",
    [
      .b(.rename(ada, "Eve")), .b(.save), .a(.visit(ada)), .a(.save), .a(.beginAgain),
      .a(.visit(ada)), .a(.save),
    ], saves: ["updated 1", "conflict over 1", "updated 1"], stored: "Eve 1, Bo 0"),
  Behaviour(
    "error: a change in the store itself is a conflict, too",
    [.addVisitToAll, .a(.rename(ada, "Eve")), .a(.save)], saves: ["conflict over 1"]),
  conflict(
    "object wins: its value, if both have changed it", .objectWins, [.rename(ada, "Eve")],
    [.rename(ada, "Liv")], "updated 1", stored: "Liv 0, Bo 0"),
  conflict(
    "object wins: the store's value, if only that has changed", .objectWins,
    [.rename(ada, "Eve")], [.visit(ada)], "updated 1", stored: "Eve 1, Bo 0"),
  conflict(
    "object wins: a deleted user is there again", .objectWins, [.delete(ada)],
    [.rename(ada, "Liv")], stored: "Liv 0, Bo 0"),
  conflict(
    "object wins: a changed user is deleted", .objectWins, [.visit(ada)], [.delete(ada)],
    "deleted 1", stored: "Bo 0"),
  conflict(
    "store wins: its value, if both have changed it", .storeWins, [.rename(ada, "Eve")],
    [.rename(ada, "Liv")], stored: "Eve 0, Bo 0"),
  conflict(
    "store wins: the object's value, if only that has changed", .storeWins,
    [.rename(ada, "Eve")], [.visit(ada)], "updated 1", stored: "Eve 1, Bo 0"),
  conflict(
    "store wins: a deleted user stays deleted", .storeWins, [.delete(ada)],
    [.rename(ada, "Liv")], stored: "Bo 0"),
  conflict(
    "store wins: a changed user stays", .storeWins, [.visit(ada)], [.delete(ada)],
    stored: "Ada 1, Bo 0"),
]

private let children = [
  Behaviour(
    "a child sees what its parent has not saved",
    [.a(.insert("Cy")), .child(.visit(UserID(number: 3))), .child(.save)],
    saves: ["updated 3"], a: "Ada 0, Bo 0, Cy 1"),
  Behaviour(
    "its save reaches the parent, and no further; it tells what it has changed",
    [.child(.insert("Cy")), .child(.visit(ada)), .child(.delete(bo)), .child(.save)],
    saves: ["inserted 3, updated 1, deleted 2"], a: "Ada 1, Cy 0", stored: "Ada 0, Bo 0",
    writes: 0),
  Behaviour(
    "what it has changed counts, value by value, and the rest is the parent's",
    [
      .child(.rename(ada, "Eve")), .child(.visit(bo)), .a(.visit(ada)), .a(.delete(bo)),
      .child(.save),
    ],
    a: "Eve 1, Bo 1"),
  Behaviour(
    "a grandchild's changes need three saves",
    [.grandchild(.insert("Cy")), .grandchild(.save), .child(.save), .a(.save)],
    saves: ["inserted 3", "inserted 3", "inserted 3"], stored: "Ada 0, Bo 0, Cy 0", writes: 1),
  Behaviour(
    "and two do not do", [.grandchild(.insert("Cy")), .grandchild(.save), .child(.save)],
    a: "Ada 0, Bo 0, Cy 0", stored: "Ada 0, Bo 0", writes: 0),
  Behaviour(
    "a parent can take back what a child has saved",
    [
      .child(.rename(ada, "Eve")), .child(.delete(bo)), .child(.insert("Cy")), .child(.save),
      .a(.rollback), .a(.save),
    ], saves: ["inserted 3, updated 1, deleted 2", "nothing"], a: "Ada 0, Bo 0"),
]
