// Looks right: who brings the count back to 0 announces. Wrong: a photo that comes before the next one is asked
// for brings it back to 0, too, and without any photo nobody does.

extension Album {
  // region download
  /// Downloads photos, all at the same time, and returns while they are on their way.
  func download(
    _ names: [String], queue: DispatchQueue,
    completion: @escaping @Sendable ([Result<Photo, PhotoError>]) -> Void
  ) {
    struct State {
      var running = 0
      var results: [Result<Photo, PhotoError>?]
    }
    let state = Mutex(State(results: Array(repeating: nil, count: names.count)))
    for (index, name) in names.enumerated() {
      state.withLock { $0.running += 1 }
      client.fetch(name) { result in
        let results = state.withLock { state -> [Result<Photo, PhotoError>]? in
          state.results[index] = result
          state.running -= 1
          return state.running == 0 ? state.results.compactMap(\.self) : nil
        }
        if let results { queue.async { completion(results) } }
      }
    }
  }
  // endregion
}
