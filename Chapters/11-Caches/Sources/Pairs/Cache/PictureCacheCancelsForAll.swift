import Foundation

extension CancelsForAll {
  /// A caller that is cancelled cancels the task, which others may wait for or join.
  actor PictureCache {
    private var pictures: [URL: Picture] = [:]
    private var tasks: [URL: Task<Picture, any Error>] = [:]
    private let load: AsyncLoad

    init(load: @escaping AsyncLoad) { self.load = load }

    func picture(at url: URL) async throws -> Picture {
      if let picture = pictures[url] { return picture }
      let task = tasks[url] ?? Task { [load] in try await load(url) }
      tasks[url] = task
      defer { tasks[url] = nil }
      let picture = try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
      pictures[url] = picture
      return picture
    }
  }
}
