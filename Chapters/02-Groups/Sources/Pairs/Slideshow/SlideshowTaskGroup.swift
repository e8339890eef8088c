extension TaskGrouped {
  /// Begins with the photos that have come when the time is over. The downloads that are late are cancelled, and have
  /// ended when it returns.
  struct Slideshow: Sendable {
    private let clock: any Clock<Duration>
    private let fetch: AsyncFetch

    init(on clock: any Clock<Duration> = .continuous, fetch: @escaping AsyncFetch) {
      self.clock = clock
      self.fetch = fetch
    }

    private enum Event {
      case ended(index: Int, Photo?)
      case timeIsOver
    }

    func load(_ names: [String], within limit: Duration) async -> [Photo?] {
      await withTaskGroup(of: Event.self) { group in
        for (index, name) in names.enumerated() {
          group.addTask {
            let photo = try? await fetch(name)
            return .ended(index: index, photo)
          }
        }
        group.addTask {
          try? await clock.sleep(for: limit)
          return .timeIsOver
        }
        defer { group.cancelAll() }
        var photos = [Photo?](repeating: nil, count: names.count)
        var missing = names.count
        while missing > 0, case .ended(let index, let photo)? = await group.next() {
          photos[index] = photo
          missing -= 1
        }
        return photos
      }
    }
  }
}
