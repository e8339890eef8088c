#if EXPLORED
  import ControlledDispatch
#else
  import Dispatch
#endif

// One group for the whole import, so that the progress window can wait for it.
public final class ImportWaitingForItself: Sendable {
  private let queue: DispatchQueue
  public let group = DispatchGroup()

  public init(on queue: DispatchQueue) {
    self.queue = queue
  }

  /// Imports a folder; a folder within it is a member of the same group.
  public func start(_ folder: Folder, aboutToWait: @escaping @Sendable () -> Void = {}) {
    for _ in folder.photos { queue.async(group: group) {} }
    for inner in folder.folders {
      queue.async(group: group) {
        self.start(inner)
        aboutToWait()
        self.group.wait()  // then write the folder's summary
      }
    }
  }
}
