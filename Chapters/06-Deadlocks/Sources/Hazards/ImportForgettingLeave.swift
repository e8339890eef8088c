#if EXPLORED
  import ControlledDispatch
#else
  import Dispatch
#endif

public final class ImportForgettingLeave: Sendable {
  private let queue: DispatchQueue
  public let group = DispatchGroup()

  public init(on queue: DispatchQueue) {
    self.queue = queue
  }

  public func start(_ folder: Folder) {
    for photo in folder.photos {
      group.enter()
      queue.async {
        guard !photo.isEmpty else { return }  // added later, for a bug report
        self.group.leave()
      }
    }
  }
}
