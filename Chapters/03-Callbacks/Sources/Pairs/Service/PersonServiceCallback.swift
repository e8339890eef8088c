/// Asks a server for persons, and calls back.
protocol PersonService: Sendable {
  /// - Parameter completion: Called once, on a thread of the service, perhaps before this has returned: with the person,
  ///   with nil if the server knows none, with a ``PersonError``, or with a `CancellationError`.
  /// - Returns: A closure that cancels the request.
  func person(_ id: Int, then completion: @escaping Completion<Person?>) -> Cancel
}
