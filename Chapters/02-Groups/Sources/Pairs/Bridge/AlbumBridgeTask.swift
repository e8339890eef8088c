import Dispatch

extension TaskGrouped.Album {
  /// The new code for a caller that is old: it calls back on a queue, as ever.
  ///
  /// - Returns: The task, whose cancelling cancels the downloads; the completion is called all the same.
  @discardableResult
  func load(
    _ names: [String], on queue: DispatchQueue,
    then completion: @escaping @Sendable ([Answer]) -> Void
  ) -> Task<Void, Never> {
    Task {
      let answers = await load(names)
      queue.async { completion(answers) }
    }
  }
}
