import Foundation

extension Isolated {
  /// Takes over users from a server: parsed in the shared pool, and saved in one step.
  struct Import: Sendable {
    let store: Store
    let load: @Sendable () async throws -> Data

    /// - Returns: How many there are. All of them are in the file then.
    /// - Throws: What the server, the parser or the file throws, and then none is.
    @concurrent func run() async throws -> Int {
      let users = try JSONDecoder().decode([User].self, from: try await load())
      try Task.checkCancellation()
      return try await store.update { draft in
        for user in users { draft.insert(user) }
        return users.count
      }
    }
  }
}
