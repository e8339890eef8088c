import Foundation

extension InFlight {
  /// Keeps the task before anything is awaited. So a picture is loaded once, and nobody can leave.
  actor PictureCache {
    private enum Entry {
      case loading(Task<Picture, any Error>)
      case there(Picture)
    }

    private var entries: [URL: Entry] = [:]
    private let load: AsyncLoad

    init(load: @escaping AsyncLoad) { self.load = load }

    func picture(at url: URL) async throws -> Picture {
      switch entries[url] {
      case .there(let picture): return picture
      case .loading(let task): return try await task.value
      case nil: break
      }
      let task = Task { [load] in
        do {
          let picture = try await load(url)
          entries[url] = .there(picture)
          return picture
        } catch {
          // A failure is not kept, and this is before anybody hears of it: the next one to ask tries again.
          entries[url] = nil
          throw error
        }
      }
      entries[url] = .loading(task)
      return try await task.value
    }
  }
}
