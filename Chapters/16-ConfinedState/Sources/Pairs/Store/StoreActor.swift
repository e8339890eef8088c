/// Users that belong to an actor. What leaves it is a value, and what comes in is saved whole or not at all.
actor Store {
  private var table: Table
  private(set) var subscribers: [Int: AsyncStream<Changes>.Continuation] = [:]
  private var lastSubscriber = 0
  private var lastTransaction: Task<Void, any Error>?

  init(_ table: Table) { self.table = table }

  /// A snapshot.
  var users: [UserID: User] { table.users }

  func draft() -> Draft { Draft(table.rows, table.identifiers) }

  // MARK: Saving

  /// Saves a draft, whole or not at all.
  ///
  /// - Returns: What it has changed in the store.
  /// - Throws: ``Conflict``, or what the file throws.
  @discardableResult
  func commit(_ draft: Draft, _ policy: Policy = .error) throws -> Changes {
    tell(try table.apply(draft.edits, policy))
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
    tell(Changes(refreshed: try table.updateAll(change)))
  }

  @discardableResult
  private func tell(_ changes: Changes) -> Changes {
    if !changes.isEmpty { for subscriber in subscribers.values { subscriber.yield(changes) } }
    return changes
  }

  // MARK: Transactions that await

  /// Runs transactions one after the other, each with its awaits. It throws if a save that is no transaction comes in
  /// between. One that is cancelled waits for those before it all the same, and one within another one waits for ever.
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
      var draft = await draft()
      let result = try await body(&draft)
      try Task.checkCancellation()
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

  private func removeSubscriber(_ id: Int) { subscribers[id] = nil }

  deinit {
    for subscriber in subscribers.values { subscriber.finish() }
  }
}
