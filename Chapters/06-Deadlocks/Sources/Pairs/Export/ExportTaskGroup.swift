extension Awaited {
  /// A film that awaits its parts holds no place of the pool.
  struct Export: Sendable {
    func export(films: Int, parts: Int, _ work: @escaping @Sendable () async -> Void) async {
      await withDiscardingTaskGroup { all in
        for _ in 0..<films {
          all.addTask {
            await withDiscardingTaskGroup { film in
              for _ in 0..<parts { film.addTask { await work() } }
            }
          }
        }
      }
    }
  }
}
