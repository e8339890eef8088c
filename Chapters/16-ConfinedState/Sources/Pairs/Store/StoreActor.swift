/// Users that belong to an actor. What leaves it is a value, and what comes in is saved whole or not at all.
actor Store {
  private var table: Table
  private let identifiers: Identifiers
  private let write: @Sendable ([UserID: User]) throws -> Void
  private var subscribers: [Int: AsyncStream<Changes>.Continuation] = [:]
  private var lastSubscriber = 0
  private var lastTransaction: Task<Void, any Error>?

  /// - Parameters:
  ///   - users: What is stored.
  ///   - write: Writes all users to a file, whole or not at all. It is called on the actor.
  init(
    _ users: [UserID: User] = [:],
    write: @escaping @Sendable ([UserID: User]) throws -> Void = { _ in }
  ) {
    table = Table(users)
    identifiers = Identifiers(after: users.keys)
    self.write = write
  }

  /// A snapshot.
  var users: [UserID: User] { table.users }

  func draft() -> Draft { Draft(table.rows, identifiers) }

  // MARK: Saving

  /// Saves a draft, whole or not at all.
  ///
  /// - Returns: What it has changed in the store.
  /// - Throws: ``Conflict``, or what the file throws.
  @discardableResult
  func commit(_ draft: Draft, _ policy: Policy = .error) throws -> Changes {
    var new = table
    let changes = try new.apply(draft.edits, policy)
    try replace(table: new, changes)
    return changes
  }

  /// Changes users in one step: there is no `await` in the body, so nobody is in between.
  @discardableResult
  func update<R: Sendable>(_ body: @Sendable (inout Draft) throws -> R) throws -> R {
    var draft = draft()
    let result = try body(&draft)
    try commit(draft)
    return result
  }

  /// Changes all users in place, and says so in the fourth set.
  func updateAll(_ change: @Sendable (inout User) -> Void) throws {
    var new = table
    let changed = new.updateAll(change)
    try replace(table: new, Changes(refreshed: changed))
  }

  private func replace(table new: Table, _ changes: Changes) throws {
    if changes.isEmpty { return }
    try write(new.users)
    table = new
    for subscriber in subscribers.values { subscriber.yield(changes) }
  }

  // MARK: Transactions that await

  /// Runs transactions one after the other, each with its awaits. It throws if a save that is no transaction comes in
  /// between; and one that is cancelled waits for those before it all the same.
  ///
  /// - Throws: `CancellationError`, ``Conflict``, what the body throws.
  func transaction(_ body: @escaping @Sendable (inout Draft) async throws -> Void) async throws {
    let task = Task { [lastTransaction] in
      _ = await lastTransaction?.result
      try Task.checkCancellation()
      var draft = draft()
      try await body(&draft)
      try commit(draft)
    }
    lastTransaction = task
    try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Runs a transaction beside others, and again from the beginning if somebody has changed what it changes. What it
  /// only reads is not looked at.
  ///
  /// - Throws: `CancellationError`, what the body throws.
  nonisolated func retrying<R: Sendable>(
    _ body: @Sendable (inout Draft) async throws -> R
  ) async throws -> R {
    while true {
      try Task.checkCancellation()
      var draft = await draft()
      let result = try await body(&draft)
      do {
        try await commit(draft)
        return result
      } catch is Conflict {}
    }
  }

  // MARK: Subscribers

  /// What is stored now, and each change from now on, in one step: nothing is missed, and nothing comes twice. The
  /// stream keeps what its reader has not taken yet.
  func observe() -> (users: [UserID: User], changes: AsyncStream<Changes>) {
    let (changes, subscriber) = AsyncStream.makeStream(of: Changes.self)
    lastSubscriber += 1
    subscribers[lastSubscriber] = subscriber
    subscriber.onTermination = { [weak self, id = lastSubscriber] _ in
      Task { await self?.removeSubscriber(id) }
    }
    return (users, changes)
  }

  var subscriberCount: Int { subscribers.count }

  private func removeSubscriber(_ id: Int) { subscribers[id] = nil }

  deinit {
    for subscriber in subscribers.values { subscriber.finish() }
  }
}
