import Foundation

extension NotRaised {
  /// Callers wait for continuations. The task that loads has the priority of the first of them.
  actor PictureCache {
    private var pictures: [URL: Picture] = [:]
    private var waiters: [URL: [CheckedContinuation<Picture, any Error>]] = [:]
    private let load: AsyncLoad

    init(load: @escaping AsyncLoad) { self.load = load }

    func picture(at url: URL) async throws -> Picture {
      if let picture = pictures[url] { return picture }
      return try await withCheckedThrowingContinuation { continuation in
        waiters[url, default: []].append(continuation)
        guard waiters[url]?.count == 1 else { return }
        Task { [load] in
          let result: Result<Picture, any Error>
          do { result = .success(try await load(url)) } catch { result = .failure(error) }
          pictures[url] = try? result.get()
          for waiter in waiters.removeValue(forKey: url) ?? [] { waiter.resume(with: result) }
        }
      }
    }
  }
}
