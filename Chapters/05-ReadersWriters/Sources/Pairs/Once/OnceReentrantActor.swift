extension Reentrant {
  /// Keeps a value when it is made, and wrong: while it is made, others find none.
  actor Once<Value: Sendable> {
    private let make: @Sendable () async throws -> Value
    private var made: Value?

    init(make: @escaping @Sendable () async throws -> Value) {
      self.make = make
    }

    var value: Value {
      get async throws {
        if let made { return made }
        let value = try await make()
        made = value
        return value
      }
    }
  }
}
