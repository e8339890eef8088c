extension TaskGrouped {
  /// A child for each photo. An error is an answer like another, so none is lost, and the rest come in.
  struct Album: Sendable {
    private let fetch: AsyncFetch

    init(fetch: @escaping AsyncFetch) {
      self.fetch = fetch
    }

    func load(_ names: [String]) async -> [Answer] {
      await withTaskGroup(of: (index: Int, answer: Answer).self) { group in
        for (index, name) in names.enumerated() {
          group.addTask {
            let answer = await answer(to: name)
            return (index, answer)
          }
        }
        var answers = [Answer?](repeating: nil, count: names.count)
        for await (index, answer) in group { answers[index] = answer }
        return answers.compactMap(\.self)
      }
    }

    private func answer(to name: String) async -> Answer {
      do { return .success(try await fetch(name)) } catch { return .failure(error) }
    }
  }
}
