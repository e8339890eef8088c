/// Somebody whom a screen shows.
struct Person: Codable, Equatable, Sendable {
  let id: Int
  let name: String
  let city: String
}

/// A search that failed, so nobody knows whether the person exists.
struct PersonError: Error {
  enum Layer: Sendable { case folder, service }

  let layer: Layer
  let id: Int
  let cause: any Error
}

typealias Completion<Value> = @Sendable (Result<Value, any Error>) -> Void
typealias Cancel = @Sendable () -> Void
