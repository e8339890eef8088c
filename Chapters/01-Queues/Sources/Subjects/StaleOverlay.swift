import Dispatch
import Workbook

extension Subject {
  static let staleOverlay = Subject(
    "stale-overlay",
    asks: "The user goes on to a second photo while the first is searched. Whose faces are shown?",
    right: .allowed("faces of the second"),
    implementations: [
      .before("back on main, and nothing else", lastWins) { stage in
        await shown(on: stage, by: Queued.FaceOverlay())
      }
      .code("FaceOverlayQueue.swift", "DispatchQueue.main.async"),
      .before("a number for each photo") { stage in
        await shown(on: stage, by: Queued.LatestOverlay())
      }
      .code("LatestOverlayQueue.swift", "DispatchQueue.main.async"),
      .after("await, and nothing else", lastWins) { stage in
        await shown(on: stage, by: Awaited.FaceOverlay())
      }
      .code("FaceOverlayAsync.swift", "faces = await"),
      .after("a task that is cancelled by the next") { stage in
        await shown(on: stage, by: Tasked.LatestOverlay())
      }
      .code("LatestOverlayTask.swift", "search = Task {"),
    ])

  private static let lastWins = Outcome.surprising(
    "faces of the first", "the search that ends last wins")
}

/// An overlay that calls back.
private protocol CallingBack: AnyObject, Sendable {
  var faces: [Face] { get }
  func show(
    _ photo: Photo, detect: @escaping @Sendable (Photo) -> [Face],
    completion: @escaping @Sendable () -> Void)
}

extension Queued.FaceOverlay: CallingBack {}
extension Queued.LatestOverlay: CallingBack {}

/// Asks for two photos. Played, the search of the first takes until the second is shown.
private func shown(on stage: Stage, by overlay: some CallingBack) async -> String {
  await withCheckedContinuation { continuation in
    DispatchQueue.main.async {
      let (isSecondShown, both) = (DispatchSemaphore(value: 0), DispatchGroup())
      both.enter()
      overlay.show(.twoFaces) { photo in
        if !stage.isExplored { isSecondShown.wait() }
        return photo.faces()
      } completion: {
        both.leave()
      }
      both.enter()
      overlay.show(.oneFace) {
        $0.faces()
      } completion: {
        isSecondShown.signal()
        both.leave()
      }
      both.notify(queue: .main) { continuation.resume(returning: whose(overlay.faces)) }
    }
  }
}

/// An overlay whose search is a task.
@MainActor private protocol Searching: AnyObject {
  var faces: [Face] { get }
  /// Asks for a photo before it returns.
  func begin(
    _ photo: Photo, at priority: TaskPriority, detect: @escaping @Sendable (Photo) -> [Face]
  ) -> Task<Void, Never>?
}

extension Awaited.FaceOverlay: Searching {
  fileprivate func begin(
    _ photo: Photo, at priority: TaskPriority, detect: @escaping @Sendable (Photo) -> [Face]
  ) -> Task<Void, Never>? {
    Task.immediate(priority: priority) { await show(photo, detect: detect) }
  }
}

extension Tasked.LatestOverlay: Searching {
  fileprivate func begin(
    _ photo: Photo, at priority: TaskPriority, detect: @escaping @Sendable (Photo) -> [Face]
  ) -> Task<Void, Never>? {
    // Done before it returns; the search has its priority.
    Task.immediate(priority: priority) { show(photo, detect: detect) }
    return search
  }
}

/// The same of a task. The first search, which blocks its thread, is of a lower priority: on Linux it has a pool of its
/// own, so that the second never wants for a thread.
@MainActor private func shown(on stage: Stage, by overlay: some Searching) async -> String {
  let isSecondShown = DispatchSemaphore(value: 0)
  let first = overlay.begin(.twoFaces, at: .low) { photo in
    if !stage.isExplored { isSecondShown.wait() }
    return photo.faces()
  }
  let second = overlay.begin(.oneFace, at: .high) { $0.faces() }
  await second?.value
  isSecondShown.signal()
  await first?.value
  return whose(overlay.faces)
}

private func whose(_ faces: [Face]) -> String {
  faces == Photo.oneFace.faces() ? "faces of the second" : "faces of the first"
}
