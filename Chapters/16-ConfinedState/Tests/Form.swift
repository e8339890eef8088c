import Synchronization
import Testing
import Workbook

@testable import ConfinedState

/// A store of either kind, with what takes the place of its file.
struct Form: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let open: @Sendable ([UserID: User], TestFile) -> any StoreUnderTest

  static let all = [
    Form(testDescription: "contexts") { Coordinator(Table($0, write: $1.write)) },
    Form(testDescription: "actor") { Store(Table($0, write: $1.write)) },
  ]
}

protocol StoreUnderTest: Sendable {
  /// Begins with what is stored.
  func session(_ policy: Policy) async -> any Session
  func addVisitToAll() async throws
  var stored: [UserID: User] { get async }
}

/// What reads and changes users, and saves them one level up.
protocol Session: Sendable {
  var users: [UserID: User] { get async }
  /// - Returns: What an insertion or a save has changed.
  @discardableResult func perform(_ deed: Deed) async throws -> Changes
  func child() async -> any Session
}

enum Deed: Sendable {
  case insert(String)
  case rename(UserID, String)
  case visit(UserID)
  case delete(UserID)
  case save, rollback
  /// Drops what was not saved, and reads all again.
  case beginAgain
}

/// What takes the place of a file: it holds what was written last, or is full.
final class TestFile: Sendable {
  struct Full: Error {}

  private let state = Mutex((users: [UserID: User]?.none, writes: 0, isFull: false))

  var users: [UserID: User]? { state.withLock(\.users) }
  var writes: Int { state.withLock(\.writes) }
  func fill(_ isFull: Bool = true) { state.withLock { $0.isFull = isFull } }

  @Sendable func write(_ users: [UserID: User]) throws {
    try state.withLock { state in
      if state.isFull { throw Full() }
      state.users = users
      state.writes += 1
    }
  }
}

// MARK: Contexts

extension Coordinator: StoreUnderTest {
  func session(_ policy: Policy) -> any Session {
    let context = Context("session", over: self, policy: policy)
    _ = context.performAndWait { context.users() }
    return ContextSession(context)
  }

  func addVisitToAll() throws { try updateAll { $0.visits += 1 } }
  var stored: [UserID: User] { rows.mapValues(\.user) }
}

private final class ContextSession: Session {
  private let context: Context
  private let saved = Mutex(Changes())

  init(_ context: Context) {
    self.context = context
    context.performAndWait {
      context.observe { [weak self] notice in
        if notice.kind == .didSave { self?.saved.withLock { $0 = notice.changes } }
      }
    }
  }

  var users: [UserID: User] {
    context.performAndWait {
      Dictionary(uniqueKeysWithValues: context.users().map { ($0.id, $0.values) })
    }
  }

  func perform(_ deed: Deed) throws -> Changes {
    try context.performAndWait {
      switch deed {
      case .insert(let name): return Changes(inserted: [context.insert(User(name: name)).id])
      case .rename(let id, let name): context.user(id)?.name = name
      case .visit(let id): context.user(id)?.visits += 1
      case .delete(let id): if let object = context.user(id) { context.delete(object) }
      case .save:
        try context.save()
        return saved.withLock(\.self)
      case .rollback: context.rollback()
      case .beginAgain:
        context.rollback()
        for object in context.users() { context.refresh(object) }
        _ = context.users()
      }
      return Changes()
    }
  }

  func child() -> any Session { ContextSession(Context("child", parent: context)) }
}

// MARK: An actor

extension Store: StoreUnderTest {
  func session(_ policy: Policy) -> any Session { DraftSession(draft(), self, policy) }
  func addVisitToAll() throws { try updateAll { $0.visits += 1 } }
  var stored: [UserID: User] { users }
}

private actor DraftSession: Session {
  private var draft: Draft
  private let store: Store
  private let policy: Policy
  private let parent: DraftSession?

  init(_ draft: Draft, _ store: Store, _ policy: Policy, parent: DraftSession? = nil) {
    (self.draft, self.store, self.policy, self.parent) = (draft, store, policy, parent)
  }

  var users: [UserID: User] { draft.users }

  func perform(_ deed: Deed) async throws -> Changes {
    switch deed {
    case .insert(let name): return Changes(inserted: [draft.insert(User(name: name))])
    case .rename(let id, let name): draft[id]?.name = name
    case .visit(let id): draft[id]?.visits += 1
    case .delete(let id): draft[id] = nil
    case .save:
      let changes =
        parent == nil ? try await store.commit(draft, policy) : Changes(draft.edits)
      await parent?.take(draft)
      draft = await stored
      return changes
    case .rollback, .beginAgain: draft = await stored
    }
    return Changes()
  }

  func child() -> any Session { DraftSession(draft.child(), store, policy, parent: self) }

  private func take(_ child: Draft) { draft.take(child) }

  /// What is stored one level up.
  private var stored: Draft {
    get async { if let parent { await parent.draft.child() } else { await store.draft() } }
  }
}

func difference(from old: [UserID: User], to new: [UserID: User]) -> Changes {
  Changes(
    inserted: Set(new.keys).subtracting(old.keys),
    updated: Set(new.keys.filter { old[$0] != nil && old[$0] != new[$0] }),
    deleted: Set(old.keys).subtracting(new.keys))
}

let ada = UserID(number: 1)
let bo = UserID(number: 2)
let adaAndBo = [ada: User(name: "Ada"), bo: User(name: "Bo")]

/// As in: Ada 0, Bo 1.
func told(_ users: [UserID: User]) -> String {
  users.sorted { $0.key < $1.key }.map { "\($0.value.name) \($0.value.visits)" }
    .joined(separator: ", ")
}

func numbers(_ ids: Set<UserID>) -> String {
  ids.sorted().map { "\($0.number)" }.joined(separator: " ")
}
